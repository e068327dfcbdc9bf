"""Which of several things: both or one of them, and only of one kind."""

from __future__ import annotations

from ragviz.consistency.analysis import Analysis
from ragviz.consistency.pairings import is_verb
from ragviz.consistency.quantifiers import ONLY
from ragviz.judges.local_doers import PLAIN_KINDS
from ragviz.text.word_sets import word_set

OF_THE = word_set("of the our your these those his her their its")
NO_KIND = PLAIN_KINDS | word_set("all every each any per most no both")
"""Words before a noun that single out no kind of it."""
_DUTY = word_set("must shall should need needs required may can sign signs")
_NOT_BESIDE = word_set("of in on at for to with from by and or")
_REACH = 5


def picks_otherwise(claim: Analysis, units: list[Analysis]) -> bool:
    """"One of the parents must sign" of "both parents must sign"; "both keys are needed" of "either key opens it"."""
    ours = _pick(claim, None)
    if ours is None:
        return False
    pick, keys = ours
    found = set()
    for unit in units:
        theirs = _pick(unit, keys)
        if theirs is not None:
            found.add(theirs[0])
    if not found or pick in found:
        return False
    return pick == "both" or not _DUTY.isdisjoint(claim.lowers)


def is_of_another_kind(claim: Analysis, units: list[Analysis]) -> bool:
    """"Powder detergent can be used" of "use only liquid detergent"."""
    if claim.cues or not ONLY.isdisjoint(claim.lowers):
        return False
    for unit in units:
        for i, word in enumerate(unit.lowers[:-2]):
            if word not in ONLY or not unit.content[i + 1] or is_verb(unit, i + 1):
                continue
            noun = next((j for j in range(i + 2, min(len(unit.lowers), i + 4)) if unit.content[j] and unit.clause[j] == unit.clause[i]), None)
            if noun is None or unit.lowers[noun - 1] in _NOT_BESIDE or (noun - 1 != i + 1 and not unit.content[noun - 1]):
                continue
            places = claim.index.get(unit.keys[noun], ())
            if len(places) == 1 and places[0] and claim.content[places[0] - 1] and claim.keys[places[0] - 1] not in unit.all_keys and claim.lowers[places[0] - 1] not in NO_KIND and not is_verb(claim, places[0] - 1):
                return True
    return False


def _pick(text: Analysis, wanted: frozenset[str] | None) -> tuple[str, frozenset[str]] | None:
    """Whether a text speaks of both, of one or of either of some things, and of which; of those ``wanted`` where given."""
    for i, word in enumerate(text.lowers):
        behind = text.lowers[i + 1 : i + 2]
        if word == "both":
            pick = "both"
        elif word == "either" or (word in {"any", "one"} and behind == ["of"]):
            pick = "one"
        elif word == "all" and wanted is not None:
            pick = "both"
        else:
            continue
        keys = frozenset(text.keys[j] for j in range(i + 1, min(len(text.lowers), i + _REACH)) if text.content[j] and text.clause[j] == text.clause[i])
        if keys and (wanted is None or keys & wanted):
            return pick, keys
    return None
