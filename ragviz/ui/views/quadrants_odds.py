"""Which traces may be in another quadrant, given how often the judge is wrong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragviz.contracts import View
from ragviz.diagnosis.quadrants import Thresholds
from ragviz.diagnosis.uncertainty import Chances, chances, is_uncertain
from ragviz.records import Interval
from ragviz.stats.bootstrap import SHARE, mean_interval
from ragviz.store import Store
from ragviz.ui import resources, sampled

MOST_TRACES, SAMPLE = 3_000, 1_000
"""Up to so many traces each is looked into, above that a sample."""


@dataclass(frozen=True)
class Doubt:
    """Which traces may be in another quadrant, or how many."""

    n: float
    interval: Interval | None
    """95 %, of ``n``; None where it was counted."""
    each: NDArray[np.bool_] | None
    """Per trace in file order; None where only a sample was looked into."""
    sample: sampled.Sample | None


def doubt(view: View, limits: Thresholds) -> Doubt:
    """Traces for which another quadrant is likelier than 1 in 5."""
    drawn = sampled.sample(view, above=MOST_TRACES, size=SAMPLE)
    return resources.shared(lambda: _doubt(resources.store(), view, limits, drawn), "unsure", view, limits, run_id=view.run_id, heavy=True)


def _chances(store: Store, view: View, drawn: sampled.Sample | None) -> dict[str, Chances]:
    """What judge and scores say, whatever the lines are: worked out once for all places of them."""
    def make() -> dict[str, Chances]:
        ids = None if drawn is None else drawn.ids
        scores = {result.trace_id: result.scores for result in store.results(view, ids)}
        return {case.trace.id: chances(case, scores[case.trace.id]) for case in store.judged(view, ids) if case.trace.id in scores}

    return resources.shared(make, "chances", view, run_id=view.run_id, heavy=True)


def _doubt(store: Store, view: View, limits: Thresholds, drawn: sampled.Sample | None) -> Doubt:
    doubted = {trace_id for trace_id, found in _chances(store, view, drawn).items() if is_uncertain(found.odds(limits), found.shown(limits))}
    every = store.trace_ids(view.run_id) if drawn is None else drawn.ids
    each = np.fromiter((trace_id in doubted for trace_id in every), dtype=np.bool_, count=len(every))
    if drawn is None:
        return Doubt(float(each.sum()), None, each, None)
    found = mean_interval(each.astype(np.float64), within=SHARE)
    scaled = Interval(lo=found.lo * drawn.of, hi=found.hi * drawn.of) if found else None
    return Doubt(float(each.mean()) * drawn.of, scaled, None, drawn)
