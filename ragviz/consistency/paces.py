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
_SLACK = 0.09
"""A month is four weeks to whoever counts matches."""


def relate_paces(pair: Pairing, ours: Detail, theirs: Detail) -> Relation | None:
    """Whether a count in a time and the time between two are the same pace; None where the two are not said in these two ways."""
    claim, premise = _pace(pair.claim, ours), _pace(pair.premise, theirs)
    if claim is None or premise is None or claim[0] == premise[0]:
        return _relate_doses(pair, ours, theirs)
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


def _relate_doses(pair: Pairing, ours: Detail, theirs: Detail) -> Relation | None:
    """Two of a day beside one twice a day: the same where the product is."""
    amount, other = quantity_of(ours), quantity_of(theirs)
    if amount.unit.dimension == "time" or amount.value is None or other.value is None or _DAILY.isdisjoint(pair.claim.lowers) or _DAILY.isdisjoint(pair.premise.lowers):
        return None
    if any(_count(pair.claim, i) for i in range(len(pair.claim.lowers))):
        return None
    counts = [n for i in range(len(pair.premise.lowers)) if pair.premise.clause[i] == theirs.clause and (n := _count(pair.premise, i))]
    return Relation.SAME if len(counts) == 1 and amount.unit.name == other.unit.name and amount.value == other.value * counts[0] else None
