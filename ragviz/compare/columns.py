"""Values of two runs over their pairs as arrays: differences of all pairs, or of any part of them, at the cost of a few numpy calls."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from ragviz.compare.families import corrected
from ragviz.compare.paired import MetricDifference, SliceDifference, difference, gain
from ragviz.records import Score
from ragviz.stats.coded import all_different
from ragviz.stats.significance import holm

SMALL, FEW = 30, 5
"""Slices of fewer pairs are left out: 30, or 5 where the whole comparison has fewer than 120 pairs."""
MOST_SLICES = 100
"""So many slices are looked at, the largest first; p-values are corrected for those."""

T = TypeVar("T")
Floats = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True)
class PairedScores:
    """All metrics of two runs, one entry a pair."""

    base: Mapping[str, Floats]
    """By metric; NaN where a trace has no value."""
    candidate: Mapping[str, Floats]
    groups: Places
    """Cluster of each pair (same question)."""
    members: Mapping[tuple[str, str], Places] = field(default_factory=dict)
    """Pairs by a property of the baseline's trace and its value: ``("tag: topic", "returns")``. Ascending."""
    _known: dict[tuple[object, ...], list[Any]] = field(default_factory=dict, repr=False, compare=False)
    """Answers by question: a page asks the same ones at every click."""

    @property
    def n(self) -> int:
        """Number of pairs."""
        return len(self.groups)

    @cached_property
    def _clusters(self) -> Places | None:
        return clusters_of(self.groups)

    @property
    def metrics(self) -> list[str]:
        """Metrics that both runs have, in the base's order."""
        return [name for name in self.base if name in self.candidate]

    @property
    def sizes(self) -> dict[tuple[str, str], int]:
        """Pairs by property and value, the largest ``MOST_SLICES``."""
        return dict(sorted(((key, len(at)) for key, at in self.members.items()), key=lambda pair: -pair[1])[:MOST_SLICES])

    def of_part(self, metrics: Sequence[str], part: tuple[str, str]) -> list[MetricDifference]:
        """Several metrics over the pairs of one property and value, each corrected within its family."""
        return self._once(("of_part", *metrics, part), lambda: self.differences(metrics, self.members[part]))

    def _once(self, question: tuple[object, ...], answer: Callable[[], list[T]]) -> list[T]:
        if question not in self._known:
            self._known[question] = answer()
        return self._known[question]

    def part(self, places: Sequence[int]) -> PairedScores:
        """Only the pairs at these ascending places."""
        kept = np.asarray(places, dtype=np.int64)
        number = np.full(self.n, -1, dtype=np.int64)
        number[kept] = np.arange(len(kept))
        return PairedScores(
            base={name: values[kept] for name, values in self.base.items()}, candidate={name: values[kept] for name, values in self.candidate.items()},
            groups=self.groups[kept], members={key: at for key, found in self.members.items() if len(at := number[found][number[found] >= 0])},
        )

    def difference(self, metric: str, places: Places | None = None) -> MetricDifference:
        """One metric over all pairs, or over those at ``places``; not corrected."""
        before, after, groups = self.base[metric], self.candidate[metric], self._clusters
        if places is not None:
            before, after, groups = before[places], after[places], None if groups is None else groups[places]
        return difference(metric, before, after, groups=groups)

    def n_questions(self, metric: str, places: Places | None = None) -> int:
        """Different questions among the pairs that have a value on both sides: so many differences are drawn independently."""
        valued = ~(np.isnan(self.base[metric]) | np.isnan(self.candidate[metric]))
        at = np.arange(self.n) if places is None else places
        return len(np.unique(self.groups[at[valued[at]]]))

    def differences(self, metrics: Sequence[str] | None = None, places: Places | None = None) -> list[MetricDifference]:
        """Several metrics, each corrected within its family (``ragviz.compare.families``). None = all that both runs have."""
        return corrected([self.difference(name, places) for name in (self.metrics if metrics is None else metrics)])

    def by_slice(self, metric: str) -> list[SliceDifference]:
        """
        The difference of one metric within each slice, largest loss first; p-values are corrected for the number of slices.

        A property that all pairs share makes no slice. Which slices are looked at depends on their size alone, never on the result.
        """
        return self._once(("by_slice", metric), lambda: self._by_slice(metric))

    def _by_slice(self, metric: str) -> list[SliceDifference]:
        valued = ~(np.isnan(self.base[metric]) | np.isnan(self.candidate[metric]))
        total = int(valued.sum())
        smallest = smallest_slice(self.n)
        sized = [(key, places[valued[places]]) for key, places in self.members.items()]
        kept = sorted(((key, at) for key, at in sized if smallest <= len(at) < total), key=lambda pair: -len(pair[1]))[:MOST_SLICES]
        return by_loss([SliceDifference(name=name, value=value, difference=self.difference(metric, at)) for (name, value), at in kept])


def smallest_slice(n: int) -> int:
    """Pairs that a slice of ``n`` pairs has at least."""
    return SMALL if n >= 4 * SMALL else FEW


def by_loss(found: Sequence[SliceDifference]) -> list[SliceDifference]:
    """Slices corrected for their number, largest loss first."""
    adjusted = holm([1.0 if s.difference.p is None else s.difference.p for s in found])
    sure = [replace(s, difference=replace(s.difference, p_holm=p)) for s, p in zip(found, adjusted, strict=True)]
    return sorted(sure, key=lambda s: gain(s.difference))


def paired_scores(
    base: Mapping[str, Mapping[str, Score]], candidate: Mapping[str, Mapping[str, Score]], pairs: Sequence[tuple[str, str]], *,
    groups: Mapping[str, Hashable] | None = None, properties: Sequence[Mapping[str, str]] | None = None,
) -> PairedScores:
    """
    Arrays from scores by trace id.

    Args:
        base: Scores by trace id and metric.
        candidate: The same of the other run.
        pairs: (base id, candidate id).
        groups: Cluster of each base id; None = each pair is its own.
        properties: Of each pair, for slices.
    """
    return PairedScores(
        base=_arrays([base.get(b, {}) for b, _ in pairs]), candidate=_arrays([candidate.get(c, {}) for _, c in pairs]),
        groups=codes_of([b if groups is None else groups.get(b, b) for b, _ in pairs]), members=members_of(properties or []),
    )


def _arrays(rows: Sequence[Mapping[str, Score]]) -> dict[str, Floats]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: np.array([_value(row.get(name)) for row in rows], dtype=np.float64) for name in names}


def _value(score: Score | None) -> float:
    return float("nan") if score is None or score.value is None else score.value


def clusters_of(groups: Places) -> Places | None:
    """The same clusters; None where each pair is its own, which says the same in a tenth of the time."""
    return None if all_different(groups) else groups


def codes_of(groups: Sequence[Hashable]) -> Places:
    """A small whole number for each cluster."""
    numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    return np.fromiter(map(numbers.__getitem__, groups), np.int64, len(groups))


def members_of(properties: Sequence[Mapping[str, str]]) -> dict[tuple[str, str], Places]:
    """Places of the rows that have each property and value."""
    found: dict[tuple[str, str], list[int]] = {}
    for place, row in enumerate(properties):
        for pair in row.items():
            found.setdefault(pair, []).append(place)
    return {key: np.array(places, dtype=np.int64) for key, places in found.items()}
