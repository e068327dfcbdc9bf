"""When a claim's range may stand for a single amount of the premise."""

from __future__ import annotations

import msgspec

from ragviz.consistency.align import Pairing
from ragviz.consistency.analysis import Detail
from ragviz.consistency.magnitudes import Relation, relate
from ragviz.text.quantity import Quantity

_ONE = frozenset({"one", "a", "ein", "eine", "un", "une", "una"})
_OR = frozenset({"or", "to", "oder", "bis", "ou", "à", "o", "a"})
_BETWEEN = frozenset({"between", "zwischen", "entre"})


def quantity_of(detail: Detail) -> Quantity:
    """The amount that a detail is."""
    assert isinstance(detail.record, Quantity)
    return detail.record


def holds_single(pair: Pairing, detail: Detail, other: Detail) -> bool:
    """True for a claim's range that a single amount of the premise lies in as in a bound ("between 2 and 10 days", and it takes 3), or whose two ends the clause gives ("one or two tablets")."""
    amount, theirs = quantity_of(detail), quantity_of(other)
    if not amount.is_range or theirs.value is None:
        return False
    if detail.first and pair.claim.lowers[detail.first - 1] in _BETWEEN:
        return True
    beside = [q for d in pair.premise.quantities if d.clause == other.clause and (q := quantity_of(d)).kind is theirs.kind]
    ends = [msgspec.structs.replace(amount, low=end, high=end) for end in (amount.low, amount.high)]
    # "One" in "one or two" is no figure to whoever reads amounts.
    before = pair.premise.lowers[max(0, other.first - 2) : other.first]
    from_one = amount.low == 1 and len(before) == 2 and before[0] in _ONE and before[1] in _OR
    return all((from_one and end.low == 1) or any(q.value is not None and relate(end, q) is Relation.SAME for q in beside) for end in ends)
