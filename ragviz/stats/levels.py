"""
The level of a quantity in each version, with the mix of questions taken out.

Every question (or, where it occurs in one version only, every kind of question) is allowed a level of its own, and every version too:

    value = level of the question or kind + level of the version + noise

Least squares over both. A version that merely got more of the hard questions keeps its level; a version that answers the same questions worse does not.
The covariance of the levels is known twice: heteroscedasticity-robust (White 1980, Econometrica 48(4), with the degrees-of-freedom correction HC1), and
from the variance of all versions together. The larger of the two counts: in a version where by chance hardly any rare event happened, the spread looks
small exactly because the level does.

Of a million questions and a year of days the rows would take 3 GB. They are never formed: strata with equally many units of each version are of one shape, and
of a shape a few sums say all. A million questions, each asked once in either of two versions, are one shape.
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
"""A shape that so large a part of the versions have (an eighth) is multiplied out whole; of others only the versions they have."""
MOST_CELLS = 1_000_000
"""Of shapes by versions multiplied out at once."""


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

    def variances(self, windows: Codes, contrasts: Floats) -> Floats:
        """
        Of contrasts of a few versions each: the larger of what the two covariances say.

        Args:
            windows: The versions of each, shape (n, w).
            contrasts: Their weights, likewise.
        """
        own = windows[:, :, None], windows[:, None, :]
        of_both = [np.einsum("ni,nij,nj->n", contrasts, covariance[own], contrasts) for covariance in (self.robust, self.pooled)]
        return np.asarray(np.maximum(np.maximum(*of_both), 0.0), dtype=np.float64)

    def tell(self, windows: Codes, contrasts: Floats) -> NDArray[np.bool_]:
        """Which of such contrasts are free of the mix."""
        off = np.einsum("vnw,nw->nv", self.span[:, windows], contrasts)
        np.subtract.at(off, (np.arange(len(windows))[:, None], windows), contrasts)
        found: NDArray[np.bool_] = np.abs(off).max(axis=1) < TOLERANCE ** 0.5 * np.maximum(1.0, np.abs(contrasts).max(axis=1))
        return found

    def variance(self, contrast: Floats) -> float:
        """Of one contrast of all versions."""
        return float(self.variances(np.arange(len(contrast))[None], contrast[None])[0])

    def can_tell(self, contrast: Floats) -> bool:
        """Whether a contrast of all versions is free of the mix."""
        return bool(self.tell(np.arange(len(contrast))[None], contrast[None])[0])


class Moments(NamedTuple):
    """
    The values of each cell (what a shape has of a version), summed over the strata of the shape. The deviation of a stratum's units of a version
    is their mean, less the stratum's.
    """

    deviation: Floats
    """Mean of the deviations."""
    scatter: Floats
    """Sum of the squares of the deviations about that mean."""
    within: Floats
    """Sum of the squares of all units about the mean of those of the same stratum and version."""


class Shapes:
    """
    What strata have of versions.

    Args:
        shapes: Of each cell, 0 to n_shapes - 1; in ascending order.
        versions: Likewise, 0 to n_versions - 1; ascending inside a shape.
        counts: Units that each stratum of the shape has of the version, above 0.
        strata: How many strata are of that shape.
        n_versions: V.
    """

    def __init__(self, shapes: Codes, versions: Codes, counts: Codes, strata: Codes, *, n_versions: int) -> None:
        self.shapes, self.versions, self.counts, self.strata = shapes, versions, counts.astype(np.float64), strata.astype(np.float64)
        self.n_versions, self.n_shapes = n_versions, int(shapes.max(initial=-1)) + 1
        self._mix = self.counts / self.per_shape(self.counts)[shapes]
        """Share of its stratum's units that each cell has."""
        self._units = self.per_version(self.counts * self.strata)
        self._squares = np.diag(self._units) - self._products(self.counts * self.strata, self._mix)

    def per_shape(self, of_cells: Floats) -> Floats:
        """Sum of a number of each cell over its shape."""
        return np.asarray(np.bincount(self.shapes, weights=of_cells, minlength=self.n_shapes), dtype=np.float64)

    def per_version(self, of_cells: Floats) -> Floats:
        """The same over its version."""
        return np.asarray(np.bincount(self.versions, weights=of_cells, minlength=self.n_versions), dtype=np.float64)

    def levels(self, found: Moments) -> Levels:
        """
        Levels of the versions.

        Each unit is a row: its version, less the mix of versions its stratum has; least squares on these rows needs no level of strata any more. The products
        of the rows are linear in what the cells have, so that sums over strata of one shape give them.
        """
        n_units, n_strata = round(float(self._units.sum())), round(float((self.strata * self._mix).sum()))
        inverse, span, rank = self._inverse
        level = np.einsum("vw,w->v", inverse, self.per_version(self.counts * self.strata * found.deviation))
        expected = level[self.versions] - self.per_shape(self._mix * level[self.versions])[self.shapes]
        errors = found.within + self.counts * (found.scatter + self.strata * (found.deviation - expected) ** 2)
        left = max(n_units - n_strata - rank, 1)
        spread = errors * (n_units / left)
        # Rows weighted by their spread: version by version, less version by mix both ways, and mix by mix.
        own = np.diag(self.per_version(spread)) - 2 * self._products(spread - self.per_shape(spread)[self.shapes] * self._mix / 2, self._mix)
        robust = crossed(crossed(own, inverse), inverse)  # both are symmetric
        return Levels(level, robust, inverse * (float(errors.sum()) / left), span, np.rint(self._units).astype(np.int64))

    @cached_property
    def _inverse(self) -> tuple[Floats, Floats, int]:
        """
        Pseudo-inverse of the products of the rows, their span, and its rank. Versions that share strata, directly or by way of others, are
        told apart but for a constant.
        """
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
        Sum over shapes of the outer product of two vectors over versions, made symmetric.

            sum over s of (one_s other_s^T + other_s one_s^T) / 2

        ``one``, ``other``: by cell; 0 where a shape has no unit of a version.
        """
        shapes, versions = self.shapes, self.versions
        n_of = np.bincount(shapes, minlength=self.n_shapes)
        wide = (n_of * DENSE > self.n_versions)[shapes]
        made = self._dense(shapes[wide], versions[wide], one[wide], other[wide])
        rest = np.flatnonzero(~wide)
        shapes, versions, one, other = shapes[rest], versions[rest], one[rest], other[rest]
        made += np.diag(np.bincount(versions, weights=one * other, minlength=self.n_versions))
        left = np.arange(len(rest))
        for step in range(1, int(n_of.max(initial=0))):
            left = left[left + step < len(rest)]
            left = left[shapes[left] == shapes[left + step]]
            if not len(left):
                break
            right = left + step
            both = (one[left] * other[right] + other[left] * one[right]) / 2
            square = np.bincount(versions[left] * self.n_versions + versions[right], weights=both, minlength=self.n_versions**2).reshape(
                self.n_versions, self.n_versions
            )
            made += square + square.T
        return made

    def _dense(self, shapes: Codes, versions: Codes, one: Floats, other: Floats) -> Floats:
        made = np.zeros((self.n_versions, self.n_versions))
        row, at_once = closed_up(shapes), max(1, MOST_CELLS // self.n_versions)
        for first in range(0, int(row.max(initial=-1)) + 1, at_once):
            lo, hi = np.searchsorted(row, [first, first + at_once])
            a, b = np.zeros((2, int(row[hi - 1]) + 1 - first, self.n_versions))
            a[row[lo:hi] - first, versions[lo:hi]] = one[lo:hi]
            b[row[lo:hi] - first, versions[lo:hi]] = other[lo:hi]
            square = crossed(a, b)
            made += (square + square.T) / 2
        return made


def moments_by_kind(strata: Codes, counts: Floats, sums: Floats, squares: Floats) -> Moments:
    """
    Moments of strata that are each a shape of their own.

    Args:
        strata: The stratum of each cell, without gaps.
        counts: Units in each cell.
        sums: Of their values.
        squares: Of the squares of these; best of values near 0.
    """
    means = sums / counts
    of_strata = np.bincount(strata, weights=sums) / np.bincount(strata, weights=counts)
    within = np.where(counts > 1, np.maximum(squares - sums * means, 0.0), 0.0)
    return Moments(means - of_strata[strata], np.zeros(len(counts)), within)
