"""Character ranges. Every offset in ragviz is a half-open range of Unicode code points."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec


class Span(msgspec.Struct, frozen=True, order=True, gc=False):
    """Half-open range of code points: ``text[start:end]``, with 0 <= start < end."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ValueError(f"not a span: {self.start}..{self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """The characters of ``text`` that the span covers."""
        return text[self.start : self.end]

    def shift(self, by: int) -> Span:
        """The same range ``by`` characters further right (left if negative)."""
        return Span(self.start + by, self.end + by)

    def overlaps(self, other: Span) -> bool:
        """True when at least one character lies in both."""
        return self.start < other.end and other.start < self.end

    def contains(self, other: Span) -> bool:
        """True when every character of ``other`` lies in this span."""
        return self.start <= other.start and other.end <= self.end

    def merge(self, other: Span) -> Span:
        """The smallest span that covers both."""
        return Span(min(self.start, other.start), max(self.end, other.end))

    def fits(self, text: str) -> bool:
        """True when the span lies inside ``text``."""
        return self.end <= len(text)


def merged(spans: Iterable[Span]) -> list[Span]:
    """The same characters as spans that ascend and do not touch."""
    found: list[Span] = []
    for span in sorted(spans):
        if found and span.start <= found[-1].end:
            found[-1] = found[-1].merge(span)
        else:
            found.append(span)
    return found
