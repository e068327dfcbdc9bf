"""Which traces may be in another quadrant, given how often the judge is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragviz.contracts import View
from ragviz.diagnosis.quadrants import Thresholds, quadrant
from ragviz.diagnosis.uncertainty import is_uncertain, quadrant_odds
from ragviz.records import Interval, JudgedTrace, Score
from ragviz.stats.bootstrap import mean_interval
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
    return resources.shared(lambda: _doubt(resources.store(), view, limits, drawn), "unsure", view, limits, run_id=view.run_id)


def _cases(store: Store, view: View, drawn: sampled.Sample) -> list[JudgedTrace]:
    """The sample, read once for all places of the lines."""
    return resources.shared(lambda: list(store.judged(view, drawn.ids)), "doubt-cases", view, run_id=view.run_id)


def _scores(store: Store, view: View, drawn: sampled.Sample) -> dict[str, Mapping[str, Score]]:
    return resources.shared(lambda: {r.trace_id: r.scores for r in store.results(view, drawn.ids)}, "doubt-scores", view, run_id=view.run_id)


def _doubt(store: Store, view: View, limits: Thresholds, drawn: sampled.Sample | None) -> Doubt:
    ids = None if drawn is None else drawn.ids
    scores = {result.trace_id: result.scores for result in store.results(view, ids)} if drawn is None else _scores(store, view, drawn)
    doubted = {
        case.trace.id for case in (store.judged(view) if drawn is None else _cases(store, view, drawn))
        if case.trace.id in scores and is_uncertain(quadrant_odds(case, scores[case.trace.id], limits), quadrant(case, scores[case.trace.id], limits))
    }
    every = store.trace_ids(view.run_id) if drawn is None else drawn.ids
    each = np.fromiter((trace_id in doubted for trace_id in every), dtype=np.bool_, count=len(every))
    if drawn is None:
        return Doubt(float(each.sum()), None, each, None)
    found = mean_interval(each.astype(np.float64))
    scaled = Interval(lo=found.lo * drawn.of, hi=found.hi * drawn.of) if found else None
    return Doubt(float(each.mean()) * drawn.of, scaled, None, drawn)
