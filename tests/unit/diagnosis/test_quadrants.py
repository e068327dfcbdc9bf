"""Where a trace stands."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import pytest

from ragviz.diagnosis.meanings import QUADRANT_MEANINGS, STANDING_MEANINGS
from ragviz.diagnosis.quadrants import (
    FORMULAS,
    STANDING_FORMULAS,
    Quadrant,
    Standing,
    Thresholds,
    quadrant,
    quadrant_of,
    standing,
    why_unknown,
)
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


GRID = (None, 0.0, 0.3, 0.5, 0.7, 1.0)


@pytest.mark.parametrize(
    "limits", [Thresholds(), Thresholds(relevance=0.7, faithfulness=1.0, correctness=0.3), Thresholds(relevance=0.0, faithfulness=0.0, correctness=0.0)]
)
def test_the_written_formulas_are_what_is_computed(limits: Thresholds) -> None:
    """docs/METRICS.md prints them: for all figures on and around the thresholds the first formula that holds names the quadrant."""
    for r, f, c in itertools.product(GRID, repeat=3):
        assert quadrant_of(r, f, c, limits) == first_that_holds(FORMULAS, limits, relevance=r, faithfulness=f, correctness=c)
    for r, f in itertools.product(GRID, repeat=2):
        scores = {"relevance": a_score(r), "faithfulness": a_score(f)}
        assert standing(a_case("a"), scores, limits) == first_that_holds(STANDING_FORMULAS, limits, relevance=r, faithfulness=f)


def first_that_holds(formulas: Mapping[str, str], limits: Thresholds, **figures: float | None) -> str:
    """The formulas in their order, read as Python where all figures are known."""
    if None in figures.values():
        return "unknown"
    names = {"R": limits.relevance, "F": limits.faithfulness, "C": limits.correctness, **figures}
    return next(str(name) for name, formula in formulas.items() if name not in ("abstained", "unknown") and eval(formula, {}, names))


def test_every_quadrant_has_a_formula_and_a_meaning() -> None:
    """None is shown that the page of metrics does not define."""
    assert set(FORMULAS) == set(Quadrant) == set(QUADRANT_MEANINGS)
    assert set(STANDING_FORMULAS) == set(Standing) == set(STANDING_MEANINGS)
