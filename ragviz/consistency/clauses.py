"""A text cut into words, clauses and sentences in one pass: what lies between two words decides, so only unusual gaps are looked at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from ragviz.consistency.lexicon import LIGHT

_PATTERN = r"(\d+(?:[.,:]\d+)*|[^\W_]+(?:['’][^\W_]+)*)"
_WORDS = re.compile(_PATTERN)
_ASCII_WORDS = re.compile(_PATTERN, re.ASCII)
_HARD = re.compile(r"[.!?;:\n(){}\[\]—•|]|\s[-–]+\s|--")
_SENTENCE = re.compile(r"[.!?\n•|]")
_CONJUNCTION_WORDS = (
    "and but while whereas although though which who whom whose where when because since so yet however or und aber während sondern et mais tandis alors"
)
_CONJUNCTIONS = frozenset(_CONJUNCTION_WORDS.split())
_BREAKS = frozenset({"but", "while", "whereas", "although", "though", "because", "however", "unless", "aber", "sondern", "mais"})
_AND = frozenset({"and", "und", "et"})
_TURNS = _BREAKS | _AND
"""Without one of these no clause begins behind a mere space."""
OPENERS = frozenset({"unlike", "although", "though", "while", "whereas", "despite", "because", "since", "when", "if", "once", "besides", "obwohl", "während", "wenn", "weil", "bien", "contrairement", "aunque", "mientras"})
"""A clause that begins with one of these ends at its comma, and what follows has its own subject."""
_SUBJECTS = frozenset({"the", "a", "an", "it", "its", "he", "she", "they", "his", "her", "their", "there", "this", "these", "we", "you", "der", "die", "das", "le", "la", "les", "il", "elle"})
_ABBREVIATIONS = frozenset({"st", "mr", "mrs", "dr", "vs", "approx", "ca", "no", "nr", "inc", "prof", "bros", "jr", "sr", "mio", "mrd", "bzw", "max", "min"})


class Words(NamedTuple):
    """The words of a text; lists are indexed by word unless said otherwise."""

    lowers: list[str]
    starts: list[int]
    ends: list[int]
    commas: list[bool]
    """Whether a comma follows."""
    clause: list[int]
    """Ascending, from 0."""
    firsts: list[int]
    """First word of each clause."""
    sentence: list[int]
    """Sentence of each clause."""
    letters: list[int]
    """Words that are one capital letter and name a thing: the B of "plan B"."""


def cut(text: str, *, caseless: bool) -> Words:
    """
    Words, clauses and sentences of a text.

    Args:
        text: A text as ``plain`` gives it.
        caseless: True where its capitals were guessed and say nothing.
    """
    ascii_only = text.isascii()
    # Gaps and words take turns, a gap first and last.
    parts = _ASCII_WORDS.split(text.lower()) if ascii_only else _WORDS.split(text)
    sizes = list(map(len, parts))
    places = list(accumulate(sizes))
    gaps, starts, ends = parts[0:-1:2], places[0:-1:2], places[1::2]
    lowers = parts[1::2] if ascii_only else list(map(str.lower, parts[1::2]))
    n = len(lowers)
    if not n:
        return Words([], [], [], [], [], [], [0], [])
    commas = [False] * n
    firsts, sentence = [0], [0]
    opener = lowers[0]
    n_sentence = 0
    of_words = sizes[1::2]
    letters = _letters(text, lowers, gaps, starts, [i for i, size in enumerate(of_words) if size == 1]) if 1 in of_words else []
    for i in _candidates(lowers, gaps):
        gap, word = gaps[i], lowers[i]
        begins = False
        if gap != " ":
            comma = commas[i - 1] = "," in gap
            if _HARD.search(gap) and not _is_abbreviation(gap, lowers[i - 1], lower_follows=text[starts[i]].islower() and not caseless):
                begins = True
                n_sentence += _SENTENCE.search(gap) is not None
            else:
                begins = comma and (word in _CONJUNCTIONS or opener in OPENERS or (opener.endswith(("ed", "ing")) and word in _SUBJECTS))
        if begins or word in _BREAKS or (word in _SUBJECTS and lowers[i - 1] in _AND and "between" not in lowers[max(0, i - 6) : i]):
            firsts.append(i)
            sentence.append(n_sentence)
            opener = word
    return Words(lowers, starts, ends, commas, _numbered(firsts, n), firsts, sentence, letters)


def _candidates(lowers: Sequence[str], gaps: Sequence[str]) -> Sequence[int]:
    """Words with which a clause may begin; the first word, which always begins one, is left out."""
    if _TURNS.isdisjoint(lowers):
        if gaps.count(" ") >= len(gaps) - (gaps[0] != " "):
            return ()
        return [i for i, gap in enumerate(gaps) if gap != " " and gap and i]
    return [i for i, gap in enumerate(gaps) if gap and i and (gap != " " or lowers[i] in _BREAKS or lowers[i - 1] in _AND)]


def _numbered(firsts: Sequence[int], n: int) -> list[int]:
    """The clause of each of ``n`` words."""
    if len(firsts) == 1:
        return [0] * n
    clause: list[int] = []
    for number, (begin, end) in enumerate(zip(firsts, [*firsts[1:], n], strict=True)):
        clause += [number] * (end - begin)
    return clause


def _letters(text: str, lowers: Sequence[str], gaps: Sequence[str], starts: Sequence[int], short: Sequence[int]) -> list[int]:
    """Of the words of one character, the capital letters behind a word of content; "I" is none."""
    return [i for i in short if gaps[i] == " " and i and lowers[i] != text[starts[i]] and lowers[i] != "i" and lowers[i - 1] not in LIGHT]


def _is_abbreviation(gap: str, word: str, *, lower_follows: bool) -> bool:
    """True for the dot in "St. John", "J. R.", "approx. 5", "U.S. film"."""
    if not gap.startswith(".") or gap.strip() != ".":
        return False
    return len(word) == 1 or word in _ABBREVIATIONS or lower_follows
