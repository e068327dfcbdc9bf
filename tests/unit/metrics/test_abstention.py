"""Declining: whether, and whether rightly."""

from __future__ import annotations

import msgspec
import pytest

from ragviz.metrics import score_all
from ragviz.metrics.aggregate import summarise_all
from ragviz.metrics.counting import abstained
from ragviz.metrics.scoring import NO_ANSWER
from ragviz.records import ImportedClaim, JudgedTrace, Policy, Side
from tests.build import a_case, a_trace

REFUSAL = "I could not find this in the documents."
NAMES = ("answerability_accuracy", "abstention_precision", "abstention_recall", "false_refusals", "answer_coverage")


def test_both_directions_over_a_run() -> None:
    """Two answerable (one answered, one refused), three unanswerable (two refused, one answered)."""
    run = [
        a_case("a", answerable=True), a_case(response=REFUSAL, answerable=True), a_case(response=REFUSAL, answerable=False),
        a_case(response=REFUSAL, answerable=False), a_case("a", answerable=False),
    ]

    found = summarise_all([score_all(case) for case in run])

    assert [found[n].macro for n in NAMES] == pytest.approx([3 / 5, 2 / 3, 2 / 3, 1 / 2, 2 / 5])
    assert [found[n].n for n in NAMES] == [5, 3, 3, 2, 5]


def test_without_labels_only_the_refusal_is_known() -> None:
    """It declined; whether it should have is not in the file."""
    scores = score_all(a_case(response=REFUSAL))

    assert (scores["abstained"].value, scores["false_refusals"].status) == (1.0, "missing_input")


def test_annotated_claim_sets_tell_nothing_of_answers_they_do_not_cover() -> None:
    """No annotation at all: unknown. Annotated with no claim: it declines. A plain refusal or an empty answer always does."""
    bare = msgspec.structs.replace(a_case(), claim_set="facts")
    expected = ImportedClaim(side=Side.REFERENCE, text="a = b", attribute="a", value="b")
    covered = msgspec.structs.replace(a_case(claims=""), claim_set="facts", trace=a_trace(claims=(expected,)))

    assert abstained(bare) is None
    assert abstained(covered) is True
    assert abstained(msgspec.structs.replace(covered, claim_set="")) is True
    assert abstained(msgspec.structs.replace(a_case(response=REFUSAL), claim_set="facts")) is True
    assert abstained(a_case(response="  ")) is True
    assert abstained(a_case("a")) is False


def test_a_tool_that_lists_only_faults_says_nothing_of_faultless_answers() -> None:
    """No flagged span is no refusal: unknown. Split by rules, an answer without any claim states nothing."""
    faultless = JudgedTrace(trace=a_trace(claims=()), claim_set="imported")

    assert abstained(faultless) is None
    assert abstained(msgspec.structs.replace(faultless, claim_set="")) is None
    assert abstained(msgspec.structs.replace(faultless, claim_set="rules")) is True
    assert score_all(msgspec.structs.replace(faultless, policy=Policy.DEEPEVAL))["faithfulness"].status == "missing_input"


WITHOUT_AN_ANSWER = {
    "context_recall",
    "context_precision",
    "relevant_passage_rate",
    "context_relevance",
    "latency_ms",
    "tokens_in",
    "tokens_out",
    "cost_usd",
    "judge_ms_per_claim",
    "judge_cost_per_claim",
    "precision_at_5",
    "recall_at_5",
    "hit_at_5",
    "reciprocal_rank_at_5",
    "average_precision_at_5",
    "ndcg_at_5",
}
"""What can be said of a trace whose answer is not in the file: what was retrieved, and what it took."""


@pytest.mark.parametrize("policy", list(Policy))
def test_an_answer_that_is_not_in_the_file_has_no_figure(policy: Policy) -> None:
    """Under no convention does a missing answer count as a refusal, or as a wrong one; the reason is named."""
    case = a_case(
        claims="",
        expected="xy",
        reference_x_passages={"x": "E", "y": "N"},
        reference_x_response={"x": "N", "y": "N"},
        response="",
        reference="r",
        answerable=True,
    )
    case = msgspec.structs.replace(case, policy=policy, trace=msgspec.structs.replace(case.trace, response_is="absent"))
    empty = msgspec.structs.replace(case, trace=msgspec.structs.replace(case.trace, response_is=None))

    scores = score_all(case)

    assert (abstained(case), abstained(empty)) == (None, True)
    assert {name for name, score in scores.items() if score.value is not None} <= WITHOUT_AN_ANSWER
    assert {
        scores[name].reason
        for name in (
            "abstained",
            "faithfulness",
            "correctness",
            "correctness_recall",
            "relevance",
            "context_utilization",
            "invented_citations",
            "answer_coverage",
        )
    } == {NO_ANSWER}
    assert scores["context_recall"].value == 0.5
