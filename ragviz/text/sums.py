"""How many decimals a figure needs: an answer costs a fraction of a cent, where 0.000 would read as nothing, and takes 812 ms, not 812.437."""

from __future__ import annotations

import math
from collections.abc import Iterable

SIGNIFICANT = 3
MOST_PLACES = 8
"""Of a column of sums, however small one of them is."""


def is_money(metric: str) -> bool:
    """Whether a metric counts US dollars, by its name."""
    return "cost_usd" in metric


def is_time_or_tokens(metric: str) -> bool:
    """Whether a metric counts milliseconds or tokens, by its name."""
    return metric == "tokens" or metric.endswith("_ms") or "_ms_" in metric


def decimals(metric: str, value: float, *, least: int = 3) -> int:
    """
    Decimals to print a value of that metric with: ``least``; of money as many more as show three significant digits, of milliseconds and tokens
    as many fewer.
    """
    if not value or not math.isfinite(value):
        return least
    if is_time_or_tokens(metric):
        return min(least, max(0, SIGNIFICANT - 1 - math.floor(math.log10(abs(value)))))
    if not is_money(metric):
        return least
    return max(least, SIGNIFICANT - 1 - math.floor(math.log10(abs(value))))


def dollars(usd: float) -> str:
    """A sum for people: $12.50, $0.25, and of small ones three digits that count: $0.000191. Nothing is $0.00."""
    size = abs(usd)
    if not size or size >= 1 or not math.isfinite(usd):
        return f"${usd:,.2f}"
    whole, _, cents = f"{usd:.{SIGNIFICANT - 1 - math.floor(math.log10(size))}f}".partition(".")
    return f"${whole}.{cents.rstrip('0').ljust(2, '0')}"


def places_of_sums(sums: Iterable[float | None]) -> int:
    """Decimals of a column of sums: two, or as many as show two digits that count of the smallest."""
    least = min((abs(usd) for usd in sums if usd), default=1.0)
    return min(MOST_PLACES, max(2, 1 - math.floor(math.log10(least))))
