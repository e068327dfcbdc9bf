"""Which citations belong to a claim."""

from __future__ import annotations

from collections.abc import Sequence

from ragviz.records import Citation, Claim


def citations_of(claim: Claim, citations: Sequence[Citation], response: str, *, claims: Sequence[Claim] = ()) -> tuple[Citation, ...]:
    """Marks inside the claim, and those that follow it before the next claim."""
    if not claim.spans:
        return ()
    start, end = claim.spans[0].start, claim.spans[-1].end
    limit = min((c.spans[0].start for c in claims if c.spans and c.spans[0].start >= end), default=len(response))
    return tuple(c for c in citations if start <= c.span.start < limit)
