"""
Traces of a series of versions as units for ``levels``: traces of one question in one version count as one unit, their mean.

A question that occurs in several versions is a stratum of its own; those that occur in one version only share a stratum by kind.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragviz.stats.coded import closed_up
from ragviz.stats.levels import Levels, Moments, Shapes, moments_by_kind
from ragviz.stats.numbering import numbered

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

SPARSE = 4
"""
Where there are so many times as many places (questions times versions) as traces, units are found by putting them in order instead of by looking at
all places.
"""
BITS = 62
"""Versions told by one whole number."""


class _Block(NamedTuple):
    """Strata that have equally many versions, those of one shape next to one another."""

    places: Codes
    """Shape (versions of each, strata): where the value of each unit stands."""
    starts: Codes
    """The first stratum of each shape."""

    def moments(self, values: Floats) -> tuple[Floats, Floats]:
        """Mean and scatter of the deviations of each cell, shape by shape."""
        deviations = values.take(self.places)
        deviations -= deviations.mean(axis=0)
        sizes = np.diff(self.starts, append=self.places.shape[1])
        means = _sums(deviations, self.starts) / sizes
        deviations -= means if len(sizes) == 1 else np.repeat(means, sizes, axis=1)
        return means.T.ravel(), _sums(np.square(deviations, out=deviations), self.starts).T.ravel()


def _sums(rows: Floats, starts: Codes) -> Floats:
    """Of each row, by shape."""
    return rows.sum(axis=1, keepdims=True) if len(starts) == 1 else np.add.reduceat(rows, starts, axis=1)


class Known:
    """The units of those traces that have a value of some quantity. ``which``: the versions with enough of them, which are the ones that take part."""

    def __init__(self, units: Units, where: NDArray[np.bool_], *, enough: int) -> None:
        size = where.take(units.trace_of) if units.trace_of is not None else np.bincount(units.of_trace[where], minlength=len(units.versions))
        there = np.flatnonzero(size)
        large = np.bincount(units.versions.take(there), minlength=units.n_versions) >= enough
        self.which: list[int] = np.flatnonzero(large).tolist()
        if not large.all():
            where = where & large[units.versions[units.of_trace]]
            there = there[large[units.versions[there]]]
        self._units, self._where, self._there, self._versions = units, where, there, (np.cumsum(large) - 1)[units.versions.take(there)]
        self._size = None if units.trace_of is not None else size[there]
        """Traces of each unit; None where it is one, whose value is the unit's."""

    @cached_property
    def _strata(self) -> _Strata:
        """Of units that are one trace each, the values are read where they stand."""
        of_trace = self._units.trace_of
        places = np.arange(len(self._there)) if of_trace is None else (np.cumsum(self._where) - 1).take(of_trace.take(self._there))
        return _Strata(
            self._units.groups.take(self._there), self._units.kinds(self._where).take(self._there), self._versions, places, n_versions=len(self.which)
        )

    @cached_property
    def _unit_of(self) -> Codes:
        """Of each trace, among the units that take part."""
        lookup = np.zeros(len(self._units.versions), np.int64)
        lookup[self._there] = np.arange(len(self._there))
        return lookup[self._units.of_trace[self._where]]

    def levels(self, values: Floats) -> Levels:
        """Levels of the versions that take part; ``values``: of their traces, no NaN."""
        return self._strata.levels(values if self._size is None else np.bincount(self._unit_of, weights=values, minlength=len(self._there)) / self._size)


