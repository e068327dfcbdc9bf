"""Could chance alone explain a difference? Tests for pairs, and correction for looking at many."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ragviz.stats.bootstrap import cluster_sums

PERMUTATIONS = 10_000
ENUMERATE_UP_TO = 12
"""So many pairs that differ have few enough sign patterns to count them all."""
ONE_BY_ONE = 64
"""The largest differences get a sign each; the sum of the many small ones is normal to far better than 10,000 permutations can see."""
FEW = 30
"""Smaller samples are resampled, not approximated."""
DUST = 1e-9
"""Differences of fractions below this are rounding."""


def sign_flip_p(
    delta: ArrayLike, *, groups: Sequence[Hashable] | NDArray[np.integer] | None = None, permutations: int = PERMUTATIONS,
    rng: np.random.Generator | None = None,
) -> float:
    """
    Two-sided permutation p-value of a mean difference of pairs: if the two were alike, each difference could as well have the other sign.

    Args:
        delta: Differences, shape (n,).
        groups: Cluster of each pair; whole clusters change sign together.
        permutations: Random sign patterns; all patterns are counted where there are few.
        rng: Source of randomness; a fixed seed by default.

    Returns:
        A number in (0, 1]; 1 when nothing differs.
    """
    flat = np.asarray(delta, dtype=np.float64)
    sums = flat if groups is None else cluster_sums(flat, groups)[0]
    sums = sums[np.abs(sums) > DUST]
    if not len(sums):
        return 1.0
    observed = abs(float(sums.sum())) - DUST
    if len(sums) <= ENUMERATE_UP_TO:
        patterns = np.array(list(itertools.product((-1.0, 1.0), repeat=len(sums))))
        return float(np.mean(np.abs(np.einsum("ij,j->i", patterns, sums)) >= observed))
    totals = flipped_sums(sums, permutations, rng)
    # The observed pattern is one of the possible ones, so p is never 0.
    return float((1 + np.count_nonzero(np.abs(totals) >= observed)) / (permutations + 1))


def flipped_sums(values: NDArray[np.float64], permutations: int, rng: np.random.Generator | None = None) -> NDArray[np.float64]:
    """Sums of ``values``, shape (n,), each with a sign drawn anew, shape (permutations,). ``rng``: a fixed seed by default."""
    size = np.abs(values)
    if len(size) > ONE_BY_ONE:
        size = np.partition(size, len(size) - ONE_BY_ONE)
    large, small = size[-ONE_BY_ONE:], size[:-ONE_BY_ONE]
    flips, bulk = _fixed_patterns(permutations, len(large)) if rng is None else _patterns(permutations, len(large), rng)
    totals: NDArray[np.float64] = np.einsum("ij,j->i", flips, large)
    if len(small):
        totals += np.sqrt(float(np.einsum("i,i->", small, small))) * bulk
    return totals


def _patterns(permutations: int, n: int, rng: np.random.Generator) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Signs of the largest differences, and a standard normal for the sum of the others, for each permutation."""
    signs = rng.integers(0, 2, size=(permutations, n), dtype=np.int8).astype(np.float64) * 2 - 1
    return signs, rng.standard_normal(permutations)


@lru_cache(maxsize=8)
def _fixed_patterns(permutations: int, n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    # The same seed draws the same patterns each time, and drawing them takes longer than using them.
    return _patterns(permutations, n, np.random.default_rng(0))


def mcnemar_p(only_first: int, only_second: int) -> float:
    """
    Exact McNemar test of paired yes-or-no outcomes.

    Args:
        only_first: Pairs where only the first is right.
        only_second: Pairs where only the second is right.

    Returns:
        Two-sided p-value; 1 when no pair differs.
    """
    from scipy.stats import binomtest  # noqa: PLC0415 - scipy.stats takes seconds to load, and most that import this module never come here

    discordant = only_first + only_second
    return 1.0 if discordant == 0 else float(binomtest(only_first, discordant, 0.5).pvalue)


def holm(p_values: Sequence[float]) -> list[float]:
    """
    p-values corrected for looking at all of them, in the order given.

    Source: Holm 1979, Scandinavian Journal of Statistics 6(2).
    """
    adjusted = [1.0] * len(p_values)
    running = 0.0
    for position, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        running = max(running, min(1.0, (len(p_values) - position) * p_values[index]))
        adjusted[index] = running
    return adjusted


def two_sample_p(inside: ArrayLike, outside: ArrayLike, *, permutations: int = PERMUTATIONS, rng: np.random.Generator | None = None) -> float:
    """
    Two-sided permutation p-value of a difference of means of two unpaired samples: labels "inside" and "outside" are shuffled.

    The mean of the smaller sample is a draw without replacement from all values. Below 30 draws it is resampled; from 30 on its exact mean, variance
    and skewness and the first Edgeworth term stand for the permutations, at a cost that does not grow with the samples.

    Args:
        inside: Values of one sample.
        outside: Values of the other.
        permutations: Resamples of a small sample.
        rng: Source of randomness for a small sample; a fixed seed by default.

    Returns:
        A number in (0, 1]; 1 when a sample is empty or nothing differs.
    """
    a, b = np.asarray(inside, dtype=np.float64), np.asarray(outside, dtype=np.float64)
    if not len(a) or not len(b):
        return 1.0
    observed = abs(float(a.mean() - b.mean())) - DUST
    both = np.concatenate([a, b])
    both -= both.mean()
    from scipy.special import ndtr  # noqa: PLC0415 - not scipy.stats, for the same reason: the first look at a page waits for it

    n, m = len(both), min(len(a), len(b))
    spread = float(both.std())
    if spread <= DUST or observed <= 0:
        return 1.0
    # The difference of the two means follows from the mean of one of them.
    limit = observed * (n - m) / n
    if m < FEW:
        means = _small_means(both, m, permutations, np.random.default_rng(0) if rng is None else rng)
        return float((1 + np.count_nonzero(np.abs(means) >= limit)) / (len(means) + 1))
    deviation = spread * float(np.sqrt((n - m) / (m * (n - 1))))
    skewness = float(np.mean(both**3)) / spread**3 * (n - 2 * m) / float(np.sqrt(m * (n - m) * n)) if n > 2 else 0.0
    z = limit / deviation
    # The skewness terms of the two tails cancel, so a two-sided p needs the normal tails only, unless one tail would go below 0.
    beyond = float(ndtr(-z))
    edge = skewness * (z * z - 1) / 6 * float(np.exp(-z * z / 2) / np.sqrt(2 * np.pi))
    tails = max(0.0, beyond + edge) + max(0.0, beyond - edge)
    return min(1.0, max(tails, np.finfo(np.float64).tiny))


def _small_means(values: NDArray[np.float64], m: int, times: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Means of ``m`` values drawn without replacement, or with it where the same one would hardly ever come twice."""
    n = len(values)
    if n * times > 5_000_000:
        if n > 50 * m * m:
            return np.asarray(values[rng.integers(0, n, size=(times, m))].mean(axis=1), dtype=np.float64)
        times = max(200, 5_000_000 // n)
    picks = rng.random((times, n)).argpartition(m - 1, axis=1)[:, :m]
    return np.asarray(values[picks].mean(axis=1), dtype=np.float64)
