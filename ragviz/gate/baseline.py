"""
The candidate against a baseline: nothing but the system may differ, and no metric may fall by more than chance and judge noise explain.

A regression is a fall whose 95 % interval leaves 0 out, whose permutation p-value, corrected (Holm) for all regression rules of the file, is below 0.05,
and which is larger than the judge's own noise in a mean of so many cases and than the least fall that counts: what the rules tolerate, else the precision
with which the metric is known. Where the cases are too few for any p-value to get that low, chance cannot be told apart from a fall, and every fall beyond
noise and precision counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragviz.compare.columns import PairedScores
from ragviz.compare.fairness import Unfairness
from ragviz.compare.noise import JudgeNoise
from ragviz.compare.paired import MetricDifference, gain
from ragviz.errors import InputError, UnknownName
from ragviz.gate.check import DUST, MOST_DIGITS, GateLine
from ragviz.gate.rules import Rules
from ragviz.metrics import metric_info
from ragviz.stats.significance import holm
from ragviz.text.sums import decimals

SURE = 0.05
SHOWN = 0.0005
"""Half of the last decimal that reports show: a smaller fall cannot be seen in them."""
ESTIMATE = 0.01
"""What a metric that is rated, not counted from verdicts, is good for: raters guess a figure in two decimals, and their noise is not measured."""
THOUSANDTH = 0.001
"""Of time, money and tokens: no bill and no reader tells such a rise from none, however sure it is."""
BOTH = "both runs"
LIMIT = "not worse than the baseline"


def against_baseline(
    rules: Rules, unfair: Sequence[Unfairness], scores: PairedScores, noise: JudgeNoise | None = None, *, facets: bool = False
) -> list[GateLine]:
    """
    One line for each difference beside the system, and one for each metric that may not fall.

    Args:
        rules: ``no_regression`` of the file and of its slices, ``allow``.
        unfair: What differs beside the system.
        scores: Both runs over their pairs; ``members`` holds ``("tag: <name>", value)`` for slices.
        noise: The judge's own; None = not measured.
        facets: Whether relevance rests on facets in the cases' file; else it is an estimate.

    Raises:
        InputError: A rule names a metric or a slice that the two runs do not share: a rule that checks nothing must not pass.
    """
    if not rules.about_baseline:
        return []
    wanted: list[tuple[str, str, NDArray[np.int64] | None]] = [(BOTH, metric, None) for metric in rules.no_regression]
    wanted += [(f"{s.tag}={s.value}", metric, _places(scores, s.tag, s.value)) for s in rules.slices for metric in s.no_regression]
    unknown = next((metric for _, metric, _ in wanted if metric not in scores.metrics), None)
    if unknown is not None:
        raise InputError(f"the rules name {unknown!r}, which the two runs do not share", fix="`ragviz metrics` lists the names")
    found = [scores.difference(metric, places) for _, metric, places in wanted]
    corrected = holm([1.0 if d.p is None else d.p for d in found])
    lines = [_fair(u, allowed=u.name in rules.allow) for u in unfair]
    least = {
        metric: Least(rules.tolerance[metric], "tolerated by the rules") if metric in rules.tolerance else least_fall(metric, facets=facets)
        for _, metric, _ in wanted
    }
    return lines + [
        _line(scope, d, p, n_rules=len(found), noise=noise, least=least[d.metric]) for (scope, _, _), d, p in zip(wanted, found, corrected, strict=True)
    ]


class Least(NamedTuple):
    """The largest fall that does not count, and why it does not."""

    size: float
    why: str
    share: float = 0.0
    """Of what the baseline has: time and money have no scale of their own."""


def least_fall(metric: str, *, facets: bool = False) -> Least:
    """
    What the rules' file does not say: how small a fall of a metric is none.

    Args:
        metric: Its name.
        facets: Whether relevance rests on facets in the file.
    """
    try:
        info = metric_info(metric)
    except UnknownName:
        return Least(0.0, "")
    if info.group == "cost":
        return Least(0.0, "", share=THOUSANDTH)
    if info.needs_ratings and not (facets and info.name == "relevance"):
        return Least(ESTIMATE, "it is an estimate, and not known more closely")
    return Least(SHOWN, "too small to show in three decimals")


def _places(scores: PairedScores, tag: str, value: str) -> NDArray[np.int64]:
    places = scores.members.get((f"tag: {tag}", value))
    if places is None:
        raise InputError(f"no case that both runs answer has the tag {tag}={value}", fix="correct the slice rule, or tag the cases")
    return places


def _fair(found: Unfairness, *, allowed: bool) -> GateLine:
    reason = f"allowed by name: {found.message}" if allowed else f'{found.message}; allow = ["{found.name}"] accepts it'
    return GateLine(scope=BOTH, metric=found.name, value=None, limit="the same in both", passed=allowed, reason=reason)


def _line(scope: str, found: MetricDifference, p: float, *, n_rules: int, noise: JudgeNoise | None, least: Least) -> GateLine:
    if not found.n:
        return GateLine(scope=scope, metric=found.metric, value=found.candidate, limit=LIMIT, passed=False, reason="no case has a value in both runs")
    passed, reason = _judged(found, p, n_rules=n_rules, noise=noise, least=least)
    return GateLine(scope=scope, metric=found.metric, value=found.candidate, limit=LIMIT, passed=passed, reason=reason)


def _judged(found: MetricDifference, p: float, *, n_rules: int, noise: JudgeNoise | None, least: Least) -> tuple[bool, str]:
    """Whether it holds, and why; nothing to say where nothing fell."""
    assert found.difference is not None
    if gain(found) >= 0:
        return True, ""
    size = abs(found.difference)
    assert found.base is not None
    fall = f"{found.base:.{decimals(found.metric, found.base)}f} before, {_signed(found.difference)} over {found.n} case{'' if found.n == 1 else 's'}"
    within = noise.half_width(found.metric, found.n) if noise is not None else 0.0
    if size <= within:
        return True, f"{fall}: within the judge's own noise, ±{within:.3f}"
    if size <= least.share * abs(found.base):
        return True, f"{fall}: not more than a thousandth of what it was"
    if size <= least.size + DUST:
        return True, f"{fall}: not more than {least.size:g}; {least.why}"
    # Of n pairs, all worse: the smallest two-sided p there is, and what correction makes of it.
    if 2.0 ** (1 - found.n) * n_rules >= SURE:
        return False, f"{fall}; too few to tell chance, so every fall counts"
    told = f"corrected p {p:.2g}" if found.ci95 is None else f"95 % interval {_signed(found.ci95.lo)} to {_signed(found.ci95.hi)}, corrected p {p:.2g}"
    if found.verdict != "worse" or p >= SURE:
        return True, f"{fall} ({told}): within chance"
    return False, f"{fall} ({told}): more than chance"


def _signed(value: float) -> str:
    """With its sign, and as many decimals as it takes to be seen."""
    digits = next((n for n in range(3, MOST_DIGITS) if round(value, n)), 3)
    return f"{value:+.{digits}f}".replace("-", "−")
