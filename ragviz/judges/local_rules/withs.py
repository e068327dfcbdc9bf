"""With and without: "21 kg with battery and 18 kg without it" is no weight with carrier, and "without flash" nothing about photographs with flash."""

from __future__ import annotations

from typing import NamedTuple

from ragviz.consistency.analysis import Analysis, Detail
from ragviz.judges.local_rules.rule import Beside, Told
from ragviz.judges.local_rules.scene import Scene
from ragviz.records import ClashKind
from ragviz.text.quantity import Quantity
from ragviz.text.word_sets import word_set

WITHS = {"with": True, "including": True, "without": False, "excluding": False}
_SAME = word_set("it one them any")
_ARTICLES = word_set("a an the its their his her your our any no")
_REACH = 3
"""Words behind a figure within which its "with" stands."""
_MOST_WORDS = 9
"""Distinct words of content of a claim that says one thing."""
_UNKNOWN = 1
"""Words of a claim that the sentence may lack."""


class With(NamedTuple):
    """"Without the battery"."""

    has: bool
    what: str
    """Key of what comes with it or not."""
    at: int
    last: int


def withs(text: Analysis) -> list[With]:
    """All of a text, in order; "it" is what was named before it."""
    out: list[With] = []
    for i, word in enumerate(text.lowers):
        if word not in WITHS:
            continue
        j = next((j for j in range(i + 1, min(len(text.lowers), i + 3)) if text.lowers[j] not in _ARTICLES), None)
        if j is None or (text.clause[j] != text.clause[i] and text.lowers[j] not in _SAME):
            continue
        if text.lowers[j] in _SAME:
            if out:
                out.append(With(WITHS[word], out[-1].what, i, j))
        elif text.content[j] and not text.detail[j] and not text.lowers[j].endswith("ing"):
            out.append(With(WITHS[word], text.keys[j], i, j))
    return out


def has_with(claim: Analysis) -> bool:
    """True where a claim says with or without what."""
    return not WITHS.keys().isdisjoint(claim.lowers)


def by_with(beside: Beside) -> Told | None:
    """"21 kg without the battery" of "21 kg with battery and 18 kg without it"."""
    claim, unit, _ = beside
    ours, values = withs(claim), [d for d in claim.quantities if _amount(d)]
    if len(ours) != 1 or len(values) != 1:
        return None
    given = _given(unit)
    own = [d for with_, d in given if (with_.has, with_.what) == (ours[0].has, ours[0].what) and _unit(d) == _unit(values[0])]
    others = [d for with_, d in given if with_.what == ours[0].what and with_.has != ours[0].has and _unit(d) == _unit(values[0])]
    inside = range(ours[0].at, ours[0].last + 1)
    rest = {claim.keys[i] for i in range(len(claim.keys)) if claim.content[i] and not claim.detail[i] and i not in inside} - unit.all_keys
    names = {claim.keys[i] for i in range(len(claim.keys)) if claim.is_name[i]} - unit.all_keys
    if len(own) != 1 or len(others) != 1 or len(rest) > _UNKNOWN or names or _amount(own[0]) == _amount(others[0]):
        return None
    if _amount(values[0]) == _amount(own[0]):
        return Told(True, full=not rest)
    if _amount(values[0]) == _amount(others[0]):
        return Told(False, (values[0].first, values[0].last), (own[0].first, own[0].last), ClashKind.NUMBER)
    return None


def is_with_another(scene: Scene) -> bool:
    """"With flash" where the passage says only what is without flash; "21 kg with carrier" where it gives 21 kg with battery."""
    claim = scene.claim
    if not has_with(claim) or len(scene.seen.claim.distinct) > _MOST_WORDS:
        return False
    ours = withs(claim)
    figures = {_amount(d) for d in claim.quantities} - {None}
    for unit in scene.units if ours else ():
        theirs = withs(unit)
        same = {(one.has, one.what) for one in theirs}
        if any((one.has, one.what) in same for one in ours):
            return False
        if any((not one.has, one.what) in same for one in ours):
            return True
        # A figure with another thing than the claim's.
        if any(_amount(d) in figures for _, d in _given(unit)):
            return True
    return False


def _given(unit: Analysis) -> list[tuple[With, Detail]]:
    """Figures with the "with" that stands behind each."""
    found = withs(unit)
    out = []
    for detail in unit.quantities:
        behind = next((one for one in found if 0 < one.at - detail.last <= _REACH), None)
        if behind is not None and _amount(detail):
            out.append((behind, detail))
    return out


def _amount(detail: Detail) -> tuple[object, object] | None:
    record = detail.record
    if not isinstance(record, Quantity) or not record.unit.dimension:
        return None
    given = record.low if record.low is not None else record.high
    return (given * record.unit.factor, record.unit.dimension) if given is not None else None


def _unit(detail: Detail) -> str:
    return detail.record.unit.dimension if isinstance(detail.record, Quantity) else ""
