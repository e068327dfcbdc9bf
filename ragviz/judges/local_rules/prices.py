"""Whom a price is for: "65 pounds a month for the first car" is not what every car costs, and "free for orders over 60 EUR" is not free."""

from __future__ import annotations

from ragviz.consistency.analysis import Analysis
from ragviz.judges.local_rules.scene import Scene
from ragviz.text.quantity import Quantity, QuantityKind
from ragviz.text.word_sets import word_set

SIZE = word_set(
    "over above under below exceeding beyond longer shorter larger smaller bigger older younger higher lower heavier lighter more less fewer "
    "greater worth up at"
)
_COSTS = word_set("cost costs price prices priced fee fees charge charges charged rate rates is are pay pays")
_PER = word_set("a an per each every month year week day hour night person")
_EVERYBODY = word_set("all every any each everyone everybody anyone anybody both you")
_COSTING = word_set("cost costs costing pay pays paid")
_FOR_NOTHING = word_set(
    "free freely nothing no without gratis complimentary included includes include inclusive waive waived waives not none never zero exempt"
)
_REACH = 5


def lacks_payer(scene: Scene) -> bool:
    """"It costs 65 pounds a month" of "65 pounds a month for the first car"; "shipping is free" of "free for orders over 60 EUR"."""
    claim, units, known = scene.claim, scene.units, scene.known
    if _COSTS.isdisjoint(claim.lowers) or any(claim.lowers[cue.at] != "of" for cue in claim.cues):
        return False  # "free of charge" denies nothing of what is told here
    prices = [d.record for d in claim.quantities if isinstance(d.record, Quantity) and d.record.kind is QuantityKind.MONEY]
    if prices:
        if _is_for(claim, max(d.last for d in claim.quantities), claim):
            return False
        limited = 0
        for unit in units:
            for d in unit.quantities:
                if (
                    isinstance(d.record, Quantity)
                    and d.record.kind is QuantityKind.MONEY
                    and any(d.record.low == price.low and d.record.high == price.high for price in prices)
                ):
                    if not _is_for(unit, d.last, claim, known=known):
                        return False
                    limited += 1
        return limited > 0
    if _is_priced(claim, units):
        return True
    last = len(claim.lowers) - 1
    free = next((i for i, word in enumerate(claim.lowers) if word == "free"), None)
    if free is None or last - free > 2 or claim.lowers[free + 1 :] not in ([], ["of", "charge"], ["of", "cost"]):
        return False
    limited = 0
    for unit in units:
        for i, word in enumerate(unit.lowers):
            if word == "free":
                at = i + 2 if unit.lowers[i + 1 : i + 3] in (["of", "charge"], ["of", "cost"]) else i
                if not _is_for(unit, at, claim, known=known, also=SIZE | {"on", "if", "from"}):
                    return False
                limited += 1
    return limited > 0


def _is_priced(claim: Analysis, units: list[Analysis]) -> bool:
    """"The pool costs nothing" of "the pool costs 5 EUR", where nothing near is free."""
    says_free = "free" in claim.lowers or any(word == "nothing" and i and claim.lowers[i - 1] in _COSTING for i, word in enumerate(claim.lowers))
    if not says_free or claim.quantities:
        return False
    priced = any(isinstance(d.record, Quantity) and d.record.kind is QuantityKind.MONEY for unit in units for d in unit.quantities)
    return priced and all(_FOR_NOTHING.isdisjoint(unit.lowers) for unit in units)


def _is_for(text: Analysis, at: int, claim: Analysis, *, known: frozenset[str] | None = None, also: frozenset[str] = frozenset()) -> bool:
    """True where "for …" stands behind token ``at``, words of a period aside; with ``known`` only where none of it is known."""
    i = at + 1
    while i < len(text.lowers) and text.lowers[i] in _PER and text.clause[i] == text.clause[at]:
        i += 1
    if i + 1 >= len(text.lowers) or not (text.lowers[i] == "for" or text.lowers[i] in also) or text.sentence[text.clause[i]] != text.sentence[text.clause[at]]:
        return False
    if known is None:
        return True
    if text.lowers[i + 1] in _EVERYBODY:
        return False
    inside = [j for j in range(i + 1, min(len(text.lowers), i + 1 + _REACH)) if (text.content[j] or text.detail[j]) and text.clause[j] == text.clause[i]]
    return bool(inside) and all(text.keys[j] not in known and text.lowers[j] not in claim.lowers for j in inside)
