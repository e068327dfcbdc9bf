"""
Folding: what may differ between two texts that say the same, taken out, with a way back to every original character.

Folded away: case, typographic quotes and dashes, ligatures and width (NFKC), runs of white space, zero-width and direction
characters, markdown emphasis. Kept as they are: digits (also superscripts and fractions, which NFKC would glue to a number),
``2*3``, ``snake_case``, list bullets.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache

from ragviz.records import Span
from ragviz.text.invisible import INVISIBLE_CLASS
from ragviz.text.word_table import WordTable

_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032\u2035\u02bc\u02b9\u00b4\u2039\u203a"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\u301d\u301e\u301f"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d\u2043"
_SPECIAL = {ord(c): "'" for c in _SINGLE_QUOTES} | {ord(c): '"' for c in _DOUBLE_QUOTES} | {ord(c): "-" for c in _DASHES}
# NFKC turns 10² into 102 and 1½ into 11/2: another number.
_KEEP = ("<super>", "<sub>", "<fraction>", "<circle>")
_JAMO = "\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff"
_DROPPED = re.compile(f"[{INVISIBLE_CLASS}]")
_MARKS_OR_SPACE = re.compile(r"[*_`]+|\s+")
_BEYOND_PRINTABLE = re.compile(r"[^ -~]")
_FEW = 16
_OPENS = re.compile(r"(?<![\w*`])[*_](?![\s*_`]|\Z)")
_CLOSES = re.compile(r"(?<![\s*_`])(?<!\A)[*_](?![\w*`])")
_HANGUL_LETTER = re.compile(f"[{_JAMO}]")


@dataclass(frozen=True, slots=True)
class _Pieces:
    """Pieces of the output in order: where each starts, and which characters of the input it stands for."""

    at: list[int] = field(default_factory=list)
    start: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    one_to_one: list[bool] = field(default_factory=list)

    def add(self, at: int, start: int, end: int, *, one_to_one: bool) -> None:
        self.at.append(at)
        self.start.append(start)
        self.end.append(end)
        self.one_to_one.append(one_to_one)

    def back(self, span: Span) -> Span:
        first = bisect_right(self.at, span.start) - 1
        last = bisect_right(self.at, span.end - 1) - 1
        start = self.start[first] + (span.start - self.at[first] if self.one_to_one[first] else 0)
        end = self.start[last] + (span.end - self.at[last]) if self.one_to_one[last] else self.end[last]
        return Span(start, end)


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text and the way back."""

    text: str
    _steps: tuple[_Pieces, ...]
    """Last step first; a step that changed nothing is left out."""

    def original(self, span: Span) -> Span:
        """
        The characters of the input that ``span`` of the folded text stands for.

        A span that cuts a replaced group (half of "ß" folded to "ss") gives the whole group.

        Raises:
            ValueError: The span does not lie in the folded text.
        """
        if not span.fits(self.text):
            raise ValueError(f"{span} does not lie in a folded text of {len(self.text)} characters")
        for step in self._steps:
            span = step.back(span)
        return span


def fold(text: str) -> Folded:
    """Fold a text; folding a folded text changes nothing. Linear in its length."""
    steps = []
    for step in (_fold_characters, _fold_layout):
        text, pieces = step(text)
        if pieces is not None:
            steps.append(pieces)
    return Folded(text, tuple(reversed(steps)))


@lru_cache(maxsize=65_536)
def _fold_unit(unit: str) -> str:
    """One character with its combining marks (or one run of Hangul letters), folded until nothing changes."""
    for _ in range(4):
        folded = unicodedata.normalize("NFC", _DROPPED.sub("", "".join(_fold_character(c) for c in unit)))
        if folded == unit:
            break
        unit = folded
    return unit


@lru_cache(maxsize=65_536)
def _fold_character(char: str) -> str:
    special = _SPECIAL.get(ord(char))
    if special is not None:
        return special
    if unicodedata.decomposition(char).startswith(_KEEP):
        return char
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", char).casefold())


_TAKES_CARE = WordTable(
    lambda c: unicodedata.category(c)[0] == "M" or _DROPPED.match(c) is not None or _HANGUL_LETTER.match(c) is not None or len(_fold_unit(c)) != 1
)
"""Characters that are not simply replaced by one other."""


