"""Quantities over versions: each with its interval, the steps beyond chance, and the mix of questions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec
import numpy as np
from numpy.typing import NDArray

from ragviz.compare.asked import Asked, Told, told
from ragviz.compare.mix import Mix, mixes
from ragviz.compare.quantities import QUANTITIES, Quantity, quantity
from ragviz.records import Interval
from ragviz.stats.bootstrap import SHARE, mean_interval
from ragviz.stats.coded import Coded
from ragviz.stats.significance import holm
from ragviz.stats.steps import FOR_DRIFT, WINDOW, Scan, Step

Floats = NDArray[np.float64]

ANYTHING = (-math.inf, math.inf)
RESAMPLES = 1_000
ALPHA = 0.05


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """One point of a trend, without its traces."""

    key: str
    label: str
    at: datetime | None
    run_id: str
    n: int
    """Traces."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """The traces of one version (or of one week), column by column."""

    key: str
    """Unique among the parts: run id, version or first day."""
    label: str
    at: datetime | None
    """Middle of its traces' times; None when no trace says when."""
    run_id: str
    positions: NDArray[np.int64]
    """Place of each trace in its run, from 0."""
    groups: NDArray[np.int64]
    """The question of each trace as a number."""
    kinds: Mapping[str, Coded]
    """By dimension (question, tag: topic): the kind of each trace."""
    values: Mapping[str, Floats]
    """By quantity; NaN = no value. They may be read when asked for: a million traces have more columns than are needed at a time."""

    @property
    def n(self) -> int:
        """Traces."""
        return len(self.positions)

    @property
    def version(self) -> Version:
        """The same without its traces."""
        return Version(key=self.key, label=self.label, at=self.at, run_id=self.run_id, n=self.n)


class Mean(msgspec.Struct, frozen=True, kw_only=True):
    """One quantity of one version."""

    value: float | None
    """Mean, or geometric mean where the quantity is read by its logarithm; None without a value."""
    ci95: Interval | None
    n: int
    """Traces with a value."""


