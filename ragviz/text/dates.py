"""Dates, clock times and weekdays in running text, in many notations; what is ambiguous keeps all its readings."""

from __future__ import annotations

import re
from collections.abc import Callable

from ragviz.records import Span
from ragviz.text.beside import word_behind
from ragviz.text.calendar_words import MONTHS, NOON, SEASONS, WEEKDAY_GROUPS, WEEKDAYS
from ragviz.text.clock import read_noon, read_times
from ragviz.text.date_mention import DateKind, DateMention, Reading
from ragviz.text.number_words import ORDINALS

_TRIGGER = re.compile(r"(?<![^\W_])(?:\d+|[^\W\d_]+)|[’']\d0s\b")
_DIGITS = re.compile(r"[\d’'](?:(?<=\d)(?<![^\W_].)\d*|(?<!\d)\d0s\b)")
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DAY = "|".join(sorted(WEEKDAYS, key=len, reverse=True))
_GAP = r"[*_ \u00a0]{1,3}"
_TO = r"\s?(?:[-–—]|\bto\b|\bthrough\b|\bbis\b|\bà\b|\bau\b)\s?"

_ISO = re.compile(r"(\d{4})([-/.])(\d{1,2})(?:\2(\d{1,2}))?(?:T\d\d:\d\d(?::\d\d)?Z?)?(?![\w-])")
_NUMERIC = re.compile(r"(\d{1,2})([./-])\s?(\d{1,2})\2\s?(\d{4}|\d{2})(?![\w/-])")
_DAY_MONTH = re.compile(
    rf"(\d{{1,2}})(?:st|nd|rd|th|\.|er)?(?:\s?[-–]\s?\d{{1,2}}(?:st|nd|rd|th|\.)?)?{_GAP}(?:(?:of|de){_GAP})?({_MONTH})\b\.?(?:,?{_GAP}(\d{{4}})\b)?",
    re.IGNORECASE,
)
_YEARS = re.compile(r"([12]\d{3})(?:\s?[-–—/]\s?|\s(?:to|until|bis|through|and|à)\s)([12]\d{3}|\d\d)(?![\w-]|[.,]\d)")
_YEAR = re.compile(r"([12]\d{3})(?![^\W]|[.,:]\d|\s?[%€$£°]|-\d)")
_DECADE = re.compile(r"(\d{3}0)(?:['’]?s|er)\b|(\d0)(?:['’]?s|er)\b")
_CENTURY_DIGITS = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)[-\s](?:century|Jahrhundert|siècle)\b")
_MONTH_DAY = re.compile(
    rf"({_MONTH})\b\.?{_GAP}(\d{{1,2}})(?:st|nd|rd|th)?(?![\d:]|[.,]\d|\s?[ap]\.?m|\s?%)(?:\s?[-–]\s?\d{{1,2}}(?!\d))?(?:,?{_GAP}(\d{{4}})\b)?", re.IGNORECASE,
)
_MONTH_YEAR = re.compile(rf"({_MONTH})\b\.?,?{_GAP}(?:of |de )?(\d{{4}})\b", re.IGNORECASE)
_QUARTER = re.compile(r"(?:Q([1-4])|H([12])(?=\s?\d{4}))(?:\s?/?\s?(?:of )?(\d{4}))?\b|(first|second|third|fourth) quarter(?: of (\d{4}))?\b", re.IGNORECASE)
_SEASON = re.compile(rf"({'|'.join(SEASONS)})(?: of)? (\d{{4}})\b", re.IGNORECASE)
_CENTURY_WORD = re.compile(r"([^\W\d_]+(?:-first)?)[-\s]century\b", re.IGNORECASE)
_DAYS = re.compile(rf"({_DAY})\b\.?{_TO}({_DAY})\b", re.IGNORECASE)
_MOVED = re.compile(
    r"\b(?:moved|postponed|rescheduled|shifted|changed|brought forward|delayed|verschoben|verlegt|reportée?s?)\b[^.;]{0,30}\b(?:from|von|vom|du|de)\s+$",
    re.IGNORECASE,
)
"""Moved from one day to another: two days, no range."""
_ABOUT = re.compile(
    r"\b(?:early|mid|late|around|circa|about|c\.|ca\.|approximately|roughly|Anfang|Mitte|Ende|début|fin)[-\s]+(?:in |the |of |den )?[*_]*$", re.IGNORECASE
)
_IN_FRONT = re.compile(
    r"\b(?:in|on|of|by|since|until|till|from|to|and|early|late|mid|last|next|this|during|before|after|every|each|between|through|for|until|im|am|bis|seit|ab|en|depuis|le)[-\s]+[*_]*$",
    re.IGNORECASE,
)
_NOT_YEAR = re.compile(
    r"\s?(?:people|members|employees|students|users|copies|times|points|residents|seats|words|items|years|days|hours|miles|metres|meters|feet|"
    r"kg|km|m|cm|mm|ft|g|kW|MW|W|V|calories|dollars|euros|pounds|million|billion|patients|participants|rooms|acres|tonnes|tons|EUR|USD|GBP|CHF|homes|jobs|units)\b"
)
_BEFORE_YEAR = re.compile(
    r"(?:\b(?:in|since|of|by|until|till|from|to|and|early|late|mid|circa|during|before|after|around|year|between|im|seit|bis|en|depuis|the)[-\s]+|[(/–-])[*_]*$",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\s(?!(?:was|is|has|his|its|this|as|us|des|les|plus|sans|dans|als|das|des|aus|bis)\b)[a-zà-ÿ]{3,}(?:s|x|en|ern)\b")
_NEXT_WORD = re.compile(r"[*_ \u00a0]+([^\W\d_]+)")
_AFTER_DATE = frozenset({"and", "at", "for", "from", "in", "is", "of", "on", "to", "till", "until", "this", "next", "was", "with"})
_AFTER_DAY = MONTHS.keys() | {"of", "de", "a", "p", "am", "pm", "uhr", "hrs", "hours", "h", "to", "till", "until", "bis", "and"}
"""Words behind one or two digits that may make a day or a time of them."""
_QUARTER_WORDS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_HARMLESS = frozenset({"may", "march", "mar", "mai", "sun", "sat", "mon", "wed", "mo", "fri", "thu", "tue", "tues", "jan", "dec", "sep", "jun", "jul", "nov", "oct", "aug", "feb", "apr", "mars", "samedi", "okt", "dez", "avr", "juil"})
"""Words that are also something else: alone they count only with a capital and a preposition in front."""


def dates(text: str, *, in_words: bool = True) -> list[DateMention]:
    """
    All dates, periods, clock times and weekdays in the text, in reading order.

    2026-01-31, 31/01/2026 (day and month exchanged kept as a second reading where both are possible), 31 Jan 2026, January 2026,
    Q3 2025, the 1990s, in 1998, the 19th century, 18:00, 6 pm, 09:00–17:00, Mon–Fri, weekdays; English, German and French names.
    Durations are quantities. Linear in the length of the text.

    Args:
        text: Any text.
        in_words: False where it is known that no word of the text begins a date: then only digits are looked at.

    Returns:
        Records with spans in code points of ``text``; none of them overlap.
    """
    found: list[DateMention] = []
    end = 0
    for match in (_TRIGGER if in_words else _DIGITS).finditer(text):
        start = match.start()
        if start < end:
            continue
        word = match.group()
        if word[0].isdecimal() or word[0] in "’'":
            mention = _at_digit(text, start, word)
        else:
            lower = word.lower()
            reader = _READERS.get(lower)
            mention = reader(text, start, lower) if reader is not None else None
        if mention is not None:
            found.append(mention)
            end = mention.span.end
    return found


def _day(text: str, start: int, end: int, *readings: Reading) -> DateMention | None:
    good = tuple(dict.fromkeys(r for r in readings if r.month <= 12 and r.day <= 31 and (r.month or r.year)))
    if not good:
        return None
    return DateMention(span=Span(start, end), kind=DateKind.DAY, readings=good, approximate=_about(text, start))


def _period(text: str, start: int, end: int, years: tuple[int, int], part: str = "") -> DateMention:
    return DateMention(span=Span(start, end), kind=DateKind.PERIOD, years=years, part=part, approximate=_about(text, start))


def _about(text: str, start: int) -> bool:
    return _ABOUT.search(text, max(0, start - 20), start) is not None


def _full_year(digits: str) -> int:
    year = int(digits)
    return year if len(digits) == 4 else 2000 + year if year < 50 else 1900 + year


def _at_digit(text: str, start: int, word: str) -> DateMention | None:
    before = text[start - 1] if start else " "
    if before in "$€£/." or (before in ",-" and start > 1 and text[start - 2].isalnum() and before == ","):
        return None
    if word[0] in "’'":
        decade = int(word[1:3])
        century = 1900 if decade >= 30 else 2000
        return _period(text, start, start + 4, (century + decade, century + decade + 9))
    if len(word) == 4:
        return _at_year(text, start)
    if len(word) > 2:
        return None
    end = start + len(word)
    following = word_behind(text, end)
    if following is None:
        if text[end : end + 1] == "-" and text[end + 1 : end + 2].isalpha():
            return None  # "24-month"
    elif following not in _AFTER_DAY:
        return None  # "26 globes"
    if match := _NUMERIC.match(text, start):
        a, b, year = int(match[1]), int(match[3]), _full_year(match[4])
        day_first, month_first = Reading(year=year, month=b, day=a), Reading(year=year, month=a, day=b)
        order = (day_first,) if match[2] == "." else (month_first, day_first) if match[2] == "/" else (day_first, month_first)
        return _day(text, start, match.end(), *order)
    if (match := _DAY_MONTH.match(text, start)) and not _is_deed(text, match[2], match.end(), match[3]):
        return _day(text, start, match.end(), Reading(year=int(match[3] or 0), month=MONTHS[match[2].lower()], day=int(match[1])))
    if match := _CENTURY_DIGITS.match(text, start):
        century = int(match[1])
        return _period(text, start, match.end(), (century * 100 - 99, century * 100))
    if (match := _DECADE.match(text, start)) and match[2]:
        return _period(text, start, match.end(), (1900 + int(match[2]), 1909 + int(match[2])))
    return read_times(text, start)


def _at_year(text: str, start: int) -> DateMention | None:
    if match := _ISO.match(text, start):
        month, day = int(match[3]), int(match[4] or 0)
        if 1 <= month <= 12 and (day or match[2] == "-") and 1000 <= int(match[1]) <= 2999:
            return _day(text, start, match.end(), Reading(year=int(match[1]), month=month, day=day))
    if match := _YEARS.match(text, start):
        first = int(match[1])
        last = int(match[2]) if len(match[2]) == 4 else first // 100 * 100 + int(match[2])
        joined = " and " not in match.group() or text[max(0, start - 8) : start].rstrip().endswith("between")
        if joined and first < last and not _NOT_YEAR.match(text, match.end()):
            return _period(text, start, match.end(), (first, last))
    if match := _DECADE.match(text, start):
        decade = int(match[1] or 0)
        return _period(text, start, match.end(), (decade, decade + (99 if decade % 100 == 0 and decade < 2000 else 9)))
    match = _YEAR.match(text, start)
    if match and _is_year(text, start, int(match[1]), match.end()):
        return _day(text, start, match.end(), Reading(year=int(match[1])))
    return read_times(text, start)


def _is_year(text: str, start: int, number: int, end: int) -> bool:
    """Four digits are a year, unless a unit or a plural noun says that something is counted."""
    if not 1000 <= number <= 2199 or _NOT_YEAR.match(text, end):
        return False
    if _BEFORE_YEAR.search(text, max(0, start - 14), start):
        return True
    return 1500 <= number <= 2100 and not _COUNTED.match(text, end)


def _is_deed(text: str, month: str, end: int, year: str | None) -> bool:
    """True for "children under 12 may visit": a small "may" or "march" in front of another word, where no year says that it is a month."""
    if month not in {"may", "march"} or year:
        return False
    behind = _NEXT_WORD.match(text, end)
    return behind is not None and behind[1].lower() not in _AFTER_DATE


def _at_month(text: str, start: int, lower: str) -> DateMention | None:
    if (match := _MONTH_DAY.match(text, start)) and not _is_deed(text, match[1], match.end(), match[3]):
        return _day(text, start, match.end(), Reading(year=int(match[3] or 0), month=MONTHS[lower], day=int(match[2])))
    if match := _MONTH_YEAR.match(text, start):
        return _day(text, start, match.end(), Reading(year=int(match[2]), month=MONTHS[lower]))
    if text[start].isupper() and (lower not in _HARMLESS or (lower in {"may", "march"} and _IN_FRONT.search(text, max(0, start - 12), start))):
        return _day(text, start, start + len(lower), Reading(month=MONTHS[lower]))
    return None


def _at_weekday(text: str, start: int, lower: str) -> DateMention | None:
    if not text[start].isupper():
        return None
    if (match := _DAYS.match(text, start)) and not _MOVED.search(text, max(0, start - 60), start):
        first, last = WEEKDAYS[match[1].lower()], WEEKDAYS[match[2].lower()]
        days = range(first, last + 1) if first <= last else [*range(first, 8), *range(1, last + 1)]
        return DateMention(span=Span(start, match.end()), kind=DateKind.WEEKDAY, weekdays=frozenset(days))
    if lower in _HARMLESS:
        return None
    return DateMention(span=Span(start, start + len(lower)), kind=DateKind.WEEKDAY, weekdays=frozenset({WEEKDAYS[lower]}))


def _at_group(_text: str, start: int, lower: str) -> DateMention | None:
    return DateMention(span=Span(start, start + len(lower)), kind=DateKind.WEEKDAY, weekdays=WEEKDAY_GROUPS[lower])


def _at_part(text: str, start: int, lower: str) -> DateMention | None:
    """Quarters, seasons, centuries in words."""
    if match := _QUARTER.match(text, start):
        number = match[1] or (_QUARTER_WORDS[match[4].lower()] if match[4] else None)
        part = f"Q{number}" if number else f"H{match[2]}"
        year = int(match[3] or match[5] or 0)
        return _period(text, start, match.end(), (year, year), part)
    if match := _SEASON.match(text, start):
        return _period(text, start, match.end(), (int(match[2]), int(match[2])), SEASONS[match[1].lower()])
    if match := _CENTURY_WORD.match(text, start):
        number = 21 if lower == "twenty" else ORDINALS.get(lower, 0)
        if number:
            return _period(text, start, match.end(), (number * 100 - 99, number * 100))
    return None


_Reader = Callable[[str, int, str], DateMention | None]
_GROUPS: tuple[tuple[tuple[str, ...], _Reader], ...] = (
    (tuple(MONTHS), _at_month),
    (tuple(WEEKDAYS), _at_weekday),
    (tuple(w for w in WEEKDAY_GROUPS if " " not in w), _at_group),
    ((*SEASONS, *ORDINALS, "twenty", "q", "h", "q1", "q2", "q3", "q4", "h1", "h2"), _at_part),
    (tuple(NOON), read_noon),
)
_READERS: dict[str, _Reader] = {word: reader for words, reader in _GROUPS for word in words}
DATE_WORDS = frozenset(_READERS)
"""A text without digits has dates only if it has one of these words."""
