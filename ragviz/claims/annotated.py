"""Claims that came with the file."""

from __future__ import annotations

from typing import Literal

from ragviz.evidence.quotes import find_quote
from ragviz.records import Claim, Fact, ImportedClaim, MatchTier, Side, Span, Trace


def claims_from_file(trace: Trace, *, claim_set: Literal["facts", "imported"]) -> list[Claim]:
    """
    The file's own claims of both sides, in its order.

    Args:
        trace: As the loader made it.
        claim_set: ``facts``: the attribute-value pairs. ``imported``: the claims written as text.

    A claim without spans is located in the text of its side when its words stand there; else it has none.
    """
    claims: list[Claim] = []
    for side, letter, text in ((Side.RESPONSE, "c", trace.response), (Side.REFERENCE, "r", trace.reference or "")):
        n = 0
        for imported in trace.claims or ():
            if imported.side is not side or (imported.attribute is not None) != (claim_set == "facts"):
                continue
            n += 1
            fact = None if imported.attribute is None else Fact(attribute=imported.attribute, value=imported.value or "")
            claims.append(Claim(id=f"{letter}{n}", trace_id=trace.id, side=side, text=imported.text or (fact.sentence if fact else ""),
                                spans=_spans(imported, text), extractor=claim_set, fact=fact))
    return claims


def _spans(imported: ImportedClaim, text: str) -> tuple[Span, ...]:
    """The file's spans as far as they lie in the text, else where the claim's words stand, else the value's."""
    good = tuple(sorted(s for s in imported.spans if s.fits(text)))
    if good:
        return good
    for words in (imported.text, imported.value or ""):
        located = find_quote(words, text) if words.strip() else None
        if located is not None and located.tier is not MatchTier.FUZZY:
            return located.spans
    return ()
