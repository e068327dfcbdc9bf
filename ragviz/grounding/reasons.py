"""Why a claim came out as it did: the words of whoever decided."""

from __future__ import annotations

from collections.abc import Mapping

from ragviz.grounding.resolve import ClaimGrounding, verdict_grid
from ragviz.records import Grounding, JudgedTrace, Judgement, Table, Verdict

NOTHING = "there is no passage"


def reason_of(case: JudgedTrace, found: ClaimGrounding, table: Table) -> str:
    """
    The judge's own words on the passage that decides (of a conflict: one for each side); where none does, on the one that comes nearest. A person's where
    one overruled.

    Args:
        case: The trace, seen through a judge.
        found: What became of the claim in ``table``.
        table: Against what it was held.

    Returns:
        For people; "" where the judge gave no reason. Written by a judge that read the trace: as hostile as the trace.
    """
    if found.by == "human" and found.annotation is not None:
        return f"{found.annotation.author}: {found.annotation.reason or 'no reason given'}"
    sides = [next((j.rationale for j in side if j.rationale), "") for side in (found.contradicting, found.supporting)]
    decisive = [words for words in sides if words]
    if decisive:
        return "; ".join(dict.fromkeys(decisive))
    told = verdict_grid(case, table).get(found.claim_id, {})
    if not told and table.against_passages and case.trace.passages is not None and not case.trace.first_passages(case.k):
        return NOTHING
    return next((j.rationale for j in _nearest_first(found.grounding, told) if j.rationale), "")


def _nearest_first(grounding: Grounding, told: Mapping[str, Judgement]) -> list[Judgement]:
    """What was left open before what was said; then the least sure: "not supported" is as sure as its weakest part, and that passage comes nearest."""
    first = Verdict.UNJUDGED if grounding is Grounding.UNJUDGED else None
    return sorted(told.values(), key=lambda j: (j.verdict is not first, j.confidence if j.confidence is not None else 1.0))
