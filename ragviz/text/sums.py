"""How many decimals a sum of money needs: an answer costs a fraction of a cent, and 0.000 would read as nothing."""

from __future__ import annotations

import math

SIGNIFICANT = 3


def is_money(metric: str) -> bool:
    """Whether a metric counts US dollars, by its name."""
    return "cost_usd" in metric


def decimals(metric: str, value: float, *, least: int = 3) -> int:
    """Decimals to print a value of that metric with: ``least``, and of a sum of money as many as show three significant digits."""
    if not is_money(metric) or not value or not math.isfinite(value):
        return least
    return max(least, SIGNIFICANT - 1 - math.floor(math.log10(abs(value))))