class Shift(msgspec.Struct, frozen=True, kw_only=True):
    """A step of one quantity beyond chance and drift."""

    quantity: str
    effect: float
    """After less before, mix of questions and drift taken out; for logarithmic quantities the relative change, 0.2 = 20 % more."""
    ci95: Interval
    p: float
    p_holm: float
    """Corrected for all boundaries and quantities that were looked at."""
    drift: float | None
    """Change per version that goes on anyway, in the unit of ``effect``; None where there are too few versions to tell."""
    n_before: int
    n_after: int
    """Traces with a value in the up to four versions on either side."""

    @property
    def worse(self) -> bool | None:
        """Whether the step goes the bad way; None where neither way is better."""
        better = quantity(self.quantity).better
        return None if better == 0 else (self.effect > 0) != (better > 0)


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A version with which something stepped."""

    before: int
    """Index of the last part before."""
    after: int
    """Index of the first part after."""
    shifts: tuple[Shift, ...]
    """Surest first."""

    @property
    def is_regression(self) -> bool:
        """Some quality got worse."""
        return self.kind == "regression"

    @property
    def kind(self) -> str:
        """What to call it: regression, improvement or change."""
        ways = {s.worse for s in self.shifts if quantity(s.quantity).is_quality}
        return "regression" if True in ways else "improvement" if False in ways else "change"

    @property
    def lead(self) -> Shift:
        """The shift that it is called after."""
        return (
            self.shifts[0]
            if self.kind == "change"
            else next(s for s in self.shifts if quantity(s.quantity).is_quality and s.worse == (self.kind == "regression"))
        )


class Trend(msgspec.Struct, frozen=True, kw_only=True):
    """All there is to say about a series of versions."""

    means: Mapping[str, tuple[Mean, ...]]
    """By quantity that has any value, one per part."""
    changes: tuple[Change, ...]
    looked_at: int
    """Boundaries times quantities that could be tested."""
    finds: Mapping[str, float]
    """By quantity: the step that would have been found 8 times of 10, in the unit of ``Shift.effect``."""
    small: tuple[int, ...]
    """Parts with too few traces to take part in the search."""
    mixes: tuple[Mix, ...]
    tells_drift: bool
    """False below five versions, where a drift and a step look alike."""


def trend(parts: Sequence[Part], *, names: Sequence[str] | None = None) -> Trend:
    """
    Means, steps and mix of versions in order.

    Args:
        parts: Versions, oldest first.
        names: Only these quantities; None = all with a value.
    """
    asked = Asked(parts)
    means: dict[str, tuple[Mean, ...]] = {}
    scans: dict[str, tuple[Scan, list[int]]] = {}
    for q in QUANTITIES:
        if names is not None and q.name not in names:
            continue
        columns = [p.values[q.name] if q.name in p.values else np.full(p.n, np.nan) for p in parts]
        known = [told(q.read(column)) for column in columns]
        if not any(len(some.values) for some in known) and all(np.isnan(column).all() for column in columns):
            continue
        means[q.name] = tuple(_mean(some, q, asked.questions[i]) for i, some in enumerate(known))
        found = asked.levels(known)
        if found is not None:
            scans[q.name] = Scan(found[0]), found[1]
    looked_at = sum(len(which) - 1 for _, which in scans.values())
    steps = [(name, which, step) for name, (scan, which) in scans.items() for step in scan.steps(looked_at=looked_at, alpha=ALPHA)]
    finds = {name: _readable(name, size) for name, (scan, _) in scans.items() if (size := scan.detectable(looked_at=looked_at, alpha=ALPHA)) is not None}
    large = {i for _, which in scans.values() for i in which}
    return Trend(
        means=means, changes=_changes(steps, means), looked_at=looked_at, finds=finds, small=tuple(i for i in range(len(parts)) if i not in large),
        mixes=mixes([p.kinds for p in parts]), tells_drift=len(large) >= FOR_DRIFT,
    )


def _mean(some: Told, q: Quantity, questions: NDArray[np.int64] | None) -> Mean:
    """Of one version; ``some``: as ``q`` reads the values, ``questions``: of all its traces, None where each is asked once."""
    n = len(some.values)
    if not n:
        return Mean(value=None, ci95=None, n=0)
    found = mean_interval(some.values, groups=None if questions is None else some.rows(questions), within=SHARE if q.is_share else ANYTHING, resamples=RESAMPLES)
    back = math.exp if q.logarithmic else float
    return Mean(value=back(float(some.values.mean())), n=n, ci95=Interval(lo=back(found.lo), hi=back(found.hi)) if found else None)


def _changes(steps: Sequence[tuple[str, list[int], Step]], means: Mapping[str, tuple[Mean, ...]]) -> tuple[Change, ...]:
    """Steps beyond chance, put together by version."""
    corrected = holm([step.p for _, _, step in steps])
    found: dict[int, list[tuple[int, Shift]]] = {}
    for (name, which, step), p in zip(steps, corrected, strict=True):
        if p > ALPHA:
            continue
        before, after = which[max(0, step.at - WINDOW) : step.at], which[step.at : step.at + WINDOW]
        lo, hi = (_readable(name, end) for end in (step.lo, step.hi))
        found.setdefault(which[step.at], []).append(
            (
                which[step.at - 1],
                Shift(
                    quantity=name,
                    effect=_readable(name, step.effect),
                    ci95=Interval(lo=lo, hi=hi),
                    p=step.p,
                    p_holm=p,
                    drift=None if step.drift is None else _readable(name, step.drift),
                    n_before=sum(means[name][i].n for i in before),
                    n_after=sum(means[name][i].n for i in after),
                ),
            )
        )
    return tuple(
        Change(before=max(b for b, _ in rows), after=at, shifts=tuple(s for _, s in sorted(rows, key=lambda r: (r[1].p_holm, r[1].p))))
        for at, rows in sorted(found.items())
    )


def _readable(name: str, effect: float) -> float:
    """A difference of logarithms as a relative change."""
    return math.expm1(effect) if quantity(name).logarithmic else effect
