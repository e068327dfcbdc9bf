"""
Where Markdown's signs stand in a whole answer, and what they set apart. Nothing is rendered: whoever draws the text dims the signs and sets words
in bold or code letters, each in its place, so that every offset into the text stays true.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from ragviz.records import Span
from ragviz.records.span import merged
from ragviz.text.unmarked import signs


class Kind(StrEnum):
    """How a stretch of the text is written."""

    SIGN = "sign"
    STRONG = "strong"
    CODE = "code"


class Stretch(NamedTuple):
    """A range of the text and how it is written."""

    span: Span
    kind: Kind


_FENCE = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})[^`\n]*$", re.MULTILINE)
_LEADING = re.compile(r"^[ \t]{0,12}(?:(#{1,6}|>+|[-+*\u2022](?![-*]))(?=[ \t]))", re.MULTILINE)
_HEADING = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+([^\n]*[^\s#])", re.MULTILINE)
_RULE = re.compile(r"^[ \t]{0,3}(?:-{3,}|\*{3,}|_{3,})[ \t]*$", re.MULTILINE)
_TABLE_RULE = re.compile(r"^(?=[^\n]*(?:--|:-|-:))[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$", re.MULTILINE)
_ROW = re.compile(r"^[ \t]*\|[^\n]*\|[ \t]*$", re.MULTILINE)
_BAR = re.compile(r"(?<!\\)\|")
_STRONG = re.compile(r"(?<![\w*])\*\*(?=[^\s*])([^*\n]{1,400}?)(?<=[^\s*])\*\*(?![\w*])|(?<![\w_])__(?=[^\s_])([^_\n]{0,200}?\s[^_\n]{0,200}?)(?<=[^\s_])__(?!\w)")
_CODE = re.compile(r"(?<!`)`(?=[^\s`])([^`\n]{1,400})`(?!`)")


def stretches(text: str) -> list[Stretch]:
    """
    Signs, strong words and code, in no order; they may lie in one another.

    Signs are those of ``unmarked`` (emphasis, ticks), and what only a whole text shows: bullets and headings at the beginning of a line, fences, the
    bars of a table's rows and the line under its head. What stands between fences is code as it is, stars and bars and all.
    """
    if not any(sign in text for sign in "*_`#>|~-+\u2022"):
        return []
    open_to_signs = [Stretch(span, Kind.SIGN) for span in _signs(text)]
    open_to_signs += [Stretch(_of(m), Kind.STRONG) for pattern in (_STRONG, _HEADING) for m in pattern.finditer(text)]
    open_to_signs += [Stretch(_of(m), Kind.CODE) for m in _CODE.finditer(text)]
    blocks = _blocks(text)
    ends = [block[3] for block in blocks]
    found = [one for one in open_to_signs if not _touches(one.span, blocks, ends)]
    for start, opened, closes, end in blocks:
        parts = ((start, opened, Kind.SIGN), (opened, closes, Kind.CODE), (closes, end, Kind.SIGN))
        found += [Stretch(Span(first, last), kind) for first, last, kind in parts if first < last]
    return found


def _touches(span: Span, blocks: Sequence[tuple[int, int, int, int]], ends: Sequence[int]) -> bool:
    """True when a block between fences shares a character with the span."""
    at = bisect_right(ends, span.start)
    return at < len(blocks) and blocks[at][0] < span.end


def _signs(text: str) -> list[Span]:
    spans = [*signs(text), *(Span(*m.span(1)) for m in _LEADING.finditer(text))]
    spans += [Span(*m.span()) for pattern in (_RULE, _TABLE_RULE) for m in pattern.finditer(text) if m.group().strip()]
    rows = (row for row in _ROW.finditer(text) if not _TABLE_RULE.match(row.group()))
    return merged([*spans, *(Span(*bar.span()) for row in rows for bar in _BAR.finditer(text, *row.span()))])


def _blocks(text: str) -> list[tuple[int, int, int, int]]:
    """
    Of each block between fences: where it starts, where its opening line ends, where its closing line starts and where it ends. One that nobody closes
    goes to the end of the text, as Markdown has it.
    """
    found: list[tuple[int, int, int, int]] = []
    opening: re.Match[str] | None = None
    for line in _FENCE.finditer(text):
        if opening is None:
            opening = line
        elif line[1].startswith(opening[1]) and line.group().strip() == line[1]:
            found.append((opening.start(), opening.end(), line.start(), line.end()))
            opening = None
    return found if opening is None else [*found, (opening.start(), opening.end(), len(text), len(text))]


def _of(match: re.Match[str]) -> Span:
    group = next(i for i in range(1, match.re.groups + 1) if match[i] is not None)
    return Span(*match.span(group))
