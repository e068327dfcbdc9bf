"""How much later, how much at most, and at the how-manieth time: "after seven days", "maximum quantity: 10 litres", "after the second failure"."""

from __future__ import annotations

import re

from ragviz.consistency.analysis import Analysis, Detail
from ragviz.judges.local_rules.rule import Beside, Told
from ragviz.records import ClashKind
from ragviz.text.number_words import CARDINALS
from ragviz.text.quantity import Quantity
from ragviz.text.word_sets import word_set

_DAYS = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365}
_LATER = re.compile(
    r"\b(?:(?P<day>the (?:next|following|very next|same) (?P<unit>day|week|month|year))|(?P<n>an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+) (?P<units>day|week|month|year|fortnight)s? (?:later|afterwards)|(?P<now>immediately|straight away|at once|right away))\b",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"\bafter (?P<n>an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+) (?P<units>day|week|month|year|fortnight)s?\b(?! of\b)", re.IGNORECASE
)
WAITS = word_set("day week month year days weeks months years fortnight later afterwards immediately straight once right")
"""Words of which a claim of how much later something happens has one."""
_LEAST, _MOST = word_set("minimum least"), word_set("maximum max")
ORDINALS = {word: n for n, word in enumerate(("first", "second", "third", "fourth", "fifth", "sixth"), start=1)}
_AT = word_set("after with at on upon from")
_PREFIX = 4
FITS = 0.75
"""Share of what else the claim says that the sentence must have."""


def by_delay(beside: Beside) -> Told | None:
    """"We try again the next day", or "a week later", of "we try again after seven days"."""
    claim, unit, _ = beside
    ours, theirs = _LATER.search(claim.text), list(_AFTER.finditer(unit.text))
    if ours is None or len(theirs) != 1 or claim.cues:
        return None
    clause = next((unit.clause[i] for i in range(len(unit.lowers)) if unit.starts[i] >= theirs[0].start()), 0)
    said = {claim.keys[i] for i in range(len(claim.keys)) if claim.content[i] and not (ours.start() <= claim.starts[i] < ours.end())}
    there = {unit.keys[i] for i in range(len(unit.keys)) if unit.clause[i] <= clause}
    if len(said) < 2 or len(said & there) < FITS * len(said) or _LATER.search(unit.text) is not None:
        return None
    wait = _days(theirs[0]["n"], theirs[0]["units"])
    if wait is None:
        return None
    if ours["now"]:
        later: int | None = 0
    elif ours["day"]:
        later = 0 if "same" in ours["day"].lower() else _DAYS[ours["unit"].lower()]
    else:
        later = _days(ours["n"], ours["units"])
    if later is None:
        return None
    if later == wait:
        return Told(True, full=said <= there)
    return Told(False, _tokens(claim, *ours.span()), _tokens(unit, *theirs[0].span()), ClashKind.DURATION)


def _days(n: str, unit: str) -> int | None:
    count = int(n) if n.isdecimal() and len(n) < 4 else 1 if n.lower() in {"a", "an"} else CARDINALS.get(n.lower())
    return None if count is None else int(count) * _DAYS[unit.lower()]


def _tokens(text: Analysis, start: int, end: int) -> tuple[int, int]:
    inside = [i for i in range(len(text.lowers)) if start <= text.starts[i] < end]
    return inside[0], inside[-1]


def by_maximum(beside: Beside) -> Told | None:
    """"You may keep up to 20 litres" of "maximum quantity: 10 litres"."""
    claim, unit, _ = beside
    if len(claim.quantities) != 1 or len(unit.quantities) != 1 or claim.cues or unit.cues or not _MOST & set(unit.lowers) or not _LEAST.isdisjoint(unit.lowers):
        return None
    ours, theirs = claim.quantities[0], unit.quantities[0]
    mine, other = _upper(ours), _upper(theirs)
    if mine is None or other is None or mine[1] != other[1] or mine[0] <= other[0] or not _may(claim):
        return None
    if _called(claim) != _called(unit):
        return None  # lift A and lift B
    at = next(i for i, word in enumerate(unit.lowers) if word in _MOST)
    topic = {unit.keys[i] for i in range(len(unit.keys)) if unit.content[i] and i != at and not theirs.first <= i <= theirs.last}
    said = {claim.keys[i] for i in range(len(claim.keys)) if claim.content[i]}
    if at > theirs.first + 1 or not (topic & said or _begin_alike(topic, said)):
        return None
    return Told(False, (ours.first, ours.last), (theirs.first, theirs.last), ClashKind.NUMBER)


def _called(text: Analysis) -> set[str]:
    """Names and single letters by which things are told apart, the first word aside."""
    return {text.keys[i] for i in range(1, len(text.keys)) if text.is_name[i] or i in text.letters}


def _begin_alike(ours: set[str], theirs: set[str]) -> bool:
    """True for "lab" beside "laboratory": one word is short for the other."""
    return any(a.startswith(b) or b.startswith(a) for a in ours for b in theirs if min(len(a), len(b)) > 2)


def _may(text: Analysis) -> bool:
    return not {"may", "can", "allowed", "permitted", "could"}.isdisjoint(text.lowers)


def _upper(detail: Detail) -> tuple[float, str] | None:
    """The largest value an amount allows, and its dimension or unit."""
    amount = detail.record
    if not isinstance(amount, Quantity) or not amount.unit.name:
        return None
    return None if amount.high is None else (amount.base(amount.high), amount.unit.dimension or amount.unit.name)


def by_time(beside: Beside) -> Told | None:
    """"With the first failed payment" of "after the second failure"."""
    claim, unit, _ = beside
    ours, theirs = _occasion(claim), _occasion(unit)
    if ours is None or theirs is None or ours[0] == theirs[0] or claim.cues or len(_ordinals(unit)) != 1 or len(_ordinals(claim)) != 1:
        return None
    if ours[1][:_PREFIX] != theirs[1][:_PREFIX] and not any(k[:_PREFIX] == theirs[1][:_PREFIX] for k in ours[2]):
        return None
    spare = {k for k in claim.all_keys if k[:_PREFIX] != theirs[1][:_PREFIX]} - ours[2]
    clause = unit.clause[theirs[3]]
    there = {unit.keys[i] for i in range(len(unit.keys)) if unit.clause[i] == clause}
    figures = {claim.lowers[k] for d in claim.quantities for k in range(d.first, d.last + 1) if claim.lowers[k][0].isdigit()}
    if not figures <= set(unit.lowers) or len(spare & there) < 1 or (not figures and len(spare - there) > 1):
        return None
    return Told(False, (ours[3], ours[3]), (theirs[3], theirs[3]), ClashKind.NUMBER)


def _ordinals(text: Analysis) -> list[int]:
    return [i for i, word in enumerate(text.lowers) if word in ORDINALS]


def _occasion(text: Analysis) -> tuple[int, str, frozenset[str], int] | None:
    """The number of the time, what happens then, all words of it, and where it stands."""
    for i in _ordinals(text):
        if i < 2 or text.lowers[i - 1] != "the" or text.lowers[i - 2] not in _AT or i + 1 >= len(text.lowers):
            continue
        words = [text.keys[j] for j in range(i + 1, min(len(text.lowers), i + 4)) if text.content[j] and text.clause[j] == text.clause[i]]
        if words:
            return ORDINALS[text.lowers[i]], words[0], frozenset(words), i
    return None
