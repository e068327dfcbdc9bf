"""Whether one amount follows from another, excludes it, or says something else."""

from __future__ import annotations

import math
from enum import Enum

from ragviz.text.bounds import Bound
from ragviz.text.quantity import Quantity, QuantityKind


class Relation(Enum):
    """What a premise's detail says of a claim's."""

    SAME = "same"
    """It follows: equal within the precision shown, or inside the claim's range."""
    VAGUE = "vague"
    """It fits, but says less: 67 from "more than 50"."""
    OTHER = "other"
    """Both cannot hold of one thing."""


ABOUT = 0.05
"""Relative slack of "about"."""
_CALENDAR = frozenset({"month", "quarter", "year", "decade", "century"})
_ROUNDED = 0.025
_LIMITING = frozenset({Bound.AT_MOST, Bound.AT_LEAST})


def _slack(claim: Quantity, premise: Quantity, y: float) -> float:
    """How far the two numbers may lie apart and still be the same, in base units."""
    slack = float(claim.ulp) / 2 * float(claim.unit.factor)
    if claim.unit.name != premise.unit.name:
        slack = max(slack, float(premise.ulp) / 2 * float(premise.unit.factor)) + abs(y) * 0.006
        if (claim.unit.name in _CALENDAR) != (premise.unit.name in _CALENDAR):
            # A month has 28 to 31 days; "30 days" and "one month" are not told apart.
            slack += abs(y) * 0.04
    elif claim.ulp <= premise.ulp or claim.ulp >= 1:
        slack = float(claim.ulp) / 2 * float(claim.unit.factor) if claim.ulp > premise.ulp else 0.0
    if Bound.ABOUT in {claim.bound, premise.bound}:
        slack += abs(y) * ABOUT
    return slack + abs(y) * 1e-9


def _readings(quantity: Quantity) -> list[float]:
    out = [quantity.base(quantity.low)] if quantity.low is not None else []
    if quantity.other is not None:
        out.append(quantity.base(quantity.other))
    return out


def _ends(quantity: Quantity) -> tuple[float, float]:
    low = -math.inf if quantity.low is None else quantity.base(quantity.low)
    high = math.inf if quantity.high is None else quantity.base(quantity.high)
    return low, high


def relate(claim: Quantity, premise: Quantity) -> Relation | None:
    """
    Compare two amounts of one thing.

    Returns:
        None when they cannot be compared: different dimensions, currencies, rates or kinds of number.
    """
    if claim.unit.dimension != premise.unit.dimension or (claim.kind is QuantityKind.ORDINAL) != (premise.kind is QuantityKind.ORDINAL):
        return None
    if claim.unit.dimension == "money" and claim.unit.name != premise.unit.name:
        return Relation.OTHER if claim.low == premise.low and claim.high == premise.high else None
    if claim.per != premise.per and claim.per and premise.per:
        return Relation.OTHER if claim.low == premise.low else None
    if claim.value is not None and premise.value is not None:
        return _relate_exact(claim, premise)
    return _relate_ranges(claim, premise)


def _relate_exact(claim: Quantity, premise: Quantity) -> Relation:
    for x in _readings(claim):
        for y in _readings(premise):
            gap = abs(x - y)
            if gap <= _slack(claim, premise, y):
                return Relation.SAME
            if gap <= float(premise.ulp) / 2 * float(premise.unit.factor) and claim.ulp < premise.ulp:
                return Relation.VAGUE
            if x == int(x) and abs(x) >= 1000 and int(x) % 100 == 0 and gap <= _ROUNDED * abs(y):
                return Relation.SAME
            if y == int(y) and abs(y) >= 1000 and int(y) % 100 == 0 and gap <= _ROUNDED * abs(x):
                return Relation.VAGUE
    return Relation.OTHER


def _relate_ranges(claim: Quantity, premise: Quantity) -> Relation:
    low, high = _ends(claim)
    p_low, p_high = _ends(premise)
    slack = max((abs(v) for v in (low, high, p_low, p_high) if math.isfinite(v)), default=0.0) * (ABOUT if Bound.ABOUT in {claim.bound, premise.bound} else 1e-9)
    if claim.value is None and premise.value is None:
        if abs_equal(low, p_low, slack) and abs_equal(high, p_high, slack):
            return Relation.SAME
        if claim.is_range and premise.is_range:
            return Relation.SAME if low <= p_low and p_high <= high else Relation.OTHER
        if claim.bound is premise.bound and claim.bound is Bound.AT_MOST:
            return Relation.OTHER
        if claim.bound is premise.bound and claim.bound is Bound.AT_LEAST:
            return Relation.VAGUE if low < p_low else Relation.OTHER
    if low <= p_low + slack and p_high <= high + slack:
        if claim.bound is Bound.MORE and p_low <= low and premise.bound not in {Bound.MORE}:
            return Relation.OTHER
        if claim.bound is Bound.LESS and p_high >= high and premise.bound not in {Bound.LESS}:
            return Relation.OTHER
        return Relation.SAME
    if p_high < low - slack or high < p_low - slack:
        return Relation.OTHER
    if premise.is_range and claim.value is not None:
        return Relation.SAME
    if (premise.bound is Bound.MORE and low == p_low and claim.value is not None) or (premise.bound is Bound.LESS and high == p_high and claim.value is not None):
        return Relation.VAGUE
    return Relation.VAGUE


def abs_equal(a: float, b: float, slack: float) -> bool:
    """Equal within slack; two infinities of one sign are equal."""
    return a == b or abs(a - b) <= slack
