"""What is no majority: "most" of "half of them", "a third", "one in five"."""

from __future__ import annotations

from ragviz.consistency.analysis import Analysis, Detail
from ragviz.judges.local_rules.rule import Beside, Told
from ragviz.records import ClashKind
from ragviz.text.bounds import Bound
from ragviz.text.quantity import Quantity, QuantityKind

_HALF = 50
_FITS = 0.75
"""Share of what else the claim says that the sentence must have."""
_PARTITIVE = 3
"""Tokens between a share and what it is of."""


def by_share(beside: Beside) -> Told | None:
    """"Most of the flats have a balcony" of "half of the flats have one" is denied; "more than half" of "most" is said."""
    claim, unit, _ = beside
    if claim.cues or unit.cues:
        return None
    ours = _most(claim)
    if ours is not None and not claim.quantities:
        shares = _shares(unit)
        if len(shares) != 1 or not _is_about(claim, unit, ours[1], shares[0].last):
            return None
        record = shares[0].record
        assert isinstance(record, Quantity)
        high = record.high if record.high is not None and record.bound not in {Bound.AT_LEAST, Bound.MORE} else None
        if high is None or high > _HALF:
            return None
        return Told(False, (ours[0], ours[1]), (shares[0].first, shares[0].last), ClashKind.QUANTIFIER)
    theirs = _most(unit)
    share = _shares(claim)
    if theirs is None or len(share) != 1 or len(claim.quantities) != 1 or unit.quantities:
        return None
    record = share[0].record
    assert isinstance(record, Quantity)
    return Told(True) if record.bound is Bound.MORE and record.low == _HALF and _is_about(claim, unit, share[0].last, theirs[1]) else None


def _most(text: Analysis) -> tuple[int, int] | None:
    """Tokens of "most" or "the majority" of some things."""
    for i, word in enumerate(text.lowers[:-1]):
        if word == "majority" or (word == "most" and (i == 0 or text.lowers[i - 1] not in {"the", "at", "its", "their", "his", "her"})):
            behind = text.lowers[i + 1]
            if behind == "of" or (word == "most" and text.content[i + 1] and behind.endswith("s")):
                return i, i
    return None


def _shares(text: Analysis) -> list[Detail]:
    return [d for d in text.quantities if isinstance(d.record, Quantity) and d.record.kind is QuantityKind.PERCENT]


def _is_about(claim: Analysis, unit: Analysis, ours: int, theirs: int) -> bool:
    """True where both shares are of the same things, and the sentence says the rest of the claim."""
    head, other = _of(claim, ours), _of(unit, theirs)
    keys = frozenset(k for i, k in enumerate(claim.keys) if claim.content[i] and claim.lowers[i] not in {"most", "majority"})
    return bool(head) and head == other and len(keys - unit.all_keys) <= (1 - _FITS) * len(keys)


def _of(text: Analysis, at: int) -> str:
    """The first word of content behind a share."""
    return next((text.keys[i] for i in range(at + 1, min(len(text.keys), at + 1 + _PARTITIVE)) if text.content[i]), "")
