"""Means and counts of a whole run from the store's columns: pure, so that a test can redo them by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ragviz.metrics.counting import AGAINST, fate_of
from ragviz.records import Grounding, Interval, Policy
from ragviz.stats.bootstrap import cluster_sums, mean_interval, ratio_interval

Columns = Mapping[str, NDArray[Any]]
Floats = NDArray[np.float64]


def codes(groups: NDArray[Any]) -> NDArray[np.int64]:
    """Questions as whole numbers, in the order of first occurrence."""
    return np.asarray(pd.factorize(groups)[0], dtype=np.int64)


def mean_of(values: Floats, groups: NDArray[np.int64]) -> tuple[float | None, Interval | None, int]:
    """Mean, bootstrap interval clustered by question, and how many values there are. NaN = no value."""
    known = ~np.isnan(values)
    n = int(known.sum())
    if n == 0:
        return None, None, 0
    return float(values[known].mean()), mean_interval(values[known], groups=groups[known]), n


def against(policy: Policy) -> tuple[Grounding, ...]:
    """The verdicts that count against an answer under a policy."""
    return tuple(g for g in Grounding if fate_of(g, policy, undecided_passes=True) in AGAINST)


def claims_against(columns: Columns, policy: Policy) -> tuple[Floats, Floats]:
    """Per trace: claims that count against it, and claims that count at all; NaN where a trace was not scored."""
    counted = [g for g in Grounding if fate_of(g, policy, undecided_passes=True).is_counted]
    nothing = np.zeros(len(columns["group"]))
    return sum((columns[f"n_{g}"] for g in against(policy)), nothing), sum((columns[f"n_{g}"] for g in counted), nothing)


def unsupported_share(columns: Columns, groups: NDArray[np.int64], policy: Policy) -> tuple[float | None, Interval | None, int, int]:
    """Micro hallucination: claims that no passage supports over all counted claims, its interval clustered by question, and both counts."""
    unsupported, judged = claims_against(columns, policy)
    known = ~np.isnan(judged) & (judged > 0)
    total, bad = int(judged[known].sum()), int(unsupported[known].sum())
    if not total:
        return None, ratio_interval(unsupported[:0], judged[:0]), 0, 0
    hits, _ = cluster_sums(unsupported[known], groups[known])
    sizes, _ = cluster_sums(judged[known], groups[known])
    return bad / total, ratio_interval(hits, sizes), bad, total
