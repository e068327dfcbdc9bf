"""A text as the checks read it: no emphasis marks, single spaces, capitals where names are; with the way back to the original."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence

from ragviz.consistency.glossing import gloss
from ragviz.consistency.lexicon import exclusive, root
from ragviz.records import Span
from ragviz.text.calendar_words import MONTHS, WEEKDAYS
from ragviz.text.lexical import stem_weight

RARE = 0.95
"""A word at least this rare is taken for a name where nothing else tells."""
_NOISE = re.compile(r"[*_`~]+|[ \t\u00a0\u2000-\u200d\u202f\u205f\u2060\ufeff\u00ad]{2,}|[\t\u200b-\u200d\u2060\ufeff\u00ad]|(?<=\n)#+ ")
_WORD = re.compile(r"[^\W\d_]+")
_SPACES = frozenset(" \t\u00a0\u202f")


class Plain:
    """The cleaned text and where its characters come from."""

    __slots__ = ("caseless", "english", "offsets", "source", "text", "written")

    def __init__(
        self, text: str, offsets: list[int] | None, *, caseless: bool, source: str = "", written: str = "", english: Sequence[tuple[int, int]] = ()
    ) -> None:
        self.text = text
        self.written = written
        """The original of a text whose words of grammar are said in English, else ""."""
        self.english = english
        """Stretches of such a text that were put in, in order."""
        self.caseless = caseless
        """True where capitals were guessed."""
        self.offsets = offsets
        """Place in the original of each character, and of the end; None where nothing moved."""
        self.source = source
        """The original where accents stood apart from their letters, else ""."""

    def original(self, span: Span) -> Span:
        """A span of the cleaned text in code points of the original."""
        if self.offsets is None:
            return span
        if self.english:
            span = Span(self._whole(span.start)[0], self._whole(span.end - 1)[1])
        end = self.offsets[span.end - 1] + 1
        while end < len(self.source) and unicodedata.combining(self.source[end]):
            end += 1
        return Span(self.offsets[span.start], end)

    def _whole(self, at: int) -> tuple[int, int]:
        """The stretch that was put in and covers a place, else the place: what stands for it in the original is one phrase."""
        n = bisect_right(self.english, (at, len(self.text) + 1)) - 1
        return self.english[n] if n >= 0 and self.english[n][0] <= at < self.english[n][1] else (at, at + 1)

    def surface(self, start: int, end: int) -> str:
        """A stretch of the cleaned text as it is written in the original where that is in another language."""
        return self.original(Span(start, end)).of(self.written) if self.written else self.text[start:end]


def plain(text: str) -> Plain:
    """
    Clean a text for comparison.

    Emphasis marks and invisible characters go, runs of spaces become one. A text without any capital, or without any small letter, says
    nothing by its case: it is read in small letters, and names are guessed by how rare a word is.
    """
    source = text
    text, places = (text, None) if text.isascii() or unicodedata.is_normalized("NFC", text) else _composed(text)
    cleaned, offsets = _clean(text) if _may_be_noisy(text) and _NOISE.search(text) is not None else (text, places)
    if places is not None and offsets is not places and offsets is not None:
        offsets = [places[at] for at in offsets]
    if cleaned.isupper() and len(cleaned) > 1:
        cleaned = "".join(low if len(low := c.lower()) == 1 else c for c in cleaned)
    caseless = cleaned.islower()
    if caseless:
        cleaned = _WORD.sub(_recased, cleaned)
    return Plain(cleaned, offsets, caseless=caseless, source=source if places is not None else "")


def in_english(cleaned: Plain, text: str, tongue: str) -> Plain:
    """The same with words of grammar and measure of another language in English (glossing.py); ``text`` is the original."""
    said = gloss(cleaned.text, tongue)
    places = cleaned.offsets
    return Plain(
        said.text,
        said.offsets if places is None else [places[at] for at in said.offsets],
        caseless=cleaned.caseless,
        source=cleaned.source,
        written=text,
        english=said.english,
    )


def _may_be_noisy(text: str) -> bool:
    """False where looking for single marks, which is faster than trying the pattern, shows that there is nothing to clean."""
    return not text.isascii() or "  " in text or "*" in text or "_" in text or "`" in text or "~" in text or "\t" in text or "\n#" in text


def _composed(text: str) -> tuple[str, list[int]]:
    """The text with letters and their accents in one character each, and where each stood."""
    parts: list[str] = []
    offsets: list[int] = []
    at = 0
    while at < len(text):
        end = at + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        letter = unicodedata.normalize("NFC", text[at:end]) if end - at > 1 else text[at]
        one = len(letter) == 1
        parts.append(letter if one else text[at:end])
        offsets.extend([at] if one else range(at, end))
        at = end
    return "".join(parts), [*offsets, len(text)]


def _clean(text: str) -> tuple[str, list[int]]:
    parts: list[str] = []
    offsets: list[int] = []
    at = 0
    for match in _NOISE.finditer(text):
        start, end = match.span()
        parts.append(text[at:start])
        offsets.extend(range(at, start))
        noise = match.group()
        # "snake_case" and "3 * 4" keep their marks: they stand inside a word or alone between spaces.
        inside = start > 0 and end < len(text) and ((text[start - 1].isalnum() and text[end].isalnum()) or (text[start - 1].isspace() and text[end].isspace()))
        if noise[0] in "*_~`" and inside:
            parts.append(noise)
            offsets.extend(range(start, end))
        elif noise[0] in _SPACES or " " in noise:
            parts.append(" ")
            offsets.append(start)
        at = end
    parts.append(text[at:])
    offsets.extend(range(at, len(text) + 1))
    return "".join(parts), offsets


def _recased(match: re.Match[str]) -> str:
    word = match.group()
    if len(word) < 3 or not (word in MONTHS or word in WEEKDAYS or word in exclusive() or stem_weight(root(word)) >= RARE):
        return word
    first = word[0].upper()
    return first + word[1:] if len(first) == 1 else word
