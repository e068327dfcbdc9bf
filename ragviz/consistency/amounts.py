"""Numbers, money, percentages and measurements of a claim against those of the premise, like with like."""

from __future__ import annotations

from ragviz.consistency.align import Pairing, belongs_better, governor_keys, head_keys
from ragviz.consistency.analysis import Analysis, Detail
from ragviz.consistency.gathered import Gathered
from ragviz.consistency.magnitudes import Relation, relate
from ragviz.records import ClashKind
from ragviz.text.bounds import Bound
from ragviz.text.quantity import Quantity, QuantityKind

CLASH_FROM = 0.62
"""Least alignment for a clash. Chosen on the development half of the labelled sets."""
NEAR = 0.25
"""A matching amount counts although another is better aligned by up to this much."""
_TOTALS = frozenset({"total", "altogether", "combined", "together", "overall", "sum", "both", "insgesamt", "zusammen", "total", "ensemble"})
_KINDS = {QuantityKind.PERCENT: ClashKind.PERCENT, QuantityKind.MONEY: ClashKind.MONEY}


def kind_of(quantity: Quantity) -> ClashKind:
    """The clash kind of an amount."""
    if quantity.unit.dimension in {"time", "workday"}:
        return ClashKind.DURATION
    return _KINDS.get(quantity.kind, ClashKind.NUMBER)


def _quantity(detail: Detail) -> Quantity:
    assert isinstance(detail.record, Quantity)
    return detail.record


def check_amounts(pair: Pairing, out: Gathered) -> None:
    """Add what the claim's amounts say to ``out``."""
    claim, premise = pair.claim, pair.premise
    for detail in claim.quantities:
        amount = _quantity(detail)
        if amount.kind is QuantityKind.LABEL and _is_subject(claim, detail):
            continue
        _check_one(pair, detail, amount, premise.quantities, out)


def _is_subject(text: Analysis, detail: Detail) -> bool:
    """True for "Room 7 has …": the label says what the clause is about."""
    start = text.first_of(detail.clause)
    return not any(text.content[i] for i in range(start, max(start, detail.first - 1)))


def _check_one(pair: Pairing, detail: Detail, amount: Quantity, others: list[Detail], out: Gathered) -> None:
    keys = pair.keys_of(detail.clause)
    row = pair.row(keys)
    heads = head_keys(pair.claim, detail)
    governors = governor_keys(pair.claim, detail)
    best: tuple[float, Detail, Relation] | None = None
    same: tuple[float, Detail, Relation] | None = None
    for other in others:
        theirs = _quantity(other)
        if (theirs.kind is QuantityKind.LABEL) != (amount.kind is QuantityKind.LABEL):
            continue
        relation = relate(amount, theirs)
        if relation is None:
            continue
        fit = _fit(pair, amount, heads, governors, other, theirs)
        if fit is None:
            continue
        score = 0.75 * row[other.clause] + fit
        if relation is not Relation.OTHER:
            if amount.kind is not QuantityKind.LABEL and _labels_differ(pair, detail, other):
                continue
            if same is None or score > same[0]:
                same = (score, other, relation)
        elif (best is None or score > best[0]) and not _labels_differ(pair, detail, other):
            best = (score, other, relation)
    _decide(pair, detail, amount, best, same, out)


def _fit(pair: Pairing, amount: Quantity, heads: list[str], governors: list[str], other: Detail, theirs: Quantity) -> float | None:
    """Bonus for the same noun behind and the same word before; None where the two count different things."""
    their_heads = head_keys(pair.premise, other, past_and=theirs.kind is QuantityKind.ORDINAL)
    shared_head = not set(heads).isdisjoint(their_heads)
    shared_governor = not set(governors).isdisjoint(governor_keys(pair.premise, other))
    if amount.kind is QuantityKind.LABEL:
        return 0.25 if amount.noun == theirs.noun else None
    if amount.kind is QuantityKind.ORDINAL:
        return 0.25 if heads and their_heads and heads[0] in their_heads else None
    if amount.kind is QuantityKind.NUMBER and not amount.unit.name and not shared_head:
        if heads and their_heads:
            return None
        if not shared_governor:
            return None
    return 0.15 * shared_head + 0.1 * shared_governor


