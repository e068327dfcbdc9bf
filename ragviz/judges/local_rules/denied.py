"""
What a sentence of the evidence denies outright though it has all words of the claim: "not in the app", "not allowed anywhere", "reserved for" against
"all", "are charged".
"""

from __future__ import annotations

from ragviz.consistency.align import subject_chunk
from ragviz.consistency.analysis import Analysis
from ragviz.consistency.pairings import is_verb
from ragviz.judges.local_rules.rule import Beside, Told
from ragviz.records import ClashKind
from ragviz.text.word_sets import word_set

_EVERY = word_set("all every each everyone everybody any")
_RESERVED = word_set("reserved limited restricted exclusive exclusively only")
_BEHIND_RESERVED = word_set("for to on in with available")
_AVAILABLE = word_set("available included offered possible provided open works work part comes offer have has")
_NOT_ONLY = word_set("only just merely simply always necessarily all every until including yet even least everyone each both more less")
_LEAVE = word_set("allowed permitted fine ok okay welcome accepted possible may can admitted tolerated")
_OUTSIDE = word_set("outside beyond off except unless")
_FREE = word_set("free nothing")
_CHARGED = word_set("charged chargeable payable costs cost")
FITS = 0.6
"""Share of what else the claim says that the sentence must have."""


def by_place_denied(beside: Beside) -> Told | None:
    """"at the counter or by post, not online" says that it is not done online."""
    claim, unit, _ = beside
    for i, word in enumerate(unit.lowers):
        if word != "not" or not i or i + 1 >= len(unit.lowers) or unit.lowers[i + 1] in _NOT_ONLY:
            continue
        if not (unit.commas[i - 1] or (unit.lowers[i - 1] == "but" and i > 1 and not is_verb(unit, i - 2))):
            continue
        end = next((j for j in range(i + 1, len(unit.lowers)) if unit.sentence[unit.clause[j]] != unit.sentence[unit.clause[i]]), len(unit.lowers))
        behind = range(i + 1, next((j + 1 for j in range(i + 1, end) if unit.commas[j]), end))
        if any(is_verb(unit, j) for j in behind) or any(unit.lowers[j] in {"if", "when", "unless", "until"} for j in behind):
            continue
        denied = {unit.keys[j] for j in behind if unit.content[j] or unit.detail[j]}
        main = {unit.keys[j] for j in range(i) if (unit.content[j] or unit.detail[j]) and unit.sentence[unit.clause[j]] == unit.sentence[unit.clause[i]]}
        # "You can arrange it in the app": what "it" is stands before.
        keys = {claim.keys[k] for k in range(len(claim.keys)) if claim.content[k] or claim.detail[k]}
        # "In tariff M, but not in tariff S": both have the name.
        own = denied - main
        if not own or not denied <= keys or (denied & main and len(own) > 1) or not keys - denied or not keys - denied <= main:
            continue
        denied = own
        at = max(k for k in range(len(claim.keys)) if claim.keys[k] in denied)
        if len(claim.cues) == 1 and (claim.cues[0].start <= at < claim.cues[0].end):
            return Told(True)
        if claim.cues:
            return None
        return Told(False, (at, at), (i, behind[-1]))
    return None


def by_nowhere(beside: Beside) -> Told | None:
    """"Dogs are not allowed anywhere" of "dogs are fine in the garden, but not in the kitchen"."""
    claim, unit, _ = beside
    where = next((i for i, word in enumerate(unit.lowers) if word in {"anywhere", "nowhere"}), None)
    leave = next((i for i, word in enumerate(claim.lowers) if word in _LEAVE), None)
    if where is None or leave is None or claim.parity[leave] or not _OUTSIDE.isdisjoint(claim.lowers) or not _OUTSIDE.isdisjoint(unit.lowers):
        return None
    theirs = next((i for i in range(where) if unit.lowers[i] in _LEAVE and unit.clause[i] == unit.clause[where]), None)
    if theirs is None or not (unit.parity[theirs] or unit.lowers[where] == "nowhere"):
        return None
    subject = {unit.keys[i] for i in range(theirs) if unit.content[i] and unit.clause[i] == unit.clause[where]}
    ours = {claim.keys[i] for i in range(leave) if claim.content[i]}
    deeds = {unit.keys[i] for i in range(theirs + 1, where) if unit.content[i]}
    if not subject or subject != ours or not deeds <= claim.all_keys:
        return None
    return Told(False, (leave, leave), (theirs, where))


def by_exclusive(beside: Beside) -> Told | None:
    """What is available to all is not reserved for some, and the other way round."""
    claim, unit, _ = beside
    ours, theirs = _reserved(claim), _for_all(unit)
    if ours is None or theirs is None:
        ours, theirs = _for_all(claim), _reserved(unit)
    if ours is None or theirs is None or claim.cues or unit.cues or not ours[0] or ours[0] != theirs[0]:
        return None
    return Told(False, ours[1], theirs[1], ClashKind.QUANTIFIER)


