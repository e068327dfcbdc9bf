"""
Values on two sides of a condition, and of what a sentence takes out by name: "15 if you also buy from us, 5.5 if you do not", "at Faro it closes 60
minutes before".
"""

from __future__ import annotations

from ragviz.consistency.analysis import Detail
from ragviz.judges.local_rules.rule import Beside, Told
from ragviz.records import ClashKind
from ragviz.text.quantity import Quantity
from ragviz.text.word_sets import word_set

_IF = word_set("if when where")
_ELSE = word_set("otherwise else")
_NAMES_AT = word_set("at in for on from")
_REFERS = word_set("it they this that he she there")
_COMPARES = word_set("more less than difference both either or")
FITS = 0.5
"""Share of what a sentence says of the named place that the claim must say too."""


def by_otherwise(beside: Beside) -> Told | None:
    """"If you buy from us you get 5.5 p" of "15 p if you also buy from us, and 5.5 p if you do not"; the right value is not denied by the other half."""
    claim, unit, _ = beside
    ours = [d for d in claim.quantities if _figures(d)]
    values = [d for d in unit.quantities if _figures(d)]
    if len(ours) != 1 or len(values) != 2 or not _COMPARES.isdisjoint(claim.lowers):
        return None
    first, second = values
    begin = next((i for i, word in enumerate(unit.lowers) if word in _IF), None)
    other = next((i for i in range(len(unit.lowers) - 1, -1, -1) if unit.lowers[i] in _IF or unit.lowers[i] in _ELSE), None)
    if begin is None or other is None or not first.last < begin < min(other, second.first):
        return None
    # "5.5 if you do not", or "otherwise 5.5": the other half denies the same, with no words of its own.
    half = range(other + 1, len(unit.lowers) if other > second.last else second.first)
    if any(unit.content[i] for i in half) or (
        unit.lowers[other] not in _ELSE and not any(unit.lowers[i] == "not" or unit.lowers[i].endswith(("n't", "n’t")) for i in half)
    ):
        return None
    condition = [i for i in range(begin + 1, min(other, second.first)) if unit.content[i]]
    if not condition:
        return None
    turned = any(unit.parity[i] for i in condition)
    said = [k for k in range(len(claim.keys)) if any(claim.keys[k] == unit.keys[i] for i in condition)]
    subject = {unit.keys[i] for i in range(first.first) if unit.content[i]}
    said = [k for k in said if claim.keys[k] not in subject] or said
    if not said:
        return None
    denied = any(claim.parity[k] for k in said) is not turned
    right, wrong = (second, first) if denied else (first, second)
    figures = _figures(ours[0])
    if figures == _figures(right) != _figures(wrong):
        return Told(True, full=False)
    if figures == _figures(wrong) != _figures(right):
        return Told(False, (ours[0].first, ours[0].last), (right.first, right.last), ClashKind.NUMBER)
    return None


def by_named_place(beside: Beside) -> Told | None:
    """"At Faro it closes 45 minutes before departure" of "at Palma and Faro it closes 60 minutes before departure": the exception counts for what it names."""
    claim, unit, _ = beside
    ours = [d for d in claim.quantities if _unit(d)]
    if len(ours) != 1 or not unit.lowers or unit.lowers[0] not in _NAMES_AT or claim.cues or unit.cues or not _COMPARES.isdisjoint(claim.lowers):
        return None
    refers = next((i for i, word in enumerate(unit.lowers) if word in _REFERS), None)
    if refers is None or refers > 8:
        return None
    names = {unit.keys[i] for i in range(1, refers) if unit.is_name[i]}
    theirs = [d for d in unit.quantities if _unit(d) == _unit(ours[0])]
    named = any(claim.keys[k] in names and k and claim.lowers[k - 1] in _NAMES_AT | {"and"} for k in range(len(claim.keys)))
    rest = {unit.keys[i] for i in range(refers, len(unit.lowers)) if unit.content[i]}
    if not named or len(theirs) != 1 or not rest or len(rest & claim.all_keys) < FITS * len(rest):
        return None
    if _figures(ours[0]) == _figures(theirs[0]):
        return Told(True, full=False)
    if _bounds(ours[0]) != _bounds(theirs[0]):
        return None
    return Told(False, (ours[0].first, ours[0].last), (theirs[0].first, theirs[0].last), ClashKind.NUMBER)


def _unit(detail: Detail) -> str:
    return detail.record.unit.name if isinstance(detail.record, Quantity) else ""


def _bounds(detail: Detail) -> object:
    return detail.record.bound if isinstance(detail.record, Quantity) else None


def _figures(detail: Detail) -> frozenset[str]:
    """The digits of an amount, without noughts behind the point."""
    record = detail.record
    if not isinstance(record, Quantity):
        return frozenset()
    return frozenset(str(value.normalize()) for value in (record.low, record.high) if value is not None)
