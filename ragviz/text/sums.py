"""How many decimals a figure needs: an answer costs a fraction of a cent, where 0.000 would read as nothing, and takes 812 ms, not 812.437."""

from __future__ import annotations

import math

SIGNIFICANT = 3


def is_money(metric: str) -> bool:
    """Whether a metric counts US dollars, by its name."""
    return "cost_usd" in metric


def is_time_or_tokens(metric: str) -> bool:
    """Whether a metric counts milliseconds or tokens, by its name."""
    return metric == "tokens" or metric.endswith("_ms") or "_ms_" in metric


def decimals(metric: str, value: float, *, least: int = 3) -> int:
    """Decimals to print a value of that metric with: ``least``; of money as many more as show three significant digits, of milliseconds and tokens as many fewer."""
    if not value or not math.isfinite(value):
        return least
    if is_time_or_tokens(metric):
        return min(least, max(0, SIGNIFICANT - 1 - math.floor(math.log10(abs(value)))))
    if not is_money(metric):
        return least
    return max(least, SIGNIFICANT - 1 - math.floor(math.log10(abs(value))))
