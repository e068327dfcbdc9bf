"""Whether one amount follows from another, excludes it, or says something else."""

from __future__ import annotations

import math
from enum import Enum

from ragviz.text.bounds import Bound
from ragviz.text.quantity import Quantity, QuantityKind


class Relation(Enum):
    """What a premise's detail says of a claim's."""

    SAME = "same"
    """It follows: equal within the precision shown, or inside the claim's bound."""
    VAGUE = "vague"
    """It fits, but does not say it: 67 from "more than 50", 2 to 10 from 3."""
    OTHER = "other"
    """Both cannot hold of one thing."""


ABOUT = 0.05
"""Relative slack of "about"."""
_CALENDAR = frozenset({"month", "quarter", "year", "decade", "century"})
_ROUNDED = 0.025
_OPEN = frozenset({Bound.MORE, Bound.LESS})
_BOUNDS_ALIKE = 0.1
"""Relative difference from which two bounds in one direction are not the same bound rounded."""


def _slack(claim: Quantity, premise: Quantity, ulp: float, y: float, their_ulp: float) -> float:
    """How far the two numbers may lie apart and still be the same, in base units."""
    half = ulp / 2 * float(claim.unit.factor)
    if claim.unit.name != premise.unit.name:
        slack = min(half, 0.03 * abs(y)) + abs(y) * max(0.006, _binary(claim, premise))
        if (claim.unit.name in _CALENDAR) != (premise.unit.name in _CALENDAR):
            # A month has 28 to 31 days; "30 days" and "one month" are not told apart.
            slack += abs(y) * 0.04
    else:
        slack = half if ulp > their_ulp else 0.0
    if Bound.ABOUT in {claim.bound, premise.bound}:
        slack += abs(y) * ABOUT
    return slack + abs(y) * 1e-9


def _binary(claim: Quantity, premise: Quantity) -> float:
    """Relative slack between units of data a thousand apart: 2 GB are 2,000 MB or 2,048."""
    if claim.unit.dimension != "data" or claim.unit.name == premise.unit.name:
        return 0.0
    return 0.025 if 500 < max(claim.unit.factor, premise.unit.factor) / min(claim.unit.factor, premise.unit.factor) < 2_000 else 0.05


def _readings(quantity: Quantity) -> list[tuple[float, float]]:
    """All values a numeral may have, in base units, each with the place value of its last digit."""
    out = [(quantity.base(quantity.low), float(quantity.ulp))] if quantity.low is not None else []
    if quantity.other is not None:
        out.append((quantity.base(quantity.other), 1.0 if quantity.ulp < 1 else 0.001))
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
    vague = False
    for x, ulp in _readings(claim):
        for y, their_ulp in _readings(premise):
            gap = abs(x - y)
            if gap <= _slack(claim, premise, ulp, y, their_ulp) or (_is_round(x) and gap <= _ROUNDED * abs(y)):
                return Relation.SAME
            finer = ulp < their_ulp and gap <= their_ulp / 2 * float(premise.unit.factor)
            vague = vague or finer or (_is_round(y) and gap <= _ROUNDED * abs(x))
    return Relation.VAGUE if vague or _are_four_weeks(claim, premise) else Relation.OTHER


def _are_four_weeks(claim: Quantity, premise: Quantity) -> bool:
    """True for "6 weeks" beside "a month and a half": a month is taken for four weeks, up to three months."""
    by_unit = {q.unit.name: q.low for q in (claim, premise)}
    weeks, months = by_unit.get("week"), by_unit.get("month")
    return weeks is not None and months is not None and weeks == 4 * months and months <= 3


def _is_round(x: float) -> bool:
    """True for 41,000: figures that may have been rounded to hundreds or more."""
    return abs(x) >= 1000 and x == int(x) and int(x) % 100 == 0


