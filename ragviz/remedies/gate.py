"""
The retrieval gate: an answer is given only when enough passages score well enough; else an explicit abstention.

What a threshold would do is counted over a judged run without asking any model: at each threshold the share of questions still answered
(coverage), and how faithful those answers are.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from ragviz.contracts import RemedyInfo, Treated
from ragviz.errors import InputError
from ragviz.records import Interval, JudgedTrace, RemedySettings
from ragviz.remedies.abstaining import abstained, unchanged
from ragviz.remedies.passage_scores import LABELS, passage_scores
from ragviz.stats.bootstrap import SHARE, mean_interval

MAX_POINTS = 41


class GateRow(msgspec.Struct, frozen=True, kw_only=True):
    """What the gate needs to know of one trace."""

    trace_id: str
    group: str
    """Traces of one question are drawn together."""
    scores: tuple[float | None, ...] | None
    """One per passage; None: the file cannot say what was retrieved."""
    faithfulness: float | None
    """None: not scoreable, see ``declined``."""
    declined: bool
    """The system abstained by itself."""
    good: bool | None = None
    """Answered rightly; None: nobody can say."""


class GatePoint(msgspec.Struct, frozen=True, kw_only=True):
    """What one threshold would do to the run."""

    threshold: float | None
    """None: no gate."""
    n: int
    """Questions the gate can decide on."""
    answered: int
    """Still answered: let through, and not declined by the system itself."""
    coverage: float | None
    faithfulness: float | None
    """Macro mean over answered questions that have a value; None when there is none."""
    ci95: Interval | None
    """Bootstrap interval of the mean, clustered by question; None below two questions."""
    n_faithful: int
    """Answered questions with a value."""
    lost_good: int
    """Good answers the gate stops."""
    stopped_bad: int
    """Answers that are not good, or not wholly faithful where nobody can say, and that the gate stops."""


class GateCurve(msgspec.Struct, frozen=True, kw_only=True):
    """All thresholds, the mildest first."""

    points: tuple[GatePoint, ...]
    n_without_scores: int
    """Traces the gate cannot decide on: no passages known, or passages without a score."""
    higher_is_better: bool


def gate_value(scores: Sequence[float | None], min_passages: int, *, higher_is_better: bool = True) -> float | None:
    """
    The threshold up to which a trace passes: its ``min_passages``-th best score; None where it never does.

    A passage without a score never counts.
    """
    known = sorted((s for s in scores if s is not None), reverse=higher_is_better)
    return known[min_passages - 1] if len(known) >= min_passages else None


def passes(value: float | None, threshold: float, *, higher_is_better: bool = True) -> bool:
    """Whether a trace of that gate value is answered."""
    return value is not None and (value >= threshold if higher_is_better else value <= threshold)


def decidable(scores: Sequence[float | None] | None) -> bool:
    """False where nothing is known: no passages in the file, or passages of which none has a score. Nothing retrieved is known, and never passes."""
    return scores is not None and (not scores or any(s is not None for s in scores))


def gate_curve(rows: Sequence[GateRow], *, min_passages: int = 1, higher_is_better: bool = True, at: float | None = None) -> GateCurve:
    """
    What each threshold would do.

    Args:
        rows: The run.
        min_passages: So many passages must reach the threshold.
        higher_is_better: False for distances.
        at: A threshold that must be among the points.

    Returns:
        Up to 41 points (and ``at``): no gate first, then thresholds at evenly spread quantiles of the gate values, the mildest first.
    """
    known = [row for row in rows if decidable(row.scores)]
    values = [gate_value(row.scores or (), min_passages, higher_is_better=higher_is_better) for row in known]
    reached = np.asarray([v for v in values if v is not None], dtype=np.float64)
    thresholds = sorted({*_spread(reached), *([at] if at is not None else [])}, reverse=not higher_is_better)
    points = [_point(known, [True] * len(known), None)]
    points += [_point(known, [passes(v, t, higher_is_better=higher_is_better) for v in values], t) for t in thresholds]
    return GateCurve(points=tuple(points), n_without_scores=len(rows) - len(known), higher_is_better=higher_is_better)


def _spread(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> list[float]:
    if not values.size:
        return []
    distinct = np.unique(values)
    if distinct.size > MAX_POINTS - 1:
        distinct = np.unique(np.quantile(values, np.linspace(0, 1, MAX_POINTS - 1), method="nearest"))
    return [float(v) for v in distinct]


def _point(rows: Sequence[GateRow], through: Sequence[bool], threshold: float | None) -> GatePoint:
    answered = [row for row, ok in zip(rows, through, strict=True) if ok and not row.declined]
    stopped = [row for row, ok in zip(rows, through, strict=True) if not ok and not row.declined]
    scored = [(row.faithfulness, row.group) for row in answered if row.faithfulness is not None]
    values = [value for value, _ in scored]
    return GatePoint(
        threshold=threshold, n=len(rows), answered=len(answered), coverage=len(answered) / len(rows) if rows else None,
        faithfulness=float(np.mean(values)) if values else None, ci95=mean_interval(values, groups=[g for _, g in scored], within=SHARE),
        n_faithful=len(values), lost_good=sum(_is_good(row) for row in stopped), stopped_bad=sum(not _is_good(row) for row in stopped),
    )


def _is_good(row: GateRow) -> bool:
    return row.good if row.good is not None else row.faithfulness == 1.0


class GateRemedy:
    """Answers only when enough passages score beyond the threshold."""

    info = RemedyInfo(
        name="gate", version="1", label="Retrieval gate", hosted=False,
        summary="Answers only when enough passages score beyond a threshold, and declines in words where they do not.",
    )

    def treat(self, case: JudgedTrace, settings: RemedySettings) -> Treated:
        """
        The answer, or an abstention.

        Raises:
            InputError: No threshold is set.
            JudgeUnavailable: Embedding scores, and the model is not here.
        """
        if settings.threshold is None:
            raise InputError("the retrieval gate has no threshold", fix="choose one from the curve on the Lab page, or give --threshold")
        label = LABELS[settings.scores]
        scores = None if case.trace.passages is None else passage_scores(case.trace, settings.scores, k=settings.k)
        if not decidable(scores):
            return unchanged(case, self.info.name, f"the gate cannot decide: no passage has {label}")
        value = gate_value(scores or (), settings.min_passages, higher_is_better=settings.higher_is_better)
        need = f"{settings.min_passages} passage{'s' if settings.min_passages > 1 else ''}"
        limit = f"{'at least' if settings.higher_is_better else 'at most'} {settings.threshold:g}"
        if passes(value, settings.threshold, higher_is_better=settings.higher_is_better):
            return unchanged(case, self.info.name, f"let through: {need} with {label} of {limit}")
        best = "none has one" if value is None else f"the {'best' if settings.min_passages == 1 else f'{settings.min_passages}th best'} has {value:.4g}"
        return abstained(case, self.info.name, f"stopped: {need} with {label} of {limit} needed, {best}")
