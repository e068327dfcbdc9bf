"""The curated word lists, read once: opposites, synonyms, nationalities, qualifiers, reporting verbs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache, partial
from typing import NamedTuple

from ragviz.consistency.glossing import gloss
from ragviz.consistency.negation import is_negator, may_negate
from ragviz.consistency.tongues import TONGUES
from ragviz.consistency.word_lists import lines
from ragviz.text.dates import DATE_WORDS
from ragviz.text.quantities import may_count
from ragviz.text.tokens import STOP_WORDS, stem, stemmed
from ragviz.text.word_table import WordTable

_LETTERS = re.compile(r"[^\W\d_]+")
_LIGHT = (
    "have has had having do does did done make makes made get gets got use uses used using include includes including also various several many much "
    "such well one two first within year years day days time times part known called named s t according however while both either may might "
    "could would will shall should must can currently now still yet already ever there here than very about around approximately just even"
)
LIGHT = frozenset(_LIGHT.split()) | STOP_WORDS
"""Words that say little of what a clause is about."""


@cache
def irregular_bases() -> dict[str, str]:
    """Irregular form → base form, base forms too."""
    return {form: words[0] for words in (line.split() for line in lines("irregular")) for form in words}


@cache
def irregular_verbs() -> frozenset[str]:
    """Irregular forms other than the base form."""
    return frozenset(form for form, base in irregular_bases().items() if form != base and not form.endswith(("ren", "men", "ple", "ople", "ies", "ves")))


@lru_cache(maxsize=65536)
def root(lower: str, tongue: str = "") -> str:
    """Stem of a lower-cased word, irregular forms folded: "rose" and "risen" are "rise"."""
    word = lower[:-2] if lower.endswith(("'s", "’s")) else lower
    if tongue:
        if tongue in {"french", "italian"} and "'" in word.replace("’", "'"):
            word = word.replace("’", "'").rpartition("'")[2]
        return stemmed(irregular_bases().get(word, word), tongue) if len(word) < 40 else word
    return stem(irregular_bases().get(word, word))


@cache
def _synonyms() -> dict[str, str]:
    return {root(word): root(words[0]) for words in (line.split() for line in lines("synonyms")) for word in words}


@lru_cache(maxsize=65536)
def key(lower: str, tongue: str = "") -> str:
    """What a word counts as when clauses are laid side by side: its root, near synonyms folded."""
    found = root(lower, tongue)
    return _synonyms().get(found, found)


class Entry(NamedTuple):
    """What is known of a word wherever it stands."""

    root: str
    key: str
    content: bool
    """False for function words, light words and negations."""
    negates: bool
    """A negation may begin with it."""
    dates: bool
    """A date may begin with it, or with a part of it."""
    counts: bool
    """It, or a part of it, may be part of a number in words."""


def _entry(lower: str, tongue: str) -> Entry:
    content = lower not in LIGHT and (len(lower) > 1 or not lower.isascii()) and not is_negator(lower)
    found = root(lower, tongue)
    parts = _LETTERS.findall(lower)
    return Entry(found, _synonyms().get(found, found), content, may_negate(lower), not DATE_WORDS.isdisjoint(parts), any(map(may_count, parts)))


_ENTRIES = {tongue: WordTable(partial(_entry, tongue=tongue)) for tongue in ("", *TONGUES)}


def entries(lowers: Iterable[str], tongue: str = "") -> list[Entry]:
    """The entry of each word, read as a word of that tongue."""
    return list(map(_ENTRIES[tongue].__getitem__, lowers))


@cache
def opposites() -> dict[str, tuple[tuple[int, int], ...]]:
    """Root → (pair, side) for every pair of opposites it stands in; the other side of a pair is ``1 - side``."""
    table: dict[str, set[tuple[int, int]]] = {}
    listed = [(line, ("",)) for line in lines("antonyms")] + [(line, ("", *TONGUES)) for line in lines("antonyms_foreign")]
    for number, (line, tongues) in enumerate(listed):
        for side, words in enumerate(line.split("|")):
            for word in words.split():
                for tongue in tongues:
                    table.setdefault(root(word, tongue), set()).add((number, side))
    return {word: tuple(sorted(places)) for word, places in table.items()}


@cache
def exclusive() -> dict[str, tuple[int, int]]:
    """Lower-cased word → (group, member) for words of which one thing has one: nationalities are group -1, then colours, materials, …"""
    kinds = {w: (n, i) for n, line in enumerate(lines("kinds")) for i, member in enumerate(line.split()) for w in member.split("/")}
    return kinds | {w: (-1, n) for n, line in enumerate(lines("nationalities")) for w in line.replace(".", "").split()}


@cache
def classes() -> dict[str, int]:
    """Root → class of things it names."""
    return {root(w): n for n, line in enumerate(lines("classes")) for w in line.split()}


_SUPERLATIVE_WORDS = """
largest smallest biggest highest lowest longest shortest oldest youngest newest fastest slowest quickest heaviest lightest strongest weakest richest poorest cheapest dearest hottest coldest
warmest coolest widest narrowest deepest shallowest tallest greatest fewest rarest commonest closest nearest farthest furthest easiest hardest busiest loudest densest thickest thinnest
safest simplest brightest darkest driest wettest earliest latest finest steepest hardest softest
"""
SUPERLATIVES = frozenset(_SUPERLATIVE_WORDS.split())
"""Superlatives in -est; many words that end so are none ("interest", "guest")."""


class Phrase(NamedTuple):
    """A qualifying phrase."""

    words: tuple[str, ...]
    family: str
    """Two phrases of one family stand for each other."""


@cache
def qualifiers() -> dict[str, tuple[Phrase, ...]]:
    """First word → phrases that begin with it, longest first."""
    table: dict[str, list[Phrase]] = {}
    for line in lines("qualifiers"):
        family, _, phrases = line.partition("|")
        for phrase in phrases.split(";"):
            plain = phrase.replace("-", " ").strip()
            for said in dict.fromkeys([plain, *(gloss(plain, tongue).text for tongue in ("german", "french"))]):
                words = tuple(said.split())
                # As it reads once its words of grammar are English, as long as it has words of its own.
                if said == plain or (len(words) > 1 and any(word in plain.split() and word not in LIGHT for word in words)):
                    table.setdefault(words[0], []).append(Phrase(words, family.strip()))
    return {first: tuple(sorted(found, key=lambda p: -len(p.words))) for first, found in table.items()}


@cache
def reporting() -> frozenset[str]:
    """Lower-cased forms of verbs that pass on what somebody says, without vouching for it."""
    return frozenset(word for line in lines("reporting") for word in line.split())
