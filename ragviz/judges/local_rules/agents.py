"""Who did which deed: a site chosen by the council is not chosen by the railway that paid for it, and who designed a bridge need not have opened it."""

from __future__ import annotations

from collections.abc import Sequence

from ragviz.consistency.analysis import Analysis
from ragviz.consistency.lexicon import irregular_verbs, root
from ragviz.consistency.pairings import is_verb
from ragviz.judges.local_rules.doers import ALIKE, WHATEVER
from ragviz.judges.local_rules.scene import Scene
from ragviz.text.word_sets import word_set

_DEEDS = tuple(frozenset(root(word) for word in line.split()) for line in (
    "design plan draw", "build construct erect", "open inaugurate unveil", "write author compose", "found establish", "invent devise", "restore renovate repair refurbish", "paint", "sculpt carve",
    "fund finance sponsor pay donate", "buy purchase acquire", "sell", "own", "manage run operate", "maintain", "approve authorise authorize", "test inspect check audit", "discover find", "translate",
    "edit", "photograph film", "produce manufacture make", "rent lease hire", "install", "demolish destroy", "name", "commission order", "choose select", "propose suggest",
))
"""Deeds of which none is another, though the same person may have done several."""
_KIND_OF_DEED = {word: n for n, line in enumerate(_DEEDS) for word in line}
_NOUN_ENDINGS = ("er", "ers", "or", "ors", "ing", "ings", "ion", "ions", "ment", "ments", "ery", "al", "als", "ship", "able", "'s", "’s")
_JOINS = word_set("and or but while whereas who which that in on at for from to with as after before since until during under when where")
_HELPERS = word_set("is are was were be been being has have had will would can could may might must shall should does do did by also later first then")
_GENERIC = word_set("you we they it he she one people")
_ARTICLES = word_set("the a an our your his her its their this that")
_THIRD = 2
_ONE_DEED = 6
"""Words of content of a claim that says one thing."""
_LEAVE = word_set("can could may might must shall should will would")
_PREFIX = 5
_SUBJECT = 4
"""Words of a subject."""
_FAR = 8
_LIST = 24
"""Words of a list of doers."""


def did_another_deed(scene: Scene) -> bool:
    """True when the evidence names another doer for the claim's deed, or only another deed of the claim's doer."""
    claim, units = scene.claim, scene.units
    if claim.cues:
        return False
    said = _deed(claim)
    if said is None:
        return False
    verb, doer, things = said
    return (
        _has_other_doer(claim, verb, doer, units)
        or _does_something_else(claim, verb, doer, things, units)
        or _is_other_deed(claim, verb, doer, things, units)
        or _others_do(scene, verb, doer)
    )


def _deed(text: Analysis) -> tuple[int, list[int], list[int]] | None:
    """The verb of a short active or passive sentence, the tokens of whoever does it, and those of what it is done to; None where it is no such sentence."""
    if text.n_clauses != 1 or ("by" not in text.lowers and text.lowers[0] in _GENERIC):
        return None
    by = next((i for i, word in enumerate(text.lowers) if word == "by" and i and _is_participle(text, i - 1)), None)
    if by is not None:
        doer = _doers_behind(text, by)
        things = [i for i in range(by - 1) if text.content[i]]
        return (by - 1, doer, things) if doer and things and not any(text.detail[i] for i in range(by, len(text.lowers))) else None
    verb = next((i for i in range(1, len(text.lowers)) if _is_active(text, i)), None)
    if verb is None:
        verb = _guessed_verb(text)
    if verb is None:
        return None
    doer = [i for i in range(verb) if text.content[i] and text.lowers[i] not in _HELPERS]
    things = [i for i in range(verb + 1, min(len(text.lowers), verb + 1 + _FAR)) if text.content[i]]
    joined = any(text.lowers[i] in _JOINS for i in range(verb))
    return (verb, doer, things) if doer and things and not joined else None


def _guessed_verb(text: Analysis) -> int | None:
    """The verb of "The nurse signs the chart", "The tenants empty the bins", "The patient may shorten it": no list has all verbs."""
    lowers = text.lowers
    modal = next((i for i in range(1, min(len(lowers) - 1, _SUBJECT)) if lowers[i] in _LEAVE), None)
    if modal is not None:
        return next((i for i in range(modal + 1, min(len(lowers), modal + 3)) if text.content[i]), None)
    if len(lowers) < _THIRD + 2 or lowers[0] not in _ARTICLES or not text.content[1] or not text.content[_THIRD] or lowers[_THIRD + 1] not in _ARTICLES:
        return None
    return _THIRD if lowers[1].endswith("s") != lowers[_THIRD].endswith("s") else None


def _is_participle(text: Analysis, i: int) -> bool:
    word = text.lowers[i]
    return (word.endswith("ed") and len(word) > 4) or word in irregular_verbs() or word == "run"


def _is_active(text: Analysis, i: int) -> bool:
    """True for a verb that no form of "be" stands in front of."""
    if not text.content[i] or text.is_name[i] or not (is_verb(text, i) or _is_deed(text, i)):
        return False
    return (
        text.lowers[i - 1] not in {"is", "are", "was", "were", "be", "been", "being", "to"}
        and text.lowers[i - 1] not in {"the", "a", "an", "of"}
        and (_is_deed(text, i) or text.lowers[i] not in _HELPERS)
    )


def _is_deed(text: Analysis, i: int) -> bool:
    return text.roots[i] in _KIND_OF_DEED and not text.lowers[i].endswith(_NOUN_ENDINGS)


