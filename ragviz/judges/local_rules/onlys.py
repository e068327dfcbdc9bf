"""Only there: "valid in zone C only" is no permit for zone A, "only into the entrance hall" no leave for other rooms."""

from __future__ import annotations

import re
from typing import NamedTuple

from ragviz.consistency.analysis import Analysis
from ragviz.judges.local_rules.rule import Beside, Told
from ragviz.judges.local_rules.scene import Scene
from ragviz.text.word_sets import word_set

_PLACED = {"in": "in", "into": "in", "inside": "in", "within": "in", "on": "on", "onto": "on", "at": "at", "to": "to", "from": "from", "by": "by", "with": "with"}
_ARTICLES = word_set("the a an your our their its his her this that these")
_CODE = re.compile(r"[A-Z]|\d{1,3}")
_STRANGE = 1
"""Words of a claim, beside the place, that the sentence may lack."""
_MOST = 4
_MOST_WORDS = 9
"""Distinct words of content of a claim that says one thing."""


class Place(NamedTuple):
    """A place behind its preposition."""

    how: str
    keys: frozenset[str]
    first: int
    last: int
    is_only: bool


def names_place(claim: Analysis) -> bool:
    """True where a plain claim names a place or way."""
    return not claim.cues and not _PLACED.keys().isdisjoint(claim.lowers)


def by_only_place(beside: Beside) -> Told | None:
    """"Valid in zones B and C" of "valid in zone C only": another letter or number of the same kind is denied."""
    claim, unit, _ = beside
    found = _apart(claim, unit)
    if found is None:
        return None
    ours, theirs = found
    extra = ours.keys - theirs.keys
    codes = {unit.keys[i] for i in range(theirs.first, theirs.last + 1) if _CODE.fullmatch(unit.text[unit.starts[i] : unit.ends[i]])}
    if ours.keys & theirs.keys and codes and all(_CODE.fullmatch(key) for key in extra):
        return Told(False, (ours.first, ours.last), (theirs.first, theirs.last))
    return None


def is_elsewhere(scene: Scene) -> bool:
    """"You can take drinks into the exhibition rooms" of "only into the entrance hall"."""
    return names_place(scene.claim) and len(scene.seen.claim.distinct) <= _MOST_WORDS and any("only" in unit.lowers and _apart(scene.claim, unit) is not None for unit in scene.units)


def _apart(claim: Analysis, unit: Analysis) -> tuple[Place, Place] | None:
    """The claim's place and the only one that the sentence allows for the same."""
    if "only" not in unit.lowers:
        return None
    for theirs in (place for place in _places(unit) if place.is_only):
        for ours in _places(claim):
            if ours.how != theirs.how or not ours.keys - theirs.keys or (theirs.keys <= ours.keys and not any(_CODE.fullmatch(key) for key in ours.keys)):
                continue
            rest = {claim.keys[k] for k in range(len(claim.keys)) if claim.content[k] and not claim.detail[k] and not ours.first <= k <= ours.last}
            clause = {unit.keys[i] for i in range(len(unit.keys)) if unit.clause[i] == unit.clause[theirs.first]}
            if rest & clause and len(rest - unit.all_keys) <= _STRANGE:
                return ours, theirs
    return None


def _places(text: Analysis) -> list[Place]:
    out = []
    for i, word in enumerate(text.lowers):
        if word not in _PLACED:
            continue
        behind = []
        for j in range(i + 1, min(len(text.lowers), i + 1 + _MOST + 2)):
            if text.clause[j] != text.clause[i] or text.lowers[j] == "only" or (text.lowers[j] in _PLACED):
                break
            if (text.lowers[j] in _ARTICLES and j not in text.letters) or text.lowers[j] in {"and", "or"}:
                continue
            if not (text.content[j] or text.detail[j]):
                break
            behind.append(j)
        if not behind or any(text.detail[j] and not _CODE.fullmatch(text.text[text.starts[j] : text.ends[j]]) for j in behind):
            continue
        after = behind[-1] + 1
        is_only = text.lowers[i - 1] == "only" if i else False
        is_only = is_only or (after < len(text.lowers) and text.lowers[after] == "only" and text.clause[after] == text.clause[i])
        out.append(Place(_PLACED[word], frozenset(text.keys[j] for j in behind), behind[0], behind[-1], is_only))
    return out
