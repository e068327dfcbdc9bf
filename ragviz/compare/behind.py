"""The traces behind a step: which questions fared worse after it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragviz.compare.quantities import Quantity, quantity
from ragviz.compare.trend import Part
from ragviz.stats.coded import all_different


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
    values = q.read(after.values.get(name, np.full(after.n, np.nan)))
    known = np.flatnonzero(~np.isnan(values))
    values = values[known]
    earlier = _same_questions(before, after, q)[known]
    asked_before = ~np.isnan(earlier)
    moved = np.where(asked_before, sign * (values - earlier), 0.0)
    # Only those that moved as far as the last one shown are put in order.
    near = np.flatnonzero(moved >= np.partition(moved, len(moved) - limit)[len(moved) - limit]) if len(moved) > limit else np.arange(len(moved))
    order = near[np.lexsort((-sign * values[near], -moved[near]))][:limit]
    back = np.exp if q.logarithmic else float
    return [Behind(int(after.positions[known[i]]), float(back(earlier[i])) if asked_before[i] else None, float(back(values[i]))) for i in order]


def _same_questions(before: Part, after: Part, q: Quantity) -> NDArray[np.float64]:
    """Of each trace after: the mean of its question before; NaN where it had no value."""
    values = q.read(before.values.get(q.name, np.full(before.n, np.nan)))
    if np.array_equal(before.groups, after.groups) and all_different(before.groups):
        return values  # the same file of questions twice: a million of them need not be looked for
    known = ~np.isnan(values)
    if not known.any():
        return np.full(after.n, np.nan)
    groups, at = np.unique(before.groups[known], return_inverse=True)
    means = np.bincount(at, weights=values[known], minlength=len(groups)) / np.bincount(at, minlength=len(groups))
    place = np.minimum(np.searchsorted(groups, after.groups), len(groups) - 1)
    return np.where(groups[place] == after.groups, means[place], np.nan)
