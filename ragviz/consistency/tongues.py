"""Which language a text is in, told by words of grammar and measure: a short sentence has two or three of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from ragviz.consistency.word_lists import lines
from ragviz.text.lexical import stem_weight
from ragviz.text.numerals_abroad import numerals
from ragviz.text.tokens import STEMS, lower_words
from ragviz.text.word_sets import word_set
from ragviz.text.word_table import WordTable

TONGUES = ("german", "french", "spanish", "italian", "dutch", "portuguese")
KEPT = "="
"""Marks words that say which language a text is in and stay as they are."""
LEAST = 2
"""Words that must speak for a language."""
_ENGLISH = word_set(
    """the and are were been from with that this these those which when where what who by to at be it its they them their there have has had will would can could should must
    may not only than then into about over under between after before each every any some all both more most other such no nor if because while
    does did you your we our he she his her as for
    """)
_ENGLISH_TOO = word_set(
    """die in an am as a no do on me is was war per also all or so come been once sin elf six but pour sale sera for of over van door met men fast warm later open optional
    minute minutes second seconds half week april august september november mars mal male mine sole solo data due ten tot son ton plus car est os um ma te tu mi tag hat mag must minimal
    maximum minimum maximal max circa ca rare non cent cents lent sauf note main part dicht small die s t d l c e i o u y n m ad rapide mode fin den bin man dan dose dance uses vide cause
    """)
"""Words of the lists that are English words too, and single letters: they speak for no language."""


class Gloss(NamedTuple):
    """What a word or phrase stands for in English."""

    said: tuple[str, ...]
    english: str
    by_stem: bool
    """It stands for every inflected form."""


@cache
def glosses(tongue: str) -> tuple[Gloss, ...]:
    """All words and phrases of a language that are known."""
    found: list[Gloss] = []
    for line in lines(f"gloss_{tongue}"):
        english, _, said = line.partition("|")
        by_stem = english.startswith("~")
        found += [Gloss(tuple(phrase.split()), english.strip().lstrip("~"), by_stem) for phrase in said.split(";")]
    return tuple(found)


@cache
def _marks() -> tuple[dict[str, frozenset[str]], frozenset[str]]:
    """For each language the words that speak for it, and all of them."""
    marks = {
        tongue: (frozenset(gloss.said[0] for gloss in glosses(tongue) if len(gloss.said) == 1) | {said[0] for said in numerals(tongue) if len(said) == 1})
        - _ENGLISH_TOO
        - _ENGLISH
        for tongue in TONGUES
    }
    return marks, frozenset().union(*marks.values())


_SHAPES = {
    "german": re.compile(r".*ß.*|.{4,}(?:ung|ungen|keit|heit|schaft)"),
    "french": re.compile(r"(?:l|d|n|qu|s|j|c)['’].{2,}|.*[œêîû].*"),
    "spanish": re.compile(r".*ñ.*|.{2,}(?:ción|ciones)"),
    "italian": re.compile(r"(?:l|d|dell|all|nell|dall|sull|un)['’].{2,}|.{3,}(?:zione|zioni|ità)"),
    "dutch": re.compile(r".*ij.*|.*(?:aa|uu)[a-z].*"),
    "portuguese": re.compile(r".*[ãõ].*|.{2,}(?:ção|ções|ência|ências|ância)"),
}
"""Words of a shape that speaks for a language, where some word is known."""
_SPEAKS_FOR = WordTable(lambda word: tuple([tongue for tongue, marks in _marks()[0].items() if word in marks]))
_SHAPED_AS = WordTable(lambda word: tuple([tongue for tongue, shape in _SHAPES.items() if shape.fullmatch(word) is not None]))
"""The languages that a word speaks for, and those that its shape speaks for."""
_FEW_WORDS = 8
_RARE = 0.9
_MOSTLY = 0.5


def language(words: Sequence[str]) -> str:
    """
    The language of a text by its lower-cased words: one of TONGUES where two of them speak for it and fewer for English; else "".

    Of two languages that as many words speak for, the one that more of them speak for alone. In a short text one word is enough
    that no other language has, where most of the others are hardly English.
    """
    if _marks()[1].isdisjoint(words):
        return ""
    speaking = [tongues for tongues in map(_SPEAKS_FOR.__getitem__, words) if tongues]
    shapes = [tongues for tongues in map(_SHAPED_AS.__getitem__, words) if tongues]
    english = sum([word in _ENGLISH for word in words])
    best, most, n = "", (0, 0), 0
    for tongue in TONGUES:
        own = sum([tongue in tongues for tongues in speaking])
        if not own:
            continue
        said = own + sum([tongue in tongues for tongues in shapes])
        if said > english and said >= most[0]:
            alone = sum([tongues == (tongue,) for tongues in speaking])
            if (said, alone) > most:
                best, most, n = tongue, (said, alone), own
    if most[0] >= LEAST:
        return best
    return best if n and most[1] and not english and len(words) <= _FEW_WORDS and _is_hardly_english(words) else ""


@lru_cache(maxsize=8192)
def language_of(text: str) -> str:
    """The language of a text, as ``language`` tells it."""
    return language(lower_words(text))


def _is_hardly_english(words: Sequence[str]) -> bool:
    letters = [word for word in words if word.isalpha() and len(word) > 2]
    return sum([stem_weight(STEMS[word]) >= _RARE for word in letters]) >= _MOSTLY * len(letters)


def is_english(words: Collection[str]) -> bool:
    """True where some word speaks for English and none for another language."""
    return any(word in _ENGLISH for word in words) and _marks()[1].isdisjoint(words)
