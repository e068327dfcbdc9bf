"""Points in time as tools write them; what can be read in two ways, such as 03/01/2026, is not read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from ragviz.loaders.cells import number

_EPOCH = datetime.fromtimestamp(0, UTC)
_COUNTED = re.compile(r"-?\d+(?:\.\d+)?(?:[eE]\+?\d+)?")
"""Seconds or finer units since 1970, written as text."""
_DAY = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")
_SLASHED = re.compile(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?!\d)")
_ZONE = re.compile(r"\s+([+-]\d\d):?(\d\d)$")
_INSIDE = ("$date", "iso", "value", "seconds", "$numberLong")
"""MongoDB's ``{"$date": …}`` and others that keep a time in an object of its own."""
HOW = "write times as 2026-03-01T10:00:00Z, or as seconds since 1970"


def moment(value: Any) -> datetime | None:
    """
    A point in time, or None.

    ISO text (also with slashes, a blank before the zone, or as 20260301), RFC 2822, a datetime, ``{"$date": …}``, or a number of seconds, milliseconds,
    microseconds or nanoseconds since 1970, as text too. Times without zone are taken as UTC. A day written 03/01/2026 may be of January or of March: None.
    """
    if isinstance(value, datetime):
        return _exact(value)
    if isinstance(value, Mapping):
        return next((moment(value[key]) for key in _INSIDE if key in value), None)
    if isinstance(value, str):
        text = value.strip()
        if not _COUNTED.fullmatch(text):
            return _written(text)
    else:
        text = str(value) if isinstance(value, int) and not isinstance(value, bool) else ""
    if _DAY.fullmatch(text):
        return _written(text)
    return _since_1970(number(value))


def _written(text: str) -> datetime | None:
    told = _ZONE.sub(r"\1:\2", _SLASHED.sub(lambda m: f"{m[1]}-{m[2]:0>2}-{m[3]:0>2}", text.removesuffix(" UTC"), count=1))
    try:
        return _exact(datetime.fromisoformat(told))
    except ValueError:
        pass
    if not text[:1].isalpha() and "," not in text[:6] and not re.match(r"\d{1,2} [A-Z][a-z]{2} \d{4} ", text):
        return None
    try:
        return _exact(parsedate_to_datetime(text))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _since_1970(seconds: float | None) -> datetime | None:
    if seconds is None or not 0 < seconds < 1e20:
        return None
    while seconds > 1e11:
        seconds /= 1000
    try:
        return datetime.fromtimestamp(seconds, tz=UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _exact(value: datetime) -> datetime | None:
    """
    In UTC, as the standard library's own class; None for pandas' NaT and for times that UTC has no year for.

    Parquet's nanosecond columns come as pandas' Timestamp, a subclass that no record can be written with; an offset with seconds cannot be written either.
    """
    if value != value:  # noqa: PLR0124 - NaT is a datetime that is unequal to itself
        return None
    try:
        return _EPOCH + (value.replace(tzinfo=value.tzinfo or UTC) - _EPOCH)
    except (ValueError, OverflowError):
        return None
