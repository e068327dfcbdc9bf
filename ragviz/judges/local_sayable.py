"""Which phrases of a claim may be said otherwise, and by what."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ragviz.consistency.wordings import ASCII_WORD, FAMILIES, FOLDS, WORD, Phrase, wordings
from ragviz.text.tokens import STOP_WORDS
from ragviz.text.word_table import WordTable

NOT = "not"
"""Folded it is the same as the verb "note", and stands for none of that verb's wordings."""


class Place(NamedTuple):
    """A phrase of the claim that may be said otherwise."""

    start: int
    end: int
    phrase: Phrase


class Single(NamedTuple):
    """A word of content."""

    start: int
    end: int
    fold: str
    family: str


class _Known(NamedTuple):
    """What is known of a word wherever it stands."""

    fold: str
    family: str | None
    """Of a word that may be replaced by one of its family."""
    alone: tuple[Phrase, ...]
    """Phrases that are the word itself, at most one."""
    longer: dict[str, list[Phrase]]
    """Those that begin with it, by their second word, longest first."""


def _look_up(lower: str) -> _Known:
    single = len(lower) > 3 and lower not in STOP_WORDS and lower.isalpha()
    phrases = wordings().get(FOLDS[lower], ())
    longer: dict[str, list[Phrase]] = {}
    for phrase in phrases:
        if len(phrase.words) > 1:
            longer.setdefault(phrase.words[1], []).append(phrase)
    return _Known(FOLDS[lower], FAMILIES[lower] if single else None, tuple([phrase for phrase in phrases if len(phrase.words) == 1 and lower != NOT]), longer)


_WORDS = WordTable(_look_up)


class Sayable(NamedTuple):
    """What of a claim may be said otherwise."""

    places: tuple[Place, ...]
    """Phrases that the word list knows, longest first at each word."""
    single: tuple[Single, ...]
    """Its single words of content."""
    begins: frozenset[str]
    """All words with which something that stands for one of the phrases begins."""
    families: frozenset[str]
    """Of the single words."""


@lru_cache(maxsize=8192)
def sayable(claim: str) -> Sayable:
    """What of a claim the word list knows to say otherwise; remembered, since it is asked about every passage."""
    spans = [match.span() for match in (ASCII_WORD if claim.isascii() else WORD).finditer(claim)]
    words = [_WORDS[claim[start:end].lower()] for start, end in spans]
    found: list[Place] = []
    single: list[Single] = []
    for i, (fold, family, alone, longer) in enumerate(words):
        start, end = spans[i]
        if longer and i + 1 < len(words):
            for phrase in longer.get(words[i + 1].fold, ()):
                n = len(phrase.words)
                if tuple([word.fold for word in words[i : i + n]]) == phrase.words:
                    found.append(Place(start, spans[i + n - 1][1], phrase))
        if alone:
            found += [Place(start, end, phrase) for phrase in alone]
        if family is not None:
            single.append(Single(start, end, fold, family))
    return Sayable(tuple(found), tuple(single), frozenset().union(*[place.phrase.begins for place in found]), frozenset([word.family for word in single]))