def _doers_behind(text: Analysis, by: int) -> list[int]:
    """The tokens of content behind "by": all names of a list, up to the next verb or another word that joins."""
    out: list[int] = []
    number = text.sentence[text.clause[by]]
    for i in range(by + 1, min(len(text.lowers), by + 1 + _LIST)):
        if text.sentence[text.clause[i]] != number or (text.lowers[i] in _JOINS and text.lowers[i] not in {"and", "or"}) or (out and is_verb(text, i)):
            break
        if text.content[i] or text.is_name[i]:
            out.append(i)
    return out


def _has_other_doer(claim: Analysis, verb: int, doer: Sequence[int], units: Sequence[Analysis]) -> bool:
    """True where the verb stands behind every "by" with somebody else, and nowhere else."""
    head = claim.keys[doer[-1]]
    found = False
    for unit in units:
        for i in unit.index.get(claim.keys[verb], ()):
            if not _is_participle(unit, i) or i + 1 >= len(unit.lowers):
                return False
            by = next((j for j in range(i + 1, min(len(unit.lowers), i + 3)) if unit.lowers[j] == "by" and unit.clause[j] == unit.clause[i]), None)
            theirs = _doers_behind(unit, by) if by is not None else []
            if not theirs:
                return False
            if any(unit.keys[j] == head for j in theirs) or any(unit.lowers[j] in _GENERIC for j in range(i + 1, theirs[-1] + 1)):
                return False
            found = True
    return found and any(head in unit.all_keys for unit in units)


def _does_something_else(claim: Analysis, verb: int, doer: Sequence[int], things: Sequence[int], units: Sequence[Analysis]) -> bool:
    """"The nurse signs the chart" of "the nurse gives the tablets and the doctor signs the chart": each stretch has a subject of its own."""
    head, wanted = claim.keys[doer[-1]], {claim.keys[i] for i in things}
    found = False
    for unit in units if len(claim.all_keys) <= _ONE_DEED else ():
        for i in unit.index.get(claim.keys[verb], ()):
            begins, end = _stretch(unit, i)
            subject = [j for j in range(begins, i) if unit.content[j]]
            inside = {unit.keys[j] for j in range(begins, end)}
            if not subject or subject[-1] - begins > _SUBJECT or any(unit.lowers[j] in _GENERIC or unit.lowers[j] in _JOINS for j in range(begins, i)):
                return False
            if head in inside or not wanted & inside or any(unit.lowers[j] in {"is", "are", "was", "were", "be", "been"} for j in range(begins, i)):
                return False
            if not any(unit.keys[j] == head for j in range(len(unit.keys)) if unit.sentence[unit.clause[j]] == unit.sentence[unit.clause[i]]):
                return False
            found = True
    return found


def _stretch(text: Analysis, i: int) -> tuple[int, int]:
    """First token and end of what lies around token ``i`` between commas, "and" and the like."""
    def cuts(j: int) -> bool:
        return text.lowers[j] in {"and", "but", "while", "whereas"} or text.clause[j] != text.clause[j - 1] or text.commas[j - 1]

    begins = next((j for j in range(i, 0, -1) if cuts(j)), 0)
    end = next((j for j in range(i + 1, len(text.lowers)) if cuts(j)), len(text.lowers))
    return begins + (text.lowers[begins] in {"and", "but", "while", "whereas"}), end


def _is_other_deed(claim: Analysis, verb: int, doer: Sequence[int], things: Sequence[int], units: Sequence[Analysis]) -> bool:
    """True where the deed stands nowhere, and what is said of doer and thing is a deed of another kind."""
    kind = _KIND_OF_DEED.get(claim.roots[verb])
    head, thing = claim.keys[doer[-1]], {claim.keys[i] for i in things}
    if kind is None:
        return False
    other = False
    for unit in units:
        kinds = {_KIND_OF_DEED[word] for i, word in enumerate(unit.roots) if word in _KIND_OF_DEED and _is_participle(unit, i)}
        if kind in kinds or claim.keys[verb] in unit.all_keys:
            return False
        other = other or bool(kinds and head in unit.all_keys and thing & unit.all_keys)
    return other


def _others_do(scene: Scene, verb: int, doer: Sequence[int]) -> bool:
    """"The tenants empty the bins" of "the caretaker empties the bins", where the passage never speaks of tenants."""
    claim, units = scene.claim, scene.units
    word = claim.lowers[doer[-1]]
    known = scene.seen.premise.indexed.postings
    if (
        len(doer) > 2
        or verb - doer[-1] > 2
        or word in _GENERIC
        or word in WHATEVER
        or any(stem.startswith(word[:_PREFIX]) for stem in known)
        or claim.keys[doer[-1]] in {k for unit in units for k in unit.all_keys}
    ):
        return False
    rest = {claim.keys[i] for i in range(verb, len(claim.lowers)) if claim.content[i]}
    for unit in units:
        for i in unit.index.get(claim.keys[verb], ()) if rest <= unit.all_keys else ():
            begins, _ = _stretch(unit, i)
            theirs = [j for j in range(begins, i) if unit.content[j]]
            if (
                not theirs
                or len(theirs) > 2
                or any(unit.lowers[j] in _JOINS or unit.lowers[j] in _GENERIC or unit.lowers[j] in _HELPERS - _LEAVE for j in range(begins, i))
            ):
                continue
            other = unit.lowers[theirs[-1]]
            if other not in WHATEVER and not any(other in same and word in same for same in ALIKE):
                return True
    return False