class _Strata:
    """
    The strata of some units, which come by question and version.

    Args:
        groups: The question of each unit, ascending.
        kinds: The kind of it.
        versions: Which version it is of; ascending inside a question.
        places: Where its value stands in what ``levels`` is given.
        n_versions: V.
    """

    def __init__(self, groups: Codes, kinds: Codes, versions: Codes, places: Codes, *, n_versions: int) -> None:
        starts = np.flatnonzero(np.diff(groups, prepend=-1))
        n_of = np.diff(starts, append=len(groups))
        recurring, self._blocks = _of_questions(starts[n_of > 1], n_of[n_of > 1], versions, places, n_versions=n_versions)
        once = starts[n_of == 1]
        self._once = places[once]
        codes = kinds[once] * n_versions + versions[once]
        counts = np.bincount(codes, minlength=1)
        cells = np.flatnonzero(counts)
        lookup = np.zeros(len(counts), np.int64)
        lookup[cells] = np.arange(len(cells))
        self._cell_of, self._counts, self._kind = lookup[codes], counts[cells], closed_up(cells // n_versions)
        n_shapes = int(recurring.shapes.max(initial=-1)) + 1
        self._shapes = Shapes(
            np.concatenate([recurring.shapes, n_shapes + self._kind]),
            np.concatenate([recurring.versions, cells % n_versions]),
            np.concatenate([np.ones(len(recurring.shapes), np.int64), self._counts]),
            np.concatenate([recurring.strata, np.ones(len(cells), np.int64)]),
            n_versions=n_versions,
        )

    def levels(self, values: Floats) -> Levels:
        """Of the value of each unit."""
        alone = values.take(self._once)
        alone -= alone.mean() if len(alone) else 0.0
        sums, squares = (np.bincount(self._cell_of, weights=weights, minlength=len(self._counts)).astype(np.float64) for weights in (alone, alone * alone))
        of_kinds = moments_by_kind(self._kind, self._counts.astype(np.float64), sums, squares)
        means, scatters = zip(*(block.moments(values) for block in self._blocks), (of_kinds.deviation, of_kinds.scatter), strict=True)
        scatter = np.concatenate(scatters)
        within = np.concatenate([np.zeros(len(scatter) - len(of_kinds.within)), of_kinds.within])
        return self._shapes.levels(Moments(np.concatenate(means), scatter, within))


class _Cells(NamedTuple):
    """What the shapes of recurring questions have of versions, one unit of each."""

    shapes: Codes
    versions: Codes
    strata: Codes


def _of_questions(starts: Codes, n_of: Codes, versions: Codes, places: Codes, *, n_versions: int) -> tuple[_Cells, list[_Block]]:
    """
    Questions by the versions that they occur in.

    Args:
        starts: The first unit of each question.
        n_of: How many units it has.
        versions: Of each unit.
        places: Likewise: where its value stands.
        n_versions: V.
    """
    shapes = _shapes_of(starts, n_of, versions, n_versions=n_versions)
    order = np.lexsort((shapes, n_of)) if shapes.any() else np.arange(len(starts))
    starts, n_of, shapes = starts[order], n_of[order], shapes[order]
    cells, blocks, n_shapes = [_Cells(*np.zeros((3, 0), np.int64))], [], 0
    ends = np.flatnonzero(np.diff(n_of, append=-1)) + 1
    for lo, hi in zip([0, *ends.tolist()], ends.tolist(), strict=False):
        every = np.arange(n_of[lo])
        first = np.flatnonzero(np.diff(shapes[lo:hi], prepend=-1))
        blocks.append(_Block(places[starts[lo:hi] + every[:, None]], first))
        cells.append(
            _Cells(
                np.repeat(n_shapes + np.arange(len(first)), len(every)),
                versions[starts[lo:hi][first][:, None] + every].ravel(),
                np.repeat(np.diff(first, append=hi - lo), len(every)),
            )
        )
        n_shapes += len(first)
    return _Cells(*(np.concatenate(columns) for columns in zip(*cells, strict=True))), blocks


def _shapes_of(starts: Codes, n_of: Codes, versions: Codes, *, n_versions: int) -> Codes:
    """A number of each question, the same for those that occur in the same versions."""
    found = np.zeros(len(starts), np.int64)
    if not len(starts) or (n_of == n_versions).all():
        return found
    bits = np.int64(1) << versions % BITS
    for word in range(-(-n_versions // BITS)):
        mine = np.where(versions // BITS == word, bits, 0) if n_versions > BITS else bits
        told = np.add.reduceat(np.append(mine, 0), np.ravel(np.column_stack([starts, starts + n_of])))[::2]
        codes = numbered(told)[0]
        found = codes if word == 0 else numbered(found * (int(codes.max()) + 1) + codes)[0]
    return found


class Units:
    """
    Which question of which kind each trace of a series of versions asks.

    Args:
        versions: Which version each trace is of, 0 to n_versions - 1.
        groups: Which question each trace asks, a whole number from 0; traces of one question in one version count as one unit, their mean.
        kinds: Which kind of question it is.
        n_versions: V.
    """

    def __init__(self, versions: Codes, groups: Codes, kinds: Codes, *, n_versions: int) -> None:
        self.n_versions = n_versions
        unit, self.of_trace = _different(groups.astype(np.int64) * n_versions + versions)
        self.versions, self.groups = unit % n_versions, unit // n_versions
        self.trace_of: Codes | None = None
        """The trace of each unit; None where some have several."""
        if len(unit) == len(groups):
            self.trace_of = np.empty(len(unit), np.int64)
            self.trace_of[self.of_trace] = np.arange(len(unit))
        self._of_traces = kinds
        every = self._first(kinds, self.of_trace) if self.trace_of is None else kinds.take(self.trace_of)
        self._kinds = every if self.trace_of is not None or (every[self.of_trace] == kinds).all() else None

    def kinds(self, where: NDArray[np.bool_]) -> Codes:
        """Of each unit the kind of its first trace among these."""
        return self._kinds if self._kinds is not None else self._first(self._of_traces[where], self.of_trace[where])

    def _first(self, kinds: Codes, of_trace: Codes) -> Codes:
        found = np.zeros(len(self.versions), np.int64)
        found[of_trace[::-1]] = kinds[::-1]
        return found

    def known(self, where: NDArray[np.bool_], *, enough: int = 0) -> Known:
        """The units of these traces, without versions that have fewer than ``enough`` of them."""
        return Known(self, where, enough=enough)


def _different(places: Codes) -> tuple[Codes, Codes]:
    """The different whole numbers, ascending, and of each number its place among them."""
    span = int(places.max(initial=-1)) + 1
    if span > SPARSE * len(places):
        return np.unique(places, return_inverse=True)
    there = np.zeros(span, np.bool_)
    there[places] = True
    return np.flatnonzero(there), (np.cumsum(there) - 1)[places]


def version_levels(values: Floats, versions: Codes, groups: Codes, kinds: Codes, *, n_versions: int) -> Levels:
    """
    Levels of the versions.

    Args:
        values: One a trace, shape (n,), no NaN.
        versions: As for ``Units``.
        groups: Likewise.
        kinds: Likewise.
        n_versions: Likewise.
    """
    return Units(versions, groups, kinds, n_versions=n_versions).known(np.ones(len(values), np.bool_)).levels(values)
