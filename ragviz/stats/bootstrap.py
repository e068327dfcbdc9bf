"""
Percentile bootstrap intervals of a mean, at a cost that hardly grows with the number of traces.

Samples are drawn by ``ragviz.stats.resampling``. Those so large that no single value matters (none further from the mean than 1/20 of the standard
deviation of their sum) need no draws at all: the first four cumulants of the bootstrap distribution follow from those of the sample, and its quantiles from
them (Cornish & Fisher 1938), with an error below the noise of 10,000 draws.

One value tells nothing of spread. Of two to five that differ the interval covers the mean some four times of five where nineteen of twenty are claimed; the
n beside it says so. Values that are all alike tell how rare another one must be, no more.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import isfinite
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ragviz.records import Interval
from ragviz.stats.resampling import EXACT_UP_TO, Floats, all_alike, means_again, resampled_means

RESAMPLES = 10_000
FEWEST = 2
"""Independent values from which on there is an interval."""
SHARE = (0.0, 1.0)
SMALLEST_STEP = 0.05
"""No value moves the sum by more than this share of its standard deviation: then quantiles are computed, not drawn."""

Groups = Sequence[Hashable] | NDArray[np.integer]


def why_none(n: int) -> str:
    """Why a mean of ``n`` values has no interval, in two words for a table: they are of one question, or alike without bounds; "" where there is no mean."""
    return "" if not n else "too few" if n < FEWEST else "no spread"


def mean_interval(
    values: ArrayLike, *, groups: Groups | None = None, within: tuple[float, float] | None = None, level: float = 0.95, resamples: int = RESAMPLES,
    rng: np.random.Generator | None = None,
) -> Interval | None:
    """
    Percentile bootstrap interval of the mean.

    Args:
        values: Per-trace values, shape (n,), no NaN.
        groups: Cluster of each value: traces of one question are drawn together. None = all independent. Integer arrays are fastest.
        within: The range of the values, an end of it perhaps infinite: then values that are all alike have the interval of ``alike_interval``. None: their
            interval has no width, which says only that no value differs (of differences the permutation test says the rest).
        level: Confidence level, in (0, 1).
        resamples: Number of bootstrap samples, where samples are drawn.
        rng: Source of randomness; by default a fixed seed, so that a page shows the same interval each time.

    Returns:
        The interval; None below ``FEWEST`` values, or clusters, where nothing can be said about spread.

    Raises:
        ValueError: ``values`` is not flat, holds NaN, ``groups`` has another length, or ``level`` is none.
    """
    flat = _flat(values)
    _tail(level)
    source = np.random.default_rng(0) if rng is None else rng
    if groups is not None:
        if len(groups) != len(flat):
            raise ValueError(f"{len(flat)} values but {len(groups)} groups")
        sums, sizes = cluster_sums(flat, groups)
        if len(sums) < len(flat):
            return _of_clusters(sums, sizes, within=within, level=level, resamples=resamples, rng=source)
    if len(flat) < FEWEST:
        return None
    if within is not None and all_alike(flat):
        return alike_interval(float(flat[0]), len(flat), within=within, level=level)
    computed = _computed(flat, level)
    if computed is not None:
        return computed
    drawn = means_again(flat, resamples) if rng is None else None
    return _percentiles(resampled_means(flat, resamples=resamples, rng=source) if drawn is None else drawn, level)


def alike_interval(value: float, n: int, *, within: tuple[float, float], level: float = 0.95) -> Interval | None:
    """
    Interval of a mean of which ``n`` independent values were all the same.

    If another value came with a probability of more than q = 1 - (1 - level) ** (1 / n), some would have come; the mean is then no further off than q
    times the way to either end of the range. Of 10 values 1 within [0, 1] the mean is 0.741 to 1.

    Args:
        value: What they all were.
        n: How many.
        within: The least and the greatest value there can be.
        level: Confidence level, in (0, 1).

    Returns:
        None where an end is infinite: nothing bounds what a rare value does to the mean.

    Source: the rule of three, Hanley & Lippman-Hand 1983, JAMA 249(13), in its exact form.
    """
    low, high = within
    if not (isfinite(low) and isfinite(high)):
        return None
    q = 1 - (2 * _tail(level)) ** (1 / n)
    return Interval(lo=value - q * (value - low), hi=value + q * (high - value), level=level)


def ratio_interval(
    sums: ArrayLike, sizes: ArrayLike, *, within: tuple[float, float] | None = None, level: float = 0.95, resamples: int = RESAMPLES,
    rng: np.random.Generator | None = None,
) -> Interval | None:
    """
    Percentile bootstrap interval of sum(sums) / sum(sizes) over whole clusters: what ``mean_interval`` gives for the single values, without these.

    Args:
        sums: Sum of each cluster's values, shape (n_clusters,).
        sizes: How many these are, likewise, above 0.
        within: As for ``mean_interval``.
        level: Confidence level, in (0, 1).
        resamples: Number of bootstrap samples.
        rng: As for ``mean_interval``.

    Returns:
        The interval; None below ``FEWEST`` clusters.

    Raises:
        ValueError: The two differ in length, are not flat, or hold NaN.
    """
    above, below = _flat(sums), _flat(sizes)
    if len(above) != len(below):
        raise ValueError(f"{len(above)} sums but {len(below)} sizes")
    return _of_clusters(above, below, within=within, level=level, resamples=resamples, rng=np.random.default_rng(0) if rng is None else rng)


def paired_interval(
    baseline: ArrayLike, candidate: ArrayLike, *, groups: Groups | None = None, level: float = 0.95, resamples: int = RESAMPLES,
    rng: np.random.Generator | None = None,
) -> Interval | None:
    """
    Percentile bootstrap interval of the mean difference, candidate minus baseline, over pairs.

    Raises:
        ValueError: The two differ in length.
    """
    before, after = _flat(baseline), _flat(candidate)
    if len(before) != len(after):
        raise ValueError(f"pairs need equal lengths, got {len(before)} and {len(after)}")
    return mean_interval(after - before, groups=groups, level=level, resamples=resamples, rng=rng)


def _computed(values: Floats, level: float) -> Interval | None:
    """The interval from the cumulants of the bootstrap distribution; None where single values matter, or all are alike."""
    n = len(values)
    if n <= EXACT_UP_TO:
        return None
    centre = float(values.mean())
    deviations = values - centre
    square = deviations * deviations
    # Not np.dot: its threads cost more CPU than the product.
    variance, third, fourth = (float(np.einsum("i,i->", one, other)) / n for one, other in ((deviations, deviations), (square, deviations), (square, square)))
    error = np.sqrt(variance / n)
    if float(square.max()) > (SMALLEST_STEP * n * error) ** 2 or variance <= 1e-24:
        return None
    skewness, kurtosis = third / variance**1.5 / np.sqrt(n), (fourth / variance**2 - 3) / n
    lo, hi = (
        centre + error * (z + skewness * (z * z - 1) / 6 + kurtosis * (z**3 - 3 * z) / 24 - skewness**2 * (2 * z**3 - 5 * z) / 36)
        for z in (NormalDist().inv_cdf(tail) for tail in (_tail(level), 1 - _tail(level)))
    )
    return Interval(lo=float(lo), hi=float(hi), level=level)


def cluster_sums(values: Floats, groups: Groups) -> tuple[Floats, Floats]:
    """Sum and size of each cluster."""
    codes: NDArray[Any]
    if isinstance(groups, np.ndarray) and np.issubdtype(groups.dtype, np.integer):
        codes = groups - groups.min() if len(groups) else groups
        if len(groups) and int(codes.max()) > 10 * len(groups):
            codes = np.unique(codes, return_inverse=True)[1]
    else:
        numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
        codes = np.fromiter(map(numbers.__getitem__, groups), np.int64, len(values))
    sizes: Floats = np.bincount(codes).astype(np.float64)
    sums: Floats = np.asarray(np.bincount(codes, weights=values), dtype=np.float64)
    return sums[sizes > 0], sizes[sizes > 0]


def _of_clusters(
    sums: Floats, sizes: Floats, *, within: tuple[float, float] | None, level: float, resamples: int, rng: np.random.Generator
) -> Interval | None:
    if len(sums) < FEWEST:
        return None
    if within is not None and all_alike(means := sums / sizes):
        return alike_interval(float(means[0]), len(means), within=within, level=level)
    return _clustered(sums, sizes, level=level, resamples=resamples, rng=rng)


def _clustered(sums: Floats, sizes: Floats, *, level: float, resamples: int, rng: np.random.Generator) -> Interval:
    """
    Interval of the mean over samples of whole clusters: the sum of a sample over its size, since clusters differ in size.

    Written as overall mean + (sum of residuals) / (sum of sizes), residual = cluster sum - overall mean · cluster size, so that residuals are drawn
    as in the unclustered case while the size, which varies little, follows the same draws.
    """
    n = len(sums)
    centre = float(sums.sum() / sizes.sum())
    residuals = sums - centre * sizes
    if n <= EXACT_UP_TO:
        picks = rng.integers(0, n, size=(resamples, n))
        return _percentiles(np.asarray(centre + residuals[picks].sum(axis=1) / sizes[picks].sum(axis=1)), level)
    variance, mean_size = float(np.var(residuals)), float(sizes.mean())
    # Size of the sample given its residuals: linear in them, plus what they do not explain.
    slope = float(np.mean(residuals * (sizes - mean_size))) / variance if variance > 0 else 0.0
    computed = _computed(residuals, level)
    if computed is not None:
        # What the residuals do not explain of a size moves the ends by less than a thousandth of the interval here.
        lo, hi = (centre + end / (mean_size + slope * end) for end in (computed.lo, computed.hi))
        return Interval(lo=lo, hi=hi, level=level)
    drawn = (resampled_means(residuals, resamples=resamples, rng=rng) if variance > 0 else np.zeros(resamples)) * n
    rest = max(0.0, float(np.var(sizes)) - slope**2 * variance)
    totals = n * mean_size + slope * drawn + np.sqrt(n * rest) * rng.standard_normal(resamples)
    return _percentiles(np.asarray(centre + drawn / np.maximum(totals, n * sizes.min())), level)


def _tail(level: float) -> float:
    if not 0 < level < 1:
        raise ValueError(f"a confidence level lies between 0 and 1, got {level}")
    return (1 - level) / 2


def _percentiles(means: Floats, level: float) -> Interval:
    places = [(len(means) - 1) * share for share in (_tail(level), 1 - _tail(level))]
    # As np.percentile does it, which takes four times as long over a thousand numbers; a page of trends asks for thousands of intervals.
    ends = [[int(place), min(int(place) + 1, len(means) - 1)] for place in places]
    ordered = np.partition(means, sorted({at for pair in ends for at in pair}))
    lo, hi = (float(ordered[a] + (ordered[b] - ordered[a]) * (place - a)) for (a, b), place in zip(ends, places, strict=True))
    return Interval(lo=lo, hi=hi, level=level)


def _flat(values: ArrayLike) -> Floats:
    flat = np.asarray(values, dtype=np.float64)
    if flat.ndim != 1 or np.isnan(flat).any():
        raise ValueError(f"need a flat list of numbers without NaN, got shape {flat.shape}")
    return flat
