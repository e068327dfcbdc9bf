"""
The candidate against a baseline: nothing but the system may differ, and no metric may fall by more than chance and judge noise explain.

A regression is a fall whose 95 % interval leaves 0 out, whose permutation p-value, corrected (Holm) for all regression rules of the file, is below 0.05,
which the judge's moods alone do not explain (``ragviz.stats.judgings``, corrected likewise), and which is larger than the least fall that counts: what the
rules tolerate, else the precision with which the metric is known. Where the questions are too few for any p-value to get that low, chance cannot be told
apart from a fall, and every fall beyond moods and precision counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragviz.compare.columns import PairedScores
from ragviz.compare.fairness import Unfairness
from ragviz.compare.moods import Moods
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
    rules: Rules, unfair: Sequence[Unfairness], scores: PairedScores, noise: JudgeNoise | None = None, *, moods: Moods | None = None, facets: bool = False
) -> list[GateLine]:
    """
    One line for each difference beside the system, and one for each metric that may not fall.

    Args:
        rules: ``no_regression`` of the file and of its slices, ``allow``.
        unfair: What differs beside the system.
        scores: Both runs over their pairs; ``members`` holds ``("tag: <name>", value)`` for slices.
        noise: The judge's own; None = not measured.
        moods: What the judge said of these pairs when it was asked again; None = nothing is kept of that, and the noise's spread stands for it.
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
    moody = [None if moods is None else moods.p(scores, d.metric, d.better, places) for d, (_, _, places) in zip(found, wanted, strict=True)]
    by_moods = holm([1.0 if p is None else p for p in moody])
    lines = [_fair(u, allowed=u.name in rules.allow) for u in unfair]
    least = {
        metric: Least(rules.tolerance[metric], "tolerated by the rules") if metric in rules.tolerance else least_fall(metric, facets=facets)
        for _, metric, _ in wanted
    }
    for at, (scope, metric, places) in enumerate(wanted):
        odds = _Odds(
            p=corrected[at], least_p=2.0 ** (1 - scores.n_questions(metric, places)) * len(found), p_moods=None if moody[at] is None else by_moods[at],
            within=noise.half_width(metric, found[at].n) if noise is not None and moody[at] is None else 0.0,
        )
        lines.append(_line(scope, found[at], odds, least[metric]))
    return lines


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
    reason = f"allowed by name: {found.message}" if allowed else f'{found.told}; allow = ["{found.name}"] accepts it'
    return GateLine(scope=BOTH, metric=found.name, value=None, limit="the same in both", passed=allowed, reason=reason)


class _Odds(NamedTuple):
    """What could explain a fall beside the system."""

    p: float
    """Of chance over the questions, corrected for all rules."""
    least_p: float
    """The lowest that it could be: of n questions, all worse, 2 / 2 ** n, and what correction makes of it."""
    p_moods: float | None
    """Of the judge's moods, corrected likewise; None where nothing was asked again."""
    within: float
    """How far its spread alone moves the mean, where no values are known one by one."""


def _line(scope: str, found: MetricDifference, odds: _Odds, least: Least) -> GateLine:
    if not found.n:
        return GateLine(scope=scope, metric=found.metric, value=found.candidate, limit=LIMIT, passed=False, reason="no case has a value in both runs")
    passed, reason = _judged(found, odds, least)
    return GateLine(scope=scope, metric=found.metric, value=found.candidate, limit=LIMIT, passed=passed, reason=reason)


def _judged(found: MetricDifference, odds: _Odds, least: Least) -> tuple[bool, str]:
    """Whether it holds, and why; nothing to say where nothing fell."""
    assert found.difference is not None
    if gain(found) >= 0:
        return True, ""
    size = abs(found.difference)
    assert found.base is not None
    fall = f"{found.base:.{decimals(found.metric, found.base)}f} before, {_signed(found.difference)} over {found.n} case{'' if found.n == 1 else 's'}"
    if odds.p_moods is not None and odds.p_moods >= SURE:
        return True, f"{fall}: within the judge's own noise, which alone does that with a corrected p of {odds.p_moods:.2g}"
    if size <= odds.within:
        return True, f"{fall}: within the judge's own noise, ±{odds.within:.3f}"
    if size <= least.share * abs(found.base):
        return True, f"{fall}: not more than a thousandth of what it was"
    if size <= least.size + DUST:
        return True, f"{fall}: not more than {least.size:g}; {least.why}"
    if odds.least_p >= SURE:
        beyond = "" if odds.p_moods is None else f" that is beyond the judge's own noise (corrected p {odds.p_moods:.2g})"
        return False, f"{fall}; too few to tell chance, so every fall counts{beyond}"
    told = f"corrected p {odds.p:.2g}" if found.ci95 is None else f"95 % interval {_signed(found.ci95.lo)} to {_signed(found.ci95.hi)}, corrected p {odds.p:.2g}"
    if found.verdict != "worse" or odds.p >= SURE:
        return True, f"{fall} ({told}): within chance"
    return False, f"{fall} ({told}): more than chance"


def _signed(value: float) -> str:
    """With its sign, and as many decimals as it takes to be seen."""
    digits = next((n for n in range(3, MOST_DIGITS) if round(value, n)), 3)
    return f"{value:+.{digits}f}".replace("-", "−")
