"""
The candidate against a baseline: nothing but the system may differ, and no metric may fall by more than chance and judge noise explain.

A regression is a fall whose 95 % interval leaves 0 out, whose permutation p-value, corrected (Holm) for all regression rules of the file, is below 0.05,
and which is larger than the judge's own noise in a mean of so many cases. Where the cases are too few for any p-value to get that low, chance cannot
be told apart from a fall, and every fall beyond the judge's noise counts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ragviz.compare.columns import PairedScores
from ragviz.compare.fairness import Unfairness
from ragviz.compare.noise import JudgeNoise
from ragviz.compare.paired import MetricDifference, gain
from ragviz.errors import InputError
from ragviz.gate.check import GateLine
from ragviz.gate.rules import Rules
from ragviz.stats.significance import holm

SURE = 0.05
BOTH = "both runs"
LIMIT = "not worse than the baseline"


def against_baseline(rules: Rules, unfair: Sequence[Unfairness], scores: PairedScores, noise: JudgeNoise | None = None) -> list[GateLine]:
    """
    One line for each difference beside the system, and one for each metric that may not fall.

    Args:
        rules: ``no_regression`` of the file and of its slices, ``allow``.
        unfair: What differs beside the system.
        scores: Both runs over their pairs; ``members`` holds ``("tag: <name>", value)`` for slices.
        noise: The judge's own; None = not measured.

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
    return lines + [_line(scope, d, p, len(found), noise) for (scope, _, _), d, p in zip(wanted, found, corrected, strict=True)]


def _places(scores: PairedScores, tag: str, value: str) -> NDArray[np.int64]:
    places = scores.members.get((f"tag: {tag}", value))
    if places is None:
        raise InputError(f"no case that both runs answer has the tag {tag}={value}", fix="correct the slice rule, or tag the cases")
    return places


def _fair(found: Unfairness, *, allowed: bool) -> GateLine:
    reason = f"allowed by name: {found.message}" if allowed else f'{found.message}; allow = ["{found.name}"] accepts it'
    return GateLine(scope=BOTH, metric=found.name, value=None, limit="the same in both", passed=allowed, reason=reason)


def _line(scope: str, found: MetricDifference, p: float, n_rules: int, noise: JudgeNoise | None) -> GateLine:
    fault = "no case has a value in both runs" if not found.n else _regression(found, p, n_rules, noise)
    return GateLine(scope=scope, metric=found.metric, value=found.candidate, limit=LIMIT, passed=not fault, reason=fault)


def _regression(found: MetricDifference, p: float, n_rules: int, noise: JudgeNoise | None) -> str:
    """Why this is one; empty when it is none."""
    assert found.difference is not None
    within = noise.half_width(found.metric, found.n) if noise is not None else 0.0
    if gain(found) >= 0 or abs(found.difference) <= within:
        return ""
    fall = f"{found.base:.3f} before, {found.difference:+.3f} over {found.n} cases".replace("-", "−")
    # Of n pairs, all worse: the smallest two-sided p there is, and what correction makes of it.
    if 2.0 ** (1 - found.n) * n_rules >= SURE:
        return f"{fall}; too few to tell chance, so every fall counts"
    if found.verdict != "worse" or p >= SURE:
        return ""
    assert found.ci95 is not None
    return f"{fall} (95 % interval {found.ci95.lo:+.3f} to {found.ci95.hi:+.3f}, corrected p {p:.2g}): more than chance".replace(" -", " −").replace("(-", "(−")
