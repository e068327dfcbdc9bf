"""
Where did a level step, rather than drift? A scan over the boundaries between versions.

At each boundary the four versions on either side are fitted by a line and a step, the line being the drift that goes on anyway:

    level = a + drift · position + step · [at or after the boundary] + noise

This is the regression discontinuity in time with a common slope (Hausman & Rapson 2018, Annual Review of Resource Economics 10), scanned over all
boundaries. What else moves levels from version to version enters the noise: it is measured on the bends of the series, level less the mean of its
neighbours, by their median, so that the few real steps hardly count. The strongest step is taken first and allowed for when its neighbours are looked
at again, until no further one is beyond chance.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri, ndtri, stdtr, stdtrit

from ragviz.stats.levels import Levels

Floats = NDArray[np.float64]

WINDOW = 4
"""Versions looked at on either side of a boundary."""
FOR_DRIFT = 5
"""Versions in the window from which on a drift can be told from a step."""
FOR_RESTLESS = 6
"""Versions from which on the noise between versions can be measured."""
MARGIN = 4 / 3
"""The variance between versions is taken a third larger than measured: the median of some twenty squares is that uncertain."""
NO_NOISE = 1e-12
"""Below this a number is what rounding left."""
MANY = 1_000_000
"""Degrees of freedom from which Student's t is the normal law."""
MEDIAN_OF_SQUARE = float(chdtri(1, 0.5))


class Step(NamedTuple):
    """What one boundary shows."""

    at: int
    """The step lies between version at - 1 and version at."""
    effect: float
    error: float
    """Its standard error."""
    p: float
    """Two-sided, as found; 1 where nothing can be said."""
    lo: float
    hi: float
    """95 % interval."""
    drift: float | None
    """Change per version that goes on anyway; None where there are too few versions to tell."""


