"""Clock times: 18:00, 6 pm, 6.30 p.m., 18 Uhr, 9 to 5 pm, 09:00–17:00, noon."""

from __future__ import annotations

import re

from ragviz.records import Span
from ragviz.text.calendar_words import NOON
from ragviz.text.date_mention import DateKind, DateMention

_CLOCK = r"(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})?"
_HALF = r"(?:\s?([ap])\.?m\b\.?|\s?(Uhr|hrs|o['’]clock|hours(?= on\b)|h(?!\w)))?"
_TO = r"\s?(?:[-–—]|\bto\b|\btill\b|\buntil\b|\bbis\b|\band\b|\bà\b)\s?"
_RANGE = re.compile(rf"{_CLOCK}{_HALF}{_TO}{_CLOCK}{_HALF}(?![\w:])", re.IGNORECASE)
_TIME = re.compile(rf"{_CLOCK}{_HALF}(?![^\W_]|:\d)", re.IGNORECASE)


def _minutes(hour: str, minute: str | None, half: str | None) -> int | None:
    h, m = int(hour), int(minute or 0)
    if h > 24 or m > 59 or (half and h > 12):
        return None
    if half:
        h = h % 12 + (12 if half.lower() == "p" else 0)
    return h * 60 + m


def read_times(text: str, start: int) -> DateMention | None:
    """The time, or span of times, at ``start``; a bare number is none."""
    if match := _RANGE.match(text, start):
        h1, m1, half1, _, h2, m2, half2, uhr2 = match.groups()
        joined = " and " not in match.group() or text[max(0, start - 8) : start].rstrip().endswith("between")
        if joined and (half2 or uhr2 or (m1 and m2 and ":" in match.group())):
            begin, end = _minutes(h1, m1, half1), _minutes(h2, m2, half2)
            if begin is not None and end is not None:
                if half2 and not half1 and int(h1) <= 12:
                    same = _minutes(h1, m1, half2)
                    begin = same if same is not None and same < end else begin
                return DateMention(span=Span(start, match.end()), kind=DateKind.TIME, minutes=(begin, end))
    match = _TIME.match(text, start)
    if match is None:
        return None
    hour, minute, half, word = match.groups()
    colon = minute and text[match.end(1)] == ":"
    if not (half or colon or (word and word.lower() != "h")):
        return None
    at = _minutes(hour, minute, half)
    if at is None:
        return None
    clear = bool(half) or int(hour) > 12 or hour.startswith("0") or int(hour) == 0
    return DateMention(span=Span(start, match.end()), kind=DateKind.TIME, minutes=(at, -1), half_day=clear or (word or "").lower() == "uhr")


def read_noon(text: str, start: int, lower: str) -> DateMention | None:
    """Noon and midnight."""
    return DateMention(span=Span(start, start + len(lower)), kind=DateKind.TIME, minutes=(NOON[lower], -1)) if text else None
