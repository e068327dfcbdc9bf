"""Numbers, money, percentages and measurements of a claim against those of the premise, like with like."""

from __future__ import annotations

from typing import NamedTuple

from ragviz.consistency.align import Pairing, belongs_better, governor_keys, head_keys
from ragviz.consistency.amount_roles import as_limit, is_beyond_the_same, is_taken_out, is_threshold, newer
from ragviz.consistency.analysis import Analysis, Detail
from ragviz.consistency.gathered import Gathered
from ragviz.consistency.holders import is_had_by_all
from ragviz.consistency.lexicon import key
from ragviz.consistency.magnitudes import Relation, relate, says
from ragviz.consistency.occasions import is_otherwise_dated
from ragviz.consistency.paces import is_part_of_dose, relate_doses, relate_paces
from ragviz.consistency.ranges import holds_single, is_less_of, quantity_of
from ragviz.consistency.totals import sum_of
from ragviz.records import ClashKind
from ragviz.text.bounds import Bound
from ragviz.text.quantity import Quantity, QuantityKind

CLASH_FROM = 0.62
"""Least alignment for a clash. Chosen on the development half of the labelled sets."""
SUSPECT_FROM = 0.3
"""Least alignment for a suspicion."""
NEAR = 0.25
"""A matching amount counts although another is better aligned by up to this much."""
_GROUPS = frozenset(key(w) for w in ("pair", "set", "pack", "box", "group", "batch", "team", "row", "dozen"))
"""Things counted in groups cannot be compared with things counted one by one."""
_MODALS = frozenset({"can", "may", "could", "possible", "allowed", "permitted", "up", "maximum", "limit", "limited", "most", "darf", "kann", "können", "dürfen", "peut", "peuvent", "puede", "pueden"})
_MEASURING = {
    dimension: frozenset(key(w) for w in words.split())
    for dimension, words in {
        "time": "last take need duration long",
        "money": "cost price charge expensive",
        "mass": "weigh weight heavy",
        "length": "measure long tall high wide deep thick",
    }.items()
}
"""Words that say no more than the unit does: what a warranty that "lasts" five years is about is the warranty."""
_KINDS = {QuantityKind.PERCENT: ClashKind.PERCENT, QuantityKind.MONEY: ClashKind.MONEY}


Scored = tuple[float, Detail, Relation]


class Found(NamedTuple):
    """The premise's amounts closest to the claim's: the best aligned that differs, the best aligned that agrees."""

    best: Scored | None
    same: Scored | None


def kind_of(quantity: Quantity) -> ClashKind:
    """The clash kind of an amount."""
    if quantity.unit.dimension in {"time", "workday"}:
        return ClashKind.DURATION
    return _KINDS.get(quantity.kind, ClashKind.NUMBER)


def check_amounts(pair: Pairing, out: Gathered) -> None:
    """Add what the claim's amounts say to ``out``."""
    claim, premise = pair.claim, pair.premise
    for detail in claim.quantities:
        amount = quantity_of(detail)
        if amount.kind is QuantityKind.LABEL and _is_subject(claim, detail):
            continue
        if is_part_of_dose(pair, detail):
            continue
        _check_one(pair, detail, premise.quantities, out)


def _is_subject(text: Analysis, detail: Detail) -> bool:
    """True for "Room 7 has …": the label says what the clause is about."""
    start = text.first_of(detail.clause)
    return not any(text.content[i] for i in range(start, max(start, detail.first - 1)))


