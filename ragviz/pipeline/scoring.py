"""From stored words to stored results: pure functions over each trace, written in batches."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from ragviz.contracts import View
from ragviz.diagnosis.authority import apply_rules
from ragviz.diagnosis.causes import root_cause
from ragviz.diagnosis.corpus import Corpus
from ragviz.diagnosis.quadrants import quadrant
from ragviz.errors import Cancelled
from ragviz.grounding.resolve import ClaimGrounding, groundings
from ragviz.metrics import score_all
from ragviz.pipeline.corpora import authority_rules, corpus_of
from ragviz.records import Annotation, Grounding, JudgedTrace, Table, TraceResult
from ragviz.store import Store

Progress = Callable[[int, int | None], None]
"""Called with how much is done, and of how much (None = unknown)."""

BATCH = 200
WORST_FIRST = (Grounding.CONTRADICTED, Grounding.CONFLICTED, Grounding.NOT_SUPPORTED, Grounding.UNJUDGED, Grounding.SUPPORTED)


def result_of(case: JudgedTrace, corpus: Corpus | None = None) -> TraceResult:
    """Everything pages show of one trace. ``corpus``: all passages of its run, where causes look for what was missed."""
    scores = score_all(case)
    found = groundings(case, Table.RESPONSE_X_PASSAGES)
    cause = root_cause(case, scores, corpus=corpus)
    worst = worst_claim(found)
    texts = {claim.id: claim.text for claim in case.claims}
    return TraceResult(
        trace_id=case.trace.id, scores=scores, quadrant=str(quadrant(case, scores)), cause=str(cause.name), cause_detail=cause.detail,
        cause_evidence=cause.evidence,
        verdicts=dict(Counter(str(g.grounding) for g in found.values())),
        worst_claim=texts.get(worst.claim_id, "") if worst else "", worst_verdict=str(worst.grounding) if worst else None,
    )


def results_of(store: Store, run_id: str, cases: Iterable[JudgedTrace]) -> list[TraceResult]:
    """The results of some traces of a run, with what is known of its corpus and of its sources' authority."""
    corpus, rules = corpus_of(store, run_id), authority_rules(store)
    return [result_of(replace(case, trace=apply_rules(case.trace, rules)), corpus) for case in cases]


def worst_claim(found: dict[str, ClaimGrounding]) -> ClaimGrounding | None:
    """The claim to look at first: the worst verdict, and of these the surest."""
    return min(found.values(), key=lambda g: (WORST_FIRST.index(g.grounding), -(g.confidence or 0.0)), default=None)


def score_view(
    store: Store, view: View, ids: Sequence[str] | None = None, *, on_progress: Progress | None = None, cancel: threading.Event | None = None,
) -> int:
    """
    Compute and store results.

    Args:
        store: Where the words are and the results go.
        view: The run, seen through a judge.
        ids: These traces, again; None = all that have no result yet.
        on_progress: Told after each batch.
        cancel: Stops between batches.

    Returns:
        How many were computed.

    Raises:
        Cancelled: Stopped; what was computed is stored.
    """
    wanted = list(ids) if ids is not None else store.missing_results(view)
    for start in range(0, len(wanted), BATCH):
        if cancel is not None and cancel.is_set():
            raise Cancelled("stopped", fix="start again to go on from here")
        store.put_results(view, results_of(store, view.run_id, store.judged(view, wanted[start : start + BATCH])))
        if on_progress is not None:
            on_progress(min(start + BATCH, len(wanted)), len(wanted))
    if ids is None and wanted:
        store.prepare(view, n_new=len(wanted))
    return len(wanted)


def annotate(store: Store, view: View, note: Annotation) -> None:
    """Store a person's word and bring the trace's result of this view up to date."""
    store.annotate(view.run_id, note)
    score_view(store, view, [note.trace_id])
