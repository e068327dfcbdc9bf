"""What an amount of the premise stands for: a limit, a threshold, what is taken out, or what was before a change."""

from __future__ import annotations

import msgspec

from ragviz.consistency.align import Pairing
from ragviz.consistency.analysis import Analysis, Detail
from ragviz.consistency.ranges import quantity_of
from ragviz.text.bounds import Bound
from ragviz.text.quantity import Quantity
from ragviz.text.verbs import FINITE, NOUNS_TOO

_LIMITS = frozenset({"maximum", "max", "limit", "cap", "höchstens", "maximal", "limite", "máximo"})
_OLD = frozenset({"from", "was", "were", "originally", "previously", "formerly", "before", "earlier", "initially", "had", "until", "von", "vorher", "zuvor", "auparavant", "antes", "year", "down", "up"})
_THE = frozenset({"the", "its", "your", "their", "our", "this", "that"})
_CHANGES = frozenset({"from", "von", "de"})
_THRESHOLDS = frozenset({Bound.MORE, Bound.LESS, Bound.AT_LEAST})
_CONDITIONS = frozenset({"if", "when", "with", "whenever", "where", "wenn", "si", "mit", "avec", "con"})
_EXCEPT = frozenset({"except", "excepting", "excluding", "außer", "sauf", "excepto"})
_VERBS = FINITE - NOUNS_TOO
_NEAR_CONDITION = 8
"""Words before an amount among which a condition may begin."""


def newer(pair: Pairing, detail: Detail, same: Detail, others: list[Detail]) -> Detail | None:
    """The amount that replaced the one the claim gives: 3.4 billion in "fell to 3.4 billion from 4.1 billion" of "it was 4.1 billion"."""
    premise, claim = pair.premise, pair.claim
    if (
        not same.first
        or premise.lowers[same.first - 1] not in _CHANGES
        or not _OLD.isdisjoint(claim.lowers)
        or any(d is not detail for d in claim.quantities)
        or claim.dates
    ):
        return None
    amount = quantity_of(same)
    for other in others:
        theirs = quantity_of(other)
        if (
            other is not same
            and other.clause == same.clause
            and other.first
            and premise.lowers[other.first - 1] in {"to", "at", "auf", "à", "a"}
            and theirs.kind is amount.kind
            and theirs.unit.name == amount.unit.name
        ):
            return other
    return None


def as_limit(pair: Pairing, other: Detail, theirs: Quantity) -> Quantity:
    """The amount as a bound where its clause calls it one: "the maximum size is 2 GB" beside "up to 5 GB"."""
    premise = pair.premise
    if theirs.value is None or not any(premise.lowers[i] in _LIMITS and premise.clause[i] == other.clause for i in range(len(premise.lowers))):
        return theirs
    return msgspec.structs.replace(theirs, low=None, bound=Bound.AT_MOST)


def is_taken_out(text: Analysis, detail: Detail) -> bool:
    """True for the grade of "all pupils except those in grade 1": nothing is said of it but that it is left out."""
    if _EXCEPT.isdisjoint(text.lowers):
        return False
    for i in range(detail.first - 1, max(-1, detail.first - 1 - _NEAR_CONDITION), -1):
        if text.sentence[text.clause[i]] != text.sentence[detail.clause] or text.lowers[i] in _VERBS:
            return False
        if text.lowers[i] in _EXCEPT:
            return True
    return False


def is_threshold(pair: Pairing, amount: Quantity, other: Detail) -> bool:
    """
    True for a file of 30 MB beside "files larger than 25 MB are rejected": the premise speaks of all that lie beyond its bound, not of how large
    one thing is.
    """
    premise, theirs = pair.premise, quantity_of(other)
    if amount.value is None or theirs.value is not None or theirs.bound not in _THRESHOLDS:
        return False
    start = premise.first_of(other.clause)
    before = premise.lowers[start : other.first]
    if not any(premise.content[start : other.first]):
        return False
    return not _VERBS.intersection(before) or not _CONDITIONS.isdisjoint(before[-_NEAR_CONDITION:])


def is_beyond_the_same(pair: Pairing, detail: Detail, other: Detail) -> bool:
    """True for "above the 300 EUR buffer" beside "a 300 EUR buffer": it says where, and not how large the buffer is."""
    amount, theirs = quantity_of(detail), quantity_of(other)
    if (
        amount.bound not in {Bound.MORE, Bound.LESS}
        or theirs.value is None
        or theirs.value not in {amount.low, amount.high}
        or amount.unit.name != theirs.unit.name
    ):
        return False
    determined = any(word in _THE for word in pair.claim.lowers[max(0, detail.first - 1) : detail.first])
    head = next((pair.claim.keys[i] for i in range(detail.last + 1, min(len(pair.claim.keys), detail.last + 3)) if pair.claim.content[i]), "")
    return determined and bool(head) and head in pair.premise.all_keys
