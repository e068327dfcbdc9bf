"""Written numerals to exact numbers: thousands and decimal marks of several countries, with the second reading kept where two are possible."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

MAX_DIGITS = 30
"""A longer run of digits is an identifier, not an amount."""

GROUP_MARKS = "\u00a0\u202f\u2009 '’"
_DROP_GROUPS = str.maketrans("", "", GROUP_MARKS)
_THREES = re.compile(r"\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+|\d{1,2}(?:,\d{2})+,\d{3}")
_FRACTIONS = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5),
    "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8),
}
VULGAR = "".join(_FRACTIONS)
"""The one-character fractions."""
ONE = Decimal(1)


class Reading(NamedTuple):
    """What a numeral can mean."""

    value: Decimal
    ulp: Decimal
    """Place value of the last digit shown: 0.1 for 30.2."""
    other: Decimal | None = None
    """The second reading of an ambiguous numeral: 1.410 is 1.41 or 1410."""


def _thousands(raw: str) -> Decimal:
    return Decimal(raw.replace(",", "").replace(".", ""))


def read_numeral(raw: str) -> Reading | None:
    """
    The number a numeral stands for.

    ``1,410.00``, ``1.410,00``, ``1 410,00`` and ``1'410.00`` are one number. A single mark before exactly three digits is
    ambiguous: a comma is read as thousands first, a point as decimals first, and the other reading is kept.

    Returns:
        None for what only looks like a number: versions (1.2.3), dates with points, runs of more than MAX_DIGITS digits.
    """
    if raw.isdecimal():
        return Reading(Decimal(raw), ONE) if len(raw) <= MAX_DIGITS else None
    bare = raw.translate(_DROP_GROUPS)
    if len(bare) > MAX_DIGITS + 12:
        return None
    grouped = bare != raw
    points, commas = bare.count("."), bare.count(",")
    if not points and not commas:
        return Reading(Decimal(bare), ONE) if len(bare) <= MAX_DIGITS else None
    if points and commas:
        mark = "." if bare.rfind(".") > bare.rfind(",") else ","
        whole, _, rest = bare.rpartition(mark)
        if mark in whole or not _THREES.fullmatch(whole):
            return None
        return Reading(Decimal(f"{_thousands(whole)}.{rest}"), ONE.scaleb(-len(rest)))
    mark = "." if points else ","
    if points + commas > 1:
        return Reading(_thousands(bare), ONE) if _THREES.fullmatch(bare) else None
    whole, _, rest = bare.partition(mark)
    as_decimal = Reading(Decimal(f"{whole}.{rest}"), ONE.scaleb(-len(rest)))
    if grouped or len(rest) != 3 or len(whole) > 3 or whole.startswith("0"):
        return as_decimal
    as_thousands = Reading(_thousands(bare), ONE)
    first, second = (as_thousands, as_decimal) if mark == "," else (as_decimal, as_thousands)
    return first._replace(other=second.value)


def read_fraction(top: int, bottom: int) -> Reading:
    """A fraction; shown exactly, so only the rounding of its decimals is allowed for."""
    return Reading(Decimal(top) / Decimal(bottom), Decimal("0.01"))


def read_vulgar(sign: str) -> Reading:
    """A one-character fraction such as ¾."""
    return read_fraction(*_FRACTIONS[sign])
