"""A judged run as the retrieval gate sees it: scores of passages beside what became of the answer. Asks no model but the embedder."""

from __future__ import annotations

from collections.abc import Sequence

from ragviz.backends.embedder import Embedder
from ragviz.contracts import View
from ragviz.records import ScoreKind
from ragviz.remedies.gate import GateRow
from ragviz.remedies.passage_scores import passage_scores
from ragviz.store import Store


def gate_rows(store: Store, view: View, kind: ScoreKind, *, embedder: Embedder | None = None) -> list[GateRow]:
    """
    One row per trace that has a result, in file order.

    Args:
        store: Where the run is.
        view: The run, seen through a judge.
        kind: Which score of the passages.
        embedder: For embedding scores.

    Raises:
        JudgeUnavailable: Embedding scores, and the model is not here.
    """
    results = {result.trace_id: result for result in store.results(view)}
    rows = []
    for trace in store.traces(view.run_id):
        result = results.get(trace.id)
        if result is None:
            continue
        scores = None if trace.passages is None else tuple(passage_scores(trace, kind, k=view.k, embedder=embedder))
        faithfulness, declined = result.scores.get("faithfulness"), result.scores.get("abstained")
        rows.append(GateRow(
            trace_id=trace.id, group=trace.group if trace.group is not None else trace.question, scores=scores,
            faithfulness=faithfulness.value if faithfulness else None, declined=declined is not None and declined.value == 1.0,
            good=None if result.quadrant == "unknown" else result.quadrant == "good",
        ))
    return rows


def with_scores(rows: Sequence[GateRow]) -> int:
    """Traces with at least one passage that has a score."""
    return sum(any(s is not None for s in row.scores or ()) for row in rows)
