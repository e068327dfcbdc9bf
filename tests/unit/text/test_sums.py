"""Sums of money keep the digits that tell them apart."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragviz.cli.printing import measure
from ragviz.text.sums import decimals, dollars, places_of_sums


@pytest.mark.parametrize(
    ("metric", "value", "shown"),
    [
        ("cost_usd", 0.000213, "0.000213"),
        ("cost_usd", 0.000258, "0.000258"),
        ("cost_usd", 0.25, "0.250"),
        ("cost_usd", 12.5, "12.500"),
        ("cost_usd", 0.0, "0.000"),
        ("judge_cost_usd_per_claim", 0.00001, "0.0000100"),
        ("faithfulness", 0.000213, "0.000"),
        ("cost_usd", None, "–"),
        ("latency_ms", 763.4, "763"),
        ("latency_ms", 12.34, "12.3"),
        ("judge_ms_per_claim", 0.1234, "0.123"),
        ("tokens", 1541.2, "1541"),
        ("tokens", 0.0, "0.000"),
    ],
)
def test_three_digits_that_count(metric: str, value: float | None, shown: str) -> None:
    """A tenth of a cent is not nothing; a score of that size is. Of milliseconds and tokens the first three count."""
    assert measure(metric, value) == shown


def test_a_loss_and_what_is_no_number_have_digits_too() -> None:
    """Differences are negative; infinity has no logarithm."""
    assert (decimals("cost_usd", -0.0000412), decimals("cost_usd", float("inf")), decimals("cost_usd", 0.25, least=4)) == (7, 3, 4)


@pytest.mark.parametrize(
    ("usd", "shown"),
    [
        (0.0, "$0.00"),
        (0.000191, "$0.000191"),
        (0.0002, "$0.0002"),
        (0.00412345, "$0.00412"),
        (0.0305, "$0.0305"),
        (0.25, "$0.25"),
        (0.5, "$0.50"),
        (1.0, "$1.00"),
        (12.345, "$12.35"),
        (1234.5, "$1,234.50"),
        (1e-7, "$0.0000001"),
    ],
)
def test_a_sum_is_as_long_as_it_needs_to_be(usd: float, shown: str) -> None:
    """Cents, or three digits that count of less than a dollar: neither 0.0002 for 0.000191 nor 0.2500."""
    assert dollars(usd) == shown


@given(st.floats(1e-9, 1e6))
def test_a_sum_that_is_something_never_reads_as_nothing(usd: float) -> None:
    """And reads as itself to half a percent."""
    shown = float(dollars(usd).replace("$", "").replace(",", ""))

    assert shown > 0
    assert abs(shown - usd) <= max(0.005 * usd, 0.005 if usd >= 1 else 0)


def test_a_column_has_places_for_its_smallest_sum() -> None:
    """Two digits that count, two places at least, eight at most."""
    assert [places_of_sums(c) for c in ([], [None], [0.0], [1.5, 0.25], [0.000191, 3.0], [1e-20])] == [2, 2, 2, 2, 5, 8]


def test_no_page_or_command_formats_money_by_itself() -> None:
    """One helper for all: four decimals here and two there made the same sum read as two."""
    folder = Path(__file__).resolve().parents[3] / "ragviz"
    own = re.compile(r"(?:usd|cost|spent|money)\w*\)?:[,.]*\d?\.\d+f")

    assert [str(p) for p in sorted(folder.rglob("*.py")) if p.name != "sums.py" and own.search(p.read_text(encoding="utf-8"))] == []
