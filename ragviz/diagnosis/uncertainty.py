"""
How likely a trace is in another quadrant than shown, given how often the judge is wrong.

Each claim is supported (or correct) with the probability its verdict's confidence says, independently of the others. The number of supported
claims is then Poisson-binomial, and every combination of counts falls into one quadrant. Relevance is taken as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field

from ragviz.diagnosis.quadrants import FULL, Quadrant, Thresholds, quadrant, quadrant_of
from ragviz.grounding import ClaimGrounding, groundings
from ragviz.metrics.correctness import f1
from ragviz.records import Grounding, JudgedTrace, Score, Table

DEFAULT_ERROR = 0.1
"""Chance that a verdict without a confidence is wrong, unless the judge was measured."""
STABLE_FROM = 0.8
"""A trace is drawn as uncertain when its quadrant is less likely than this."""


@dataclass(frozen=True, kw_only=True)
class Chances:
    """What can be said of a trace wherever the lines are: worked out once, asked for many places of them."""

    fixed: Quadrant | None
    """Where it stands whatever its claims are: abstained, unknown, or without claims to be wrong about. None: it depends."""
    relevance: float | None
    faithfulness: float | None
    correctness: float | None
    """As shown."""
    faithful: tuple[float, ...] = ()
    """Probability of 0, 1, …, n supported claims."""
    correct: Mapping[float, float] = field(default_factory=dict)
    """Probability of each F1 that the counts allow."""

    def shown(self, thresholds: Thresholds | None = None) -> Quadrant:
        """The quadrant it is drawn in."""
        if self.fixed is Quadrant.ABSTAINED:
            return self.fixed
        return quadrant_of(self.relevance, self.faithfulness, self.correctness, thresholds)

    def odds(self, thresholds: Thresholds | None = None) -> dict[Quadrant, float]:
        """Probability of each quadrant that is possible, most likely first; sums to 1."""
        if not self.correct:
            return {self.shown(thresholds): 1.0}
        limits, n = thresholds or Thresholds(), len(self.faithful) - 1
        # All counts on one side of a line, and all F1 on one side of theirs, are in one quadrant: one of each stands for them.
        counts = _classes(((i / n, p) for i, p in enumerate(self.faithful)), lambda f: (f >= limits.faithfulness, f >= FULL))
        values = _classes(self.correct.items(), lambda c: c >= limits.correctness)
        odds: dict[Quadrant, float] = {}
        for correctness, p_correct in values:
            for faithfulness, p_faithful in counts:
                where = quadrant_of(self.relevance, faithfulness, correctness, thresholds)
                odds[where] = odds.get(where, 0.0) + p_correct * p_faithful
        return dict(sorted(((q, p) for q, p in odds.items() if p > 0), key=lambda pair: -pair[1]))


def chances(case: JudgedTrace, scores: Mapping[str, Score], *, error_rate: float = DEFAULT_ERROR) -> Chances:
    """
    What ``quadrant_odds`` needs of a trace. ``error_rate``: how often the judge is wrong where it states no confidence, such as 1 - balanced accuracy from a
    calibration.
    """
    shown = quadrant(case, scores)
    relevance, faithfulness, correctness = (scores[name].value if name in scores else None for name in ("relevance", "faithfulness", "correctness"))
    faithful = _counts(groundings(case, Table.RESPONSE_X_PASSAGES).values(), error_rate)
    precise = _counts(groundings(case, Table.RESPONSE_X_REFERENCE).values(), error_rate)
    complete = _counts(groundings(case, Table.REFERENCE_X_RESPONSE).values(), error_rate)
    fixed = shown if shown in (Quadrant.ABSTAINED, Quadrant.UNKNOWN) else None
    if fixed is not None or min(len(faithful), len(precise), len(complete)) < 2:
        return Chances(fixed=fixed, relevance=relevance, faithfulness=faithfulness, correctness=correctness)
    return Chances(
        fixed=None, relevance=relevance, faithfulness=faithfulness, correctness=correctness, faithful=tuple(faithful), correct=_f1_odds(precise, complete),
    )


def quadrant_odds(
    case: JudgedTrace, scores: Mapping[str, Score], thresholds: Thresholds | None = None, *, error_rate: float = DEFAULT_ERROR
) -> dict[Quadrant, float]:
    """
    Probability of each quadrant that is possible for a trace, most likely first; sums to 1.

    Args:
        case: The trace, seen through a judge.
        scores: Its scores.
        thresholds: As for the quadrant.
        error_rate: As for ``chances``.

    Returns:
        One quadrant with probability 1 where claims do not decide: abstained, unknown.
    """
    return chances(case, scores, error_rate=error_rate).odds(thresholds)


def is_uncertain(odds: Mapping[Quadrant, float], shown: Quadrant) -> bool:
    """True when another quadrant is likely enough to say so."""
    return odds.get(shown, 0.0) < STABLE_FROM


def _classes(values: Iterable[tuple[float, float]], side: Callable[[float], Hashable]) -> list[tuple[float, float]]:
    """One value for each side of the lines, with the probability of all that lie there."""
    found: dict[Hashable, tuple[float, float]] = {}
    for value, p in values:
        key = side(value)
        found[key] = (value, p + (found[key][1] if key in found else 0.0))
    return list(found.values())


def _counts(found: Iterable[ClaimGrounding], error_rate: float) -> list[float]:
    """Probability of 0, 1, …, n supported claims among the judged ones."""
    odds = [1.0]
    for grounding in found:
        if grounding.grounding is Grounding.UNJUDGED:
            continue
        p = _p_supported(grounding, error_rate)
        odds = [(odds[i] if i < len(odds) else 0.0) * (1 - p) + (odds[i - 1] * p if i else 0.0) for i in range(len(odds) + 1)]
    return odds


def _p_supported(found: ClaimGrounding, error_rate: float) -> float:
    """A person's word is certain; a verdict is right with its confidence, and otherwise the claim is on the other side."""
    right = 1.0 if found.by == "human" else found.confidence if found.confidence is not None else 1 - error_rate
    return right if found.grounding.is_supported else 1 - right


def _f1_odds(precise: list[float], complete: list[float]) -> dict[float, float]:
    """Probability of each F1 that the counts allow."""
    odds: dict[float, float] = {}
    for i, p in enumerate(precise):
        for j, q in enumerate(complete):
            if p * q > 0:
                value = f1(i / (len(precise) - 1), j / (len(complete) - 1))
                odds[value] = odds.get(value, 0.0) + p * q
    return odds
