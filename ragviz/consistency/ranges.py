"""When a claim's range may stand for a single amount of the premise, and its bound follows from a stricter one."""

from __future__ import annotations

import msgspec

from ragviz.consistency.align import Pairing
from ragviz.consistency.analysis import Analysis, Detail
from ragviz.consistency.magnitudes import Relation, relate
from ragviz.text.bounds import Bound
from ragviz.text.quantity import Quantity

_ONE = frozenset({"one", "a", "ein", "eine", "un", "une", "una"})
_OR = frozenset({"or", "to", "oder", "bis", "ou", "à", "o", "a"})
_SINGLING = frozenset(
    {"with", "of", "after", "if", "when", "who", "whose", "has", "have", "having", "aged", "from", "once", "worked", "booked", "book", "stay", "order"}
)
_OF_SOMETHING = frozenset({"of", "before", "old", "in", "ago"})
_AGES = frozenset({"old", "age", "aged", "ages"})
_BOUND_WORDS = 4
_BETWEEN = frozenset({"between", "zwischen", "entre"})


def quantity_of(detail: Detail) -> Quantity:
    """The amount that a detail is."""
    assert isinstance(detail.record, Quantity)
    return detail.record


def holds_single(pair: Pairing, detail: Detail, other: Detail) -> bool:
    """
    True for a claim's range that a single amount of the premise lies in as in a bound ("between 2 and 10 days", and it takes 3), or whose two
    ends the clause gives ("one or two tablets").
    """
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


def is_less_of(pair: Pairing, detail: Detail, other: Detail) -> bool:
    """
    True for "soak it for at least 5 minutes" beside "for at least 1 hour": whoever does the one does the other.

    Durations only, and not where they say who or what is meant: "employees with at least 5 years of service", "at least 18 years old".
    """
    amount, theirs = quantity_of(detail), quantity_of(other)
    if amount.bound is not Bound.AT_LEAST or theirs.bound is not Bound.AT_LEAST or amount.unit.dimension != "time" or theirs.unit.dimension != "time":
        return False
    if amount.low is None or theirs.low is None or amount.base(amount.low) > theirs.base(theirs.low) or amount.per != theirs.per:
        return False
    return not (_singles_out(pair.claim, detail) or _singles_out(pair.premise, other))


def _singles_out(text: Analysis, detail: Detail) -> bool:
    before = text.lowers[max(0, detail.first - _BOUND_WORDS) : detail.first]
    behind = text.lowers[detail.last + 1 : detail.last + 3]
    return not _SINGLING.isdisjoint(before) or not _OF_SOMETHING.isdisjoint(behind) or not _AGES.isdisjoint(text.lowers)
