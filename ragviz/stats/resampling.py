"""
Means of bootstrap samples, drawn at a cost that hardly grows with the number of values.

A bootstrap sample of n values is a multinomial draw. Nothing but its sum is needed, so it is drawn in two parts:

* the most extreme values (32 of them) are drawn one by one, exactly: rare hits and outliers decide the tails;
* the bulk in between enters as one number, normal with the bulk's mean, variance and skewness. It is a sum of at least as many draws again from
  values without outliers, and the error of that step (below 0.001 standard deviations) is far below that of 10,000 resamples (0.03).

Samples of up to 128 values, and values that are only this or that (hits), are resampled exactly throughout.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

EXACT_UP_TO = 128
TAIL = 32
KEPT_UP_TO = 1_000
"""Resamples whose draws are kept: 50 kB for each size of a sample."""
LARGE = 200_000
"""From here on only values beyond 4 standard deviations can matter one by one."""

Floats = NDArray[np.float64]


def all_alike(values: Floats) -> bool:
    """Whether no value differs from another by more than rounding."""
    lo, hi = float(values.min()), float(values.max())
    return hi - lo <= 1e-12 * max(1.0, abs(hi))


def resampled_means(values: Floats, *, resamples: int, rng: np.random.Generator) -> Floats:
    """Means of ``resamples`` bootstrap samples of ``values``, shape (resamples,)."""
    n = len(values)
    lo, hi = float(values.min()), float(values.max())
    if all_alike(values):
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


def means_again(values: Floats, resamples: int) -> Floats | None:
    """``resampled_means`` with the fixed seed, the same up to rounding; None where other ways are taken, or the draws are too many to be kept."""
    n, lo, hi = len(values), float(values.min()), float(values.max())
    if (
        resamples > KEPT_UP_TO
        or not EXACT_UP_TO < n <= LARGE
        or all_alike(values)
        or int(np.count_nonzero((values == lo) | (values == hi))) == n
    ):
        return None
    centre = float(values.mean())
    tail, bulk = _split(values - centre)
    draws = _draws(n, len(tail), resamples)
    sums = np.einsum("ij,j->i", draws.times.astype(np.float64), tail)
    return np.asarray(centre + (sums + _bulk_sums(bulk, n - draws.counts, lambda: draws.normal)) / n, dtype=np.float64)


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
