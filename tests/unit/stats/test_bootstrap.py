"""Bootstrap intervals: equal to plain resampling, fast at any size, clustered."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import bootstrap

from ragviz.records import Interval
from ragviz.stats.bootstrap import mean_interval, paired_interval, ratio_interval, resampled_means

RNG = np.random.default_rng(11)
SAMPLES = {
    "few values, small": RNG.integers(0, 4, 40) / 3,
    "differences of shares": RNG.integers(0, 6, 600) / 5 - RNG.integers(0, 8, 600) / 7,
    "continuous": RNG.normal(size=400),
    "rare hits": (RNG.random(900) < 0.02) * RNG.choice([0.3, 0.5, 1.0], 900),
    "hits": (RNG.random(500) < 0.3).astype(float),
    "skewed": RNG.lognormal(0, 1.5, 300),
    "outliers": RNG.standard_t(1.5, 300),
}


def plain(values: NDArray[np.float64]) -> tuple[float, float]:
    rng = np.random.default_rng(5)
    means = np.concatenate([values[rng.integers(0, len(values), (100, len(values)))].mean(axis=1) for _ in range(200)])
    lo, hi = np.percentile(means, [2.5, 97.5])
    return float(lo), float(hi)


@pytest.mark.parametrize("values", SAMPLES.values(), ids=SAMPLES)
def test_equals_plain_resampling(values: NDArray[np.float64]) -> None:
    """Both ends within Monte-Carlo error: 0.12 standard errors of the mean, or one step of the values where they are coarse."""
    lo, hi = plain(values)
    error = (hi - lo) / (2 * 1.96)
    step = (values.max() - values.min()) / len(values)

    found = mean_interval(values)

    assert found is not None
    assert (found.lo, found.hi) == pytest.approx((lo, hi), abs=max(0.12 * error, step * 1.01))


def test_equals_scipy() -> None:
    """The percentile interval of scipy.stats.bootstrap on 1,000 paired differences."""
    values = np.random.default_rng(2).integers(0, 6, 1000) / 5 - 0.45
    theirs = bootstrap((values,), np.mean, method="percentile", n_resamples=9999, rng=np.random.default_rng(0), batch=200).confidence_interval

    found = mean_interval(values)

    assert found is not None
    assert (found.lo, found.hi) == pytest.approx((theirs.low, theirs.high), abs=0.12 * values.std() / np.sqrt(1000))


def test_skewed_samples_too_large_to_draw_equal_plain_resampling() -> None:
    """5,000 values of which one in twenty is 1 and the others 0 or 0.1: the upper end lies further out than the lower one, by what 40,000 resamples say."""
    rng = np.random.default_rng(6)
    values = np.where(rng.random(5_000) < 0.05, 1.0, rng.integers(0, 2, 5_000) / 10)
    means = np.concatenate([values[rng.integers(0, 5_000, (400, 5_000))].mean(axis=1) for _ in range(100)])
    lo, hi = np.percentile(means, [2.5, 97.5])

    found = mean_interval(values)

    assert found is not None
    assert (found.lo, found.hi) == pytest.approx((lo, hi), abs=0.04 * (hi - lo) / 3.92)


def test_large_samples_keep_their_spread() -> None:
    """300,000 values: standard deviation of the resampled means is that of the values over the root of n."""
    values = np.random.default_rng(0).lognormal(0, 1, 300_000)

    means = resampled_means(values, resamples=10_000, rng=np.random.default_rng(0))

    assert means.std() == pytest.approx(values.std() / np.sqrt(300_000), rel=0.05)
    assert means.mean() == pytest.approx(values.mean(), rel=1e-3)


def test_traces_of_one_question_are_drawn_together() -> None:
    """Each value repeated five times is no new information: as wide as the fifth, and much wider than without clusters."""
    values = np.random.default_rng(1).random(200)
    alone = mean_interval(values)
    repeated = mean_interval(np.repeat(values, 5), groups=[f"q{i}" for i in range(200) for _ in range(5)])
    naive = mean_interval(np.repeat(values, 5))

    assert alone is not None
    assert repeated is not None
    assert naive is not None
    assert repeated.hi - repeated.lo == pytest.approx(alone.hi - alone.lo, rel=0.06)
    assert repeated.hi - repeated.lo > 1.8 * (naive.hi - naive.lo)


@pytest.mark.parametrize(("n", "draws", "within"), [(400, [10_000], 0.12), (4_000, [500] * 40, 0.05)], ids=["drawn", "too many to draw"])
def test_clusters_of_unequal_size_equal_plain_resampling_of_clusters(n: int, draws: list[int], within: float) -> None:
    """Sum over size of whole clusters of 1 to 6 traces whose answers get better with the size; of 4,000 it is computed, not drawn."""
    rng = np.random.default_rng(4)
    sizes = rng.integers(1, 7, n)
    groups = np.repeat(np.arange(n), sizes)
    values = np.clip(rng.normal(0.5, 0.2, n)[groups] + 0.05 * sizes[groups] + rng.normal(0, 0.2, len(groups)), 0, 1)
    sums, counts = np.bincount(groups, weights=values), np.bincount(groups)
    parts = [rng.integers(0, n, (some, n)) for some in draws]
    lo, hi = np.percentile(np.concatenate([sums[picks].sum(axis=1) / counts[picks].sum(axis=1) for picks in parts]), [2.5, 97.5])

    found = mean_interval(values, groups=groups)

    assert found is not None
    assert (found.lo, found.hi) == pytest.approx((lo, hi), abs=within * (hi - lo) / 3.92)


class TestEdges:
    def test_too_few(self) -> None:
        """One value, or one cluster, says nothing about spread."""
        assert mean_interval([]) is None
        assert mean_interval([0.5]) is None
        assert mean_interval([0.5, 0.7], groups=["q", "q"]) is None

    def test_no_spread(self) -> None:
        """All alike: the interval is the value."""
        found = mean_interval([0.3] * 500)

        assert found is not None
        assert (found.lo, found.hi) == pytest.approx((0.3, 0.3))

    def test_same_answer_each_time(self) -> None:
        """A page that is drawn twice shows the same interval."""
        values = np.random.default_rng(0).random(500)

        assert mean_interval(values) == mean_interval(values)

    def test_run_against_itself(self) -> None:
        """No difference at all."""
        values = np.random.default_rng(0).random(100)
        found = paired_interval(values, values)

        assert found is not None
        assert (found.lo, found.hi) == (0.0, 0.0)

    def test_refusals(self) -> None:
        """NaN, unequal lengths, and a level of 95 instead of 0.95."""
        with pytest.raises(ValueError, match="NaN"):
            mean_interval([0.1, float("nan")])
        with pytest.raises(ValueError, match="equal lengths"):
            paired_interval([1.0], [1.0, 2.0])
        with pytest.raises(ValueError, match="groups"):
            mean_interval([1.0, 2.0], groups=["a"])
        with pytest.raises(ValueError, match="between 0 and 1"):
            mean_interval([1.0, 2.0], level=95)


@pytest.mark.slow
def test_intervals_of_runs_alike_miss_zero_five_times_in_a_hundred() -> None:
    """1,000 seeded A/A comparisons of 200 pairs reject at 5 % ± 1.5."""
    rejected = 0
    for seed in range(1000):
        rng = np.random.default_rng(seed)
        found = paired_interval(rng.integers(0, 6, 200) / 5, rng.integers(0, 6, 200) / 5, resamples=2000, rng=rng)
        assert found is not None
        rejected += not found.lo <= 0 <= found.hi

    assert 0.035 <= rejected / 1000 <= 0.065


def test_the_interval_of_a_ratio_is_that_of_its_single_values() -> None:
    """5,000 clusters of 0 to 4 hits among 4: with the values repeated or summed, the same interval."""
    rng = np.random.default_rng(3)
    hits = rng.integers(0, 5, size=5_000)
    single = np.concatenate([np.repeat([1.0, 0.0], [h, 4 - h]) for h in hits])
    expected = mean_interval(single, groups=np.repeat(np.arange(5_000), 4))

    assert expected == ratio_interval(hits, np.full(5_000, 4))
    assert ratio_interval([1], [2]) is None
    with pytest.raises(ValueError, match="2 sums but 1 sizes"):
        ratio_interval([1, 2], [3])


@pytest.mark.parametrize("n", [129, 340, 5_000])
def test_draws_that_are_kept_are_those_of_the_seed(n: int) -> None:
    """A page of trends asks for thousands of small intervals: each is what drawing anew with the same seed gives, up to rounding."""
    rng = np.random.default_rng(n)
    shares, times = rng.integers(0, 6, n) / 5, rng.lognormal(7, 0.5, n)
    for values in (shares, times, np.where(rng.random(n) < 0.02, 100.0, shares), (shares > 0.5).astype(float), np.ones(n)):
        kept, anew = mean_interval(values, resamples=1_000), mean_interval(values, resamples=1_000, rng=np.random.default_rng(0))
        assert kept is not None
        assert anew is not None
        assert (kept.lo, kept.hi) == pytest.approx((anew.lo, anew.hi), rel=1e-11)


class TestFewOrAlike:
    """An interval without width would be a certainty that nobody has."""

    @pytest.mark.parametrize("n", range(2))
    def test_one_value_has_none(self, n: int) -> None:
        """Whatever it is, and whoever asks; two that differ have one."""
        for values in (np.ones(n), np.linspace(0, 1, n)):
            assert mean_interval(values) is None
            assert mean_interval(values, within=(0.0, 1.0)) is None
            assert paired_interval(values, values[::-1]) is None
            assert ratio_interval(values, np.ones(n)) is None
        assert _ends(mean_interval(np.linspace(0, 1, 2))) == (0.0, 1.0)

    def test_two_that_agree_are_no_certainty(self) -> None:
        """Twice 1: another value came with a probability of at most 1 - 0.05 ** 0.5 = 0.776."""
        assert _ends(mean_interval(np.ones(2), within=(0.0, 1.0))) == pytest.approx((0.05**0.5, 1.0))

    def test_many_traces_of_one_question_are_one(self) -> None:
        """Twenty values, all of one question, or of ten."""
        values = np.linspace(0, 1, 20)

        assert mean_interval(values, groups=np.zeros(20, dtype=np.int64)) is None
        assert mean_interval(values, groups=np.repeat(np.arange(10), 2)) is not None

    def test_values_that_are_all_alike_tell_how_rare_another_one_is(self) -> None:
        """Ten times 1: another value came with a probability of at most 1 - 0.05 ** 0.1 = 0.259, so the mean is 0.741 to 1. Ten times 0.5: 0.5 ± 0.129."""
        assert _ends(mean_interval(np.ones(10), within=(0.0, 1.0))) == pytest.approx((0.05**0.1, 1.0))
        assert _ends(mean_interval(np.zeros(10), within=(0.0, 1.0))) == pytest.approx((0.0, 1 - 0.05**0.1))
        assert _ends(mean_interval(np.full(10, 0.5), within=(0.0, 1.0))) == pytest.approx((0.5 - (1 - 0.05**0.1) / 2, 0.5 + (1 - 0.05**0.1) / 2))
        assert _ends(mean_interval(np.ones(20), groups=np.repeat(np.arange(10), 2), within=(0.0, 1.0))) == pytest.approx((0.05**0.1, 1.0))
        assert _ends(ratio_interval(np.full(10, 3.0), np.full(10, 3.0), within=(0.0, 1.0))) == pytest.approx((0.05**0.1, 1.0))
        assert mean_interval(np.full(10, 7.0), within=(0.0, np.inf)) is None

    def test_the_mean_of_rare_faults_is_covered(self) -> None:
        """One answer in a hundred is bad; 400 runs of 20. In 82 of 100 none is seen: with an interval of no width those would all miss the mean."""
        rng = np.random.default_rng(12)
        missed = 0
        for _ in range(400):
            found = mean_interval((rng.random(20) >= 0.01).astype(float), within=(0.0, 1.0), resamples=500)
            assert found is not None
            missed += not found.lo <= 0.99 <= found.hi

        assert missed <= 35


def _ends(found: Interval | None) -> tuple[float, float]:
    assert found is not None
    return found.lo, found.hi
