"""Everyday words and phrases that say the same: "resign" and "step down", "CEO" and "chief executive". Looked up by folded words, without a stemmer."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from ragviz.consistency.lexicon import irregular_bases
from ragviz.consistency.word_lists import lines
from ragviz.text.tokens import STOP_WORDS
from ragviz.text.word_table import WordTable

WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
ASCII_WORD = re.compile(WORD.pattern, re.ASCII)
"""The same for text of ASCII characters alone, which it reads faster."""
_LEAST = 3
_SUFFIXES = frozenset((
    "ations", "ation", "itions", "ition", "ution", "ement", "ments", "ment", "ships", "ship", "ances", "ance", "ences", "ence", "ness", "able", "ible", "ity", "ive", "ing",
    "ents", "ent", "ants", "ant", "ions", "ion", "ists", "ist", "ism", "ful", "ous", "als", "al", "ers", "er", "ors", "or", "ees", "ee", "ed", "ly", "es", "s", "y", "e", "i",
))
_INFLECTIONS = ("ying", "ies", "ied", "ing", "ed", "es")
_LONGEST_SUFFIX = max(map(len, _SUFFIXES))
Folds = tuple[str, ...]
"""A phrase, word by word."""


def fold(lower: str) -> str:
    """
    A lower-cased word without its inflection: "companies" is "compan" like "company", "stepped" is "step", "bought" is "buy".

    Cruder and much faster than a stemmer; nouns are not folded into the verbs they come from.
    """
    return FOLDS[lower]


def _fold(lower: str) -> str:
    word = irregular_bases().get(lower, lower)
    if not word.isalpha():
        return word[:-2] if word.endswith(("'s", "’s")) else word
    if word.startswith("un") and len(word) > 5:
        return "un" + fold(word[2:])
    for ending in _INFLECTIONS if word.endswith(_INFLECTIONS) else ():
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST:
            word = word[: -len(ending)]
            break
    else:
        if word.endswith("s") and not word.endswith("ss") and len(word) > _LEAST:
            word = word[:-1]
    if len(word) > _LEAST and word[-1] in "ey":
        word = word[:-1]
    if len(word) > _LEAST and word[-1] == word[-2] and word[-1] not in "ls":
        word = word[:-1]
    return word


FOLDS = WordTable(_fold)


class Phrase(NamedTuple):
    """A phrase and what stands for it, all folded."""

    words: Folds
    others: tuple[Folds, ...]
    """Those of the earliest line first."""
    begins: frozenset[str]
    """The first words of ``others``."""


@cache
def wordings() -> dict[str, tuple[Phrase, ...]]:
    """First word → phrases that begin with it, longest first."""
    found: dict[Folds, dict[Folds, None]] = {}
    for line in lines("wordings"):
        general, special, many = line.partition("<")
        group = _split(line) if not special else [*_split(general), *_split(many)]
        for mine in group if not special else group[:1]:
            others = found.setdefault(mine, {})
            for other in group:
                if other != mine:
                    others.setdefault(other)
    out: dict[str, list[Phrase]] = {}
    for mine, others in found.items():
        out.setdefault(mine[0], []).append(Phrase(mine, tuple(others), frozenset([other[0] for other in others])))
    return {first: tuple(sorted(phrases, key=lambda phrase: -len(phrase.words))) for first, phrases in out.items()}


def _split(text: str) -> list[Folds]:
    """The phrases of a line that have a word of content or two words."""
    split = [tuple(word.lower() for word in WORD.findall(part)) for part in text.split(";")]
    return [tuple(map(fold, words)) for words in split if len(words) > 1 or (words and words[0] not in STOP_WORDS)]


def family(word: str) -> str:
    """What words of one origin share, by cutting at most two endings: "swim" of "swimmers", "intern" of "internships"."""
    return FAMILIES[word]


def _family(word: str) -> str:
    short = word
    if not word.isalpha():
        return word
    for _ in range(2):
        for n in range(min(_LONGEST_SUFFIX, len(short) - _LEAST - 1), 0, -1):
            if short[-n:] in _SUFFIXES:
                short = short[:-n]
                break
        else:
            break
    return short[:-1] if len(short) > _LEAST + 1 and short[-1] == short[-2] and short[-1] not in "sl" else short


FAMILIES = WordTable(_family)
