"""Whether one date, period, weekday or clock time follows from another, excludes it, or says something else."""

from __future__ import annotations

from ragviz.consistency.magnitudes import Relation
from ragviz.text.date_mention import DateKind, DateMention, Reading

_QUARTERS = {"Q1": (1, 3), "Q2": (4, 6), "Q3": (7, 9), "Q4": (10, 12), "H1": (1, 6), "H2": (7, 12)}
_HALF_DAY = 720


def relate_dates(claim: DateMention, premise: DateMention) -> Relation | None:
    """
    Compare two mentions that might be of one event.

    Returns:
        SAME where the claim's follows, VAGUE where the premise is less exact, OTHER where both cannot hold, None where they speak of
        different things (a year and a weekday).
    """
    if DateKind.TIME in {claim.kind, premise.kind}:
        return _relate_times(claim, premise) if claim.kind is premise.kind else None
    if DateKind.WEEKDAY in {claim.kind, premise.kind}:
        return _relate_weekdays(claim, premise) if claim.kind is premise.kind else None
    if claim.kind is DateKind.DAY and premise.kind is DateKind.DAY:
        relations = [_relate_readings(a, b) for a in claim.readings for b in premise.readings]
        for relation in (Relation.SAME, Relation.VAGUE):
            if relation in relations:
                return relation
        return None if None in relations else Relation.OTHER
    return _relate_periods(claim, premise)


def _relate_readings(a: Reading, b: Reading) -> Relation | None:
    shared = vague = False
    for ours, theirs in ((a.year, b.year), (a.month, b.month), (a.day, b.day)):
        if ours and theirs:
            if ours != theirs:
                return Relation.OTHER
            shared = True
        elif ours:
            vague = True
    if not shared:
        return None
    return Relation.VAGUE if vague else Relation.SAME


def _relate_periods(claim: DateMention, premise: DateMention) -> Relation | None:
    ours, theirs = _years(claim), _years(premise)
    if not ours[0] or not theirs[0]:
        return (
            Relation.OTHER
            if claim.part and premise.part and claim.part != premise.part
            else Relation.SAME
            if claim.part and claim.part == premise.part
            else None
        )
    if ours[1] < theirs[0] or theirs[1] < ours[0]:
        slack = 3 if claim.approximate or premise.approximate else 0
        return Relation.VAGUE if min(abs(ours[1] - theirs[0]), abs(theirs[1] - ours[0])) <= slack else Relation.OTHER
    if claim.part and premise.part:
        return Relation.SAME if claim.part == premise.part else Relation.OTHER
    if claim.part in _QUARTERS and premise.kind is DateKind.DAY and premise.readings[0].month:
        low, high = _QUARTERS[claim.part]
        return Relation.SAME if low <= premise.readings[0].month <= high else Relation.OTHER
    if claim.kind is DateKind.DAY and ours[0] in theirs:
        return Relation.SAME
    if claim.kind is DateKind.PERIOD and premise.kind is DateKind.PERIOD and ours != theirs and _is_span(claim) and _is_span(premise):
        return Relation.OTHER
    return Relation.SAME if ours[0] <= theirs[0] and theirs[1] <= ours[1] else Relation.VAGUE


def _is_span(mention: DateMention) -> bool:
    """True for "1991–1995", False for decades and centuries."""
    return mention.years[1] - mention.years[0] not in {0, 9, 99}


def _years(mention: DateMention) -> tuple[int, int]:
    if mention.kind is DateKind.PERIOD:
        return mention.years
    year = mention.readings[0].year
    return year, year


def _relate_times(claim: DateMention, premise: DateMention) -> Relation:
    def same(a: int, b: int) -> bool:
        return a == b or (abs(a - b) == _HALF_DAY and not (claim.half_day and premise.half_day))

    ours, theirs = claim.minutes, premise.minutes
    if ours[1] < 0:
        return Relation.SAME if any(same(ours[0], t) for t in theirs if t >= 0) else Relation.OTHER
    if theirs[1] < 0:
        return Relation.VAGUE if any(same(theirs[0], t) for t in ours) else Relation.OTHER
    return Relation.SAME if same(ours[0], theirs[0]) and same(ours[1], theirs[1]) else Relation.OTHER


def _relate_weekdays(claim: DateMention, premise: DateMention) -> Relation:
    if claim.weekdays <= premise.weekdays:
        return Relation.SAME
    return Relation.OTHER


def near_miss(claim: DateMention, premise: DateMention) -> bool:
    """True when two calendar dates share two of three fields."""
    if claim.kind is not DateKind.DAY or premise.kind is not DateKind.DAY:
        return False
    for a in claim.readings:
        for b in premise.readings:
            equal = (a.year == b.year != 0) + (a.month == b.month != 0) + (a.day == b.day != 0)
            known = sum(bool(x and y) for x, y in ((a.year, b.year), (a.month, b.month), (a.day, b.day)))
            if equal >= 1 and known == equal + 1 and equal + known >= 3:
                return True
    return False


def is_equal(a: DateMention, b: DateMention) -> bool:
    """The same date, equally exact."""
    return relate_dates(a, b) is Relation.SAME and relate_dates(b, a) is Relation.SAME
