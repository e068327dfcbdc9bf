"""A trace under a remedy: its new answer, and what that takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from ragviz.contracts import Treated
from ragviz.records import Attempt, ImportedClaim, Remedied, RemedyStatus, Side, Table, Trace, Usage
from ragviz.text.citation_marks import resolve_citations


def remade(trace: Trace, treated: Treated) -> Trace:
    """
    The trace with its new answer: question, passages and ground truth stay; what the file said of the old answer goes.

    Claims of the reference stay, without verdicts that looked at the old answer.
    """
    new = replace(
        trace, response=treated.response, citations=treated.citations, claims=_still_true(trace.claims), scores=(), remedied=treated.remedied,
        usage=usage_after(trace.usage, treated.remedied),
    )
    return new if new.citations is not None else replace(new, citations=resolve_citations(new))


def _still_true(claims: Sequence[ImportedClaim] | None) -> tuple[ImportedClaim, ...] | None:
    if claims is None:
        return None
    kept = [claim for claim in claims if claim.side is Side.REFERENCE]
    return tuple(replace(claim, verdicts=tuple(v for v in claim.verdicts if v.table is not Table.REFERENCE_X_RESPONSE)) for claim in kept) or None


def usage_after(before: Usage | None, remedied: Remedied) -> Usage | None:
    """
    What the answer takes under the remedy: nothing generated where the gate stopped it, the first answer and every round where it was refined
    or cleaned, the new call alone where the model was asked anew. None as soon as a part is unknown.
    """
    made = [attempt for attempt in remedied.attempts if attempt.round > 0]
    if remedied.remedy == "gate" and remedied.status is RemedyStatus.ABSTAINED:
        return Usage(tokens_in=0, tokens_out=0, cost_usd=0.0)
    if not made:
        return before
    parts = [_usage(attempt) for attempt in made]
    if remedied.remedy == "refine":
        parts = [before or Usage(), *parts]
    return Usage(
        latency_ms=_sum(part.latency_ms for part in parts), cost_usd=_sum(part.cost_usd for part in parts), tokens_in=_whole(part.tokens_in for part in parts),
        tokens_out=_whole(part.tokens_out for part in parts),
    )


def _usage(attempt: Attempt) -> Usage:
    return Usage(latency_ms=attempt.latency_ms, tokens_in=attempt.tokens_in, tokens_out=attempt.tokens_out, cost_usd=attempt.cost_usd)


def _sum(values: Iterable[float | None]) -> float | None:
    """None as soon as one is unknown."""
    total = 0.0
    for value in values:
        if value is None:
            return None
        total += value
    return total


def _whole(values: Iterable[int | None]) -> int | None:
    found = _sum(values)
    return None if found is None else int(found)
