"""What is known of the words of grammar, measure and number of one language, looked up word by word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from ragviz.consistency.tongues import KEPT, glosses
from ragviz.text.numerals_abroad import joined, numerals
from ragviz.text.tokens import stemmed
from ragviz.text.word_table import WordTable

_ENDINGS = {
    "german": ("", "e", "en", "er", "es", "em"),
    "french": ("", "s", "e", "es"),
    "spanish": ("", "s"),
    "italian": ("",),
    "dutch": ("", "e"),
    "portuguese": ("", "s"),
}
"""What a word that is known in every form may end in; its stemmer does the rest."""
_MAL = re.compile(r"(\w{3,})(?:mal|maal)")


class GlossTable:
    """What is known of one language."""

    def __init__(self, tongue: str) -> None:
        self.tongue = tongue
        self.numbers = numerals(tongue)
        self.phrases: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        self.stems: dict[str, str] = {}
        words: dict[str, str] = {}
        for said, english, by_stem in glosses(tongue):
            if english == KEPT:
                continue
            if len(said) > 1:
                self.phrases.setdefault(said[0], []).append((said, english))
            elif by_stem:
                self.stems |= {stemmed(said[0] + ending, tongue): english for ending in _ENDINGS[tongue]}
            words.setdefault(said[0], english) if len(said) == 1 else None
        self.words = words
        for listed in self.phrases.values():
            listed.sort(key=lambda phrase: -len(phrase[0]))
        self.starts: dict[str, list[tuple[str, ...]]] = {}
        for numeral in self.numbers:
            self.starts.setdefault(numeral[0], []).append(numeral)
        for numbers in self.starts.values():
            numbers.sort(key=lambda numeral: -len(numeral))
        self.single: WordTable[str | None] = WordTable(self._single)

    def _single(self, lower: str) -> str | None:
        found = self.words.get(lower)
        if found is None and len(lower) > 2:
            found = self.stems.get(stemmed(lower, self.tongue))
        if found is None and (many := _MAL.fullmatch(lower)) is not None and (number := self.numbers.get((many[1],))) is not None:
            return f"{number} times"
        return found

    def number(self, lowers: Sequence[str], i: int) -> tuple[int, int] | None:
        """The number with which word ``i`` begins, and how many words it takes."""
        one = self._one(lowers, i)
        if one is None:
            return None
        value, taken = one
        while i + taken < len(lowers):
            skip = lowers[i + taken] in {"e", "y", "et", "und"}
            following = self._one(lowers, i + taken + skip)
            together = joined(value, following[0]) if following is not None else None
            if following is None or together is None:
                break
            value, taken = together, taken + skip + following[1]
        return value, taken

    def _one(self, lowers: Sequence[str], i: int) -> tuple[int, int] | None:
        for numeral in self.starts.get(lowers[i], ()) if i < len(lowers) else ():
            if tuple(lowers[i : i + len(numeral)]) == numeral:
                return self.numbers[numeral], len(numeral)
        return None

    def phrase(self, lowers: Sequence[str], i: int) -> tuple[str, int] | None:
        """What the longest phrase that begins with word ``i`` stands for, and how many words it takes."""
        for said, english in self.phrases.get(lowers[i], ()):
            if tuple(lowers[i : i + len(said)]) == said:
                return english, len(said)
        single = self.single[lowers[i]]
        return None if single is None else (single, 1)


@cache
def table_of(tongue: str) -> GlossTable:
    """The table of one of TONGUES (tongues.py), made where it is first asked for."""
    return GlossTable(tongue)


def in_english(lower: str, tongue: str) -> str | None:
    """What a lower-cased word of grammar or measure, or a number, is in English; None for words of content."""
    table = table_of(tongue)
    number = table.numbers.get((lower,))
    return table.single[lower] if number is None else str(number)
