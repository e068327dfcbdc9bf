"""Two runs, metric by metric: the paired difference, how sure it is, and who won."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from ragviz.errors import UnknownName
from ragviz.metrics import metric_info
from ragviz.records import Direction, Interval
from ragviz.stats.bootstrap import mean_interval
from ragviz.stats.significance import DUST, sign_flip_p

SURE = 0.05
ENOUGH = 6
"""
From so many independent pairs on, chance can be ruled out at all: five that agree have p = 2 / 2 ** 5, above SURE, and their interval says nothing
either.
"""


class MetricDifference(msgspec.Struct, frozen=True, kw_only=True):
    """One metric over pairs that both have a value. Difference is always candidate minus base."""

    metric: str
    n: int
    """Pairs with a value on both sides."""
    left_out: int
    """Pairs where one side or both have no value."""
    base: float | None
    candidate: float | None
    difference: float | None
    ci95: Interval | None
    p: float | None
    """Permutation p-value, as found."""
    p_holm: float | None
    """Corrected within its family: see ``ragviz.compare.families``. For a slice: for the slices that were looked at."""
    wins: int
    """Pairs in which the candidate is better."""
    losses: int
    ties: int
    better: Direction

    @property
    def verdict(self) -> str:
        """
        ``better``, ``worse``, ``different`` (a metric without direction), ``no_difference`` or ``too_few`` (below ``ENOUGH`` independent pairs).

        A difference has an interval without 0 and an uncorrected permutation p below 0.05. The percentile interval alone is too narrow for few pairs
        (8 % false alarms at 30 pairs that do not differ, 5.6 % at 200); the permutation test keeps its 5 % at any size.
        """
        if self.ci95 is None or self.difference is None:
            return "too_few"
        if self.ci95.lo <= 0 <= self.ci95.hi or self.p is None or self.p >= SURE:
            return "no_difference"
        if self.better is Direction.NEITHER:
            return "different"
        return "better" if (self.difference > 0) == (self.better is Direction.HIGHER) else "worse"


def difference(
    metric: str, base: Sequence[float | None] | NDArray[np.float64], candidate: Sequence[float | None] | NDArray[np.float64], *,
    groups: Sequence[Hashable] | NDArray[np.integer] | None = None, better: Direction | None = None, rng: np.random.Generator | None = None,
) -> MetricDifference:
    """
    Compare one metric over pairs.

    Args:
        metric: Its name; gives the direction unless ``better`` is given.
        base: Values of the base by pair; None or NaN where there is none.
        candidate: Values of the candidate, same order.
        groups: Cluster of each pair (same question), drawn together.
        better: Which way is good.
        rng: Source of randomness; fixed by default.
    """
    before, after = np.array(base, dtype=np.float64), np.array(candidate, dtype=np.float64)
    if before.shape != after.shape or (groups is not None and len(groups) != len(before)):
        raise ValueError(f"pairs need equal lengths, got {before.shape} and {after.shape}")
    both = ~(np.isnan(before) | np.isnan(after))
    clusters = None if groups is None else groups[both] if isinstance(groups, np.ndarray) else [g for g, keep in zip(groups, both, strict=True) if keep]
    before, after = before[both], after[both]
    delta = after - before
    delta[np.abs(delta) < DUST] = 0.0
    way = better or _direction(metric)
    up, down = int(np.count_nonzero(delta > 0)), int(np.count_nonzero(delta < 0))
    n = len(delta)
    return MetricDifference(
        metric=metric, n=n, left_out=int(len(both) - n),
        base=float(before.mean()) if n else None, candidate=float(after.mean()) if n else None, difference=float(delta.mean()) if n else None,
        ci95=mean_interval(delta, groups=clusters, rng=rng) if _independent(n, clusters) >= ENOUGH else None,
        p=sign_flip_p(delta, groups=clusters, rng=rng) if n > 1 else None, p_holm=None,
        wins=down if way is Direction.LOWER else up, losses=up if way is Direction.LOWER else down, ties=n - up - down, better=way,
    )


class SliceDifference(msgspec.Struct, frozen=True, kw_only=True):
    """The difference within one group of traces."""

    name: str
    value: str
    difference: MetricDifference


def gain(found: MetricDifference) -> float:
    """The difference counted so that more is better; 0 where there is none."""
    size = found.difference or 0.0
    return -size if found.better is Direction.LOWER else size


def _independent(n: int, clusters: Sequence[Hashable] | NDArray[np.integer] | None) -> int:
    """Pairs that are drawn by themselves: one a question."""
    return n if clusters is None else len(np.unique(clusters)) if isinstance(clusters, np.ndarray) else len(set(clusters))


def _direction(metric: str) -> Direction:
    try:
        return metric_info(metric).better
    except UnknownName:
        return Direction.HIGHER
