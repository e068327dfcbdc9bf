"""Wilson's interval, against published and library values."""

from __future__ import annotations

import pytest
from scipy.stats import binomtest

from ragviz.stats.shares import share_interval


@pytest.mark.parametrize(("yes", "n"), [(0, 50), (50, 50), (3, 17), (1, 1), (0, 1)])
def test_equal_to_scipy(yes: int, n: int) -> None:
    """The same ends as scipy's Wilson interval, and the share lies within."""
    found, theirs = share_interval(yes, n), binomtest(yes, n).proportion_ci(method="wilson")

    assert found is not None
    assert (theirs.low, theirs.high) == (pytest.approx(found.lo, abs=1e-9), pytest.approx(found.hi, abs=1e-9))
    assert found.lo <= yes / n <= found.hi


def test_of_nothing() -> None:
    """No interval."""
    assert share_interval(0, 0) is None
