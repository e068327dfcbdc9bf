"""Which citations belong to a claim."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from ragviz.records import Citation, Claim


def attribute_citations(claims: Sequence[Claim], citations: Sequence[Citation], response: str) -> dict[str, tuple[Citation, ...]]:
    """
    Claim id to the citations that stand for it: those inside the claim, and those that follow it before the next claim begins.

    A mark at the end of a sentence stands for every claim of that sentence that has no mark of its own after it, since writers put
    one mark behind several clauses ("A lasts 2 days, and it is free [1]."). Claims that stand nowhere in the answer have none.

    Args:
        claims: The answer's claims, in any order.
        citations: The answer's citations.
        response: The answer, to know where its lines end.
    """
    located = sorted((c for c in claims if c.spans), key=lambda c: (c.spans[0].start, c.spans[-1].end))
    marks = sorted(citations, key=lambda c: c.span)
    starts = [m.span.start for m in marks]
    found: dict[str, tuple[Citation, ...]] = {claim.id: () for claim in claims}
    after: tuple[Citation, ...] = ()
    next_start = len(response)
    for claim in reversed(located):
        start, end = claim.spans[0].start, claim.spans[-1].end
        reach = max(end, min(next_start, _line_end(response, end)))
        own = tuple(marks[bisect_left(starts, start) : bisect_left(starts, reach)])
        if not own and after and _same_sentence(response, end, next_start):
            own = after
        found[claim.id] = after = own
        next_start = start
    return found


def citations_of(claim: Claim, citations: Sequence[Citation], response: str, *, claims: Sequence[Claim] = ()) -> tuple[Citation, ...]:
    """The citations of one claim among ``claims``; for many claims call ``attribute_citations`` once."""
    everyone = claims if any(c.id == claim.id for c in claims) else (*claims, claim)
    return attribute_citations(everyone, citations, response)[claim.id]


def _line_end(text: str, at: int) -> int:
    """End of the line, or of the next one where the mark stands alone on it."""
    end = text.find("\n", at)
    if end < 0:
        return len(text)
    following = text.find("\n", end + 1)
    line = text[end + 1 : following if following >= 0 else len(text)].strip()
    return len(text) if following < 0 and line.startswith(("[", "(", "\u3010")) else following if line.startswith(("[", "(", "\u3010")) else end


def _same_sentence(text: str, end: int, next_start: int) -> bool:
    """True when only a joining word stands between two claims."""
    between = text[end:next_start]
    return len(between) <= 40 and not any(c in ".!?\n\u3002\uff01\uff1f" for c in between)
