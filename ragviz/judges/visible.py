"""Checks on what a reader sees: characters that cannot be seen are taken out, and the findings point into the texts as they are."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeVar

import msgspec

from ragviz.consistency import Agreement, Findings, Missing, check
from ragviz.records import Clash, Span
from ragviz.text.invisible import invisibles

Found = TypeVar("Found", Clash, Agreement, Missing)
Told = TypeVar("Told", Clash, Agreement)


def check_visible(claim: str, premise: str, *, start: int = 0) -> Findings:
    """``check`` as if no zero-width, direction or control character stood in either text; spans count them. A sentence is compared with a claim once."""
    found = _at_zero(claim, premise)
    return _shifted(found, start) if start else found


@lru_cache(maxsize=32_768)
def _at_zero(claim: str, premise: str) -> Findings:
    """Findings with places in these two texts."""
    ours, our_places = _visible(claim)
    theirs, their_places = _visible(premise)
    found = check(ours, theirs)
    return found if our_places is None and their_places is None else _moved(found, our_places, their_places)


def _shifted(found: Findings, by: int) -> Findings:
    """The same with every span of the premise ``by`` characters further right."""
    if not (found.clashes or found.agreements or found.dropped or found.weak):
        return found

    def later(record: Told) -> Told:
        span = record.premise_span
        return record if span is None else msgspec.structs.replace(record, premise_span=Span(span.start + by, span.end + by))

    return msgspec.structs.replace(
        found,
        clashes=tuple(map(later, found.clashes)),
        dropped=tuple(map(later, found.dropped)),
        weak=tuple(map(later, found.weak)),
        agreements=tuple(map(later, found.agreements)),
    )


def _moved(found: Findings, our_places: list[int] | None, their_places: list[int] | None) -> Findings:
    """The findings with hidden characters counted in both texts."""

    def back(record: Found) -> Found:
        changes: dict[str, Span] = {}
        for name, places in (("hypothesis_span", our_places), ("premise_span", their_places)):
            span = getattr(record, name, None)
            if span is not None and places is not None:
                changes[name] = _back(span, places)
        return msgspec.structs.replace(record, **changes) if changes else record

    return msgspec.structs.replace(
        found, clashes=tuple(map(back, found.clashes)), dropped=tuple(map(back, found.dropped)), weak=tuple(map(back, found.weak)),
        agreements=tuple(map(back, found.agreements)), missing=found.missing if our_places is None else tuple(map(back, found.missing)),
    )


def _visible(text: str) -> tuple[str, list[int] | None]:
    """The text without hidden characters and where each remaining one stood; None where none was hidden."""
    if text.isascii() and text.isprintable():
        return text, None
    hidden = {mark.span.start for mark in invisibles(text)}
    if not hidden:
        return text, None
    places = [i for i in range(len(text)) if i not in hidden]
    return "".join(text[i] for i in places), places


def _back(span: Span, places: list[int]) -> Span:
    return Span(places[span.start], places[span.end - 1] + 1)
