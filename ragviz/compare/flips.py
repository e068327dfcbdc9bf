"""
Claims and traces whose verdict changed between two runs, and why.

The reason is the first of these that fits:

1. ``claims_changed``: the claim is not in both answers.
2. ``passages_changed``: other passages were retrieved (or the expected answer changed).
3. ``rank_changed``: the same passages in another order or number.
4. ``only_verdict_changed``: same claim, same passages, same order: the judge said something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import msgspec
from rapidfuzz import fuzz, process

from ragviz.compare.blame import blame, is_closed
from ragviz.grounding import groundings
from ragviz.records import Claim, Grounding, JudgedTrace, Table, Trace

SIMILAR = 80.0
"""Two claims above this (of 100) are one claim reworded; shown side by side, counted as changed."""
MOST_NAMED = 3
"""Passages that are named in a reason."""


class FlipReason(StrEnum):
    """Why a verdict changed."""

    CLAIMS_CHANGED = "claims_changed"
    PASSAGES_CHANGED = "passages_changed"
    RANK_CHANGED = "rank_changed"
    ONLY_VERDICT_CHANGED = "only_verdict_changed"


class ClaimFlip(msgspec.Struct, frozen=True, kw_only=True):
    """One claim that fares differently."""

    base_trace_id: str
    candidate_trace_id: str
    base_claim: Claim | None
    """None when only the candidate makes it."""
    candidate_claim: Claim | None
    before: Grounding | None
    after: Grounding | None
    reason: FlipReason
    detail: str

    @property
    def worse(self) -> bool | None:
        """True when a fault came, False when one went; None when neither side counts as a fault, both do, or one is unjudged."""
        if Grounding.UNJUDGED in (self.before, self.after):
            return None
        good_before = None if self.before is None else self.before.is_supported
        good_after = None if self.after is None else self.after.is_supported
        if self.after is not None and not good_after and good_before is not False:
            return True
        if self.before is not None and not good_before and good_after is not False:
            return False
        return None


def claim_flips(base: JudgedTrace, candidate: JudgedTrace, *, table: Table = Table.RESPONSE_X_PASSAGES) -> list[ClaimFlip]:
    """
    Claims of one pair of traces whose grounding differs, in the candidate's order, then those that are gone.

    A claim in both answers counts when its grounding changed; a claim in one answer only counts when it is no supported one: a new fault, or one that went.
    """
    before, after = groundings(base, table), groundings(candidate, table)
    matches, new, gone = match_claims(_side(base, table), _side(candidate, table))
    reason_here, detail = _context_change(base, candidate, table)
    ids = (base.trace.id, candidate.trace.id)
    flips = []
    for mine, theirs, exact in matches:
        was, now = before[mine.id].grounding, after[theirs.id].grounding
        if was is not now:
            reason, text = (reason_here, detail) if exact else (FlipReason.CLAIMS_CHANGED, "the claim is worded differently")
            flips.append(_flip(ids, (mine, theirs), (was, now), reason, text))
    changed = FlipReason.CLAIMS_CHANGED
    come = [(c, after[c.id].grounding) for c in new]
    flips += [_flip(ids, (None, c), (None, now), changed, "only the candidate says this") for c, now in come if not now.is_supported]
    went = [(c, before[c.id].grounding) for c in gone]
    flips += [_flip(ids, (c, None), (was, None), changed, "only the base says this") for c, was in went if not was.is_supported]
    return flips


def match_claims(base: Sequence[Claim], candidate: Sequence[Claim]) -> tuple[list[tuple[Claim, Claim, bool]], list[Claim], list[Claim]]:
    """
    Claims of two answers that say the same.

    Returns:
        Matches with True where the wording is equal up to case and spaces; claims only the candidate makes; claims only the base makes.
    """
    left = list(base)
    matches: list[tuple[Claim, Claim, bool]] = []
    rest: list[Claim] = []
    for theirs in candidate:
        mine = next((c for c in left if _key(c) == _key(theirs)), None)
        if mine is None:
            rest.append(theirs)
        else:
            left.remove(mine)
            matches.append((mine, theirs, True))
    new = []
    for theirs in rest:
        best = process.extractOne(theirs.text, [c.text for c in left], scorer=fuzz.token_sort_ratio, score_cutoff=SIMILAR) if left else None
        if best is None:
            new.append(theirs)
        else:
            matches.append((left.pop(best[2]), theirs, False))
    return matches, new, left


def n_same_claims(base: JudgedTrace, candidate: JudgedTrace, *, table: Table = Table.RESPONSE_X_PASSAGES) -> int:
    """Claims judged on identical inputs in both traces: any flip among them is the judge's own noise."""
    reason, _ = _context_change(base, candidate, table)
    if reason is not FlipReason.ONLY_VERDICT_CHANGED:
        return 0
    return sum(exact for _, _, exact in match_claims(_side(base, table), _side(candidate, table))[0])


def _side(case: JudgedTrace, table: Table) -> list[Claim]:
    return [c for c in case.claims if c.side is table.side]


def _key(claim: Claim) -> tuple[str, str]:
    """Facts are one claim when attribute and value are equal; texts, when they are equal up to case and spaces."""
    if claim.fact is not None:
        return claim.fact.attribute, claim.fact.value
    return "", " ".join(claim.text.split()).casefold().rstrip(".")


