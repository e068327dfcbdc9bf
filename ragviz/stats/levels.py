"""
The level of a quantity in each version, with the mix of questions taken out.

Every question (or, where it occurs in one version only, every kind of question) is allowed a level of its own, and every version too:

    value = level of the question or kind + level of the version + noise

Least squares over both. A version that merely got more of the hard questions keeps its level; a version that answers the same questions worse does not.
The covariance of the levels is known twice: heteroscedasticity-robust (White 1980, Econometrica 48(4), with the degrees-of-freedom correction HC1), and
from the variance of all versions together. The larger of the two counts: in a version where by chance hardly any rare event happened, the spread looks
small exactly because the level does.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragviz.stats.coded import closed_up
from ragviz.stats.products import connected, crossed, inverse_of

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

TOLERANCE = 1e-8
DENSE = 8
"""A stratum that so large a part of the versions have (an eighth) is multiplied out whole; of others only the versions they have."""
MOST_CELLS = 1_000_000
"""Of strata by versions multiplied out at once."""


class Levels(NamedTuple):
    """Levels of V versions up to a common constant."""

    level: Floats
    """Shape (V,), mean 0."""
    robust: Floats
    """Shape (V, V): covariance of the levels, each version with the spread of its own."""
    pooled: Floats
    """Shape (V, V): covariance of the levels, all versions with the same spread."""
    span: Floats
    """Shape (V, V): projection on the differences that the questions in common allow; a contrast outside it cannot be told from a change of mix."""
    units: Codes
    """Shape (V,): questions behind each level."""

    def variance(self, contrast: Floats) -> float:
        """Of a contrast of the levels: the larger of what the two covariances say."""
        there = np.flatnonzero(contrast)  # a few versions of maybe hundreds
        own = slice(there[0], there[-1] + 1) if len(there) else slice(0)
        some = contrast[own]
        return max(float(some @ self.robust[own, own] @ some), float(some @ self.pooled[own, own] @ some), 0.0)

    def can_tell(self, contrast: Floats) -> bool:
        """Whether a contrast of versions is free of the mix."""
        there = np.flatnonzero(contrast)
        return bool(np.abs(self.span[:, there] @ contrast[there] - contrast).max() < TOLERANCE ** 0.5 * max(1.0, float(np.abs(contrast).max())))


class Cells:
    """
    What strata have of versions: their units are counted and summed by cell, so that a million units of a few kinds are a few numbers.

    Args:
        strata: Of each cell, 0 to n_strata - 1; in ascending order.
        versions: Likewise, 0 to n_versions - 1; ascending inside a stratum.
        counts: Units in it, above 0.
        n_versions: V.
    """

    def __init__(self, strata: Codes, versions: Codes, counts: Codes, *, n_versions: int) -> None:
        self.strata, self.versions, self.counts = strata, versions, counts.astype(np.float64)
        self.n_versions, self.n_strata = n_versions, int(strata.max(initial=-1)) + 1
        self._size = self.per_stratum(self.counts)
        self._mix = self.counts / self._size[strata]
        """Share of its stratum's units that each cell has."""
        self._units = np.bincount(versions, weights=self.counts, minlength=n_versions)
        self._squares = np.diag(self._units) - self._products(self.counts, self._mix)

    def per_stratum(self, of_cells: Floats) -> Floats:
        """Sum of a number of each cell over its stratum."""
        return np.asarray(np.bincount(self.strata, weights=of_cells, minlength=self.n_strata), dtype=np.float64)

    def per_version(self, of_cells: Floats) -> Floats:
        """The same over its version."""
        return np.asarray(np.bincount(self.versions, weights=of_cells, minlength=self.n_versions), dtype=np.float64)

    def levels(self, sums: Floats, squares: Floats) -> Levels:
        """
        Levels of the versions.

        Each unit is a row: its version, less the mix of versions its stratum has; least squares on these rows needs no level of strata any more. Of a million
        units and a year of days the rows would take 3 GB, so only their products are formed, over what strata have of each version.

        Args:
            sums: Of the values of each cell's units.
            squares: Of their squares; best of values near 0.
        """
        n_units = int(self.counts.sum())
        stratum_means = self.per_stratum(sums) / self._size
        inverse, span, rank = self._inverse
        level = np.einsum("vw,w->v", inverse, self.per_version(sums - self.counts * stratum_means[self.strata]))
        of_mix = self.per_stratum(self._mix * level[self.versions])
        expected = (stratum_means - of_mix)[self.strata] + level[self.versions]
        means = sums / self.counts
        within = np.where(self.counts > 1, np.maximum(squares - sums * means, 0.0), 0.0)
        errors = within + self.counts * (means - expected) ** 2
        left = max(n_units - self.n_strata - rank, 1)
        spread = errors * (n_units / left)
        # Rows weighted by their spread: version by version, less version by mix both ways, and mix by mix.
        own = np.diag(self.per_version(spread)) - 2 * self._products(spread - self.per_stratum(spread)[self.strata] * self._mix / 2, self._mix)
        robust = crossed(crossed(own, inverse), inverse)  # both are symmetric
        return Levels(level, robust, inverse * (float(errors.sum()) / left), span, self._units.astype(np.int64))

    @cached_property
    def _inverse(self) -> tuple[Floats, Floats, int]:
        """Pseudo-inverse of the products of the rows, their span, and its rank. Versions that share strata, directly or by way of others, are told apart but for a constant."""
        squares, inverse, span = self._squares, np.zeros_like(self._squares), np.zeros_like(self._squares)
        islands = connected(np.abs(squares) > TOLERANCE * float(squares.diagonal().max(initial=0.0)))
        for versions in islands:
            own, n = np.ix_(versions, versions), len(versions)
            share, weight = 1.0 / n, float(squares.diagonal()[versions].mean())
            if n > 1:
                inverse[own] = inverse_of(squares[own] + weight * share) - share / weight
                span[own] = np.eye(n) - share
        return inverse, span, self.n_versions - len(islands)

    def _products(self, one: Floats, other: Floats) -> Floats:
        """
        Sum over strata of the outer product of two vectors over versions, made symmetric.

            sum over s of (one_s other_s^T + other_s one_s^T) / 2

        ``one``, ``other``: by cell; 0 where a stratum has no unit of a version.
        """
        strata, versions = self.strata, self.versions
        n_of = np.bincount(strata, minlength=self.n_strata)
        wide = (n_of * DENSE > self.n_versions)[strata]
        made = self._dense(strata[wide], versions[wide], one[wide], other[wide])
        rest = np.flatnonzero(~wide)
        strata, versions, one, other = strata[rest], versions[rest], one[rest], other[rest]
        made += np.diag(np.bincount(versions, weights=one * other, minlength=self.n_versions))
        left = np.arange(len(rest))
        for step in range(1, int(n_of.max(initial=0))):
            left = left[left + step < len(rest)]
            left = left[strata[left] == strata[left + step]]
            if not len(left):
                break
            right = left + step
            both = (one[left] * other[right] + other[left] * one[right]) / 2
            square = np.bincount(versions[left] * self.n_versions + versions[right], weights=both, minlength=self.n_versions**2).reshape(self.n_versions, self.n_versions)
            made += square + square.T
        return made

    def _dense(self, strata: Codes, versions: Codes, one: Floats, other: Floats) -> Floats:
        made = np.zeros((self.n_versions, self.n_versions))
        row, at_once = closed_up(strata), max(1, MOST_CELLS // self.n_versions)
        for first in range(0, int(row.max(initial=-1)) + 1, at_once):
            lo, hi = np.searchsorted(row, [first, first + at_once])
            a, b = np.zeros((2, int(row[hi - 1]) + 1 - first, self.n_versions))
            a[row[lo:hi] - first, versions[lo:hi]] = one[lo:hi]
            b[row[lo:hi] - first, versions[lo:hi]] = other[lo:hi]
            square = crossed(a, b)
            made += (square + square.T) / 2
        return made


class Known:
    """The units of those traces that have a value of some quantity. ``which``: the versions with enough of them, which are the ones that take part."""

    def __init__(self, units: Units, where: NDArray[np.bool_], *, enough: int) -> None:
        size = np.bincount(units.of_trace[where], minlength=len(units.versions))
        n_of = np.bincount(units.versions[size > 0], minlength=units.n_versions)
        large = n_of >= enough
        self.which: list[int] = np.flatnonzero(large).tolist()
        self.where = where if large.all() else where & large[units.versions[units.of_trace]]
        self._of_trace = units.of_trace[self.where]
        self._there = np.flatnonzero((size > 0) & large[units.versions])
        self._size = size[self._there]
        self._units, self._versions = units, (np.cumsum(large) - 1)[units.versions[self._there]]

    @cached_property
    def _counted(self) -> tuple[Cells, Codes]:
        """The cells, and to which of them each unit belongs. Of a question that recurs each unit is a cell; units come by question and version, so that these are in order."""
        units, versions, n = self._units, self._versions, len(self.which)
        groups = units.groups[self._there]
        recurs = np.bincount(groups)[groups] > 1
        place = np.flatnonzero(~recurs)
        codes = units.kinds(self.where)[self._there][place] * n + versions[place]
        counts = np.bincount(codes, minlength=1)
        of_kinds = np.flatnonzero(counts)
        strata = closed_up(groups[recurs])
        n_cells, n_strata = len(strata), int(strata.max(initial=-1)) + 1
        of_unit = np.empty(len(groups), np.int64)
        of_unit[recurs] = np.arange(n_cells)
        lookup = np.zeros(len(counts), np.int64)
        lookup[of_kinds] = n_cells + np.arange(len(of_kinds))
        of_unit[place] = lookup[codes]
        cells = Cells(
            np.concatenate([strata, n_strata + closed_up(of_kinds // n)]), np.concatenate([versions[recurs], of_kinds % n]),
            np.concatenate([np.ones(n_cells), counts[of_kinds]]), n_versions=n,
        )
        return cells, of_unit

    def levels(self, values: Floats) -> Levels:
        """Levels of the versions that take part; ``values``: of their traces, no NaN."""
        centre = float(values.mean()) if len(values) else 0.0
        means = np.bincount(self._of_trace, weights=values, minlength=int(self._there.max(initial=-1)) + 1)[self._there] / self._size - centre
        cells, of_unit = self._counted
        sums, squares = (np.bincount(of_unit, weights=weights).astype(np.float64) for weights in (means, means * means))
        return cells.levels(sums, squares)


class Units:
    """
    Which question of which kind each trace of a series of versions asks.

    Args:
        versions: Which version each trace is of, 0 to n_versions - 1.
        groups: Which question each trace asks; traces of one question in one version count as one unit, their mean.
        kinds: Which kind of question it is.
        n_versions: V.
    """

    def __init__(self, versions: Codes, groups: Codes, kinds: Codes, *, n_versions: int) -> None:
        self.n_versions = n_versions
        unit, self.of_trace = np.unique(groups.astype(np.int64) * n_versions + versions, return_inverse=True)
        self.versions, self.groups = unit % n_versions, closed_up(unit // n_versions)
        self._of_traces = kinds
        every = self._first(kinds, self.of_trace)
        self._kinds = every if (every[self.of_trace] == kinds).all() else None

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
