"""How often, said in two ways: "twice an hour" and "every 30 minutes", "two tablets daily" and "one tablet twice a day"."""

from __future__ import annotations

from ragviz.consistency.align import Pairing
from ragviz.consistency.analysis import Analysis, Detail
from ragviz.consistency.magnitudes import Relation
from ragviz.consistency.ranges import quantity_of

_COUNTS = {"once": 1, "twice": 2, "thrice": 3}
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12}
_EVERY = frozenset({"every", "each"})
_DAILY = frozenset({"daily", "day"})
_TIMES = "times"
_SLACK = 0.09
"""A month is four weeks to whoever counts matches."""


def relate_paces(pair: Pairing, ours: Detail, theirs: Detail) -> Relation | None:
    """Whether a count in a time and the time between two are the same pace; None where the two are not said in these two ways."""
    claim, premise = _pace(pair.claim, ours), _pace(pair.premise, theirs)
    if claim is None or premise is None or claim[0] == premise[0]:
        return relate_doses(pair, ours, theirs)
    return Relation.SAME if abs(claim[1] - premise[1]) <= _SLACK * premise[1] else Relation.OTHER


def _pace(text: Analysis, detail: Detail) -> tuple[bool, float] | None:
    """Whether it is counted, and the time between two in base units."""
    amount = quantity_of(detail)
    if amount.unit.dimension != "time" or amount.value is None or amount.low is None:
        return None
    period = amount.base(amount.low)
    before = text.lowers[detail.first - 1] if detail.first else ""
    if before in _EVERY or text.lowers[detail.first] in _EVERY:
        return False, period
    n = _count(text, detail.first - 1)
    return (True, period / n) if n else None


def _count(text: Analysis, i: int) -> int:
    """The number that "twice" or "three times" at token ``i`` says; 0 for another word."""
    if i < 0:
        return 0
    if text.lowers[i] == "times" and i:
        said = text.lowers[i - 1]
        return int(said) if said.isdecimal() and len(said) < 4 else _NUMBERS.get(said, 0)
    return _COUNTS.get(text.lowers[i], 0)


def relate_doses(pair: Pairing, ours: Detail, theirs: Detail) -> Relation | None:
    """Two of a day beside one twice a day: the same where the products are; None where neither text counts the times, or they count alike."""
    amount, other = quantity_of(ours), quantity_of(theirs)
    if (
        amount.unit.dimension == "time"
        or amount.value is None
        or other.value is None
        or _DAILY.isdisjoint(pair.claim.lowers)
        or _DAILY.isdisjoint(pair.premise.lowers)
    ):
        return None
    if _TIMES in {amount.unit.name, other.unit.name} or amount.unit.name != other.unit.name:
        return None
    mine, others = times_in(pair.claim, ours.clause), times_in(pair.premise, theirs.clause)
    if len(mine) > 1 or len(others) > 1 or mine == others:
        return None
    return Relation.SAME if amount.value * (mine or [1])[0] == other.value * (others or [1])[0] else Relation.OTHER


def times_in(text: Analysis, clause: int) -> list[int]:
    """How many times, for each place of a clause that says so."""
    return [n for i in range(len(text.lowers)) if text.clause[i] == clause and (n := _count(text, i))]


def is_part_of_dose(pair: Pairing, detail: Detail) -> bool:
    """True for the "twice" and the "a day" of "one capsule twice a day" where the premise gives the day's dose: they are compared with it."""
    amount = quantity_of(detail)
    if amount.unit.name not in {_TIMES, "day"} or not times_in(pair.claim, detail.clause):
        return False
    beside = [d for d in pair.claim.quantities if d.clause == detail.clause and quantity_of(d).unit.name not in {_TIMES, "day"}]
    return any(relate_doses(pair, d, other) is Relation.SAME for d in beside for other in pair.premise.quantities)
