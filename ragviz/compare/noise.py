"""The judge's own noise: how many verdicts flip when nothing changed, and whether what is seen lies within that."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping

import msgspec
import numpy as np

from ragviz.records import Grounding, Interval


class NoiseFloor(msgspec.Struct, frozen=True, kw_only=True):
    """How often a judge changes its mind on identical inputs."""

    n: int
    """Claims judged twice."""
    flips: int
    """Of these, how many got another verdict."""
    rate: float | None
    """flips / n; None when nothing was judged twice."""
    ci95: Interval | None
    """Clopper-Pearson interval of the rate: it holds for few claims too."""
    by_change: Mapping[tuple[str, str], int] = {}
    """How often each change of verdict occurred."""


class JudgeNoise(msgspec.Struct, frozen=True, kw_only=True):
    """A judge's noise on claims and on metrics, and how it is known."""

    floor: NoiseFloor
    spread: Mapping[str, float] = {}
    """By metric: root mean square of the change of one trace's value between two judgings of identical inputs."""
    n_traces: int = 0
    """Traces judged twice."""
    source: str = ""
    """In words: how it is known, or why it is not."""

    def half_width(self, metric: str, n: int) -> float:
        """How far the mean of ``n`` traces moves by this noise alone, 95 of 100 times: half-width around 0."""
        return 1.96 * self.spread.get(metric, 0.0) / math.sqrt(n) if n else 0.0


def no_noise(judge: str) -> JudgeNoise:
    """Of a judge that computes its verdict: asked the same, it says the same, so nothing needs to be measured."""
    return JudgeNoise(
        floor=NoiseFloor(n=0, flips=0, rate=0.0, ci95=Interval(lo=0.0, hi=0.0)),
        source=f"0: the judge {judge} computes its verdicts and gives the same one each time",
    )


def unknown_noise(why: str) -> JudgeNoise:
    """Nothing was measured; ``why`` in words."""
    return JudgeNoise(floor=NoiseFloor(n=0, flips=0, rate=None, ci95=None), source=why)


class NoiseCheck(msgspec.Struct, frozen=True, kw_only=True):
    """Observed flips against what the judge's noise alone would give."""

    n: int
    observed: int
    expected: float
    """Flips expected by judge noise alone."""
    up_to: int
    """So many are still within noise, 95 of 100 times, with the rate at the upper end of its interval."""
    p: float
    """Probability of at least so many flips by noise alone, at the measured rate."""

    @property
    def within(self) -> bool:
        """True when noise alone explains the flips."""
        return self.observed <= self.up_to


def noise_floor(first: Mapping[tuple[str, str], Grounding], second: Mapping[tuple[str, str], Grounding]) -> NoiseFloor:
    """
    Measure noise from two judgings of the same claims on the same passages.

    Args:
        first: Grounding by (trace id, claim id).
        second: The same from the second judging. Claims that one side lacks or could not judge are left out.
    """
    both = [
        (first[key], second[key]) for key in first if key in second and Grounding.UNJUDGED not in (first[key], second[key])
    ]
    changes: dict[tuple[str, str], int] = {}
    for before, after in both:
        if before is not after:
            changes[before.value, after.value] = changes.get((before.value, after.value), 0) + 1
    flips, n = sum(changes.values()), len(both)
    return NoiseFloor(n=n, flips=flips, rate=flips / n if n else None, ci95=_clopper_pearson(flips, n) if n else None, by_change=changes)


def check_noise(floor: NoiseFloor, *, observed: int, n: int) -> NoiseCheck:
    """
    Whether ``observed`` flips among ``n`` claims on identical inputs go beyond the floor.

    Without a measurement every flip counts as real: the floor is 0.
    """
    from scipy.special import bdtrc  # noqa: PLC0415 - not for the first page; and not scipy.stats, which takes a second and 60 MiB to load

    if floor.rate is None or floor.ci95 is None:
        return NoiseCheck(n=n, observed=observed, expected=0.0, up_to=0, p=0.0 if observed else 1.0)
    up_to = _binomial_quantile(0.95, n, floor.ci95.hi) if n else 0
    p = float(bdtrc(observed - 1, n, floor.rate)) if observed else 1.0
    return NoiseCheck(n=n, observed=observed, expected=n * floor.rate, up_to=up_to, p=p)


def _binomial_quantile(level: float, n: int, p: float) -> int:
    """The least number of hits of n that is not exceeded with a probability of ``level``."""
    from scipy.special import bdtr  # noqa: PLC0415 - as above

    return bisect_left(range(n), level, key=lambda hits: float(bdtr(hits, n, p)))


def mean_noise(first: Mapping[str, float | None], second: Mapping[str, float | None]) -> float | None:
    """
    How far the mean of these traces moves by judge noise alone, 95 of 100 times: half-width around 0.

    Args:
        first: A metric by trace id, from the first judging.
        second: The same from the second judging of identical inputs.

    Returns:
        None below two traces with both values.
    """
    n = sum(a is not None and second.get(key) is not None for key, a in first.items())
    each = value_spread(first, second)
    return None if each is None else 1.96 * each / math.sqrt(n)


def value_spread(first: Mapping[str, float | None], second: Mapping[str, float | None]) -> float | None:
    """Root mean square of the change of a trace's value between two judgings; None below two traces with both values."""
    deltas = np.array([b - a for key, a in first.items() if a is not None and (b := second.get(key)) is not None])
    # Around 0, not around the mean: with identical inputs the expected difference is 0.
    return None if len(deltas) < 2 else math.sqrt(float(np.mean(deltas**2)))


def _clopper_pearson(hits: int, n: int, level: float = 0.95) -> Interval:
    from scipy.special import betaincinv  # noqa: PLC0415 - as above

    tail = (1 - level) / 2
    lo = 0.0 if hits == 0 else float(betaincinv(hits, n - hits + 1, tail))
    hi = 1.0 if hits == n else float(betaincinv(hits + 1, n - hits, 1 - tail))
    return Interval(lo=lo, hi=hi, level=level)
