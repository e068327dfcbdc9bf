"""One metric over many traces: both means, how many are missing, and how sure the mean is."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence

from ragviz.errors import UnknownName
from ragviz.metrics import metric_info
from ragviz.metrics.counting import counts_unjudged
from ragviz.records import Policy, Score, Summary, Trace
from ragviz.stats.bootstrap import mean_interval

BY_CLAIMS = ("claims", "citations")
"""Groups of metrics whose coverage is counted in claims; the others count traces."""


def summarise(
    name: str, scores: Iterable[Score], groups: Sequence[Hashable] | None = None, *, policy: Policy = Policy.DEFAULT, interval: bool = True
) -> Summary:
    """
    The summary of one metric over a run.

    Args:
        name: The metric's name, cut-off filled in.
        scores: Its score on each trace.
        groups: For each score, what belongs together (same question); draws clusters for the interval. None = all independent.
        policy: The convention the scores were made under: strict and ragchecker count unjudged claims in the denominator already.
        interval: False skips the bootstrap.

    Returns:
        Macro mean over the traces with a value, micro mean over the pooled counts, coverage, and the 95 % interval of the macro mean.
    """
    rows = list(scores)
    if groups is not None and len(groups) != len(rows):
        raise ValueError(f"{len(rows)} scores but {len(groups)} groups")
    values = [s.value for s in rows if s.value is not None]
    kept = None if groups is None else [g for g, s in zip(groups, rows, strict=True) if s.value is not None]
    pooled = [(s.numerator, s.support) for s in rows if s.numerator is not None and s.support]
    total = sum(n for _, n in pooled)
    unjudged = sum(s.unjudged for s in rows)
    return Summary(
        metric=name,
        macro=sum(values) / len(values) if values else None,
        micro=sum(x for x, _ in pooled) / total if total else None,
        n=len(values),
        undefined=len(rows) - len(values),
        coverage=_coverage(name, rows, unjudged, policy),
        ci95=mean_interval(values, groups=kept, within=_range(name)) if interval else None,
        unjudged=unjudged,
        reason=_main_reason(rows) if len(values) < len(rows) else "",
    )


def summarise_all(
    results: Sequence[Mapping[str, Score]], groups: Sequence[Hashable] | None = None, *, policy: Policy = Policy.DEFAULT, interval: bool = True
) -> dict[str, Summary]:
    """Every metric that occurs in the results, in the order of its first occurrence. A trace that lacks one is left out of that one."""
    names = list(dict.fromkeys(name for scores in results for name in scores))
    out = {}
    for name in names:
        rows = [(scores[name], None if groups is None else groups[i]) for i, scores in enumerate(results) if name in scores]
        kept = None if groups is None else [g for _, g in rows]
        out[name] = summarise(name, [s for s, _ in rows], kept, policy=policy, interval=interval)
    return out


def group_of(trace: Trace) -> str:
    """What a trace is clustered by: its group, else its question with case and spaces folded."""
    return trace.group if trace.group is not None else " ".join(trace.question.split()).casefold()


def _range(name: str) -> tuple[float, float]:
    try:
        return metric_info(name).range
    except UnknownName:
        return -math.inf, math.inf


def _coverage(name: str, rows: Sequence[Score], unjudged: int, policy: Policy) -> float | None:
    try:
        by_claims = metric_info(name).group in BY_CLAIMS
    except UnknownName:
        by_claims = False
    if not by_claims:
        return sum(s.value is not None for s in rows) / len(rows) if rows else None
    total = sum(s.support for s in rows) + unjudged
    if counts_unjudged(policy):
        # Where there is a value, its denominator holds the unjudged claims already.
        total -= sum(s.unjudged for s in rows if s.value is not None)
    judged = total - unjudged
    return max(0, judged) / total if total > 0 else None


def _main_reason(rows: Sequence[Score]) -> str:
    """The most frequent reason for a missing value, and how often it occurs."""
    reasons: dict[str, int] = {}
    for score in rows:
        if score.value is None:
            reasons[score.reason] = reasons.get(score.reason, 0) + 1
    reason, count = max(reasons.items(), key=lambda pair: pair[1])
    return f"{count} of {len(rows)} without a value: {reason}"
