"""Totals and differences: "9 members from the north and 6 from the south", and the claim says 15 in total."""

from __future__ import annotations

from ragviz.consistency.align import Pairing, head_keys
from ragviz.consistency.analysis import Detail
from ragviz.consistency.ranges import quantity_of
from ragviz.text.bounds import Bound
from ragviz.text.quantity import Quantity

_TOTALS = frozenset({"total", "altogether", "combined", "together", "overall", "sum", "both", "difference", "more", "fewer", "less", "by", "gap", "remaining", "rest", "net", "insgesamt", "zusammen", "mehr", "weniger", "ensemble"})
_EARLIER = frozenset({"before", "previous", "previously", "last", "earlier", "vorjahr", "précédente"})
_MORE_OR_LESS = frozenset({"more", "fewer", "less", "higher", "lower", "mehr", "weniger"})


def sum_of(pair: Pairing, detail: Detail, amount: Quantity) -> Detail | None:
    """
    One of the premise's amounts where the claim's is their sum, or the sum or difference of two, and the claim speaks of a total.

    "9 members from the north and 6 from the south", and the claim says 15 in total.
    """
    before = not _EARLIER.isdisjoint(pair.claim.lowers) and not _MORE_OR_LESS.isdisjoint(pair.premise.lowers)
    if amount.value is None or (_TOTALS.isdisjoint(pair.claim.lowers) and not before):
        return None
    heads = set(head_keys(pair.claim, detail))
    like: list[tuple[float, Detail]] = []
    for other in pair.premise.quantities:
        theirs = quantity_of(other)
        if theirs.value is None or theirs.kind is not amount.kind or theirs.unit.dimension != amount.unit.dimension:
            continue
        if theirs.unit.name or not heads.isdisjoint(head_keys(pair.premise, other)) or not head_keys(pair.premise, other):
            like.append((theirs.base(theirs.value), other))
    like = like[:8]
    goal = amount.base(amount.value)
    slack = abs(goal) * (0.05 if amount.bound is Bound.ABOUT else 0.001)
    if len(like) > 1 and abs(sum(x for x, _ in like) - goal) <= slack:
        return like[0][1]
    for i, (x, place) in enumerate(like):
        if any(abs(x + y - goal) <= slack or abs(abs(x - y) - goal) <= slack for y, _ in like[i + 1 :]):
            return place
    return None
