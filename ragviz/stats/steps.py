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

from functools import lru_cache
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


def find_steps(levels: Levels, *, looked_at: int, alpha: float = 0.05) -> list[Step]:
    """
    Every boundary, with the steps beyond chance allowed for at all others.

    Args:
        levels: Of V versions, in order.
        looked_at: How many boundaries are tested in all, other quantities included: p counts as beyond chance below alpha / looked_at.
        alpha: Chance of any false alarm.

    Returns:
        V - 1 steps, by boundary.
    """
    n = len(levels.level)
    restless = between_variance(levels)
    alone = [_step(levels, at, [], restless) for at in range(1, n)]
    taken: list[int] = []
    while len(taken) < n // 2:
        found = _steps(levels, taken, restless, alone)
        fresh = [s for s in found if s.at not in taken and s.p * looked_at <= alpha]
        if not fresh:
            break
        taken.append(min(fresh, key=lambda s: (s.p, -abs(s.effect) / max(s.error, 1e-12))).at)
    while True:
        found = _steps(levels, taken, restless, alone)
        gone = [s.at for s in found if s.at in taken and s.p * looked_at > alpha]
        if not gone:
            return found
        taken = [at for at in taken if at not in gone]


def _steps(levels: Levels, taken: list[int], restless: float, alone: list[Step]) -> list[Step]:
    """Every boundary, with the steps at ``taken`` allowed for where these are near; ``alone``: with none allowed for."""
    near = [[s for s in taken if s != step.at and step.at - WINDOW < s < step.at + WINDOW] for step in alone]
    return [_step(levels, step.at, others, restless) if others else step for step, others in zip(alone, near, strict=True)]


def between_variance(levels: Levels) -> float:
    """Variance between versions beyond that of their questions; 0 below six versions, where it cannot be measured."""
    n = len(levels.level)
    if n < FOR_RESTLESS:
        return 0.0
    bends = np.zeros((n - 2, n))
    for i in range(n - 2):
        bends[i, i : i + 3] = (-0.5, 1.0, -0.5)
    expected = np.array([levels.variance(bend) for bend in bends])
    squares = (bends @ levels.level) ** 2
    # Median of (bend² / (expected + 1.5 τ²)) = median of a chi-squared: solved for τ² by halving.
    if float(np.median(squares / np.maximum(expected, 1e-18))) <= MEDIAN_OF_SQUARE:
        return 0.0
    low, high = 0.0, float(squares.max()) / MEDIAN_OF_SQUARE
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if float(np.median(squares / (expected + 1.5 * middle))) > MEDIAN_OF_SQUARE else (low, middle)
    return high * MARGIN


def detectable(levels: Levels, *, looked_at: int, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """The step that would be found so often, at a boundary of median precision; None where no boundary can be tested."""
    restless = between_variance(levels)
    errors = [s.error for at in range(1, len(levels.level)) if (s := _step(levels, at, [], restless)).error > 0]
    if not errors:
        return None
    return float(np.median(errors)) * float(ndtri(power) - ndtri(alpha / looked_at / 2))


def _step(levels: Levels, at: int, others: list[int], restless: float) -> Step:
    n = len(levels.level)
    window = np.arange(max(0, at - WINDOW), min(n, at + WINDOW))
    drifts = len(window) >= FOR_DRIFT
    design = _design(int(window[0]) - at, int(window[-1]) - at, tuple(other - at for other in others if window[0] < other <= window[-1]))
    nothing = Step(at, 0.0, 0.0, 1.0, 0.0, 0.0, None)
    if design is None:
        return nothing
    weights = 1.0 / np.maximum(np.diag(levels.pooled)[window] + restless, 1e-18)
    solve = np.linalg.solve((design * weights[:, None]).T @ design, (design * weights[:, None]).T)
    contrast = np.zeros(n)
    contrast[window] = solve[1]
    if not levels.can_tell(contrast):
        return nothing
    variance = levels.variance(contrast) + restless * float(contrast @ contrast)
    effect, error = float(contrast @ levels.level), max(float(np.sqrt(variance)), NO_NOISE)
    # Where nothing varies but by version, any step is one beyond chance; no step is none.
    if error <= NO_NOISE and abs(effect) < NO_NOISE:
        return nothing
    # The noise between versions is measured on n - 2 bends; where there is none to measure, the units' own is known well enough to be normal.
    freedom = max(n - 2, 1) if restless > 0 else MANY
    half = float(stdtrit(freedom, 0.975)) * error
    p = min(1.0, 2 * float(stdtr(freedom, -abs(effect) / error)))
    return Step(at, effect, error, p, effect - half, effect + half, float(solve[2] @ levels.level[window]) if drifts else None)


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
