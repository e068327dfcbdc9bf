"""
Differences of two large runs by part of their pairs, worked out once: what is kept are the figures, some hundred by metric, not the values of every pair.

Whoever looks at a part, or at a metric by slice, only reads. The figures are those of ``PairedScores``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Protocol

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from ragviz.compare.columns import MOST_SLICES, by_loss, smallest_slice
from ragviz.compare.families import corrected
from ragviz.compare.paired import MetricDifference, SliceDifference, difference

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
Part = tuple[str, str]
"""A property and its value."""


class Parts(Protocol):
    """What a page asks of two runs over their pairs: ``PairedScores`` works it out, ``PartFigures`` knows it."""

    @property
    def n(self) -> int:
        """Number of pairs."""
        ...

    @property
    def metrics(self) -> Sequence[str]:
        """Metrics that both runs have, in the base's order."""
        ...

    @property
    def sizes(self) -> Mapping[Part, int]:
        """Pairs by property and value, those that can be looked at by themselves."""
        ...

    def of_part(self, metrics: Sequence[str], part: Part) -> list[MetricDifference]:
        """Differences of these metrics over one part, each corrected within its family."""
        ...

    def by_slice(self, metric: str) -> list[SliceDifference]:
        """The difference of one metric within each slice, largest loss first; p-values are corrected for the number of slices."""
        ...


class PartFigures(msgspec.Struct, frozen=True, kw_only=True):
    """All differences that anybody can ask for, not corrected."""

    n: int
    whole: Mapping[str, MetricDifference]
    """By metric that both runs have, in the base's order: over all pairs."""
    sizes: Mapping[Part, int]
    """The largest ``MOST_SLICES`` parts; ties as they are met."""
    by_part: Mapping[str, Mapping[Part, MetricDifference]]
    """By metric: over each of those, and over the largest slices of that metric."""

    @property
    def metrics(self) -> list[str]:
        """As for ``Parts``."""
        return list(self.whole)

    def differences(self, metrics: Sequence[str] | None = None) -> list[MetricDifference]:
        """Several metrics over all pairs, each corrected within its family."""
        return corrected([self.whole[name] for name in (self.metrics if metrics is None else metrics)])

    def of_part(self, metrics: Sequence[str], part: Part) -> list[MetricDifference]:
        """As for ``Parts``."""
        return corrected([self.by_part[name][part] for name in metrics])

    def by_slice(self, metric: str) -> list[SliceDifference]:
        """As for ``Parts``."""
        total, smallest = self.whole[metric].n, smallest_slice(self.n)
        kept = [(part, d) for part, d in self.by_part[metric].items() if smallest <= d.n < total]
        kept = sorted(kept, key=lambda pair: -pair[1].n)[:MOST_SLICES]
        return by_loss([SliceDifference(name=name, value=value, difference=replace(d, left_out=0)) for (name, value), d in kept])


def part_figures(
    n: int, metrics: Iterable[str], values: Callable[[str], tuple[Floats, Floats]], *, groups: Places | None, members: Mapping[Part, Places],
    sliced: Collection[str] | None = None, on_metric: Callable[[int], None] | None = None,
) -> PartFigures:
    """
    Work all of them out, with the values of one metric in memory at a time.

    Args:
        n: Pairs.
        metrics: Those that both runs have, in the base's order.
        values: Values of the base and of the candidate by pair, NaN where there is none.
        groups: Cluster of each pair; None = each is its own.
        members: Places of the pairs of each part, ascending, in the order in which parts are met; those of less than ``smallest_slice(n)`` may be left out.
        sliced: Metrics whose parts are worked out; None = all.
        on_metric: Told how many metrics are done.
    """
    largest = dict(sorted(((part, len(at)) for part, at in members.items()), key=lambda pair: -pair[1])[:MOST_SLICES])
    whole, by_part = {}, {}
    for done, metric in enumerate(metrics, start=1):
        before, after = values(metric)
        whole[metric] = difference(metric, before, after, groups=groups)
        if on_metric is not None:
            on_metric(done)
        if sliced is not None and metric not in sliced:
            continue
        valued = ~(np.isnan(before) | np.isnan(after))
        wanted = largest.keys() | _largest_slices(members, valued, smallest_slice(n))
        by_part[metric] = {
            part: whole[metric] if len(at) == n else difference(metric, before[at], after[at], groups=None if groups is None else groups[at])
            for part, at in members.items() if part in wanted
        }
    return PartFigures(n=n, whole=whole, sizes=largest, by_part=by_part)


def _largest_slices(members: Mapping[Part, Places], valued: NDArray[np.bool_], smallest: int) -> set[Part]:
    """Slices that a metric is looked at by: the largest, by pairs with a value."""
    if len(members) <= MOST_SLICES:
        return set(members)
    total = int(np.count_nonzero(valued))
    sized = [(part, int(np.count_nonzero(valued[at]))) for part, at in members.items()]
    return {part for part, _ in sorted(((part, k) for part, k in sized if smallest <= k < total), key=lambda pair: -pair[1])[:MOST_SLICES]}

