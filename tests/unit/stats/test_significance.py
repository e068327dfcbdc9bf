"""Tests of difference."""

from __future__ import annotations

import numpy as np
import pytest

from ragviz.stats.significance import holm, mcnemar_p, sign_flip_p, two_sample_p


class TestSignFlip:
    def test_all_patterns_are_counted_for_few_pairs(self) -> None:
        """Three differences of 1: of 8 sign patterns 2 are as extreme."""
        assert sign_flip_p([1, 1, 1]) == 2 / 8

    def test_pairs_that_do_not_differ_do_not_count(self) -> None:
        """Zeros change nothing, and only zeros give 1."""
        assert sign_flip_p([1, 1, 1, 0, 0]) == 2 / 8
        assert sign_flip_p([0.0, 0.0]) == 1.0
        assert sign_flip_p([]) == 1.0

    def test_large_samples_agree_with_plain_permutation(self) -> None:
        """400 shares, 20,000 sign patterns."""
        rng = np.random.default_rng(0)
        delta = rng.integers(-3, 4, 400) / 3 + 0.06
        flips = rng.integers(0, 2, (20_000, 400)) * 2 - 1
        plain = np.mean(np.abs(flips @ delta) >= abs(delta.sum()))

        assert sign_flip_p(delta) == pytest.approx(plain, abs=0.01)

    def test_clusters_change_sign_together(self) -> None:
        """Three questions asked four times each are three pairs, not twelve."""
        assert sign_flip_p([1] * 12, groups=list("aaaabbbbcccc")) == 2 / 8

    @pytest.mark.slow
    def test_runs_alike_are_called_different_five_times_in_a_hundred(self) -> None:
        """1,000 seeded A/A comparisons reject at 5 % ± 1.5."""
        rejected = 0
        for seed in range(1000):
            rng = np.random.default_rng(seed)
            delta = rng.integers(0, 6, 200) / 5 - rng.integers(0, 6, 200) / 5
            rejected += sign_flip_p(delta, permutations=2000, rng=rng) < 0.05

        assert 0.035 <= rejected / 1000 <= 0.065


def test_mcnemar_is_a_coin() -> None:
    """Five pairs, all one way: 2 / 2^5. None: 1."""
    assert mcnemar_p(5, 0) == pytest.approx(2 / 32)
    assert mcnemar_p(0, 0) == 1.0


def test_holm_multiplies_by_what_is_left() -> None:
    """0.01 · 3, 0.02 · 2, 0.04 · 1, each at least the one before; in the order given."""
    assert holm([0.04, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])
    assert holm([]) == []


class TestTwoSamples:
    def test_different_groups(self) -> None:
        """All ones against all zeros: no shuffle is as extreme, except by chance."""
        assert two_sample_p([1.0] * 30, [0.0] * 60) < 0.001

    def test_alike(self) -> None:
        """Equal values throughout: 1. An empty side: 1."""
        assert two_sample_p([0.5] * 30, [0.5] * 40) == 1.0
        assert two_sample_p([], [0.5]) == 1.0

    @pytest.mark.parametrize("m", [29, 30, 120])
    def test_agrees_with_plain_shuffling(self, m: int) -> None:
        """Resampled below 30 values, from the moments above: the same p as 5,000 shuffles of the labels, for skewed values too."""
        rng = np.random.default_rng(m)
        inside, outside = rng.integers(0, 5, m) ** 2 / 16, rng.integers(0, 5, 300) ** 2 / 16 + 0.06
        both = np.concatenate([inside, outside])
        shuffled = np.array([rng.permutation(both)[:m].mean() for _ in range(5000)])
        rest = (both.sum() - m * shuffled) / 300
        plain = np.mean(np.abs(shuffled - rest) >= abs(inside.mean() - outside.mean()) - 1e-9)

        assert two_sample_p(inside, outside) == pytest.approx(plain, abs=0.02)

    def test_a_few_of_very_many(self) -> None:
        """Five bad traces of 300,000 good ones."""
        assert two_sample_p([0.0] * 5, [1.0] * 299_000 + [0.0] * 1000) < 0.001
