"""Gemini's grounding supports, whose places are counted in bytes of UTF-8 within a part of the reply, as citation marks in characters."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

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
    sentences = sentence_spans(answer)
    ends = [span.end for span in sentences]
    found: dict[int, dict[str, bool]] = {}
    lost = 0
    for support in supports:
        if not isinstance(support, Mapping):
            continue
        span = _place(_named(support, "segment"), parts, answer)
        labels = [n for one in listed(_named(support, "grounding_chunk_indices")) if (n := whole(one)) is not None]
        if span is None or not labels:
            lost += span is None
            continue
        covered = [s for s in sentences[bisect_left(ends, span.start + 1) :] if s.start < span.end]
        for sentence in covered or [span]:
            at = _mark(answer, min(sentence.end, span.end))
            for n in labels:
                known = 0 <= n < len(passage_ids)
                found.setdefault(at, {})[passage_ids[n] if known else str(n + 1)] = known
    return tuple(
        Citation(
            span=Span(at, at + 1), marker=answer[at], passage_ids=tuple(name for name, known in names.items() if known),
            unresolved=tuple(name for name, known in names.items() if not known),
        )
        for at, names in sorted(found.items())
    ), lost


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
