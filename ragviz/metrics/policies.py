"""The same verdicts under every convention, side by side, and the traces on which the conventions differ."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import msgspec

from ragviz.metrics import metrics
from ragviz.metrics.aggregate import summarise
from ragviz.metrics.scoring import generic_name
from ragviz.records import JudgedTrace, Policy, Score, Summary


class PolicyComparison(msgspec.Struct, frozen=True, kw_only=True):
    """One metric under all policies."""

    metric: str
    summaries: dict[str, Summary]
    """By policy."""
    differing: dict[str, dict[str, float | None]]
    """Trace id to the value under each policy, for traces where they are not all the same."""


def under_policies(case: JudgedTrace, metric: str) -> dict[str, Score]:
    """One metric on one trace under each policy."""
    one = metrics.make(generic_name(metric))
    return {policy.value: one.score(msgspec.structs.replace(case, policy=policy)) for policy in Policy}


def compare_policies(cases: Sequence[JudgedTrace], metric: str, groups: Sequence[Hashable] | None = None) -> PolicyComparison:
    """
    One metric over a run under each policy.

    Args:
        cases: The run, seen through one judge.
        metric: The metric's name.
        groups: Cluster of each trace, for the intervals.
    """
    rows = [under_policies(case, metric) for case in cases]
    summaries = {p.value: summarise(metric, [row[p.value] for row in rows], groups, policy=p) for p in Policy}
    differing = {}
    for case, row in zip(cases, rows, strict=True):
        values = {policy: score.value for policy, score in row.items()}
        if len(set(values.values())) > 1:
            differing[case.trace.id] = values
    return PolicyComparison(metric=metric, summaries=summaries, differing=differing)
