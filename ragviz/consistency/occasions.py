"""When: what is said of one year says nothing against what is said of another."""

from __future__ import annotations

from collections.abc import Sequence

from ragviz.consistency.align import Pairing
from ragviz.consistency.analysis import Analysis, Detail
from ragviz.consistency.date_relations import relate_dates
from ragviz.consistency.gathered import Gathered
from ragviz.consistency.magnitudes import Relation
from ragviz.records import ClashKind
from ragviz.text.date_mention import DateKind, DateMention
from ragviz.text.quantity import Quantity, QuantityKind

_AMOUNTS = frozenset({ClashKind.NUMBER, ClashKind.PERCENT, ClashKind.MONEY, ClashKind.DURATION, ClashKind.UNIT})
_CALENDAR = frozenset({DateKind.DAY, DateKind.PERIOD})


def is_otherwise_dated(pair: Pairing, clause: int, premise_clause: int, *, calendar: bool = False) -> bool:
    """
    True when one clause speaks of 2020 and the other of 2023; a clause without a date has the calendar date of its sentence.

    Args:
        pair: The two texts.
        clause: Of the claim.
        premise_clause: Of the premise.
        calendar: Leave weekdays and times of day aside.
    """
    if not pair.claim.dates or not pair.premise.dates:
        return False
    ours, theirs = _dates_of(pair.claim, clause, calendar), _dates_of(pair.premise, premise_clause, calendar)
    if not ours or not theirs:
        return False
    relations = [relate_dates(a, b) for a in ours for b in theirs]
    return Relation.OTHER in relations and Relation.SAME not in relations and Relation.VAGUE not in relations


def _dates_of(text: Analysis, clause: int, calendar: bool) -> list[DateMention]:
    here = [d for d in text.dates if d.clause == clause]
    own = _calendar(here) if calendar else [d.record for d in here if isinstance(d.record, DateMention)]
    return own or _calendar([d for d in text.dates if text.sentence[d.clause] == text.sentence[clause]])


def _calendar(details: Sequence[Detail]) -> list[DateMention]:
    return [d.record for d in details if isinstance(d.record, DateMention) and d.record.kind in _CALENDAR]


def other_occasions(pair: Pairing, out: Gathered) -> list[int]:
    """
    Numbers of the clashes that are none because the claim speaks of another occasion.

    "In 2001 the party won 79 seats" and "in 1997 it won 61": neither the year nor the seats speak against the other. But where the seats
    are the same, the year is wrong.
    """
    if not out.clashes:
        return []
    dated = [n for n, clash in enumerate(out.clashes) if clash.kind is ClashKind.DATE and _is_calendar(out.places[n][2])]
    amounts = any(clash.kind in _AMOUNTS for clash in out.clashes) or any(_is_lacking(pair, detail, out) for detail in pair.claim.quantities)
    found = dated if dated and amounts else []
    found += [
        n
        for n, (clash, (ours, theirs, _)) in enumerate(zip(out.clashes, out.places, strict=True))
        if clash.kind is ClashKind.ANTONYM and _on_other_days(pair, ours, theirs)
    ]
    return found + [
        n for n, (clash, (ours, theirs, _)) in enumerate(zip(out.clashes, out.places, strict=True))
        if n not in found and clash.kind is not ClashKind.DATE and is_otherwise_dated(pair, ours, theirs, calendar=True)
    ]


def _on_other_days(pair: Pairing, clause: int, premise_clause: int) -> bool:
    """True for "closed on Saturdays" beside "open Monday to Friday"."""
    ours, theirs = (
        [d.record for d in text.dates if d.clause == c and isinstance(d.record, DateMention) and d.record.kind is DateKind.WEEKDAY]
        for text, c in ((pair.claim, clause), (pair.premise, premise_clause))
    )
    return bool(ours and theirs) and all(relate_dates(a, b) is Relation.OTHER for a in ours for b in theirs)


def _is_lacking(pair: Pairing, detail: Detail, out: Gathered) -> bool:
    """True for an amount that the premise gives nowhere; ranks and figures in names aside."""
    ours = detail.record
    if not isinstance(ours, Quantity) or ours.kind in {QuantityKind.ORDINAL, QuantityKind.LABEL} or pair.claim.is_name[detail.first]:
        return False
    span = out.claim_span(detail.first, detail.last)
    there = any(
        isinstance(d.record, Quantity) and d.record.kind is ours.kind and d.record.low == ours.low and d.record.high == ours.high
        for d in pair.premise.quantities
    )
    return not there and any(m.kind in _AMOUNTS and m.hypothesis_span.overlaps(span) for m in out.missing)


def _is_calendar(detail: Detail | None) -> bool:
    return detail is not None and isinstance(detail.record, DateMention) and detail.record.kind in _CALENDAR
