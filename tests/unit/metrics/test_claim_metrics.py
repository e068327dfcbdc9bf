"""Faithfulness, hallucination, correctness and the tables behind them, on numbers a reader can redo."""

from __future__ import annotations

import pytest

from ragviz.metrics import score_all
from ragviz.metrics.aggregate import summarise
from ragviz.records import JudgedTrace, Policy, RatingKind, ScoreStatus
from tests.build import a_case, a_rating

REFUSAL = "I don't know."


def value(name: str, case: JudgedTrace) -> float | None:
    return score_all(case)[name].value


class TestFaithfulness:
    def test_counts_only_judged_claims(self) -> None:
        """Of three claims one is supported, one is not, one could not be judged: 1/2."""
        score = score_all(a_case("abc", response_x_passages={"a": "E", "b": "N", "c": "?"}))["faithfulness"]

        assert (score.value, score.support, score.unjudged, score.claim_ids) == (0.5, 2, 1, ("b",))

    @pytest.mark.parametrize(
        ("policy", "expected"), [("default", 2 / 3), ("ragas", 2 / 3), ("strict", 1 / 4), ("ragchecker", 2 / 4), ("deepeval", 2 / 3)]
    )
    def test_policies_on_conflict_and_gap(self, policy: str, expected: float) -> None:
        """Supported, conflicted, contradicted, unjudged: conflicted counts for all but strict, unjudged against in strict and ragchecker."""
        case = a_case("abcd", response_x_passages={"a": "EN", "b": "EC", "c": "CN", "d": "??"}, policy=Policy(policy))

        assert value("faithfulness", case) == pytest.approx(expected)

    @pytest.mark.parametrize(("policy", "expected"), [("default", None), ("strict", None), ("ragas", None), ("deepeval", 1.0), ("ragchecker", 0.0)])
    def test_policies_on_a_refusal(self, policy: str, expected: float | None) -> None:
        """No claims: no value by default, 1 in DeepEval, 0 in RAGChecker."""
        assert value("faithfulness", a_case(response=REFUSAL, policy=Policy(policy))) == expected

    def test_undecided_claims_pass_in_deepeval(self) -> None:
        """Supported, silent, contradicted: 2/3 there, 1/3 elsewhere."""
        rows = {"a": "E", "b": "N", "c": "C"}

        assert value("faithfulness", a_case("abc", response_x_passages=rows, policy=Policy.DEEPEVAL)) == pytest.approx(2 / 3)
        assert value("faithfulness", a_case("abc", response_x_passages=rows)) == pytest.approx(1 / 3)

    def test_nothing_judged_is_a_failure_not_a_zero(self) -> None:
        """The judge answered nothing."""
        score = score_all(a_case("ab", response_x_passages={"a": "?", "b": "?"}))["faithfulness"]

        assert (score.value, score.status, score.unjudged) == (None, ScoreStatus.FAILED, 2)

    def test_nothing_retrieved_is_zero(self) -> None:
        """Every claim lacks a source."""
        assert value("faithfulness", a_case("a", passages=())) == 0.0

    def test_unknown_passages_are_a_missing_input(self) -> None:
        """The file cannot say what was retrieved."""
        assert score_all(a_case("a", passages=None))["faithfulness"].status is ScoreStatus.MISSING_INPUT

    @pytest.mark.parametrize("policy", [Policy.DEFAULT, Policy.STRICT, Policy.RAGCHECKER])
    def test_unknown_passages_leave_the_claims_uncovered(self, policy: Policy) -> None:
        """Two claims of one answer are judged, three of the other cannot be: 2 of 5, whatever the policy makes of unjudged claims."""
        known = a_case("ab", response_x_passages={"a": "E", "b": "N"}, policy=policy)
        unknown = a_case("abc", passages=None, policy=policy)

        for name in ("faithfulness", "hallucination", "contradicted_rate", "not_supported_rate"):
            scores = [score_all(case)[name] for case in (known, unknown)]
            assert [s.unjudged for s in scores] == [0, 3]
            assert summarise(name, scores, policy=policy).coverage == 0.4

    def test_unknown_passages_leave_the_expected_claims_uncovered(self) -> None:
        """Whether what is needed was retrieved cannot be told of any of them."""
        scores = score_all(a_case("a", reference="It is so.", expected="rs", passages=None))

        assert (scores["context_recall"].status, scores["context_recall"].unjudged) == (ScoreStatus.MISSING_INPUT, 2)


class TestHallucination:
    def test_splits_in_two(self) -> None:
        """Of four claims one is contradicted, two find silence: 3/4 = 1/4 + 2/4."""
        scores = score_all(a_case("abcd", response_x_passages={"a": "E", "b": "C", "c": "N", "d": "N"}))

        assert tuple(scores[n].value for n in ("hallucination", "contradicted_rate", "not_supported_rate")) == (0.75, 0.25, 0.5)
        assert scores["hallucination"].claim_ids == ("b", "c", "d")

    def test_ragcheckers_is_narrower(self) -> None:
        """Two unsupported claims, one of them correct: hallucination 1, RAGChecker's 1/2, self-knowledge 1/2."""
        case = a_case("ab", "x", response_x_passages={"a": "N", "b": "N"}, response_x_reference={"a": "E", "b": "N"})

        assert tuple(value(n, case) for n in ("hallucination", "ragchecker_hallucination", "self_knowledge")) == (1.0, 0.5, 0.5)


