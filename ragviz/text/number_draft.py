"""A number on its way to becoming an amount: what has been read of it so far."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from ragviz.records import Span
from ragviz.text.beside import word_behind
from ragviz.text.bounds import Bound
from ragviz.text.quantity import PLAIN, Quantity, QuantityKind
from ragviz.text.units import Unit


@dataclass(slots=True)
class Draft:
    """A number on its way to becoming a Quantity."""

    start: int
    end: int
    low: Decimal | None
    high: Decimal | None
    ulp: Decimal
    other: Decimal | None = None
    kind: QuantityKind = QuantityKind.NUMBER
    unit: Unit = PLAIN
    word: bool = False
    bound: Bound = Bound.EXACT
    outer_start: int = -1
    outer_end: int = -1
    noun: str = ""
    per: str = ""
    looked_at: int = -1
    """Place of which ``behind`` holds what stands there."""
    behind: str | None = None

    @property
    def whole(self) -> bool:
        """A plain whole number, as in 2½."""
        return self.low is not None and self.low == self.high and self.low == int(self.low) and self.ulp == 1

    def word_behind(self, text: str) -> str | None:
        """What ``beside.word_behind`` says of its end; looked up once."""
        if self.looked_at != self.end:
            self.looked_at, self.behind = self.end, word_behind(text, self.end)
        return self.behind

    def multiply(self, by: Decimal) -> None:
        """The same digits with a scale behind them."""
        self.low = self.low * by if self.low is not None else None
        self.high = self.high * by if self.high is not None else None
        self.other = self.other * by if self.other is not None else None
        self.ulp *= by

    def done(self) -> Quantity:
        """The finished record."""
        span = Span(self.start, self.end)
        bounded = self.outer_start >= 0 or self.outer_end > self.end
        outer = Span(self.start if self.outer_start < 0 else self.outer_start, max(self.end, self.outer_end)) if bounded else span
        return Quantity(
            span=span, kind=self.kind, low=self.low, high=self.high, unit=self.unit, ulp=self.ulp, bound=self.bound,
            outer=outer, other=self.other, noun=self.noun, per=self.per, word=self.word,
        )
