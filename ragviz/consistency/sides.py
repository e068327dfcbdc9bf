"""Dates that say on which side something lies: "before 1950", "by 2010", "no later than 31 December"."""

from __future__ import annotations

from enum import Enum

from ragviz.consistency.analysis import Analysis, Detail
from ragviz.consistency.magnitudes import Relation
from ragviz.text.date_mention import DateKind, DateMention


class Side(Enum):
    """Where a date lies of the one that is named."""

    BEFORE = "before"
    BY = "by"
    AFTER = "after"
    FROM = "not before"


_WORDS = {
    "before": Side.BEFORE, "prior to": Side.BEFORE, "earlier than": Side.BEFORE, "vor": Side.BEFORE, "avant": Side.BEFORE,
    "by": Side.BY, "no later than": Side.BY, "not later than": Side.BY, "by the end of": Side.BY, "before the end of": Side.BY, "at the latest by": Side.BY, "spätestens": Side.BY,
    "after": Side.AFTER, "later than": Side.AFTER, "nach": Side.AFTER, "après": Side.AFTER, "after the end of": Side.AFTER,
    "no earlier than": Side.FROM, "not before": Side.FROM, "not earlier than": Side.FROM,
}
_LONGEST = 4
_MONTH_DAYS, _YEAR_DAYS = 31, 372
_LAST = 10**7


_ALL_DAYS = frozenset({("every", "day"), ("all", "days"), ("each", "day"), ("all", "week"), ("any", "day"), ("seven", "days"), ("7", "days")})
_ALL_MONTHS = frozenset({("all", "year"), ("every", "month"), ("year", "round"), ("each", "month"), ("all", "months"), ("whole", "year")})
_EXCEPT = frozenset({"except", "excluding", "excepting", "but", "apart", "save", "other"})
_LONGEST_EXCEPTION = 10


def is_taken_out_of_all(text: Analysis, detail: Detail) -> bool:
    """True for the Friday of "every day except Friday", and the August of "all year except in August": every other day, or month, is meant."""
    mention = detail.record
    assert isinstance(mention, DateMention)
    if mention.kind is DateKind.WEEKDAY:
        wholes, alone = _ALL_DAYS, "daily"
    elif mention.kind is DateKind.DAY and all(r.month and not r.day and not r.year for r in mention.readings):
        wholes, alone = _ALL_MONTHS, "monthly"
    else:
        return False
    for i in range(detail.first - 1, max(0, detail.first - _LONGEST_EXCEPTION) - 1, -1):
        if text.lowers[i] in _EXCEPT:
            return any(text.lowers[k] == alone or (k + 1 < i and tuple(text.lowers[k : k + 2]) in wholes) for k in range(max(0, i - 4), i))
    return False


def side_of(text: Analysis, detail: Detail) -> Side | None:
    """The side that the words in front of a date name."""
    first = detail.first - (detail.first > 1 and text.lowers[detail.first - 1] == "the")
    for n in range(_LONGEST, 0, -1):
        if n <= first and (side := _WORDS.get(" ".join(text.lowers[first - n : first]))) is not None:
            return side
    return None


def relate_sides(claim: DateMention, ours: Side | None, premise: DateMention, theirs: Side | None) -> Relation | None:
    """
    Compare two calendar dates of which the claim's is a bound, and the premise's may be one.

    Returns:
        SAME where whatever the premise allows lies in what the claim says, OTHER where nothing of it does, VAGUE where some; None where the claim's is
        no bound, or the two cannot be set against each other (a year and a day without one).
    """
    if ours is None:
        return None
    a, b = _days(claim), _days(premise)
    if a is None or b is None or (a[0] < _YEAR_DAYS) != (b[0] < _YEAR_DAYS):
        return None
    low, high = _allowed(a, ours)
    their_low, their_high = b if theirs is None else _allowed(b, theirs)
    if low <= their_low and their_high <= high:
        return Relation.SAME
    return Relation.OTHER if their_high < low or high < their_low else Relation.VAGUE


def _allowed(days: tuple[int, int], side: Side) -> tuple[int, int]:
    first, last = days
    return {Side.BEFORE: (0, first - 1), Side.BY: (0, last), Side.AFTER: (last + 1, _LAST), Side.FROM: (first, _LAST)}[side]


def _days(mention: DateMention) -> tuple[int, int] | None:
    """First and last day as counts that keep their order; below one year's days where no year is given. None for times and ambiguous dates."""
    if mention.kind is DateKind.PERIOD and mention.years[0] and not mention.part:
        return mention.years[0] * _YEAR_DAYS, (mention.years[1] + 1) * _YEAR_DAYS - 1
    if mention.kind is not DateKind.DAY or len(mention.readings) != 1 or mention.approximate:
        return None
    reading = mention.readings[0]
    start = reading.year * _YEAR_DAYS
    if not reading.month:
        return start, start + _YEAR_DAYS - 1
    start += (reading.month - 1) * _MONTH_DAYS
    return (start + reading.day - 1, start + reading.day - 1) if reading.day else (start, start + _MONTH_DAYS - 1)
