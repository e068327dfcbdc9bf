"""The record of one amount in a text: its value, its unit, and what it bounds."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from enum import StrEnum

import msgspec

from ragviz.records import Span
from ragviz.text.bounds import Bound
from ragviz.text.units import Unit


class QuantityKind(StrEnum):
    """What sort of amount it is."""

    NUMBER = "number"
    PERCENT = "percent"
    MONEY = "money"
    MEASURE = "measure"
    ORDINAL = "ordinal"
    LABEL = "label"
    """A number that names something: room 7, article 12, version 3."""


PLAIN = Unit("", "", Decimal(1))


_MOST_DECIMALS = 6
_SURE = frozenset({QuantityKind.MEASURE, QuantityKind.MONEY})
"""Amounts with a unit are no part of a name or date."""
"""Decimals of a number that was written with them; a third has no end."""


class Quantity(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One amount as written."""

    span: Span
    """Number with its unit, sign or counted scale; without bounding words."""
    kind: QuantityKind
    low: Decimal | None
    """In ``unit``; None when open below."""
    high: Decimal | None
    """In ``unit``; None when open above."""
    unit: Unit = PLAIN
    ulp: Decimal = Decimal(1)
    """Place value of the last digit shown, in ``unit``."""
    bound: Bound = Bound.EXACT
    outer: Span
    """The span with its bounding words: "more than 50"."""
    other: Decimal | None = None
    """Second reading of an ambiguous numeral (1.410)."""
    noun: str = ""
    """Lower-cased word right behind (or, for labels, right before) the number: what is counted."""
    per: str = ""
    """The unit it is a rate of: "month" in "€5 per month"."""
    word: bool = False
    """Written as a word."""

    @property
    def value(self) -> Decimal | None:
        """The number itself; None for ranges and bounds."""
        return self.low if self.low == self.high else None

    @property
    def is_range(self) -> bool:
        """True for 3–5."""
        return self.low is not None and self.high is not None and self.low != self.high

    @property
    def label(self) -> str:
        """Normalised, for people: "30 day", "1410 EUR", "3-5 %"."""
        parts = [plain(v) for v in ((self.low,) if self.low == self.high else (self.low, self.high)) if v is not None]
        number = "–".join(parts)
        if self.bound is not Bound.EXACT:
            number = f"{self.bound} {number}"
        name = self.unit.name
        if self.unit.dimension in {"time", "workday"} and name.replace(" ", "").isalpha() and len(name) > 2 and number != "1":
            name += "s" if name != "century" else ""
            name = "centuries" if name == "century" else name
        text = f"{number} {name}".strip()
        return f"{text} per {self.per}" if self.per else text

    def base(self, number: Decimal) -> float:
        """A number of this quantity in base units of its dimension."""
        return float(number * self.unit.factor + self.unit.offset)


def plain(number: Decimal) -> str:
    """A number without exponent, thousands separated, with the decimals that were written: "1,410", "2.50", "3.10"; endless ones are cut: "33.33"."""
    if number == number.to_integral_value() and abs(number) < 10**15:
        return f"{int(number):,}"
    if not -12 < number.adjusted() < 15:
        return f"{number:.4g}"
    exponent = number.as_tuple().exponent
    if isinstance(exponent, int) and -exponent > _MOST_DECIMALS and number.adjusted() >= 0:
        return f"{round(number, 2).normalize():f}"
    return f"{number:f}"


def outside(amounts: Sequence[Quantity], taken: Sequence[Span]) -> list[Quantity]:
    """Amounts that are no part of a date or of a name with figures in it; ``taken`` are the places of these, in order."""
    out: list[Quantity] = []
    i = 0
    for amount in amounts:
        while i < len(taken) and taken[i].end <= amount.span.start:
            i += 1
        if amount.kind in _SURE or not (i < len(taken) and taken[i].overlaps(amount.span)):
            out.append(amount)
    return out
