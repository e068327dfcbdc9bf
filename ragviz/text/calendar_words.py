"""Names of months, weekdays, seasons and parts of the day in English, German and French."""

from __future__ import annotations

_MONTHS = """
1 january jan januar janvier jänner
2 february feb februar février fevrier févr
3 march mar märz mars mrz
4 april apr avril avr
5 may mai
6 june jun juni juin
7 july jul juli juillet juil
8 august aug août aout
9 september sep sept septembre
10 october oct oktober octobre okt
11 november nov novembre
12 december dec dezember décembre dez déc decembre
"""
_WEEKDAYS = """
1 monday mon montag lundi mondays montags mo
2 tuesday tue tues dienstag mardi tuesdays dienstags
3 wednesday wed mittwoch mercredi wednesdays mittwochs
4 thursday thu thur thurs donnerstag jeudi thursdays donnerstags
5 friday fri freitag vendredi fridays freitags
6 saturday sat samstag samedi saturdays samstags sonnabend
7 sunday sun sonntag dimanche sundays sonntags
"""


def _table(rows: str) -> dict[str, int]:
    return {word: int(number) for number, *words in (row.split() for row in rows.strip().splitlines()) for word in words}


MONTHS = _table(_MONTHS)
WEEKDAYS = _table(_WEEKDAYS)
WEEKDAY_GROUPS: dict[str, frozenset[int]] = {
    "weekday": frozenset(range(1, 6)),
    "weekdays": frozenset(range(1, 6)),
    "weekend": frozenset({6, 7}),
    "weekends": frozenset({6, 7}),
    "daily": frozenset(range(1, 8)),
    "every day": frozenset(range(1, 8)),
    "werktags": frozenset(range(1, 7)),
    "täglich": frozenset(range(1, 8)),
    "wochentags": frozenset(range(1, 6)),
    "am wochenende": frozenset({6, 7}),
    "seven days a week": frozenset(range(1, 8)),
    "montags": frozenset({1}),
    "dienstags": frozenset({2}),
    "mittwochs": frozenset({3}),
    "donnerstags": frozenset({4}),
    "freitags": frozenset({5}),
    "samstags": frozenset({6}),
    "sonntags": frozenset({7}),
}
SEASONS = {"spring": "spring", "summer": "summer", "autumn": "autumn", "fall": "autumn", "winter": "winter", "sommer": "summer", "herbst": "autumn",
           "frühling": "spring", "frühjahr": "spring", "printemps": "spring", "été": "summer", "automne": "autumn", "hiver": "winter"}
MONTH_NAMES = ("", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
WEEKDAY_NAMES = ("", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
NOON = {"noon": 720, "midday": 720, "midnight": 0, "mittag": 720, "mitternacht": 0, "midi": 720, "minuit": 0}

ENGLISH_DAYS = frozenset({"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"})
"""One day of the week, in full."""
