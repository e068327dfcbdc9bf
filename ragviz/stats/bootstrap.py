"""
Percentile bootstrap intervals of a mean, at a cost that hardly grows with the number of traces.

A bootstrap sample of n values is a multinomial draw. Nothing but its sum is needed, so it is drawn in two parts:

* the most extreme values (32 of them) are drawn one by one, exactly: rare hits and outliers decide the tails;
* the bulk in between enters as one number, normal with the bulk's mean, variance and skewness. It is a sum of at least as many draws again from
  values without outliers, and the error of that step (below 0.001 standard deviations) is far below that of 10,000 resamples (0.03).

Samples of up to 128 values, and values that are only this or that (hits), are resampled exactly throughout. Samples so large that no single value matters (none
further from the mean than 1/20 of the standard deviation of their sum) need no draws at all: the first four cumulants of the bootstrap distribution follow from
those of the sample, and its quantiles from them (Cornish & Fisher 1938), with an error below the noise of 10,000 draws.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ragviz.records import Interval

RESAMPLES = 10_000
EXACT_UP_TO = 128
TAIL = 32
SMALLEST_STEP = 0.05
"""No value moves the sum by more than this share of its standard deviation: then quantiles are computed, not drawn."""
KEPT_UP_TO = 1_000
"""Resamples whose draws are kept: 50 kB for each size of a sample."""
LARGE = 200_000
"""From here on only values beyond 4 standard deviations can matter one by one."""

Floats = NDArray[np.float64]
Groups = Sequence[Hashable] | NDArray[np.integer]


def mean_interval(
    values: ArrayLike, *, groups: Groups | None = None, level: float = 0.95, resamples: int = RESAMPLES, rng: np.random.Generator | None = None
) -> Interval | None:
    """
    Percentile bootstrap interval of the mean.

    Args:
        values: Per-trace values, shape (n,), no NaN.
        groups: Cluster of each value: traces of one question are drawn together. None = all independent. Integer arrays are fastest.
        level: Confidence level, in (0, 1).
        resamples: Number of bootstrap samples, where samples are drawn.
        rng: Source of randomness; by default a fixed seed, so that a page shows the same interval each time.

    Returns:
        The interval; None below two values, or below two clusters, where nothing can be said about spread.

    Raises:
        ValueError: ``values`` is not flat, holds NaN, or ``groups`` has another length.
    """
    flat = _flat(values)
    source = np.random.default_rng(0) if rng is None else rng
    if groups is not None:
        if len(groups) != len(flat):
            raise ValueError(f"{len(flat)} values but {len(groups)} groups")
        sums, sizes = cluster_sums(flat, groups)
        if len(sums) < len(flat):
            return _clustered(sums, sizes, level=level, resamples=resamples, rng=source) if len(sums) > 1 else None
    if len(flat) < 2:
        return None
    computed = _computed(flat, level)
    if computed is not None:
        return computed
    drawn = _again(flat, resamples) if rng is None else None
    return _percentiles(resampled_means(flat, resamples=resamples, rng=source) if drawn is None else drawn, level)


def ratio_interval(
    sums: ArrayLike, sizes: ArrayLike, *, level: float = 0.95, resamples: int = RESAMPLES, rng: np.random.Generator | None = None
) -> Interval | None:
    """
    Percentile bootstrap interval of sum(sums) / sum(sizes) over whole clusters: what ``mean_interval`` gives for the single values, without these.

    Args:
        sums: Sum of each cluster's values, shape (n_clusters,).
        sizes: How many these are, likewise, above 0.
        level: Confidence level, in (0, 1).
        resamples: Number of bootstrap samples.
        rng: As for ``mean_interval``.

    Returns:
        The interval; None below two clusters.

    Raises:
        ValueError: The two differ in length, are not flat, or hold NaN.
    """
    above, below = _flat(sums), _flat(sizes)
    if len(above) != len(below):
        raise ValueError(f"{len(above)} sums but {len(below)} sizes")
    if len(above) < 2:
        return None
    return _clustered(above, below, level=level, resamples=resamples, rng=np.random.default_rng(0) if rng is None else rng)


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


def resampled_means(values: Floats, *, resamples: int, rng: np.random.Generator) -> Floats:
    """Means of ``resamples`` bootstrap samples of ``values``, shape (resamples,)."""
    n = len(values)
    lo, hi = float(values.min()), float(values.max())
    if hi - lo <= 1e-12 * max(1.0, abs(hi)):
        return np.full(resamples, float(values.mean()))
    if n <= EXACT_UP_TO:
        return np.asarray(values[rng.integers(0, n, size=(resamples, n))].mean(axis=1), dtype=np.float64)
    n_hi = int(np.count_nonzero(values == hi))
    if n_hi + int(np.count_nonzero(values == lo)) == n:
        return lo + (hi - lo) * rng.binomial(n, n_hi / n, size=resamples) / n
    centre = float(values.mean())
    tail, bulk = _split(values - centre)
    n_tail, tail_sums = _drawn(tail, n, resamples=resamples, rng=rng)
    return centre + (tail_sums + _normal_sums(bulk, n - n_tail, rng)) / n


class _Draws(NamedTuple):
    """What the fixed seed draws for a sample of some size."""

    times: NDArray[np.uint8]
    """How often each extreme value is drawn, shape (resamples, n_tail)."""
    counts: NDArray[np.int64]
    normal: Floats


@lru_cache(maxsize=64)
def _draws(n: int, n_tail: int, resamples: int) -> _Draws:
    """
    The draws of ``_drawn`` and ``_normal_sums``, in their order: they depend on no value, and a page of trends asks for thousands of intervals of
    samples of a few sizes.
    """
    rng = np.random.default_rng(0)
    counts = rng.binomial(n, n_tail / n, size=resamples)
    picks = rng.integers(0, n_tail, size=int(counts.sum()), dtype=np.uint8)
    times = np.bincount(np.repeat(np.arange(resamples), counts) * n_tail + picks, minlength=resamples * n_tail).astype(np.uint8)
    return _Draws(times.reshape(resamples, n_tail), counts, rng.standard_normal(resamples))


def _again(values: Floats, resamples: int) -> Floats | None:
    """``resampled_means`` with the fixed seed, the same up to rounding; None where other ways are taken, or the draws are too many to be kept."""
    n, lo, hi = len(values), float(values.min()), float(values.max())
    if (
        resamples > KEPT_UP_TO
        or not EXACT_UP_TO < n <= LARGE
        or hi - lo <= 1e-12 * max(1.0, abs(hi))
        or int(np.count_nonzero((values == lo) | (values == hi))) == n
    ):
        return None
    centre = float(values.mean())
    tail, bulk = _split(values - centre)
    draws = _draws(n, len(tail), resamples)
    sums = np.einsum("ij,j->i", draws.times.astype(np.float64), tail)
    return np.asarray(centre + (sums + _bulk_sums(bulk, n - draws.counts, lambda: draws.normal)) / n, dtype=np.float64)


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


def _split(deviations: Floats, tail_size: int = TAIL) -> tuple[Floats, Floats]:
    """The most extreme deviations, and the rest."""
    size = np.abs(deviations)
    if len(deviations) > LARGE:
        far = np.flatnonzero(size > 4 * float(np.sqrt(np.mean(deviations * deviations))))
        if len(far) <= tail_size:
            keep = np.ones(len(deviations), bool)
            keep[far] = False
            return deviations[far], deviations[keep] if len(far) else deviations
    order = np.argpartition(size, len(size) - tail_size)
    return deviations[order[-tail_size:]], deviations[order[:-tail_size]]


def _drawn(tail: Floats, n: int, *, resamples: int, rng: np.random.Generator) -> tuple[NDArray[np.int64], Floats]:
    """How many of n draws fall on the tail, and the sum of those, for each resample."""
    if not len(tail):
        return np.zeros(resamples, np.int64), np.zeros(resamples)
    counts = rng.binomial(n, len(tail) / n, size=resamples)
    picks = tail[rng.integers(0, len(tail), size=int(counts.sum()), dtype=np.uint8)]
    running = np.concatenate([[0.0], np.cumsum(picks)])
    ends = np.cumsum(counts)
    return counts, running[ends] - running[ends - counts]


def _normal_sums(bulk: Floats, counts: NDArray[np.int64], rng: np.random.Generator) -> Floats:
    """Sums of ``counts`` draws from the bulk: normal, corrected for skewness (Cornish & Fisher, first term)."""
    return _bulk_sums(bulk, counts, lambda: rng.standard_normal(len(counts)))


def _bulk_sums(bulk: Floats, counts: NDArray[np.int64], normal: Callable[[], Floats]) -> Floats:
    """The same; ``normal`` draws."""
    mean = float(bulk.mean())
    centred = bulk - mean
    square = centred * centred
    variance = float(square.mean())
    if variance <= 1e-24:
        return np.asarray(counts * mean, dtype=np.float64)
    # Not np.dot: its threads cost more CPU than the product.
    skewness = float(np.einsum("i,i->", square, centred)) / len(bulk) / variance**1.5
    z = normal()
    z = z + skewness * (z * z - 1) / (6 * np.sqrt(np.maximum(counts, 1)))
    sums: Floats = counts * mean + np.sqrt(counts * variance) * z
    return sums


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
