"""
How likely a trace is in another quadrant than shown, given how often the judge is wrong.

Each claim is supported (or correct) with the probability its verdict's confidence says, independently of the others. The number of supported
claims is then Poisson-binomial, and every combination of counts falls into one quadrant. Relevance is taken as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ragviz.diagnosis.quadrants import Quadrant, Thresholds, quadrant, quadrant_of
from ragviz.grounding import ClaimGrounding, groundings
from ragviz.metrics.correctness import f1
from ragviz.records import Grounding, JudgedTrace, Score, Table

DEFAULT_ERROR = 0.1
"""Chance that a verdict without a confidence is wrong, unless the judge was measured."""
STABLE_FROM = 0.8
"""A trace is drawn as uncertain when its quadrant is less likely than this."""


def quadrant_odds(
    case: JudgedTrace, scores: Mapping[str, Score], thresholds: Thresholds | None = None, *, error_rate: float = DEFAULT_ERROR
) -> dict[Quadrant, float]:
    """
    Probability of each quadrant that is possible for a trace, most likely first; sums to 1.

    Args:
        case: The trace, seen through a judge.
        scores: Its scores.
        thresholds: As for the quadrant.
        error_rate: How often the judge is wrong where it states no confidence, such as 1 - balanced accuracy from a calibration.

    Returns:
        One quadrant with probability 1 where claims do not decide: abstained, unknown.
    """
    shown = quadrant(case, scores, thresholds)
    relevance = scores["relevance"].value if "relevance" in scores else None
    faithful = _counts(groundings(case, Table.RESPONSE_X_PASSAGES).values(), error_rate)
    precise = _counts(groundings(case, Table.RESPONSE_X_REFERENCE).values(), error_rate)
    complete = _counts(groundings(case, Table.REFERENCE_X_RESPONSE).values(), error_rate)
    if shown in (Quadrant.ABSTAINED, Quadrant.UNKNOWN) or min(len(faithful), len(precise), len(complete)) < 2:
        return {shown: 1.0}
    odds: dict[Quadrant, float] = {}
    for correctness, p_correct in _f1_odds(precise, complete).items():
        for count, p_faithful in enumerate(faithful):
            where = quadrant_of(relevance, count / (len(faithful) - 1), correctness, thresholds)
            odds[where] = odds.get(where, 0.0) + p_correct * p_faithful
    return dict(sorted(((q, p) for q, p in odds.items() if p > 0), key=lambda pair: -pair[1]))


def is_uncertain(odds: Mapping[Quadrant, float], shown: Quadrant) -> bool:
    """True when another quadrant is likely enough to say so."""
    return odds.get(shown, 0.0) < STABLE_FROM


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