def _check_one(pair: Pairing, detail: Detail, others: list[Detail], out: Gathered) -> None:
    amount = quantity_of(detail)
    row = pair.row(_measured(pair.keys_of(detail.clause), amount))
    heads, governors = head_keys(pair.claim, detail), governor_keys(pair.claim, detail)
    best: Scored | None = None
    same: Scored | None = None
    for other in others:
        theirs = quantity_of(other)
        if (theirs.kind is QuantityKind.LABEL) != (amount.kind is QuantityKind.LABEL) or is_taken_out(pair.premise, other):
            continue
        relation = relate(amount, as_limit(pair, other, theirs) if amount.bound is Bound.AT_MOST else theirs)
        if relation is None:
            continue
        if relation is Relation.OTHER:
            relation = Relation.SAME if is_beyond_the_same(pair, detail, other) else relate_paces(pair, detail, other) or relation
        elif relation is Relation.SAME:
            relation = relate_doses(pair, detail, other) or relation
        if relation is Relation.VAGUE and holds_single(pair, detail, other):
            relation = Relation.SAME
        fit = _fit(pair, amount, (heads, governors), other)
        if fit is None:
            continue
        score = 0.75 * row[other.clause] + fit
        if amount.kind is not QuantityKind.LABEL and (_labels_differ(pair, detail, other) or _dates_differ(pair, detail, other)):
            continue
        if relation is not Relation.OTHER:
            surer = same is not None and same[2] is Relation.VAGUE and relation is Relation.SAME
            vaguer = same is not None and same[2] is Relation.SAME and relation is Relation.VAGUE
            if same is None or surer or (score > same[0] and not vaguer):
                same = (score, other, relation)
        elif best is None or score > best[0]:
            best = (score, other, relation)
    if best is not None and same is None and (_spoken_for(pair, detail, best[1]) or _stands(detail, best[1], others)):
        best = None
    if same is not None:
        later = newer(pair, detail, same[1], others)
        if later is not None:
            best, same = (max(same[0], CLASH_FROM), later, Relation.OTHER), None
    _decide(pair, detail, Found(best, same), out)


def _measured(keys: frozenset[str], amount: Quantity) -> frozenset[str]:
    """What an amount is said of, without the word that its unit implies; all the keys where nothing else is left."""
    dimension = "money" if amount.kind is QuantityKind.MONEY else amount.unit.dimension
    return (keys - _MEASURING.get(dimension, frozenset())) or keys


def _stands(detail: Detail, best: Detail, others: list[Detail]) -> bool:
    """True when the very number stands in the clause of the one it would clash with: "58 in favour, 31 against" gives 31 too."""
    amount = quantity_of(detail)
    if amount.value is None or (amount.kind is not QuantityKind.MONEY and (amount.kind is not QuantityKind.NUMBER or amount.unit.name)):
        return False
    return any(d.clause == best.clause and (q := quantity_of(d)).value == amount.value and q.kind is QuantityKind.NUMBER and not q.unit.name for d in others)


def _spoken_for(pair: Pairing, detail: Detail, other: Detail) -> bool:
    """True when another amount of the claim is the premise's."""
    theirs = quantity_of(other)
    return any(relate(quantity_of(d), theirs) is Relation.SAME for d in pair.claim.quantities if d is not detail and quantity_of(d).kind is theirs.kind)


def _fit(pair: Pairing, amount: Quantity, around: tuple[list[str], list[str]], other: Detail) -> float | None:
    """Bonus for the same noun behind and the same word before, ``around`` the claim's amount; None where the two count different things."""
    theirs = quantity_of(other)
    heads, governors = around
    their_heads = head_keys(pair.premise, other, past_and=theirs.kind is QuantityKind.ORDINAL)
    shared_head = not set(heads).isdisjoint(their_heads)
    shared_governor = not set(governors).isdisjoint(governor_keys(pair.premise, other))
    if amount.kind is QuantityKind.LABEL:
        return 0.25 if amount.noun == theirs.noun else None
    if amount.kind is QuantityKind.ORDINAL:
        if not heads and not their_heads:
            return 0.2 if shared_governor else None
        if heads and not their_heads and amount.low == theirs.low:
            return 0.1  # "the first offence and the second"
        return 0.25 if heads and their_heads and heads[0] in their_heads else None
    if amount.kind is QuantityKind.NUMBER and (_GROUPS & set(heads)) != (_GROUPS & set(their_heads)):
        return None
    if amount.kind is QuantityKind.NUMBER and not amount.unit.name and not shared_head:
        if heads and their_heads:
            return None
        if not shared_governor:
            return None
    if amount.unit.name and not shared_head and _is_amount_of(pair, other, their_heads):
        return None
    return 0.15 * shared_head + 0.1 * shared_governor


def _is_amount_of(pair: Pairing, other: Detail, heads: list[str]) -> bool:
    """True for the 25 days "of annual leave" where the claim says nothing of leave: they measure the leave, not whoever has it."""
    behind = other.last + 1
    if other.first and pair.premise.lowers[other.first - 1] == "within":
        return False  # "within two hours of dispatch" says when
    return behind < len(pair.premise.lowers) and pair.premise.lowers[behind] == "of" and bool(heads) and pair.claim.all_keys.isdisjoint(heads)


