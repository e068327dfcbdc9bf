"""Dates, times and weekdays in running text."""

from __future__ import annotations

import pytest

from ragviz.text.date_mention import DateKind, DateMention, Reading
from ragviz.text.dates import dates


def only(text: str) -> DateMention:
    """The one mention of the text."""
    found = dates(text)
    assert len(found) == 1, [d.label for d in found]
    return found[0]


@pytest.mark.parametrize(
    "written", ["2026-01-31", "31/01/2026", "31.01.2026", "31 Jan 2026", "January 31, 2026", "31st of January 2026", "31. Januar 2026", "31 janvier 2026"],
)
def test_one_day_in_many_notations(written: str) -> None:
    """All of them are 31 January 2026."""
    assert only(f"It was on {written}.").readings == (Reading(year=2026, month=1, day=31),)


def test_an_ambiguous_day_keeps_both_readings() -> None:
    """03/04/2026 is in March or in April."""
    assert only("on 03/04/2026").label == "4 March 2026 or 3 April 2026"


@pytest.mark.parametrize(
    ("text", "years", "part"),
    [
        ("in the 1990s", (1990, 1999), ""),
        ("in the '80s", (1980, 1989), ""),
        ("in the 19th century", (1801, 1900), ""),
        ("from 1991 to 1995", (1991, 1995), ""),
        ("in Q3 2025", (2025, 2025), "Q3"),
        ("the third quarter of 2024", (2024, 2024), "Q3"),
        ("in summer 2019", (2019, 2019), "summer"),
    ],
)
def test_periods(text: str, years: tuple[int, int], part: str) -> None:
    """Decades, centuries, spans, quarters and seasons."""
    found = only(text)

    assert (found.kind, found.years, found.part) == (DateKind.PERIOD, years, part)


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("at 18:00", (1080, -1)), ("at 6 pm", (1080, -1)), ("at 6:30 p.m.", (1110, -1)), ("um 18 Uhr", (1080, -1)), ("at noon", (720, -1)),
        ("09:00–17:00", (540, 1020)), ("from 9 to 5 pm", (540, 1020)), ("9am-5pm", (540, 1020)),
    ],
)
def test_clock_times(text: str, minutes: tuple[int, int]) -> None:
    """Minutes after midnight; a span has both ends."""
    assert only(text).minutes == minutes


def test_weekdays() -> None:
    """Mon–Fri and weekdays are the same five days."""
    assert only("open Mon–Fri").weekdays == only("open on weekdays").weekdays == frozenset({1, 2, 3, 4, 5})


@pytest.mark.parametrize(
    "text", ["It may rain", "1500 people", "the sun sat low", "version 2010.5", "$1998", "a 24/7 service", "a score of 3.14", "they march on"]
)
def test_what_only_looks_like_a_date(text: str) -> None:
    """Modal verbs, counts, prices and scores are no dates."""
    assert dates(text) == []
