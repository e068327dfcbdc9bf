"""The judge's own noise: how many verdicts flip when nothing changed, and whether what is seen lies within that."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence

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
    clustering: float = 1.0
    """By so much the flips vary more than if each claim flipped by itself: above 1 where those of one answer flip together, or some claims again and again."""


class JudgeNoise(msgspec.Struct, frozen=True, kw_only=True):
    """A judge's noise on claims and on metrics, and how it is known."""

    floor: NoiseFloor
    spread: Mapping[str, float] = {}
    """By metric: root mean square of the change of one trace's value between two judgings of identical inputs."""
    n_traces: int = 0
    """Traces judged twice."""
    source: str = ""
    """In words: how it is known, or why it is not."""
    again: Mapping[str, Mapping[str, Mapping[str, tuple[float, ...]]]] = {}
    """By run, metric and trace: its values when it was judged again, in the order of asking; where they are few enough to be kept."""

    def half_width(self, metric: str, n: int) -> float:
        """
        How far the mean of ``n`` traces moves by this noise alone, 95 of 100 times: half-width around 0, with Student's t for a spread known from few traces.

        An estimate: where few claims waver, a repeat of few traces may have met none of them.
        """
        spread = self.spread.get(metric, 0.0)
        return _t(self.n_traces) * spread / math.sqrt(n) if n and spread else 0.0


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

    Claims of one trace are judged together, and waver together: the interval is Clopper and Pearson's for as many claims as would know as much if each flipped
    by itself, n / clustering. Where none flipped nothing shows how they cluster, and n stands.

    Args:
        first: Grounding by (trace id, claim id).
        second: The same from the second judging. Claims that one side lacks or could not judge are left out.

    Source: Korn & Graubard 1998, Survey Methodology 24(2).
    """
    both = [
        (key[0], first[key], second[key]) for key in first if key in second and Grounding.UNJUDGED not in (first[key], second[key])
    ]
    changes: dict[tuple[str, str], int] = {}
    for _, before, after in both:
        if before is not after:
            changes[before.value, after.value] = changes.get((before.value, after.value), 0) + 1
    flips, n = sum(changes.values()), len(both)
    clustering = _clustering([trace for trace, _, _ in both], [before is not after for _, before, after in both])
    return NoiseFloor(
        n=n, flips=flips, rate=flips / n if n else None, ci95=_clopper_pearson(flips / clustering, n / clustering) if n else None, by_change=changes,
        clustering=clustering,
    )


def _clustering(traces: Sequence[str], flipped: Sequence[bool]) -> float:
    """Variance of the rate over whole traces, by that of as many independent claims; from 1 up to the claims of a trace, and for few traces a little more."""
    numbers = {trace: at for at, trace in enumerate(dict.fromkeys(traces))}
    n, d, rate = len(traces), len(numbers), sum(flipped) / len(traces) if traces else 0.0
    if d < 2 or not 0 < rate < 1:
        return 1.0
    codes = [numbers[trace] for trace in traces]
    residuals = np.bincount(codes, weights=np.array(flipped, dtype=np.float64) - rate)
    variance = d / (d - 1) * float(residuals @ residuals) / n**2
    seen = variance * n / (rate * (1 - rate)) * (_t(d - 1) / _t(n - 1)) ** 2
    return float(min(max(1.0, seen), n / 2))


def check_noise(floor: NoiseFloor, *, observed: int, n: int) -> NoiseCheck:
    """
    Whether ``observed`` flips among ``n`` claims on identical inputs go beyond the floor.

    Both are counted in units of ``clustering`` flips, which come and go together. Without a measurement every flip counts as real: the floor is 0.
    """
    from scipy.special import bdtrc  # noqa: PLC0415 - not for the first page; and not scipy.stats, which takes a second and 60 MiB to load

    if floor.rate is None or floor.ci95 is None:
        return NoiseCheck(n=n, observed=observed, expected=0.0, up_to=0, p=0.0 if observed else 1.0)
    unit = floor.clustering
    units = max(1, round(n / unit)) if n else 0
    up_to = min(n, math.ceil(unit * _binomial_quantile(0.95, units, floor.ci95.hi) - 1e-9)) if n else 0
    p = float(bdtrc(min(units, math.ceil(observed / unit - 1e-9)) - 1, units, floor.rate)) if observed else 1.0
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
    return None if each is None else _t(n) * each / math.sqrt(n)


def value_spread(first: Mapping[str, float | None], second: Mapping[str, float | None]) -> float | None:
    """Root mean square of the change of a trace's value between two judgings; None below two traces with both values."""
    return spread_of([b - a for key, a in first.items() if a is not None and (b := second.get(key)) is not None])


def spread_of(changes: Sequence[float]) -> float | None:
    """The same of the changes themselves."""
    # Around 0, not around the mean: with identical inputs the expected difference is 0.
    return None if len(changes) < 2 else math.sqrt(float(np.mean(np.square(changes))))


def _t(freedom: int) -> float:
    """Student's t, 97.5 of 100."""
    from scipy.special import stdtrit  # noqa: PLC0415 - as above

    return float(stdtrit(max(1, freedom), 0.975))


def _clopper_pearson(hits: float, n: float, level: float = 0.95) -> Interval:
    from scipy.special import betaincinv  # noqa: PLC0415 - as above

    tail = (1 - level) / 2
    lo = 0.0 if hits == 0 else float(betaincinv(hits, n - hits + 1, tail))
    hi = 1.0 if hits == n else float(betaincinv(hits + 1, n - hits, 1 - tail))
    return Interval(lo=lo, hi=hi, level=level)