def _reserved(text: Analysis) -> tuple[frozenset[str], tuple[int, int]] | None:
    """What is reserved for somebody, and where it says so."""
    for i, word in enumerate(text.lowers):
        if word not in _RESERVED or i < 2 or i + 2 > len(text.lowers) - 1 or not _EVERY.isdisjoint(text.lowers):
            continue
        nxt = text.lowers[i + 1]
        if nxt not in _BEHIND_RESERVED or any(text.detail[j] for j in range(i + 1, min(len(text.lowers), i + 5))):
            continue
        if word in {"only", "exclusively"} and nxt != "available" and text.lowers[i - 1] != "available":
            continue
        if text.lowers[i - 1] in {"not", "no"}:
            continue
        topic = _topic(text, i)
        if topic:
            return topic, (i, i)
    return None


def _for_all(text: Analysis) -> tuple[frozenset[str], tuple[int, int]] | None:
    """What all have, and where it says so: behind "available" or "included", and nothing that narrows it behind."""
    for i, word in enumerate(text.lowers):
        if word not in _EVERY or i < 3:
            continue
        said = next((j for j in range(i - 1, max(0, i - 4), -1) if text.lowers[j] in _AVAILABLE), None)
        clause = [j for j in range(i + 1, len(text.lowers)) if text.clause[j] == text.clause[i]]
        if (
            said is None
            or not _RESERVED.isdisjoint(text.lowers)
            or not _OUTSIDE.isdisjoint(text.lowers)
            or sum(text.content[j] for j in clause) > 1
            or any(text.detail[j] for j in clause)
        ):
            continue
        topic = _topic(text, said)
        if topic:
            return topic, (i, i + 1 if clause else i)
    return None


def _topic(text: Analysis, end: int) -> frozenset[str]:
    return frozenset(text.keys[j] for j in range(end) if text.content[j] and text.clause[j] == text.clause[end] and text.lowers[j] not in _AVAILABLE)


def by_charge(beside: Beside) -> Told | None:
    """"Cash withdrawals are charged as for everyone" of "holders pay nothing for cash withdrawals"."""
    claim, unit, _ = beside
    at = _free(claim)
    if at is None or any(cue.at != at and claim.lowers[cue.at] not in {"no", "nothing", "without"} for cue in claim.cues):
        return None
    for j, word in enumerate(unit.lowers):
        if word not in _CHARGED or unit.parity[j]:
            continue
        clause = [i for i in range(len(unit.lowers)) if unit.clause[i] == unit.clause[j]]
        subject = {unit.keys[i] for i in clause if i < j and unit.content[i]}
        if word in {"costs", "cost"} and not any(d.first > j and d.clause == unit.clause[j] for d in unit.quantities):
            continue
        if word == "charged" and (j == 0 or unit.lowers[j - 1] not in {"is", "are", "be"}):
            continue
        if (
            not subject
            or not subject <= claim.all_keys
            or any(unit.lowers[i] in {"if", "when", "unless", "only", "after", "above", "over", "first", "nothing"} for i in clause)
        ):
            continue
        rest = claim.all_keys - subject - {claim.keys[at]}
        lacking = rest - unit.all_keys
        if len(lacking) > (1 - FITS) * max(1, len(rest)) or (lacking and unit.n_clauses < 2) or not _has_details(claim, unit) or _is_free_too(unit, subject):
            continue
        return Told(False, (at, at), (j, j), ClashKind.ANTONYM)
    return None


def _has_details(claim: Analysis, unit: Analysis) -> bool:
    """True where days, times and figures of the claim stand in the sentence too: "free on Sundays" is another rule than the price."""
    return all(claim.lowers[i] in unit.lowers for i in range(len(claim.lowers)) if claim.detail[i])


def _is_free_too(unit: Analysis, subject: set[str]) -> bool:
    """True for "parking costs 3 EUR and is free on Sundays": of one thing it says both."""
    for i, word in enumerate(unit.lowers):
        if word in _FREE:
            theirs = {unit.keys[k] for k in subject_chunk(unit, unit.clause[i])}
            if not theirs or theirs & subject:
                return True
    return False


def _free(claim: Analysis) -> int | None:
    """Where the claim says that something costs nothing."""
    for i, word in enumerate(claim.lowers):
        before = claim.lowers[i - 1] if i else ""
        if (
            (word == "free" and before in {"is", "are", "for"})
            or (word == "nothing" and before in {"pay", "pays", "costs", "cost"})
            or (word in {"fee", "charge", "cost"} and before in {"no", "without"})
        ):
            return i
    return None
