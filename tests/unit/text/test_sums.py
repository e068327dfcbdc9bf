"""Sums of money keep the digits that tell them apart."""

from __future__ import annotations

import pytest

from ragviz.cli.printing import measure
from ragviz.text.sums import decimals


@pytest.mark.parametrize(("metric", "value", "shown"), [
    ("cost_usd", 0.000213, "0.000213"), ("cost_usd", 0.000258, "0.000258"), ("cost_usd", 0.25, "0.250"), ("cost_usd", 12.5, "12.500"), ("cost_usd", 0.0, "0.000"),
    ("judge_cost_usd_per_claim", 0.00001, "0.0000100"), ("faithfulness", 0.000213, "0.000"), ("cost_usd", None, "–"),
    ("latency_ms", 763.4, "763"), ("latency_ms", 12.34, "12.3"), ("judge_ms_per_claim", 0.1234, "0.123"), ("tokens", 1541.2, "1541"), ("tokens", 0.0, "0.000"),
])
def test_three_digits_that_count(metric: str, value: float | None, shown: str) -> None:
    """A tenth of a cent is not nothing; a score of that size is. Of milliseconds and tokens the first three count."""
    assert measure(metric, value) == shown


def test_a_loss_and_what_is_no_number_have_digits_too() -> None:
    """Differences are negative; infinity has no logarithm."""
    assert (decimals("cost_usd", -0.0000412), decimals("cost_usd", float("inf")), decimals("cost_usd", 0.25, least=4)) == (7, 3, 4)
