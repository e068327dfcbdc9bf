"""Words for all, most, some, few or none, and what they count."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from ragviz.consistency.analysis import MAX_PLACES, Analysis


class Share(IntEnum):
    """How many of the things are meant."""

    NONE = 0
    FEW = 1
    NOT_ALL = 2
    SOME = 3
    MANY = 4
    MOST = 5
    ALL = 6


_TABLE = {
    Share.ALL: "all every each everyone everybody everything entire entirely always fully alle allen aller jeder jede jedes jeden stets immer tous toutes chaque toujours completely",
    Share.MOST: "most majority mostly meisten mehrheit plupart majorité usually",
    Share.MANY: "many numerous viele zahlreiche often beaucoup nombreux nombreuses frequently",
    Share.SOME: "some several certain sometimes einige manche mehrere manchmal quelques certains certaines parfois occasionally",
    Share.FEW: "few rarely seldom wenige selten rarement peu",
    Share.NONE: "none no nobody nothing never kein keine keinen keiner keines keinem niemand nie niemals aucun aucune jamais",
}
_SHARES = {word: share for share, words in _TABLE.items() for word in words.split()}
_NOT = frozenset({"not", "nicht", "pas"})
_HARDLY = frozenset({"hardly", "scarcely", "barely"})
"""In front of "any" they say that there are few."""
_FREQUENCY_WORDS = "always never often rarely seldom sometimes usually frequently occasionally mostly entirely fully completely nie niemals immer stets oft selten manchmal toujours jamais parfois rarement"
_FREQUENCY = frozenset(_FREQUENCY_WORDS.split())
_DEGREES = frozenset({"more", "less", "weniger", "seltener", "moins"})
_PEOPLE = frozenset({"everyone", "everybody", "nobody", "niemand"})
ONLY = frozenset({"only", "solely", "exclusively", "nur", "ausschließlich", "lediglich", "seulement", "uniquement", "exclusivement"})


class Quantifier(NamedTuple):
    """One quantifier with what it counts."""

    at: int
    first: int
    share: Share
    head: frozenset[str]
    """Keys of the next two content words; empty for adverbs of frequency."""


def quantifiers(text: Analysis) -> list[Quantifier]:
    """Quantifiers in order; kept with the analysis."""
    if text.quantifiers is None:
        text.quantifiers = [] if _SHARES.keys().isdisjoint(text.lowers) and _HARDLY.isdisjoint(text.lowers) else _find(text)[:MAX_PLACES]
    return text.quantifiers


def _find(text: Analysis) -> list[Quantifier]:
    found: list[Quantifier] = []
    lowers = text.lowers
    for i, word in enumerate(lowers):
        share = _SHARES.get(word)
        if share is None:
            if word == "any" and i and lowers[i - 1] in _HARDLY:
                found.append(Quantifier(i, i - 1, Share.FEW, _head(text, i)))
            continue
        before = lowers[i - 1] if i else ""
        first = i
        if word == "few" and before in {"a", "quite"}:
            share = Share.FEW if i > 1 and lowers[i - 2] in ONLY else Share.SOME
        elif _counts_nothing(text, i):
            continue
        elif share is Share.MANY and before in _NOT:
            share, first = Share.FEW, i - 1
        elif share is Share.ALL and before in _NOT:
            share, first = Share.NOT_ALL, i - 1
        elif before in _DEGREES and word in _FREQUENCY:
            # "less often" and "more rarely" say the same; how often that is, neither tells.
            continue
        elif before in {"very", "so"} and i > 1 and share is Share.FEW:
            first = i - 1
        head = frozenset() if word in _FREQUENCY or word in _PEOPLE else _head(text, i)
        found.append(Quantifier(i, first, share, head))
    return found


def _counts_nothing(text: Analysis, i: int) -> bool:
    """True for "no longer", "the most northern", "at all"."""
    word = text.lowers[i]
    before = text.lowers[i - 1] if i else ""
    nxt = text.lowers[i + 1] if i + 1 < len(text.lowers) else ""
    if word in {"no", "none"}:
        return nxt in {"longer", "more", "less", "doubt", "later", "other"}
    if word == "most":
        return before in {"the", "its", "his", "her", "their"} and bool(nxt) and text.content[i + 1]
    return word == "all" and (before in {"at", "of", "after", "in"} or nxt[:1].isdecimal())


def _head(text: Analysis, i: int) -> frozenset[str]:
    out: list[str] = []
    for j in range(i + 1, min(len(text.lowers), i + 6)):
        if text.clause[j] != text.clause[i] or len(out) == 2:
            break
        if text.content[j]:
            out.append(text.keys[j])
    return frozenset(out)
