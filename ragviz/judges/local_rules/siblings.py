"""Of one name but not the same: "parental leave after one year" says nothing of sick leave, version 4.2 nothing of 4.1, the museum nothing of its café."""

from __future__ import annotations

from ragviz.consistency.align import looks_verbal
from ragviz.consistency.analysis import Analysis
from ragviz.consistency.pairings import is_verb
from ragviz.judges.local_rules.scene import Scene
from ragviz.text.quantity import Quantity, QuantityKind
from ragviz.text.tokens import STOP_WORDS
from ragviz.text.word_sets import word_set

_SAID = 0.6
"""Share of what a claim says of its subject that the sentence must say for it to be the one that the claim is taken from."""
_MOST_SUBJECT = 9
_MOST_WORDS = 9
"""Distinct words of content of a claim that says one thing of its subject."""
_PRONOUNS = word_set("it they he she this that these those there which who both all you we")
_SAYS_LITTLE = word_set("new old current usual normal own same whole entire main general standard regular maximum minimum total other such certain first last next many some most one two three")
_PREPOSITIONS = word_set("in of")
_NO_SUBJECT = word_set("in of on for at from with without after before during if when once by under until since unless as to no neither")
_COMPARES = word_set("than only both")
_LEAST_LETTERS = 3


def is_of_a_sibling(scene: Scene) -> bool:
    """
    True where the claim's subject is told from others by a word ("sick leave") that the sentence lacks from which it is taken, since that has another word
    in its place ("parental leave"); and where it is a part or place that nothing speaks of ("the museum's café", "the leak in the address book").
    """
    claim = scene.claim
    verb = _verb(claim)
    if verb is None or len(scene.seen.claim.distinct) > _MOST_WORDS or claim.lowers[0] in _PRONOUNS or claim.lowers[0] in _NO_SUBJECT or not _COMPARES.isdisjoint(claim.lowers):
        return False
    subject = [i for i in range(verb) if _counts(claim, i)]
    said = {claim.keys[i] for i in range(verb, len(claim.keys)) if claim.content[i] or claim.detail[i]}
    if len(subject) < 2 or not said:
        return False
    if _is_part_unknown(scene, claim, subject, verb):
        return True
    for unit in scene.units[: len(scene.seen.chosen)]:
        theirs = set(unit.keys)
        if len(said & theirs) < _SAID * len(said) or unit.lowers[0] in _PRONOUNS:
            continue
        lacking = [i for i in subject if claim.keys[i] not in theirs]
        if len(lacking) != 1:
            return False
        return _has_rival(scene, claim, lacking[0], subject, unit)
    return False


def _verb(claim: Analysis) -> int | None:
    """Token of the claim's verb, where its subject is short and stands in front."""
    return next(
        (i for i in range(1, min(len(claim.lowers), _MOST_SUBJECT)) if _is_predicate(claim, i) and not _hyphened(claim, i)),
        None,
    )


def _is_predicate(claim: Analysis, i: int) -> bool:
    if claim.lowers[i].endswith(("'s", "’s", "'")):
        return False
    return is_verb(claim, i) or (i + 1 < len(claim.lowers) and looks_verbal(claim, i) and not is_verb(claim, i + 1))


def _hyphened(text: Analysis, i: int) -> bool:
    return text.starts[i] > 0 and text.text[text.starts[i] - 1] in "-\u2010\u2011"


def _counts(text: Analysis, i: int) -> bool:
    return (text.content[i] or _is_label(text, i)) and text.lowers[i] not in _SAYS_LITTLE and text.lowers[i] not in STOP_WORDS


def _is_label(text: Analysis, i: int) -> bool:
    """True for the 4.1 of "version 4.1"."""
    return any(d.first <= i <= d.last and isinstance(d.record, Quantity) and d.record.kind is QuantityKind.LABEL for d in text.quantities)


def _has_rival(scene: Scene, claim: Analysis, i: int, subject: list[int], unit: Analysis) -> bool:
    """
    True where the word at token ``i`` stands beside a word of the subject, and the sentence has another one in that place; the word itself stands in
    another sentence, or is a figure as the other is.
    """
    for side in (1, -1):
        head = i + side
        if head not in subject or claim.clause[head] != claim.clause[i]:
            continue
        places = [j for j in range(len(unit.keys)) if unit.keys[j] == claim.keys[head]]
        rivals = [j - side for j in places if 0 <= j - side < len(unit.keys) and unit.clause[j - side] == unit.clause[j] and not unit.commas[min(j, j - side)]]
        rivals = [j for j in rivals if _counts(unit, j) and unit.detail[j] == claim.detail[i]]
        if places and len(rivals) == len(places) and (claim.detail[i] or claim.keys[i] in _elsewhere(scene, unit)):
            return True
    return False


def _elsewhere(scene: Scene, unit: Analysis) -> set[str]:
    return {key for other in scene.units if other is not unit for key in other.keys}


def _is_part_unknown(scene: Scene, claim: Analysis, subject: list[int], verb: int) -> bool:
    """"The museum's café", "the leak in the address book": what stands behind the possessive or the preposition is spoken of nowhere."""
    last = subject[-1]
    begin = next(
        (i + 1 for i in range(verb - 1, 0, -1) if claim.lowers[i] in _PREPOSITIONS or claim.text[claim.ends[i] - 2 : claim.ends[i]] in {"'s", "’s"}), None
    )
    if begin is None or begin > last or claim.is_name[last] or claim.detail[last]:
        return False
    part = [i for i in subject if i >= begin]
    front = [i for i in subject if i < begin]
    known = {stem for _, stems in scene.ranked for stem in stems} | {key for unit in scene.units for key in unit.keys}
    if not part or not front or any(len(claim.lowers[i]) < _LEAST_LETTERS for i in part):
        return False
    text = scene.seen.premise.indexed.text.lower()
    unknown = all(claim.keys[i] not in known and claim.roots[i] not in known and claim.lowers[i] not in text for i in part)
    return unknown and all(claim.keys[i] in known for i in front)