def _relate_ranges(claim: Quantity, premise: Quantity) -> Relation:
    low, high = _ends(claim)
    p_low, p_high = _ends(premise)
    slack = max((abs(v) for v in (low, high, p_low, p_high) if math.isfinite(v)), default=0.0) * (
        ABOUT if Bound.ABOUT in {claim.bound, premise.bound} else _binary(claim, premise) or 1e-9
    )
    if claim.value is None and premise.value is None:
        if claim.unit.name != premise.unit.name and (claim.low, claim.high) == (premise.low, premise.high):
            return Relation.OTHER
        if abs_equal(low, p_low, slack) and abs_equal(high, p_high, slack):
            return Relation.SAME
        if claim.is_range and premise.is_range:
            # Narrower or wider: "1 to 4 tablets" goes beyond "1 to 2 tablets".
            return Relation.SAME if _same_ends(claim, premise) else Relation.OTHER
        if claim.bound is premise.bound and claim.bound in _OPEN and not _close(claim, premise):
            # "Orders over 50 euros" says nothing of orders over 30.
            return Relation.VAGUE
        if claim.bound is premise.bound and claim.bound is Bound.AT_MOST:
            return Relation.OTHER
        if claim.bound is premise.bound and claim.bound is Bound.AT_LEAST:
            threshold = claim.outer.end > claim.span.end or premise.outer.end > premise.span.end
            return Relation.OTHER if threshold else Relation.VAGUE
    if low <= p_low + slack and p_high <= high + slack:
        if claim.bound is Bound.MORE and p_low <= low and premise.bound is not Bound.MORE:
            return Relation.OTHER
        if claim.bound is Bound.LESS and p_high >= high and premise.bound is not Bound.LESS:
            return Relation.OTHER
        wider = claim.is_range and claim.bound is not Bound.ABOUT and premise.value is not None
        return Relation.VAGUE if wider else Relation.SAME
    if p_high < low - slack or high < p_low - slack:
        return Relation.OTHER
    if (
        (abs_equal(high, p_low, slack) or abs_equal(low, p_high, slack))
        and not _OPEN.isdisjoint({claim.bound, premise.bound})
        and claim.value is None
        and premise.value is None
        and not (claim.is_range or premise.is_range)
    ):
        return Relation.OTHER  # "under 21" beside "over 21": the one value between belongs to one of them at most
    if premise.is_range and claim.value is not None:
        return Relation.SAME
    return Relation.VAGUE


def _same_ends(claim: Quantity, premise: Quantity) -> bool:
    """Both ends are the same within the precision shown."""
    ulp, their_ulp = float(claim.ulp), float(premise.ulp)
    return all(abs(x - y) <= _slack(claim, premise, ulp, y, their_ulp) for x, y in zip(_ends(claim), _ends(premise), strict=True))


def says(claim: Quantity, premise: Quantity) -> bool:
    """
    True where the premise gives the claim's very amount: equal within the precision shown, bounded alike, at the same rate. "At least 1 hour"
    does not say "at least 5 minutes".
    """
    if claim.kind is not premise.kind or claim.bound is not premise.bound or claim.per != premise.per or relate(claim, premise) is not Relation.SAME:
        return False
    if claim.value is not None and premise.value is not None:
        return True
    if claim.is_range or premise.is_range:
        return claim.is_range and premise.is_range
    (low, high), (p_low, p_high) = _ends(claim), _ends(premise)
    slack = abs(p_high if math.isfinite(p_high) else p_low) * 0.006 + 1e-9
    return abs_equal(low, p_low, slack) and abs_equal(high, p_high, slack)


def _close(claim: Quantity, premise: Quantity) -> bool:
    ours = claim.low if claim.low is not None else claim.high
    theirs = premise.low if premise.low is not None else premise.high
    if ours is None or theirs is None:
        return False
    x, y = claim.base(ours), premise.base(theirs)
    return abs(x - y) <= _BOUNDS_ALIKE * max(abs(x), abs(y))


def abs_equal(a: float, b: float, slack: float) -> bool:
    """Equal within slack; two infinities of one sign are equal."""
    return a == b or abs(a - b) <= slack
