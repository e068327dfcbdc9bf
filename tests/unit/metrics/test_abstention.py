"""Declining: whether, and whether rightly."""

from __future__ import annotations

import msgspec
import pytest

from ragviz.metrics import score_all
from ragviz.metrics.aggregate import summarise_all
from ragviz.metrics.counting import abstained
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
