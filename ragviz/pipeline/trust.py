"""How far a judge can be trusted: agreement with people, its interval, and whether its confidence means what it says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ragviz.pipeline.calibrate import Answer, scores
from ragviz.records import Grounding, Interval
from ragviz.stats.agreement_intervals import balanced_accuracy_of, kappa_of, table_interval
from ragviz.stats.calibration import Reliability, reliability

MOST_BINS, PER_BIN = 10, 10


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """A judge against people's labels."""

    figures: dict[str, Any]
    """As ``calibrate.scores`` gives them."""
    kappa: Interval | None
    balanced_accuracy: Interval | None
    reliability: Reliability | None
    """None where the judge gives no confidence."""


def agreement(answers: Sequence[Answer]) -> Agreement:
    """
    Every figure with its interval. Claims of one group (trace, document) are drawn together.

    An unjudged row counts as wrong in the two-class figures, as in ``calibrate.scores``, and has no place on the reliability curve.
    """
    kappa, balanced = two_class_intervals(answers)
    return Agreement(figures=scores(answers), kappa=kappa, balanced_accuracy=balanced, reliability=confidence_curve(answers))


def two_class_intervals(answers: Sequence[Answer]) -> tuple[Interval | None, Interval | None]:
    """Of Cohen's kappa and of balanced accuracy; None where there is too little to draw from."""
    truth = [a.row.label is not Grounding.SUPPORTED for a in answers]
    said = [says_unsupported(a, label) for a, label in zip(answers, truth, strict=True)]
    groups = [(a.row.dataset, a.row.group) for a in answers]
    return table_interval(truth, said, kappa_of, groups=groups), table_interval(truth, said, balanced_accuracy_of, groups=groups)


def says_unsupported(answer: Answer, label: bool) -> bool:
    """The judge's class of two; an unjudged row is the one the person did not choose."""
    return not label if answer.grounding is Grounding.UNJUDGED else not answer.grounding.is_supported


def confidence_curve(answers: Sequence[Answer]) -> Reliability | None:
    """Confidence in the verdict against how often that verdict (supported or not) is the person's."""
    sure = [a for a in answers if a.confidence is not None and a.grounding is not Grounding.UNJUDGED]
    right = [a.grounding.is_supported == (a.row.label is Grounding.SUPPORTED) for a in sure]
    # Bins of fewer answers would show chance.
    return reliability([a.confidence or 0.0 for a in sure], right, n_bins=bins_for(len(sure)))


def bins_for(n: int) -> int:
    """How many bins so many answers are worth."""
    return max(1, min(MOST_BINS, n // PER_BIN))


def as_json(found: Agreement, *, calibrated: float | None) -> dict[str, Any]:
    """What ``ragviz calibrate --json`` says beyond the figures: intervals and the reliability curve."""
    curve = found.reliability
    return {
        "kappa_ci95": ends(found.kappa), "balanced_accuracy_ci95": ends(found.balanced_accuracy),
        "reliability": None if curve is None else {
            "calibrated_share": calibrated, "n": curve.n, "ece": curve.ece, "brier": curve.brier, "rule": curve.rule,
            "bins": [{"lo": b.lo, "hi": b.hi, "n": b.n, "confidence": b.confidence, "accuracy": b.accuracy} for b in curve.bins],
        },
    }


def ends(found: Interval | None) -> list[float] | None:
    """``[lo, hi]``."""
    return None if found is None else [found.lo, found.hi]
