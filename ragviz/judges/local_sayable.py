"""Which phrases of a claim may be said otherwise, and by what."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from ragviz.consistency.tongues import language_of
from ragviz.consistency.wordings import FAMILIES, FOLDS, WORD, Phrase, wordings
from ragviz.judges.local_ages import Age, ages
from ragviz.text.tokens import STOP_WORDS
from ragviz.text.word_table import WordTable

_PARTS = re.compile(f"({WORD.pattern})")
_ASCII_PARTS = re.compile(_PARTS.pattern, re.ASCII)
NOT = "not"
"""Folded it is the same as the verb "note", and stands for none of that verb's wordings."""


class Place(NamedTuple):
    """A phrase of the claim that may be said otherwise."""

    start: int
    end: int
    phrase: Phrase


class Known(NamedTuple):
    """What is known of a word wherever it stands."""

    fold: str
    family: str | None
    """Of a word that may be replaced by one of its family."""
    alone: tuple[Phrase, ...]
    """Phrases that are the word itself, at most one."""
    longer: dict[str, list[Phrase]]
    """Those that begin with it, by their second word, longest first."""


def _look_up(lower: str) -> Known:
    single = len(lower) > 3 and lower not in STOP_WORDS and lower.isalpha()
    phrases = wordings().get(FOLDS[lower], ())
    longer: dict[str, list[Phrase]] = {}
    for phrase in phrases:
        if len(phrase.words) > 1:
            longer.setdefault(phrase.words[1], []).append(phrase)
    return Known(FOLDS[lower], FAMILIES[lower] if single else None, tuple([phrase for phrase in phrases if len(phrase.words) == 1 and lower != NOT]), longer)


_WORDS = WordTable(_look_up)


class Sayable(NamedTuple):
    """What of a claim may be said otherwise."""

    places: tuple[Place, ...]
    """Phrases that the word list knows, longest first at each word."""
    words: tuple[Known, ...]
    """All its words."""
    bounds: tuple[int, ...]
    """Start and end of each word in turn."""
    begins: frozenset[str]
    """All words with which something that stands for one of the phrases begins."""
    families: frozenset[str]
    """Of the words that have one."""
    ages: tuple[Age, ...]
    """Ages in one word: "under-twelves"."""
    tongue: str
    """The language of the claim, as ``language_of`` tells it."""


@lru_cache(maxsize=8192)
def sayable(claim: str) -> Sayable:
    """What of a claim the word list knows to say otherwise; remembered, since it is asked about every passage."""
    # Words and what lies between them take turns.
    parts = _ASCII_PARTS.split(claim.lower()) if claim.isascii() else _PARTS.split(claim)
    bounds = tuple(accumulate(map(len, parts)))
    words = tuple(map(_WORDS.__getitem__, parts[1::2] if claim.isascii() else map(str.lower, parts[1::2])))
    found: list[Place] = []
    for i, (_, _, alone, longer) in enumerate(words):
        if longer and i + 1 < len(words):
            for phrase in longer.get(words[i + 1].fold, ()):
                n = len(phrase.words)
                if tuple([word.fold for word in words[i : i + n]]) == phrase.words:
                    found.append(Place(bounds[2 * i], bounds[2 * (i + n) - 1], phrase))
        if alone:
            found += [Place(bounds[2 * i], bounds[2 * i + 1], phrase) for phrase in alone]
    begins = frozenset().union(*[place.phrase.begins for place in found])
    families = frozenset([word.family for word in words if word.family is not None])
    of_age = ages(claim) if "nder" in claim or "ver" in claim else ()
    return Sayable(tuple(found), words, bounds, begins, families, of_age, language_of(claim))