def _in_place(char: str) -> str | None:
    """What a character is replaced by, where small letters can be made of the text afterwards; None where it ``_TAKES_CARE``."""
    folded = _fold_unit(char)
    return folded if not _TAKES_CARE[char] and folded.lower() == folded else None


_IN_PLACE = WordTable(_in_place)


def _fold_characters(text: str) -> tuple[str, _Pieces | None]:
    """Case, quotes, dashes, ligatures, width, invisible characters. None as map: every character kept its place."""
    if text.isascii():
        return text.lower(), None
    beyond = set(_BEYOND_PRINTABLE.findall(text))
    # Most texts that are not ASCII hold a few curly quotes, dashes or accents.
    if len(beyond) <= _FEW and None not in map(_IN_PLACE.__getitem__, beyond):
        for char in beyond:
            text = text.replace(char, _IN_PLACE[char] or "")
        return text.lower(), None
    distinct = set(text)
    plain = {ord(c): _fold_unit(c) for c in distinct}
    if not any(map(_TAKES_CARE.__getitem__, distinct)):
        return text.translate(plain), None
    marks = "".join(re.escape(c) for c in distinct if unicodedata.category(c)[0] == "M" or _DROPPED.match(c))
    odd = "".join(re.escape(c) for c in distinct if len(_fold_unit(c)) != 1)
    # Letters of one syllable are composed also where something invisible stands between them.
    parts = [f"[{_JAMO}][{_JAMO}{marks}]*"]
    if marks:
        parts.append(f"[^{marks}]?[{marks}]+")
    if odd:
        parts.append(f"[{odd}]")
    return _replace(text, re.compile("|".join(parts), re.DOTALL), plain)


def _replace(text: str, pattern: re.Pattern[str], plain: dict[int, str]) -> tuple[str, _Pieces | None]:
    pieces = _Pieces()
    out: list[str] = []
    length = done = 0

    def copy(until: int) -> None:
        nonlocal length
        if until > done:
            pieces.add(length, done, until, one_to_one=True)
            out.append(text[done:until].translate(plain))
            length += until - done

    for match in pattern.finditer(text):
        copy(match.start())
        folded = _fold_unit(match.group())
        if folded:
            pieces.add(length, match.start(), match.end(), one_to_one=False)
            out.append(folded)
            length += len(folded)
        done = match.end()
    copy(len(text))
    return "".join(out), pieces


def _fold_layout(text: str) -> tuple[str, _Pieces | None]:
    """Runs of white space become one space, at the ends none; emphasis marks go."""
    if "*" not in text and "_" not in text and "`" not in text and " ".join(text.split()) == text:
        return text, None
    pieces = _Pieces()
    out: list[str] = []
    length = done = 0
    emphasised = _emphasis_is_closed(text)
    for match in _MARKS_OR_SPACE.finditer(text):
        start, end = match.span()
        if match.group().isspace():
            new = "" if start == 0 or end == len(text) else " "
        else:
            new = _without_emphasis(text, start, end, emphasised=emphasised)
        if new == match.group():
            continue
        if start > done:
            pieces.add(length, done, start, one_to_one=True)
            out.append(text[done:start])
            length += start - done
        if new:
            pieces.add(length, start, end, one_to_one=False)
            out.append(new)
            length += len(new)
        done = end
    if done == 0:
        return text, None
    if len(text) > done:
        pieces.add(length, done, len(text), one_to_one=True)
        out.append(text[done:])
    return "".join(out), pieces


def _emphasis_is_closed(text: str) -> bool:
    """Whether single marks can be emphasis: somewhere one opens and one closes. The star of "2 *3" has no partner."""
    return bool(_OPENS.search(text)) and bool(_CLOSES.search(text))


def _without_emphasis(text: str, start: int, end: int, *, emphasised: bool) -> str:
    """What stays of a run of marks."""
    run = text[start:end]
    before, after = text[start - 1 : start], text[end : end + 1]
    open_side, closed_side = not before or before.isspace(), not after or after.isspace()
    if open_side and closed_side:
        return run  # a bullet, a product sign between spaces
    if after and unicodedata.category(after)[0] == "M":
        return run  # taking it out would put an accent on the letter before
    if before.isalnum() and after.isalnum():
        if run == "`":
            return "'"
        letters = before.isalpha() and after.isalpha() and not _HANGUL_LETTER.match(after)
        return "" if run in ("**", "***") and letters else run
    return "" if emphasised or run not in ("*", "_") else run
