"""Places that an interface says are cited, as citation marks; Gemini's grounding supports count them in bytes of UTF-8 within a part of the reply."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ragviz.loaders.cells import listed, text_of, whole
from ragviz.loaders.fields import normal
from ragviz.records import Citation, Span
from ragviz.text.sentences import sentence_spans


def marks_of(parts: Sequence[str], supports: Any, passage_ids: Sequence[str]) -> tuple[tuple[Citation, ...] | None, int]:
    """
    A mark at the end of each sentence that a support covers, since a mark stands behind what it is for.

    Args:
        parts: Texts of the parts of the reply; together they are the answer.
        supports: ``groundingSupports``.
        passage_ids: Of the chunks, by their index.

    Returns:
        The marks in order (None where there are no supports), and how many supports fit nothing in the reply. A support whose place does not hold
        its own text is found by the text, where that occurs once.
    """
    if not isinstance(supports, list):
        return None, 0
    answer = "".join(parts)
    places: list[tuple[Placed, list[int | str]]] = []
    lost = 0
    for support in supports:
        if not isinstance(support, Mapping):
            continue
        span = _place(_named(support, "segment"), parts, answer)
        labels: list[int | str] = [n for one in listed(_named(support, "grounding_chunk_indices")) if (n := whole(one)) is not None]
        if span is None or not labels:
            lost += span is None
        else:
            places.append((Placed(span), labels))
    return closing_marks(answer, places, passage_ids), lost


class Placed(NamedTuple):
    """Where something is cited."""

    span: Span
    """What the citation is for."""
    written: bool = False
    """The citation itself stands there in the answer."""
    point: bool = False
    """Words within a sentence: one mark behind them, not one at the end of each sentence."""


def closing_marks(answer: str, places: Iterable[tuple[Placed, Sequence[int | str]]], passage_ids: Sequence[str]) -> tuple[Citation, ...]:
    """
    A mark at the end of each sentence that a place covers, or behind its words, or what is written there.

    Args:
        answer: The whole answer.
        places: With what each cites: the number of a passage from 0, or a name that is none.
        passage_ids: By their number.
    """
    sentences = sentence_spans(answer)
    ends = [span.end for span in sentences]
    found: dict[Span, dict[str, bool]] = {}
    for place, labels in places:
        covered = [] if place.point or place.written else [s for s in sentences[bisect_left(ends, place.span.start + 1) :] if s.start < place.span.end]
        for part in covered or [place.span]:
            at = _mark(answer, min(part.end, place.span.end))
            mark = place.span if place.written else Span(at, at + 1)
            for n in labels:
                known = isinstance(n, int) and 0 <= n < len(passage_ids)
                found.setdefault(mark, {})[passage_ids[n] if isinstance(n, int) and known else str(n + 1) if isinstance(n, int) else n] = known
    return tuple(
        Citation(
            span=mark, marker=answer[mark.start : mark.end], passage_ids=tuple(name for name, known in names.items() if known),
            unresolved=tuple(name for name, known in names.items() if not known),
        )
        for mark, names in sorted(found.items(), key=lambda pair: (pair[0].start, pair[0].end))
    )


def _place(segment: Any, parts: Sequence[str], answer: str) -> Span | None:
    """Where the segment stands in the answer, in characters."""
    if not isinstance(segment, Mapping):
        return None
    text = text_of(segment.get("text"))
    part, start, end = (whole(_named(segment, name)) or 0 for name in ("part_index", "start_index", "end_index"))
    if 0 <= part < len(parts) and 0 <= start < end:
        raw = parts[part].encode("utf-8", "replace")
        before = sum(map(len, parts[:part]))
        if end <= len(raw):
            first, last = (before + len(raw[:at].decode("utf-8", "ignore")) for at in (start, end))
            if first < last and (not text or answer[first:last] == text):
                return Span(first, last)
    if text and answer.count(text) == 1:
        return Span(answer.index(text), answer.index(text) + len(text))
    return None


def _mark(answer: str, end: int) -> int:
    """The sign that closes what ends there: its last character, or the one behind it where that is no letter and the last one is."""
    last = max(end - 1, 0)
    while last > 0 and answer[last].isspace():
        last -= 1
    behind = answer[last + 1 : last + 2]
    return last + 1 if answer[last].isalnum() and behind and not behind.isalnum() and behind not in "\r\n" else last


def _named(value: Mapping[str, Any], name: str) -> Any:
    return next((inner for key, inner in value.items() if normal(str(key)) == name), None)
