"""Checks on what a reader sees: characters that cannot be seen are taken out, and the findings point into the texts as they are."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from ragviz.consistency import Agreement, Findings, Missing, check
from ragviz.records import Clash, Span
from ragviz.text.invisible import invisibles

Found = TypeVar("Found", Clash, Agreement, Missing)


def check_visible(claim: str, premise: str, *, start: int = 0) -> Findings:
    """``check`` as if no zero-width, direction or control character stood in either text; spans count them."""
    ours, our_places = _visible(claim)
    theirs, their_places = _visible(premise)
    if our_places is None and their_places is None:
        return check(claim, premise, start=start)
    found = check(ours, theirs)

    def back(record: Found) -> Found:
        changes: dict[str, Span] = {}
        for name, places, shift in (("hypothesis_span", our_places, 0), ("premise_span", their_places, start)):
            span = getattr(record, name, None)
            if span is not None:
                changes[name] = _back(span, places, shift)
        return msgspec.structs.replace(record, **changes)

    return msgspec.structs.replace(
        found, clashes=tuple(map(back, found.clashes)), dropped=tuple(map(back, found.dropped)), weak=tuple(map(back, found.weak)),
        agreements=tuple(map(back, found.agreements)), missing=tuple(map(back, found.missing)),
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


def _back(span: Span, places: list[int] | None, shift: int) -> Span:
    if places is None:
        return Span(span.start + shift, span.end + shift)
    if span.start == span.end:
        at = places[span.start] if span.start < len(places) else (places[-1] + 1 if places else 0)
        return Span(at + shift, at + shift)
    return Span(places[span.start] + shift, places[span.end - 1] + 1 + shift)
