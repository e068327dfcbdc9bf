"""Which traces may be in another quadrant, given how often the judge is wrong."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ragviz.contracts import View
from ragviz.diagnosis.quadrants import Thresholds, quadrant
from ragviz.diagnosis.uncertainty import is_uncertain, quadrant_odds
from ragviz.store import Store
from ragviz.ui import resources

MOST_TRACES = 3_000
"""Above this every claim of the run would have to be read for one page."""


def unsure(view: View, limits: Thresholds, n_traces: int) -> NDArray[np.bool_] | None:
    """Per trace in file order: another quadrant is likelier than 1 in 5. None for runs too large to look into."""
    if n_traces > MOST_TRACES:
        return None
    return resources.shared(lambda: _unsure(resources.store(), view, limits), "unsure", view, limits)


def _unsure(store: Store, view: View, limits: Thresholds) -> NDArray[np.bool_]:
    scores = {result.trace_id: result.scores for result in store.results(view)}
    doubted = {
        case.trace.id for case in store.judged(view)
        if case.trace.id in scores and is_uncertain(quadrant_odds(case, scores[case.trace.id], limits), quadrant(case, scores[case.trace.id], limits))
    }
    ids = store.trace_ids(view.run_id)
    return np.fromiter((trace_id in doubted for trace_id in ids), dtype=np.bool_, count=len(ids))