class TestCorrectness:
    def test_f1_of_claims(self) -> None:
        """Precision 1/2, recall 1/1: 2/3."""
        case = a_case("ab", "x", response_x_reference={"a": "E", "b": "N"}, reference_x_response={"x": "E"})

        assert pytest.approx(tuple(value(n, case) for n in ("correctness_precision", "correctness_recall", "correctness"))) == (0.5, 1.0, 2 / 3)

    def test_nothing_right_is_zero(self) -> None:
        """Both shares 0: 0, not a division by zero."""
        case = a_case("a", "x", response_x_reference={"a": "C"}, reference_x_response={"x": "C"})

        assert value("correctness", case) == 0.0

    def test_no_reference(self) -> None:
        """Missing input, whatever else is there."""
        assert score_all(a_case("a", response_x_passages={"a": "E"}))["correctness"].status is ScoreStatus.MISSING_INPUT

    @pytest.mark.parametrize(("policy", "expected"), [("default", None), ("ragas", 0.0), ("ragchecker", 0.0)])
    def test_refusal(self, policy: str, expected: float | None) -> None:
        """Nothing said is neither right nor wrong by default."""
        assert value("correctness", a_case(expected="x", response=REFUSAL, reference_x_response={"x": "N"}, policy=Policy(policy))) == expected

    def test_answer_correctness_weighs_claims_and_wording(self) -> None:
        """0.75 · 1 + 0.25 · 0.6."""
        case = a_case(
            "a", "x", response_x_reference={"a": "E"}, reference_x_response={"x": "E"}, ratings=(a_rating(0.6, RatingKind.RESPONSE_TO_REFERENCE),)
        )

        assert value("answer_correctness", case) == pytest.approx(0.9)


class TestNoise:
    def test_wrong_claims_by_the_passage_they_come_from(self) -> None:
        """p1 states the expected claim, p2 does not. Wrong a from p1, wrong b from p2, wrong c from both: c counts under relevant."""
        case = a_case(
            "abcd", "x", response_x_passages={"a": "EN", "b": "NE", "c": "EE", "d": "EN"},
            response_x_reference={"a": "N", "b": "C", "c": "N", "d": "E"}, reference_x_passages={"x": "EN"},
        )

        assert (value("noise_sensitivity_relevant", case), value("noise_sensitivity_irrelevant", case)) == (0.5, 0.25)


class TestContext:
    def test_recall_of_expected_claims(self) -> None:
        """Two of three expected claims stand in the passages; offenders are expected claims."""
        score = score_all(a_case("", "xyz", reference_x_passages={"x": "EN", "y": "NE", "z": "NN"}))["context_recall"]

        assert (pytest.approx(2 / 3), ("z",)) == (score.value, score.claim_ids)

    def test_nothing_retrieved_recalls_nothing(self) -> None:
        """0, not 1."""
        assert value("context_recall", a_case("", "x", passages=())) == 0.0

    def test_precision_rewards_useful_passages_first(self) -> None:
        """Useful at ranks 1 and 3 of 3: (1 + 2/3) / 2; share of useful passages 2/3."""
        case = a_case("", "xy", reference_x_passages={"x": "ENN", "y": "NNE"})

        assert value("context_precision", case) == pytest.approx((1 + 2 / 3) / 2)
        assert value("relevant_passage_rate", case) == pytest.approx(2 / 3)

    def test_no_useful_passage(self) -> None:
        """No order to judge: no value; Ragas says 0."""
        rows = {"x": "NN"}

        assert value("context_precision", a_case("", "x", reference_x_passages=rows)) is None
        assert value("context_precision", a_case("", "x", reference_x_passages=rows, policy=Policy.RAGAS)) == 0.0

    def test_precision_by_rating_without_a_reference(self) -> None:
        """Passages rated 0.2 and 0.9: useful at rank 2 only, 1/2."""
        ratings = tuple(a_rating(v, RatingKind.QUESTION_TO_PASSAGE, target_id=p) for p, v in (("p1", 0.2), ("p2", 0.9)))

        assert value("context_precision", a_case("a", response_x_passages={"a": "EE"}, ratings=ratings)) == 0.5

    def test_utilization_of_what_was_there(self) -> None:
        """Two expected claims retrieved, one of them said: 1/2. None retrieved: no value."""
        case = a_case("", "xyz", reference_x_passages={"x": "E", "y": "E", "z": "N"}, reference_x_response={"x": "E", "y": "N", "z": "E"})

        assert value("context_utilization", case) == 0.5
        assert value("context_utilization", a_case("", "x", reference_x_passages={"x": "N"}, reference_x_response={"x": "E"})) is None


class TestRagasMean:
    def test_harmonic_mean_of_the_four(self) -> None:
        """1, 0.5, 1, 1: 4 / (1 + 2 + 1 + 1)."""
        rows = {"response_x_passages": {"a": "E"}, "reference_x_passages": {"x": "E"}}
        case = a_case("a", "x", **rows, ratings=(a_rating(0.5, RatingKind.QUESTION_TO_RESPONSE),))

        assert value("ragas_harmonic_mean", case) == pytest.approx(0.8)

    def test_names_what_is_missing(self) -> None:
        """Without the published answer relevance there is no mean, and the reason says so."""
        score = score_all(a_case("a", "x", response_x_passages={"a": "E"}, reference_x_passages={"x": "E"}))["ragas_harmonic_mean"]

        assert score.value is None
        assert score.reason.startswith("answer_relevance:")
