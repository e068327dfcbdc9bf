"""Intervals for agreement: whole clusters are drawn anew, and the figure is worked out from each draw's counts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ragviz.records import Interval

RESAMPLES = 2_000
CHUNK = 200
SAME = 1e-9

Floats = NDArray[np.float64]


def kappa_of(counts: Floats) -> Floats:
    """
    Cohen's kappa of two-class tables.

    Args:
        counts: Shape (..., 4): both yes, truth yes and said no, truth no and said yes, both no.

    Returns:
        Shape (...,); NaN where agreement by chance is certain.
    """
    yy, yn, ny, nn = (counts[..., i] for i in range(4))
    n = yy + yn + ny + nn
    with np.errstate(invalid="ignore", divide="ignore"):
        chance = ((yy + yn) * (yy + ny) + (ny + nn) * (yn + nn)) / n**2
        return np.where(chance < 1, ((yy + nn) / n - chance) / (1 - chance), np.nan)


def balanced_accuracy_of(counts: Floats) -> Floats:
    """Mean of sensitivity and specificity of the same tables; NaN where one class is missing."""
    yy, yn, ny, nn = (counts[..., i] for i in range(4))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((yy / (yy + yn) + nn / (ny + nn)) / 2)


def table_interval(
    truth: ArrayLike, said: ArrayLike, figure: Callable[[Floats], Floats], *, groups: Sequence[Hashable] | None = None, level: float = 0.95,
    resamples: int = RESAMPLES, rng: np.random.Generator | None = None,
) -> Interval | None:
    """
    Percentile bootstrap interval of a figure of the two-class table.

    Args:
        truth: People's yes or no, shape (n,).
        said: The judge's yes or no, shape (n,).
        figure: ``kappa_of`` or ``balanced_accuracy_of``.
        groups: Cluster of each row (claims of one trace are drawn together). None = all independent.
        level: Confidence level, in (0, 1).
        resamples: Number of draws.
        rng: Source of randomness; by default a fixed seed.

    Returns:
        None below two clusters, where half of the draws have no value, or where all give the same one: few labels that never disagree are not certainty.
    """
    t, s = np.asarray(truth, dtype=bool), np.asarray(said, dtype=bool)
    if t.shape != s.shape or t.ndim != 1:
        raise ValueError(f"need as many answers as labels, got {s.shape} and {t.shape}")
    names = {group: at for at, group in enumerate(dict.fromkeys(groups if groups is not None else range(len(t))))}
    codes = np.fromiter((names[g] for g in (groups if groups is not None else range(len(t)))), np.int64, len(t))
    if len(names) < 2:
        return None
    per = np.zeros((len(names), 4))
    np.add.at(per, (codes, 2 * (~t).astype(np.int64) + (~s).astype(np.int64)), 1)
    source = np.random.default_rng(0) if rng is None else rng
    even = np.full(len(names), 1 / len(names))
    draws = [figure(source.multinomial(len(names), even, size=min(CHUNK, resamples - start)) @ per) for start in range(0, resamples, CHUNK)]
    values = np.concatenate(draws)
    known = values[~np.isnan(values)]
    if 2 * len(known) < resamples:
        return None
    lo, hi = np.percentile(known, [50 * (1 - level), 50 * (1 + level)])
    if hi - lo < SAME:
        return None
    return Interval(lo=float(lo), hi=float(hi), level=level)
