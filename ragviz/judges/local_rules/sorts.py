"""Whether a thing is of a sort of which the passage says something: "halogenated solvents go into the red canister" does not say that toluene is one."""

from __future__ import annotations

from ragviz.consistency.analysis import Analysis, analyse
from ragviz.judges.local_rules.scene import MAX_CHARS, Scene
from ragviz.text.tokens import STEMS
from ragviz.text.word_sets import word_set

_BEING = word_set("is are")
_POINTING = word_set("the this that these those our your its their it they he she we you there here what which who such")
_MAX_SUBJECT = 4


def is_said_to_be(scene: Scene) -> bool:
    """"Toluene is a halogenated solvent" of a passage that speaks of halogenated solvents and never of toluene."""
    claim = scene.claim
    parts = _sort(claim)
    if parts is None or any(claim.lowers[cue.at] != "non" for cue in claim.cues):
        return False
    subject, sort = parts
    known = scene.seen.premise.indexed.postings
    if any(STEMS[claim.lowers[i]] in known for i in subject):
        return False
    speaking = [unit for text, _ in scene.ranked if sort & (unit := analyse(text[:MAX_CHARS])).all_keys]
    return bool(speaking) and all(_is_about(unit, sort) for unit in speaking)


def _sort(claim: Analysis) -> tuple[list[int], set[str]] | None:
    """Tokens of what the claim is about, and keys of the sort it is said to be of."""
    at = next((i for i, word in enumerate(claim.lowers[: _MAX_SUBJECT + 2]) if word in _BEING), None)
    if not at or at + 1 >= len(claim.lowers) or claim.lowers[0] in _POINTING - {"the"}:
        return None
    if claim.lowers[at] == "is" and claim.lowers[at + 1] not in {"a", "an"}:
        return None
    subject = [i for i in range(at) if claim.content[i]]
    behind = [i for i in range(at + 1, len(claim.lowers)) if claim.content[i]]
    # "are pruned in winter" says something else than what they are.
    if not subject or len(behind) < 2 or (not claim.lowers[-1].endswith("s") and claim.lowers[at] == "are") or any(claim.detail[i] for i in behind):
        return None
    return subject, {claim.keys[i] for i in behind}


def _is_about(unit: Analysis, sort: set[str]) -> bool:
    """True for a sentence that begins with the sort or a part of it, in the plural, and has no pronoun in front of it."""
    begin = next((i for i in range(len(unit.lowers)) if unit.content[i] and unit.lowers[i] != "non"), None)
    if begin is None or unit.lowers[0] in _POINTING:
        return False
    chunk = [i for i in range(begin, min(len(unit.lowers), begin + 4)) if unit.content[i] and unit.clause[i] == unit.clause[begin]]
    return unit.keys[begin] in sort and any(unit.lowers[i].endswith("s") for i in chunk if unit.keys[i] in sort or i == begin + 1 or i == begin + 2)
