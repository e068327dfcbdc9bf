"""Relevance: facets, ratings, and which of them was used."""

from __future__ import annotations

import pytest

from ragviz.metrics import score_all
from ragviz.records import JudgedTrace, Policy, RatingKind, Score
from tests.build import a_case, a_claim, a_rating, a_trace

DIRECT, PUBLISHED = RatingKind.QUESTION_TO_RESPONSE_DIRECT, RatingKind.QUESTION_TO_RESPONSE


def relevance(case: JudgedTrace) -> Score:
    return score_all(case)["relevance"]


def with_facts(*attributes: str, facets: tuple[str, ...] = ("eta",)) -> JudgedTrace:
    claims = tuple(a_claim(f"c{n}", fact=(a, "some value")) for n, a in enumerate(attributes, start=1))
    return JudgedTrace(trace=a_trace(facets=facets), claims=claims, ratings=(a_rating(0.9, DIRECT),))


def test_attributes_against_requested_facets() -> None:
    """One of two attributes was asked for, all facets covered: F1 of 1/2 and 1. The other claim is the offender."""
    score = relevance(with_facts("eta", "price"))

    assert (pytest.approx(2 / 3), ("c2",), "requested facets") == (score.value, score.claim_ids, score.reason)


def test_a_wrong_value_is_relevant_and_another_attribute_is_not() -> None:
    """Only the attribute is looked at, in any case and spacing."""
    assert relevance(with_facts("ETA ")).value == 1.0
    assert relevance(with_facts("price")).value == 0.0


def test_published_rating_goes_before_the_direct_one() -> None:
    """Both there: the published one; its failure falls back to the direct one. Negative cosines are 0."""
    assert relevance(a_case("a", ratings=(a_rating(0.2, DIRECT), a_rating(0.7, PUBLISHED)))).value == 0.7
    assert relevance(a_case("a", ratings=(a_rating(0.2, DIRECT), a_rating(None, PUBLISHED, reason="time-out")))).value == 0.2
    assert relevance(a_case("a", ratings=(a_rating(-0.3, PUBLISHED),))).value == 0.0


def test_published_name_keeps_the_published_range() -> None:
    """answer_relevance is the cosine, negative ones included."""
    assert score_all(a_case("a", ratings=(a_rating(-0.3, PUBLISHED),)))["answer_relevance"].value == -0.3


def test_nothing_rated_is_missing_and_a_failed_rater_says_why() -> None:
    """Two different reasons for no value."""
    assert relevance(a_case("a")).status == "missing_input"
    failed = relevance(a_case("a", ratings=(a_rating(None, DIRECT, reason="no question"),)))
    assert (failed.status, failed.reason) == ("failed", "no question")


def test_refusal_has_no_relevance_and_is_zero_in_ragas() -> None:
    """A policy, not a fact."""
    assert relevance(a_case(response="I don't know.")).value is None
    assert relevance(a_case(response="I don't know.", policy=Policy.RAGAS)).value == 0.0


def test_context_relevance_is_the_mean_over_passages() -> None:
    """0.5 and 0, the third passage not rated: 0.25, one unjudged."""
    ratings = tuple(a_rating(v, RatingKind.QUESTION_TO_PASSAGE, target_id=p) for p, v in (("p1", 0.5), ("p2", 0.0)))
    score = score_all(a_case("a", response_x_passages={"a": "NNN"}, ratings=ratings))["context_relevance"]

    assert (score.value, score.support, score.unjudged, score.claim_ids) == (0.25, 2, 1, ("p2",))
