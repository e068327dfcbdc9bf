"""Products and other things of one name that go on differently: what is said of the "Zapline S" is not said of a "Zapline Pro"."""

from __future__ import annotations

import re
from functools import lru_cache

from ragviz.judges.local_rules.scene import Scene
from ragviz.text.tokens import STOP_WORDS
from ragviz.text.word_sets import word_set

MAX_CHARS = 20_000
_NAMED = re.compile(r"(?<![\w’'])(?=([A-Z][\w-]*[a-z][\w-]*) ([A-Z][\w+-]*|\d[\w+-]*(?:\.\d+)*)(?![\w’'-]))")
"""A word with a capital and what goes on with it: a capital or a figure."""
_LETTERED = re.compile(r"(?<![\w’'])([a-z]{3,}) ([A-HJ-Z])(?![\w.'’&-]\w)")
_WORD = re.compile(r"[^\W_]+(?:[.+-][^\W_]+)*\+*")
_NO_NAMES = word_set(
    "january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday "
    "article articles section paragraph page pages chapter table figure annex appendix note step mr mrs ms dr prof saint"
)
"""Words of dates, parts of texts and titles: what follows these is compared elsewhere, or is left out by some."""
_CALLED = word_set("app store shop website team service support street road square park station airport hotel museum university school city company group")
"""What a thing is, said with a capital: no other thing for that."""
_MAKES_VARIANT = word_set(
    "pro plus max mini micro nano forte light lite premium basic classic ultra extra junior senior deluxe advanced business enterprise professional "
    "cloud server mobile desktop home student family free gold silver platinum sport comfort eco turbo express direct prime start starter team"
)
_SHORT = 2
"""Letters of a word that is no name of its own: "S", "XL"."""


def is_of_a_variant(scene: Scene) -> bool:
    """
    True where the claim speaks of "Zapline Pro", and the passage of "Zapline S" or of Zapline, but nowhere of a "Pro".

    Not where the second word is what the passage calls the thing in small letters ("the Harlund Viaduct" of "Harlund … the viaduct").
    """
    seen = scene.seen
    found = _variants(seen.claim.text[:MAX_CHARS])
    if not found or scene.claim.tongue == "german":
        return False
    text = seen.premise.indexed.text[:MAX_CHARS]
    _, bare = _words_of(text)
    return any(not bare & _forms(other) and other not in seen.question and _is_family(name, other, text) for name, other in found)


def _is_family(name: str, other: str, text: str) -> bool:
    """True where the passage speaks of two or more of that name, or of one and the word behind it is one that makes a variant."""
    if name.islower():
        return _has_namesake(name, text)
    if name not in _words_of(text)[0]:
        return False
    members = {m[2] for m in _variants_in(text) if m[1] == name}
    return len(members) > 1 or other[0].isdigit() or len(other) <= _SHORT or other.lower() in _MAKES_VARIANT


def _has_namesake(name: str, text: str) -> bool:
    """True for "lift" where the passage speaks of a "lift A"."""
    return name.islower() and re.search(rf"(?i:\b{re.escape(name)}) [A-Z](?![\w.'’])", text[:MAX_CHARS]) is not None


@lru_cache(maxsize=2048)
def _variants_in(text: str) -> tuple[re.Match[str], ...]:
    return tuple(_NAMED.finditer(text))


def _forms(word: str) -> frozenset[str]:
    lower = word.lower()
    return frozenset({lower, lower.removesuffix("s"), f"{lower}s", *lower.split("-")})


@lru_cache(maxsize=8192)
def _variants(text: str) -> tuple[tuple[str, str], ...]:
    """Names and how they go on: ("Zapline", "Pro")."""
    if text.istitle():
        return ()
    return tuple([
        (m[1], m[2])
        for pattern in (_NAMED, _LETTERED)
        for m in pattern.finditer(text)
        if m[1].lower() not in STOP_WORDS and m[1].lower() not in _NO_NAMES and (len(m[2]) == 1 or m[2].lower() not in STOP_WORDS | _CALLED | _NO_NAMES)
    ])


@lru_cache(maxsize=2048)
def _words_of(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words with a capital of a passage as they stand, and all of its words in small letters."""
    found = _WORD.findall(text)
    small = {w.lower() for w in found}
    parts = {part for w in small if "-" in w for part in w.split("-")}
    return frozenset(w for w in found if w[0].isupper()), frozenset(small | parts)
