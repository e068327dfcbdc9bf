"""The traces behind a step: which questions fared worse after it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragviz.compare.quantities import Quantity, quantity
from ragviz.compare.trend import Part


class Behind(NamedTuple):
    """One trace of the version after the step."""

    position: int
    """Place of the trace in its run, from 0."""
    before: float | None
    """What the same question had before; None where it was not asked then."""
    after: float


def behind(before: Part, after: Part, name: str, *, rose: bool, limit: int = 5) -> list[Behind]:
    """
    The traces that moved the way the step goes: first those whose question moved most, then those that stand farthest out.

    Args:
        before: The last version before the step.
        after: The first version after it.
        name: The quantity.
        rose: Whether it went up.
        limit: At most so many.
    """
    q = quantity(name)
    sign = 1.0 if rose else -1.0
    had = _levels(before, q)
    values = q.read(after.values.get(name, np.full(after.n, np.nan)))
    known = np.flatnonzero(~np.isnan(values))
    values, groups = values[known], after.groups[known]
    at = np.minimum(np.searchsorted(had.groups, groups), max(len(had.groups) - 1, 0))
    asked_before = had.groups[at] == groups if len(had.groups) else np.zeros(len(groups), np.bool_)
    earlier = np.where(asked_before, had.means[at], np.nan) if len(had.groups) else np.full(len(groups), np.nan)
    moved = np.where(asked_before, sign * (values - earlier), 0.0)
    # Only those that moved as far as the last one shown are put in order.
    near = np.flatnonzero(moved >= np.partition(moved, len(moved) - limit)[len(moved) - limit]) if len(moved) > limit else np.arange(len(moved))
    order = near[np.lexsort((-sign * values[near], -moved[near]))][:limit]
    back = np.exp if q.logarithmic else float
    return [Behind(int(after.positions[known[i]]), float(back(earlier[i])) if asked_before[i] else None, float(back(values[i]))) for i in order]


class _Had(NamedTuple):
    groups: NDArray[np.int64]
    """In ascending order."""
    means: NDArray[np.float64]


def _levels(part: Part, q: Quantity) -> _Had:
    """The mean of each question of a part."""
    values = q.read(part.values.get(q.name, np.full(part.n, np.nan)))
    known = ~np.isnan(values)
    groups, at = np.unique(part.groups[known], return_inverse=True)
    return _Had(groups, np.bincount(at, weights=values[known], minlength=len(groups)) / np.bincount(at, minlength=len(groups)))
