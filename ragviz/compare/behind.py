"""The traces behind a step: which questions fared worse after it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ragviz.compare.quantities import quantity
from ragviz.compare.trend import Part


class Behind(NamedTuple):
    """One trace of the version after the step."""

    trace_id: str
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
    earlier: dict[str, list[float]] = {}
    for group, value in zip(before.groups, q.read(before.values.get(name, np.full(before.n, np.nan))), strict=True):
        if not np.isnan(value):
            earlier.setdefault(group, []).append(float(value))
    rows: list[tuple[float, float, int, Behind]] = []
    for trace_id, group, value in zip(after.ids, after.groups, q.read(after.values.get(name, np.full(after.n, np.nan))), strict=True):
        if np.isnan(value):
            continue
        had = sum(earlier[group]) / len(earlier[group]) if group in earlier else None
        moved = 0.0 if had is None else sign * (float(value) - had)
        rows.append((-moved, -sign * float(value), len(rows), Behind(trace_id, _shown(had, logarithmic=q.logarithmic), float(np.exp(value)) if q.logarithmic else float(value))))
    rows.sort(key=lambda row: row[:3])
    return [row[3] for row in rows[:limit]]


def _shown(value: float | None, *, logarithmic: bool) -> float | None:
    return float(np.exp(value)) if logarithmic and value is not None else value
