"""Metric values that say what they rest on, and what a metric says of itself."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from ragviz.records.verdict import RatingKind, Table


class ScoreStatus(StrEnum):
    """Why a score has, or lacks, a value."""

    OK = "ok"
    UNDEFINED = "undefined"
    """Nothing to divide by: no claims, no relevant passage."""
    MISSING_INPUT = "missing_input"
    """The file lacks what the metric needs."""
    FAILED = "failed"
    """The judge or rater could not answer."""


class Direction(StrEnum):
    """Which way is good."""

    HIGHER = "higher"
    LOWER = "lower"
    NEITHER = "neither"


class MetricInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a metric is, in words and in what it needs."""

    name: str
    """Field name; ends in ``_at_k`` for metrics computed at a cut-off."""
    version: str
    label: str
    summary: str
    """One sentence for people."""
    formula: str
    edge_cases: str
    """What happens with no claims, no labels, unjudged pairs, duplicates."""
    source: str
    range: tuple[float, float] = (0.0, 1.0)
    better: Direction = Direction.HIGHER
    needs: frozenset[Table] = frozenset()
    needs_ratings: frozenset[RatingKind] = frozenset()
    group: str = "claims"
    """claims, retrieval, citations, abstention, relevance or cost."""


class Score(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """One metric on one trace. A missing value always comes with its reason."""

    metric: str
    metric_version: str
    trace_id: str
    value: float | None
    """In the metric's range; None exactly when status is not OK."""
    status: ScoreStatus
    support: int = 0
    """Denominator: number of claims or passages the value rests on."""
    numerator: float | None = None
    """For ratios: value = numerator / support; pooled for the micro mean."""
    unjudged: int = 0
    reason: str = ""
    claim_ids: tuple[str, ...] = ()
    """The offenders: claims (or passages) that lowered the value."""

    def __post_init__(self) -> None:
        if (self.value is None) == (self.status is ScoreStatus.OK):
            raise ValueError(f"value={self.value} does not fit status={self.status.name}")
        if self.value is not None and self.value != self.value:
            raise ValueError("NaN is not a score")
        if self.value is None and not self.reason:
            raise ValueError("a score without a value must say why")


class Interval(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A confidence interval."""

    lo: float
    hi: float
    level: float = 0.95


class Summary(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One metric over a run."""

    metric: str
    macro: float | None
    """Mean of per-trace values that are defined."""
    micro: float | None
    """All numerators over all supports; None where the metric is no ratio."""
    n: int
    """Traces with a value."""
    undefined: int
    """Traces without one."""
    coverage: float | None
    """Judged share of the claims (or traces) that the metric speaks of; None when there are none."""
    ci95: Interval | None
    """Bootstrap interval of ``macro``, clustered by question; None below two questions, or where all traces of a metric without bounds have one value."""
    unjudged: int = 0
    reason: str = ""
