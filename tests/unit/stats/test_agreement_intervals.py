"""Figures of two-class tables and their intervals."""

from __future__ import annotations

import numpy as np
import pytest

from ragviz.stats.agreement import balanced_accuracy, cohen_kappa
from ragviz.stats.agreement_intervals import balanced_accuracy_of, kappa_of, table_interval


def test_figures_equal_those_of_the_labels() -> None:
    """Ten rows: 4 both yes, 1 missed, 2 false alarms, 3 both no."""
    counts = np.array([4.0, 1, 2, 3])
    truth = [True] * 5 + [False] * 5
    said = [True] * 4 + [False] + [True] * 2 + [False] * 3

    assert cohen_kappa(truth, said) == pytest.approx(float(kappa_of(counts)))
    assert balanced_accuracy(truth, said) == pytest.approx(float(balanced_accuracy_of(counts)))
    assert np.isnan(kappa_of(np.array([5.0, 0, 0, 0])))


def test_the_interval_holds_the_figure_and_clusters_widen_it() -> None:
    """200 rows in 20 clusters that are alike inside: ten rows then say little more than one."""
    rng = np.random.default_rng(3)
    truth = np.repeat(rng.random(20) < 0.5, 10)
    said = np.where(np.repeat(rng.random(20) < 0.8, 10), truth, ~truth)
    alone = table_interval(truth, said, kappa_of)
    together = table_interval(truth, said, kappa_of, groups=list(np.repeat(np.arange(20), 10)))
    kappa = cohen_kappa(list(truth), list(said))

    assert alone is not None
    assert together is not None
    assert kappa is not None
    assert alone.lo < kappa < alone.hi
    assert together.hi - together.lo > 2 * (alone.hi - alone.lo)


def test_nothing_to_draw_from() -> None:
    """One cluster, or one class throughout: no interval."""
    assert table_interval([True, False], [True, False], kappa_of, groups=["a", "a"]) is None
    assert table_interval([True] * 5, [True] * 5, kappa_of) is None
    with pytest.raises(ValueError, match="as many answers"):
        table_interval([True], [True, False], kappa_of)


def test_coverage() -> None:
    """Of 100 samples of 150 rows, about 95 intervals hold the true balanced accuracy 0.75."""
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(100):
        truth = rng.random(150) < 0.4
        said = np.where(rng.random(150) < 0.75, truth, ~truth)
        found = table_interval(truth, said, balanced_accuracy_of, resamples=500, rng=rng)
        held += found is not None and found.lo <= 0.75 <= found.hi

    assert 88 <= held <= 100


@pytest.mark.parametrize("said", [[True, True, False, False] * 4, [True] * 16])
def test_labels_that_never_vary_are_no_certainty(said: list[bool]) -> None:
    """A judge that is always right on 16 claims, or always says the same: every draw gives one value, and no interval is claimed."""
    truth = [True, True, False, False] * 4

    assert table_interval(truth, said, balanced_accuracy_of) is None
