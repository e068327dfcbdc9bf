"""The record of one date, clock time or set of weekdays in a text."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from ragviz.records import Span
from ragviz.text.calendar_words import MONTH_NAMES, WEEKDAY_NAMES


class DateKind(StrEnum):
    """What a date says."""

    DAY = "day"
    """A calendar date, as far as known: year, month, day, each possibly missing."""
    PERIOD = "period"
    """Decade, century, quarter, season, or a span of years."""
    TIME = "time"
    """A clock time or a span of clock times."""
    WEEKDAY = "weekday"


class Reading(msgspec.Struct, frozen=True, order=True, gc=False):
    """One way to read a date; 0 where it says nothing."""

    year: int = 0
    month: int = 0
    day: int = 0

    @property
    def label(self) -> str:
        """For people: "31 January 2026"."""
        parts = (str(self.day) if self.day else "", MONTH_NAMES[self.month] if self.month else "", str(self.year) if self.year else "")
        return " ".join(p for p in parts if p)


class DateMention(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One date, period, time or set of weekdays as written."""

    span: Span
    kind: DateKind
    readings: tuple[Reading, ...] = ()
    """For DAY: all readings of an ambiguous notation (03/04/2026); the first is the usual one."""
    years: tuple[int, int] = (0, 0)
    """For PERIOD: first and last year, inclusive."""
    part: str = ""
    """For PERIOD: "Q3", "summer"; "" for whole years."""
    minutes: tuple[int, int] = (-1, -1)
    """For TIME: begin and end in minutes after midnight; end -1 for one moment."""
    half_day: bool = True
    """For TIME: False when a bare "6" may be morning or evening."""
    weekdays: frozenset[int] = frozenset()
    """For WEEKDAY: 1 = Monday."""
    approximate: bool = False
    """True behind "early", "around", "circa"."""

    @property
    def label(self) -> str:
        """Normalised, for people."""
        if self.kind is DateKind.DAY:
            return " or ".join(r.label for r in self.readings)
        if self.kind is DateKind.TIME:
            return "–".join(f"{m // 60:02d}:{m % 60:02d}" for m in self.minutes if m >= 0)
        if self.kind is DateKind.WEEKDAY:
            return _weekday_label(sorted(self.weekdays))
        years = str(self.years[0]) if self.years[0] == self.years[1] else f"{self.years[0]}–{self.years[1]}"
        return f"{self.part} {years if self.years[0] else ''}".strip()


def _weekday_label(days: list[int]) -> str:
    if len(days) > 2 and days[-1] - days[0] == len(days) - 1:
        return f"{WEEKDAY_NAMES[days[0]]}–{WEEKDAY_NAMES[days[-1]]}"
    return ", ".join(WEEKDAY_NAMES[d] for d in days)
