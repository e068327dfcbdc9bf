"""Where a trace stands."""

from __future__ import annotations

import pytest

from ragviz.diagnosis.quadrants import Thresholds, quadrant, quadrant_of, standing, why_unknown
from tests.build import a_case, a_score


@pytest.mark.parametrize(
    ("relevance", "faithfulness", "correctness", "expected"),
    [
        (0.4, 1.0, 1.0, "off_topic"), (0.5, 1.0, 0.5, "good"), (0.9, 0.99, 0.9, "extra_claim"), (0.9, 0.5, 0.5, "extra_claim"),
        (0.9, 0.49, 0.5, "lucky_guess"), (0.9, 0.5, 0.49, "wrong_mirror"), (0.9, 1.0, 0.0, "wrong_mirror"), (0.9, 0.49, 0.49, "fabrication"),
        (None, 1.0, 1.0, "unknown"), (0.1, None, 1.0, "unknown"), (0.1, 1.0, None, "unknown"), (1.0, 1 / 3 + 1 / 3 + 1 / 3, 1.0, "good"),
    ],
)
def test_table(relevance: float | None, faithfulness: float | None, correctness: float | None, expected: str) -> None:
    """At or above the threshold is high; a missing figure is unknown before anything else is said."""
    assert quadrant_of(relevance, faithfulness, correctness) == expected


def test_thresholds_move() -> None:
    """0.6 faithful is high at 0.5 and low at 0.7."""
    assert quadrant_of(1.0, 0.6, 1.0, Thresholds(faithfulness=0.7)) == "lucky_guess"


def test_no_claims_is_an_abstention_whatever_the_scores() -> None:
    """Checked first."""
    assert quadrant(a_case(response="I don't know."), {}) == "abstained"


def test_unknown_names_what_is_missing() -> None:
    """Each figure without a value, with its reason."""
    scores = {"relevance": a_score(1.0), "correctness": a_score(None, reason="no expected answer")}

    assert quadrant(a_case("a"), scores) == "unknown"
    assert why_unknown(scores) == "faithfulness: not computed; correctness: no expected answer"


@pytest.mark.parametrize(
    ("relevance", "faithfulness", "expected"),
    [(1.0, 1.0, "grounded"), (1.0, 0.7, "partly_grounded"), (1.0, 0.2, "not_grounded"), (0.2, 1.0, "off_topic"), (None, 1.0, "unknown")],
)
def test_without_a_reference(relevance: float | None, faithfulness: float | None, expected: str) -> None:
    """Relevance and faithfulness only."""
    assert standing(a_case("a"), {"relevance": a_score(relevance), "faithfulness": a_score(faithfulness)}) == expected
