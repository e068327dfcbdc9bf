"""Quadrants when the judge may be wrong."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragviz.diagnosis.quadrants import Thresholds, quadrant, quadrant_of
from ragviz.diagnosis.uncertainty import chances, is_uncertain, quadrant_odds
from ragviz.metrics import score_all
from ragviz.records import Grounding, JudgedTrace, RatingKind
from tests.build import a_case, a_note, a_rating
from tests.property.judged import judged_cases

RELEVANT = (a_rating(0.9, RatingKind.QUESTION_TO_RESPONSE_DIRECT),)


def a_right_answer(**fields) -> JudgedTrace:
    return a_case("a", "x", response_x_passages={"a": "E"}, response_x_reference={"a": "E"}, reference_x_response={"x": "E"}, ratings=RELEVANT, **fields)


def test_by_hand() -> None:
    """One claim, each verdict wrong one time in ten: good needs support and F1 >= 0.5, which one claim a side gives only when both are right."""
    case = a_right_answer()
    odds = quadrant_odds(case, score_all(case))

    assert odds == pytest.approx({"good": 0.9 * 0.81, "wrong_mirror": 0.9 * 0.19, "lucky_guess": 0.1 * 0.81, "fabrication": 0.1 * 0.19})
    assert is_uncertain(odds, quadrant(case, score_all(case)))


def test_a_person_is_certain() -> None:
    """Overruled: that verdict no longer wavers."""
    case = a_right_answer(annotations=(a_note("a", Grounding.SUPPORTED),))

    assert "lucky_guess" not in quadrant_odds(case, score_all(case))


def test_a_judge_that_is_never_wrong_is_certain() -> None:
    """Error rate 0: only the quadrant shown."""
    case = a_right_answer()

    assert quadrant_odds(case, score_all(case), error_rate=0.0) == {"good": 1.0}


def test_claims_do_not_decide_an_abstention() -> None:
    """Nothing to waver about."""
    case = a_case(response="I don't know.")

    assert quadrant_odds(case, score_all(case)) == {"abstained": 1.0}


@settings(max_examples=80, deadline=None)
@given(case=judged_cases(with_reference=True))
def test_odds_sum_to_one(case: JudgedTrace) -> None:
    """Whatever the verdicts."""
    assert sum(quadrant_odds(case, score_all(case)).values()) == pytest.approx(1)


@settings(max_examples=80, deadline=None)
@given(case=judged_cases(with_reference=True), lines=st.tuples(*[st.sampled_from((0.1, 1 / 3, 0.5, 0.75, 1.0))] * 3))
def test_moved_lines_count_every_combination(case: JudgedTrace, lines: tuple[float, float, float]) -> None:
    """Chances worked out once say for any lines what counting all combinations of supported claims and F1 says."""
    scores, limits = score_all(case), Thresholds(faithfulness=lines[0], correctness=lines[1], relevance=lines[2])
    known = chances(case, scores)
    expected: dict[str, float] = {}
    for correctness, p in known.correct.items():
        for n, q in enumerate(known.faithful):
            where = quadrant_of(known.relevance, n / (len(known.faithful) - 1), correctness, limits)
            expected[where] = expected.get(where, 0.0) + p * q

    assert (expected or {quadrant(case, scores, limits): 1.0}) == pytest.approx(known.odds(limits))
    assert known.shown(limits) == quadrant(case, scores, limits)
