"""What needs somebody's consent cannot be done without it: "requires the landlord's consent", "bedarf der Zustimmung"."""

from __future__ import annotations

from ragviz.consistency.analysis import Analysis
from ragviz.judges.local_rules.rule import Beside, Told
from ragviz.text.word_sets import word_set

_REQUIRES = word_set("require requires required need needs")
_ARTICLES = word_set("the a an his her its their your our prior written explicit")
_WITHOUT = word_set("without no not")
_NEEDED = word_set("required needed necessary nötig notwendig erforderlich nécessaire necesario necesaria need needs require requires")
_UNDER = word_set("unless except only if when more than less until over above below under between")
_POSSESSIVE = 4
"""Words behind "requires" among which the thing stands: "the landlord's written consent"."""


def is_without(claim: Analysis) -> bool:
    """True where a claim says that something goes without, or needs no something."""
    return bool(claim.cues) and not _WITHOUT.isdisjoint(claim.lowers)


def by_requirement(beside: Beside) -> Told | None:
    """
    "Subletting is allowed without consent" and "subletting needs no consent" of "subletting requires the landlord's consent"; that it is not possible
    without says the same.
    """
    claim, unit, _ = beside
    if unit.cues or not _UNDER.isdisjoint(unit.lowers) or not _UNDER.isdisjoint(claim.lowers):
        return None
    for i, word in enumerate(unit.lowers):
        if word not in _REQUIRES:
            continue
        behind = [j for j in range(i + 1, min(len(unit.lowers), i + 1 + 2 * _POSSESSIVE)) if unit.clause[j] == unit.clause[i]]
        needed = {unit.keys[j] for j in behind if unit.content[j] and not unit.detail[j]}
        before = {unit.keys[j] for j in range(i) if unit.content[j] and unit.clause[j] == unit.clause[i]}
        found = _denied(claim, needed)
        if found is None or not before:
            continue
        at, thing = found
        own = {claim.keys[k] for k in range(len(claim.keys)) if claim.content[k] and claim.keys[k] not in needed and claim.lowers[k] not in _NEEDED}
        if not own & before or len(own - unit.all_keys) > 1:
            continue
        others = [cue for cue in claim.cues if cue.at != at]
        if not others:
            return Told(False, (min(at, thing), max(at, thing)), (i, behind[-1]))
        if claim.lowers[at] == "without" and len(others) == 1:
            return Told(True, full=False)
    return None


def _denied(claim: Analysis, needed: set[str]) -> tuple[int, int] | None:
    """Places of the negation and of what is not needed; None where the claim denies something else."""
    for cue in claim.cues:
        word = claim.lowers[cue.at]
        if word == "without" or (word == "no" and (not _NEEDED.isdisjoint(claim.lowers))):
            thing = next((k for k in range(cue.at + 1, min(len(claim.keys), cue.at + 1 + _POSSESSIVE)) if claim.keys[k] in needed), None)
            if thing is not None and all(claim.keys[k] in needed or not claim.content[k] or claim.lowers[k] in _ARTICLES for k in range(cue.at + 1, thing)):
                return cue.at, thing
        if word == "not" and any(claim.lowers[k] in _NEEDED for k in range(cue.at + 1, min(len(claim.keys), cue.at + 3))):
            thing = next((k for k in range(cue.at) if claim.keys[k] in needed), None)
            if thing is not None:
                return cue.at, thing
    return None