def _labels_differ(pair: Pairing, detail: Detail, other: Detail) -> bool:
    """True when one clause is about room 1 and the other about room 2."""
    ours = {(q.noun, q.low) for d in pair.claim.quantities if d.clause == detail.clause and d is not detail and (q := _quantity(d)).kind is QuantityKind.LABEL}
    if not ours:
        return False
    theirs = {(q.noun, q.low) for d in pair.premise.quantities if d.clause == other.clause and (q := _quantity(d)).kind is QuantityKind.LABEL}
    nouns = {noun for noun, _ in ours} & {noun for noun, _ in theirs}
    return any(noun in nouns and (noun, low) not in theirs for noun, low in ours)


def _decide(
    pair: Pairing, detail: Detail, amount: Quantity, best: tuple[float, Detail, Relation] | None, same: tuple[float, Detail, Relation] | None, out: Gathered,
) -> None:
    kind = kind_of(amount)
    if same is not None and (best is None or not _outranked(pair, detail, best, same)):
        if same[2] is Relation.VAGUE:
            out.drop(kind, detail, same[1], amount.label, _quantity(same[1]).label)
        else:
            out.agree(kind, detail, same[1], amount.label)
        return
    if best is None or best[0] < CLASH_FROM or pair.other_subject(detail.clause, best[1].clause) or _follows(pair, amount):
        out.miss(kind, detail, amount.label)
        return
    theirs = _quantity(best[1])
    if amount.low == theirs.low and amount.high == theirs.high and amount.unit.name != theirs.unit.name:
        kind = ClashKind.UNIT if kind is not ClashKind.MONEY else kind
    if pair.claim.parity[detail.first] != pair.premise.parity[best[1].first]:
        out.miss(kind, detail, amount.label)
        return
    out.clash(kind, detail, best[1], amount.label, theirs.label)


def _outranked(pair: Pairing, detail: Detail, best: tuple[float, Detail, Relation], same: tuple[float, Detail, Relation]) -> bool:
    """True when the equal number belongs to something else: "the motor weighs 3.2 kg, the pump 4.1 kg" and the claim is about the pump."""
    if best[1].clause == same[1].clause:
        return belongs_better(pair, detail, best[1], same[1])
    if best[0] - same[0] < NEAR - 0.12:
        return False
    return pair.other_subject(detail.clause, same[1].clause) or best[0] - same[0] > NEAR + 0.2


def _follows(pair: Pairing, amount: Quantity) -> bool:
    """True when the number is a simple sum, difference or ratio of two in the premise: then it is at most unproved."""
    value = amount.value
    if value is None:
        return False
    like = [q for d in pair.premise.quantities if (q := _quantity(d)).value is not None and q.unit.dimension == amount.unit.dimension][:8]
    goal = amount.base(value)
    numbers = [q.base(q.value) for q in like if q.value is not None]
    slack = abs(goal) * (0.05 if amount.bound is Bound.ABOUT else 0.001)
    if len(numbers) > 1 and abs(sum(numbers) - goal) <= slack:
        return True
    for i, x in enumerate(numbers):
        for y in numbers[i + 1 :]:
            if abs(x + y - goal) <= slack or abs(abs(x - y) - goal) <= slack:
                return True
    return False


def sums(pair: Pairing, detail: Detail) -> list[Detail]:
    """The amounts of the premise that add up to the claim's, where the claim speaks of a total; () otherwise."""
    amount = _quantity(detail)
    if amount.value is None or not any(w in _TOTALS for w in pair.claim.lowers):
        return []
    like = [d for d in pair.premise.quantities if (q := _quantity(d)).value is not None and q.unit.dimension == amount.unit.dimension and q.kind is amount.kind][:8]
    goal = amount.base(amount.value)
    for i, a in enumerate(like):
        for b in like[i + 1 :]:
            x, y = _quantity(a), _quantity(b)
            if x.low is not None and y.low is not None and abs(x.base(x.low) + y.base(y.low) - goal) <= abs(goal) * 1e-6:
                return [a, b]
    return []