class Scan:
    """What the boundaries between versions show. ``levels``: of V versions, in order."""

    def __init__(self, levels: Levels) -> None:
        self._levels = levels
        self._near: dict[tuple[int, tuple[int, ...]], Step] = {}

    def steps(self, *, looked_at: int, alpha: float = 0.05) -> list[Step]:
        """
        Every boundary, with the steps beyond chance allowed for at all others.

        Args:
            looked_at: How many boundaries are tested in all, other quantities included: p counts as beyond chance below alpha / looked_at.
            alpha: Chance of any false alarm.

        Returns:
            V - 1 steps, by boundary.
        """
        taken: list[int] = []
        while len(taken) < len(self._levels.level) // 2:
            found = self._beside(taken)
            fresh = [s for s in found if s.at not in taken and s.p * looked_at <= alpha]
            if not fresh:
                break
            taken.append(min(fresh, key=lambda s: (s.p, -abs(s.effect) / max(s.error, 1e-12))).at)
        while True:
            found = self._beside(taken)
            gone = [s.at for s in found if s.at in taken and s.p * looked_at > alpha]
            if not gone:
                return found
            taken = [at for at in taken if at not in gone]

    def detectable(self, *, looked_at: int, alpha: float = 0.05, power: float = 0.8) -> float | None:
        """The step that would be found so often, at a boundary of median precision; None where no boundary can be tested."""
        errors = [s.error for s in self._alone if s.error > 0]
        return float(np.median(errors)) * float(ndtri(power) - ndtri(alpha / looked_at / 2)) if errors else None

    @cached_property
    def between_variance(self) -> float:
        """Variance between versions beyond that of their questions; 0 below six versions, where it cannot be measured."""
        n = len(self._levels.level)
        if n < FOR_RESTLESS:
            return 0.0
        windows, bends = np.arange(n - 2)[:, None] + np.arange(3), np.tile((-0.5, 1.0, -0.5), (n - 2, 1))
        expected = self._levels.variances(windows, bends)
        squares = (bends * self._levels.level[windows]).sum(axis=1) ** 2
        # Median of (bend² / (expected + 1.5 τ²)) = median of a chi-squared: solved for τ² by halving.
        if float(np.median(squares / np.maximum(expected, 1e-18))) <= MEDIAN_OF_SQUARE:
            return 0.0
        low, high = 0.0, float(squares.max()) / MEDIAN_OF_SQUARE
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if float(np.median(squares / (expected + 1.5 * middle))) > MEDIAN_OF_SQUARE else (low, middle)
        return high * MARGIN

    @cached_property
    def _alone(self) -> list[Step]:
        """Every boundary, with no other step allowed for; those that see equally many versions on either side at once."""
        n = len(self._levels.level)
        ends: dict[tuple[int, int], list[int]] = {}
        for at in range(1, n):
            ends.setdefault((-min(at, WINDOW), min(n - at, WINDOW) - 1), []).append(at)
        found = [step for (first, last), places in ends.items() for step in self._fitted(np.array(places), first, last, ())]
        return sorted(found, key=lambda s: s.at)

    def _beside(self, taken: list[int]) -> list[Step]:
        """Every boundary, with the steps at ``taken`` allowed for where these are near."""
        near = [tuple(s for s in taken if s != step.at and step.at - WINDOW < s < step.at + WINDOW) for step in self._alone]
        return [self._one(step.at, others) if others else step for step, others in zip(self._alone, near, strict=True)]

    def _one(self, at: int, others: tuple[int, ...]) -> Step:
        if (at, others) not in self._near:
            first, last = -min(at, WINDOW), min(len(self._levels.level) - at, WINDOW) - 1
            (self._near[at, others],) = self._fitted(np.array([at]), first, last, tuple(other - at for other in others if first < other - at <= last))
        return self._near[at, others]

    def _fitted(self, at: NDArray[np.int64], first: int, last: int, others: tuple[int, ...]) -> list[Step]:
        """The steps at some boundaries; ``first``, ``last``, ``others``: as for ``_design``."""
        levels, restless, design = self._levels, self.between_variance, _design(first, last, others)
        if design is None:
            return [_nothing(place) for place in at.tolist()]
        windows = at[:, None] + np.arange(first, last + 1)
        weights = 1.0 / np.maximum(np.diag(levels.pooled)[windows] + restless, 1e-18)
        weighted = design.T * weights[:, None, :]
        solved = np.linalg.solve(weighted @ design, weighted)
        contrasts, there = solved[:, 1], levels.level[windows]
        effects = (contrasts * there).sum(axis=1)
        errors = np.maximum(np.sqrt(levels.variances(windows, contrasts) + restless * (contrasts * contrasts).sum(axis=1)), NO_NOISE)
        # Where nothing varies but by version, any step is one beyond chance; no step is none.
        tells = levels.tell(windows, contrasts) & ((errors > NO_NOISE) | (np.abs(effects) >= NO_NOISE))
        # The noise between versions is measured on n - 2 bends; where there is none to measure, the units' own is known well enough to be normal.
        freedom = max(len(levels.level) - 2, 1) if restless > 0 else MANY
        halves = float(stdtrit(freedom, 0.975)) * errors
        p = np.minimum(1.0, 2 * stdtr(freedom, -np.abs(effects) / errors))
        drifts = (solved[:, 2] * there).sum(axis=1).tolist() if last - first + 1 >= FOR_DRIFT else [None] * len(at)
        columns = (column.tolist() for column in (at, effects, errors, p, effects - halves, effects + halves))
        return [Step(*row) if tell else _nothing(row[0]) for *row, tell in zip(*columns, drifts, tells.tolist(), strict=True)]


def _nothing(at: int) -> Step:
    """A boundary of which nothing can be said."""
    return Step(at, 0.0, 0.0, 1.0, 0.0, 0.0, None)


@lru_cache(maxsize=1_024)
def _design(first: int, last: int, others: tuple[int, ...]) -> Floats | None:
    """
    Level, step, drift where it can be told, and the other steps, by version of a window. None where they cannot be told apart.

    Args:
        first: The first version of the window, counted from the boundary.
        last: The last one.
        others: First versions after the other steps, counted likewise.
    """
    position = np.arange(first, last + 1)
    columns = [np.ones(len(position)), (position >= 0).astype(np.float64)]
    if len(position) >= FOR_DRIFT:
        columns.append(position.astype(np.float64))
    design = np.column_stack(columns + [(position >= other).astype(np.float64) for other in others])
    return None if len(position) < design.shape[1] or np.linalg.matrix_rank(design) < design.shape[1] else design
