"""A quoted string, found again in its passage."""

from __future__ import annotations

from typing import NamedTuple

from ragviz.records import MatchTier, Span
from ragviz.text.normalize import fold


class Located(NamedTuple):
    """Where a quote stands: one span a piece."""

    spans: tuple[Span, ...]
    tier: MatchTier


def find_quote(quote: str, premise: str) -> Located | None:
    """The places of the quote in the premise; None when it does not stand there."""
    if not quote.strip():
        return None
    at = premise.find(quote)
    if at >= 0:
        return Located((Span(at, at + len(quote)),), MatchTier.EXACT)
    folded, needle = fold(premise), fold(quote).text
    at = folded.text.find(needle)
    if at >= 0:
        return Located((folded.original(Span(at, at + len(needle))),), MatchTier.FOLDED)
    return None
