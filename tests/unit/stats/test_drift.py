"""Changes of a mix."""

from __future__ import annotations

import pytest

from ragviz.stats.drift import jensen_shannon, mix_changed_p


def test_distance_of_mixes() -> None:
    """Same shares: 0, whatever the size. Nothing in common: 1. Half against all: H(3/4, 1/4) - H(1/2, 1/2) / 2, root."""
    assert jensen_shannon({"a": 1, "b": 1}, {"a": 10, "b": 10}) == pytest.approx(0, abs=1e-9)
    assert jensen_shannon({"a": 3}, {"b": 4}) == pytest.approx(1)
    assert jensen_shannon({"a": 1, "b": 1}, {"a": 2}) == pytest.approx((0.811278 - 0.5) ** 0.5, abs=1e-5)
    assert jensen_shannon({}, {"a": 1}) is None


def test_chance_or_change() -> None:
    """30:30 against 31:29 is chance, against 55:5 is not; one kind only, or nothing, cannot be compared."""
    assert mix_changed_p({"a": 30, "b": 30}, {"a": 31, "b": 29}) > 0.8
    assert mix_changed_p({"a": 30, "b": 30}, {"a": 55, "b": 5}) < 0.001
    assert mix_changed_p({"a": 9}, {"a": 4}) == 1.0
    assert mix_changed_p({}, {}) == 1.0


def test_rare_kinds_are_pooled() -> None:
    """Twenty kinds seen once each are one kind, "rare"."""
    rare = {f"k{i}": 1 for i in range(20)}

    assert mix_changed_p({"a": 40, **rare}, {"a": 40, "b": 20}) < 0.001


def test_chance_is_that_of_the_chi_squared_test() -> None:
    """Three kinds, 30:20:10 against 15:25:40: as scipy.stats says without Yates' correction."""
    from scipy.stats import chi2_contingency

    expected = chi2_contingency([[30, 20, 10], [15, 25, 40]], correction=False).pvalue

    assert mix_changed_p({"a": 30, "b": 20, "c": 10}, {"a": 15, "b": 25, "c": 40}) == pytest.approx(expected, rel=1e-9)