def _labels_differ(pair: Pairing, detail: Detail, other: Detail) -> bool:
    """True when one clause is about room 1 and the other about room 2."""
    if len(pair.claim.quantities) < 2:
        return False
    ours = {
        (q.noun, q.low) for d in pair.claim.quantities if d.clause == detail.clause and d is not detail and (q := quantity_of(d)).kind is QuantityKind.LABEL
    }
    if not ours:
        return False
    theirs = {(q.noun, q.low) for d in pair.premise.quantities if d.clause == other.clause and (q := quantity_of(d)).kind is QuantityKind.LABEL}
    nouns = {noun for noun, _ in ours} & {noun for noun, _ in theirs}
    return any(noun in nouns and (noun, low) not in theirs for noun, low in ours)


def _dates_differ(pair: Pairing, detail: Detail, other: Detail) -> bool:
    """True when one clause speaks of 2020 and the other of 2023."""
    return is_otherwise_dated(pair, detail.clause, other.clause)


def _decide(pair: Pairing, detail: Detail, found: Found, out: Gathered) -> None:
    best, same = found
    amount = quantity_of(detail)
    kind = kind_of(amount)
    if same is not None and (best is None or not _outranked(pair, detail, best, same)):
        if same[2] is Relation.VAGUE and is_less_of(pair, detail, same[1]):
            out.agree(kind, detail, same[1], amount.label, said=False)
        elif same[2] is Relation.VAGUE and not _may_reach(pair, amount, quantity_of(same[1])) and not is_threshold(pair, amount, same[1]):
            out.drop(kind, detail, same[1], amount.label, quantity_of(same[1]).label)
        else:
            out.agree(kind, detail, same[1], _shown(pair, detail), said=says(amount, quantity_of(same[1])))
        return
    addend = sum_of(pair, detail, amount)
    if addend is not None:
        out.agree(kind, detail, addend, amount.label, said=False)
        return
    apart = best is not None and best[0] >= SUSPECT_FROM and pair.other_subject(detail.clause, best[1].clause) and not is_had_by_all(pair, detail, best[1])
    if best is None or best[0] < CLASH_FROM or apart:
        out.miss(kind, detail, amount.label, stands=any(says(amount, quantity_of(d)) for d in pair.premise.quantities))
        if best is not None and best[0] >= SUSPECT_FROM and not apart:
            out.suspect(kind, detail, best[1], amount.label, quantity_of(best[1]).label)
        return
    theirs = quantity_of(best[1])
    if amount.low == theirs.low and amount.high == theirs.high and amount.unit.name != theirs.unit.name:
        kind = ClashKind.UNIT if kind is not ClashKind.MONEY else kind
    if pair.claim.parity[detail.first] != pair.premise.parity[best[1].first]:
        out.miss(kind, detail, amount.label)
        return
    out.clash(kind, detail, best[1], amount.label, theirs.label)


def _shown(pair: Pairing, detail: Detail) -> str:
    """The claim's amount for people: "first" as it is written, not 1."""
    amount = quantity_of(detail)
    return amount.span.of(pair.claim.text) if amount.kind is QuantityKind.ORDINAL else amount.label


def _may_reach(pair: Pairing, amount: Quantity, theirs: Quantity) -> bool:
    """True for "they may work two days" from "up to two days"."""
    return (
        theirs.bound is Bound.AT_MOST
        and amount.value is not None
        and amount.base(amount.value) == (theirs.base(theirs.high) if theirs.high is not None else None)
        and not _MODALS.isdisjoint(pair.claim.lowers)
    )


def _outranked(pair: Pairing, detail: Detail, best: Scored, same: Scored) -> bool:
    """True when the equal number belongs to something else: "the motor weighs 3.2 kg, the pump 4.1 kg" and the claim is about the pump."""
    if best[1].clause == same[1].clause:
        return belongs_better(pair, detail, best[1], same[1])
    if best[0] - same[0] < NEAR - 0.12:
        return False
    return pair.other_subject(detail.clause, same[1].clause) or best[0] - same[0] > NEAR + 0.2
