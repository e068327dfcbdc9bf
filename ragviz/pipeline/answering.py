"""A person's word on whether an answer answers or declines, and all that follows from it."""

from __future__ import annotations

from ragviz.contracts import View
from ragviz.errors import UnknownName
from ragviz.grounding import ANSWERS, is_said_to_answer
from ragviz.pipeline.claiming import claims_of_answer
from ragviz.pipeline.scoring import score_view
from ragviz.records import Annotation, Side
from ragviz.store import Store


def say_of_answer(store: Store, view: View, note: Annotation) -> None:
    """
    Store a person's word on an answer as a whole, and bring the trace's result of this view up to date.

    An answer that is said to answer gets claims in every claim set in which it has none. They are unjudged until a judge is asked: from the Inspector, or by
    ``judge_run``, for which the trace is open again.

    Raises:
        UnknownName: No such run or trace.
    """
    if note.claim_set != ANSWERS or note.claim_id:
        raise ValueError(f"a word on claim {note.claim_id!r} of {note.claim_set!r} is none on the answer as a whole")
    store.annotate(view.run_id, note)
    case = store.one(view, note.trace_id)
    if case is None:
        raise UnknownName(f"no trace {note.trace_id!r} in this run", fix="choose one from the Traces page")
    if is_said_to_answer(case):
        for claim_set in dict.fromkeys((view.claim_set, *(seen.claim_set for seen, _ in store.views(view.run_id)))):
            had = store.claim_sets(view.run_id, claim_set, [note.trace_id]).get(note.trace_id)
            if had is not None and all(claim.side is not Side.RESPONSE for claim in had):
                store.add_claim_sets(view.run_id, {(note.trace_id, claim_set): claims_of_answer(case.trace, claim_set)})
    score_view(store, view, [note.trace_id])
