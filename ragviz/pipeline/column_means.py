"""Means and counts of a whole run from the store's columns: pure, so that a test can redo them by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragviz.metrics.counting import AGAINST, fate_of
from ragviz.records import Grounding, Interval, Policy
from ragviz.stats.bootstrap import SHARE, cluster_sums, mean_interval, ratio_interval
from ragviz.stats.numbering import all_distinct, numbered

Columns = Mapping[str, NDArray[Any]]
Floats = NDArray[np.float64]


def codes(groups: NDArray[Any]) -> NDArray[np.int64]:
    """Questions as whole numbers, in the order of first occurrence."""
    return numbered(groups)[0]


def clusters(groups: NDArray[Any]) -> NDArray[np.int64] | None:
    """``codes``; None where every trace has a question of its own, so that nothing is to be drawn together."""
    return None if groups.size and all_distinct(groups) else codes(groups)


def mean_of(values: Floats, groups: NDArray[np.int64] | None) -> tuple[float | None, Interval | None, int]:
    """Mean of shares, bootstrap interval clustered by question (None: each its own), and how many values there are. NaN = no value."""
    known = np.flatnonzero(~np.isnan(values))
    if not known.size:
        return None, None, 0
    some = values.take(known)
    return float(some.mean()), mean_interval(some, groups=None if groups is None else groups.take(known), within=SHARE), int(known.size)


def against(policy: Policy) -> tuple[Grounding, ...]:
    """The verdicts that count against an answer under a policy."""
    return tuple(g for g in Grounding if fate_of(g, policy, undecided_passes=True) in AGAINST)


def claims_against(columns: Columns, policy: Policy) -> tuple[Floats, Floats]:
    """Per trace: claims that count against it, and claims that count at all; NaN where a trace was not scored."""
    counted = [g for g in Grounding if fate_of(g, policy, undecided_passes=True).is_counted]
    nothing = np.zeros(len(columns["group"]))
    return sum((columns[f"n_{g}"] for g in against(policy)), nothing), sum((columns[f"n_{g}"] for g in counted), nothing)


def unsupported_share(columns: Columns, groups: NDArray[np.int64] | None, policy: Policy) -> tuple[float | None, Interval | None, int, int]:
    """Micro hallucination: claims that no passage supports over all counted claims, its interval clustered by question, and both counts."""
    unsupported, judged = claims_against(columns, policy)
    known = np.flatnonzero(judged > 0)
    hits, sizes = unsupported.take(known), judged.take(known)
    total, bad = int(sizes.sum()), int(hits.sum())
    if not total:
        return None, None, 0, 0
    if groups is not None:
        (hits, _), (sizes, _) = (cluster_sums(values, groups.take(known)) for values in (hits, sizes))
    return bad / total, ratio_interval(hits, sizes, within=SHARE), bad, total