def _context_change(base: JudgedTrace, candidate: JudgedTrace, table: Table) -> tuple[FlipReason, str]:
    """What changed around the claims: the passages, their order, or nothing."""
    if not table.against_passages:
        mine, theirs = (
            (base.trace.reference, candidate.trace.reference) if table is Table.RESPONSE_X_REFERENCE else (base.trace.response, candidate.trace.response)
        )
        if mine != theirs:
            return FlipReason.PASSAGES_CHANGED, "the text it is compared with changed"
        return FlipReason.ONLY_VERDICT_CHANGED, "same claim, same text: the judge decided differently"
    mine_texts, their_texts = _texts(base.trace, base.k), _texts(candidate.trace, candidate.k)
    gone, new = set(mine_texts) - set(their_texts), set(their_texts) - set(mine_texts)
    if gone or new:
        lost = [p.doc_id for p in base.trace.first_passages(base.k) if p.text in gone and p.doc_id]
        named = f" ({', '.join(lost[:MOST_NAMED])}{', …' if len(lost) > MOST_NAMED else ''})" if lost else ""
        parts = [f"{len(gone)} passage{'s' if len(gone) != 1 else ''} no longer retrieved{named}"] if gone else []
        parts += [f"{len(new)} new"] if new else []
        return FlipReason.PASSAGES_CHANGED, ", ".join(parts)
    if mine_texts != their_texts:
        return FlipReason.RANK_CHANGED, "the same passages in another order"
    return FlipReason.ONLY_VERDICT_CHANGED, "same claim, same passages: the judge decided differently"


def _texts(trace: Trace, k: int | None) -> list[str]:
    return [p.text for p in trace.first_passages(k)]


def _flip(
    trace_ids: tuple[str, str], claims: tuple[Claim | None, Claim | None], groundings_: tuple[Grounding | None, Grounding | None], reason: FlipReason,
    detail: str,
) -> ClaimFlip:
    return ClaimFlip(
        base_trace_id=trace_ids[0], candidate_trace_id=trace_ids[1], base_claim=claims[0], candidate_claim=claims[1], before=groundings_[0],
        after=groundings_[1], reason=reason, detail=detail,
    )


class TraceFlip(msgspec.Struct, frozen=True, kw_only=True):
    """A pair of traces in different quadrants."""

    base_trace_id: str
    candidate_trace_id: str
    before: str
    after: str
    reason: FlipReason
    detail: str
    question: str = ""
    """The candidate's; "" of a held-out trace."""
    because: str = ""
    """What is wrong with the candidate's answer (``ragviz.compare.blame``); "" where nothing is, or its words are closed."""


class AnswerChange(msgspec.Struct, frozen=True, kw_only=True):
    """An answer that became correct, or no longer is."""

    base_trace_id: str
    candidate_trace_id: str
    before: float
    """Correctness of the base's answer."""
    after: float
    reason: FlipReason
    detail: str
    question: str = ""
    because: str = ""
    """Both as for ``TraceFlip``."""

    @property
    def worse(self) -> bool:
        """True when it became incorrect."""
        return self.after < self.before


def trace_flip(base: JudgedTrace, candidate: JudgedTrace, before: str, after: str) -> TraceFlip | None:
    """The flip of a pair whose quadrant changed, with the reason; None when it did not."""
    if before == after:
        return None
    reason, detail = why(base, candidate)
    return TraceFlip(
        base_trace_id=base.trace.id, candidate_trace_id=candidate.trace.id, before=before, after=after, reason=reason, detail=detail,
        question=_question(candidate), because=blame(candidate),
    )


def answer_change(base: JudgedTrace, candidate: JudgedTrace, before: float | None, after: float | None, *, limit: float) -> AnswerChange | None:
    """
    The change of a pair of which one answer is correct and the other is not; None when both are alike, or one has no value.

    Args:
        base: One trace.
        candidate: The other.
        before: Correctness of the base's answer.
        after: Of the candidate's.
        limit: Correct from here on.
    """
    if before is None or after is None or (before >= limit) == (after >= limit):
        return None
    reason, detail = why(base, candidate)
    return AnswerChange(
        base_trace_id=base.trace.id, candidate_trace_id=candidate.trace.id, before=before, after=after, reason=reason, detail=detail,
        question=_question(candidate), because=blame(candidate) if after < before else "",
    )


def _question(case: JudgedTrace) -> str:
    return "" if is_closed(case) else case.trace.question


def why(base: JudgedTrace, candidate: JudgedTrace) -> tuple[FlipReason, str]:
    """
    What changed between the two answers: the claims, else the passages, else their order, else nothing but the verdict. Beside other claims,
    other passages are told too.
    """
    matches, new, gone = match_claims(_side(base, Table.RESPONSE_X_PASSAGES), _side(candidate, Table.RESPONSE_X_PASSAGES))
    reworded = sum(not exact for _, _, exact in matches)
    if new or gone or reworded:
        parts = [f"{n} {word}" for n, word in ((len(new), "new"), (len(gone), "gone"), (reworded, "reworded")) if n]
        reason, passages = _context_change(base, candidate, Table.RESPONSE_X_PASSAGES)
        beside = f"; {passages}" if reason is FlipReason.PASSAGES_CHANGED else ""
        return FlipReason.CLAIMS_CHANGED, f"claims: {', '.join(parts)}{beside}"
    return _context_change(base, candidate, Table.RESPONSE_X_PASSAGES)


__all__ = ["AnswerChange", "ClaimFlip", "FlipReason", "TraceFlip", "answer_change", "claim_flips", "match_claims", "n_same_claims", "trace_flip", "why"]
