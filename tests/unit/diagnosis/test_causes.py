"""Root causes, each with what shows it."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from ragviz.records import JudgedTrace, Table
from tests.build import a_case, a_claim, a_judgement, a_passage, a_trace
from tests.unit.diagnosis.caused import a_rated_case, cause


def test_good_has_none() -> None:
    """Right and supported."""
    case = a_rated_case("a", "x", response_x_passages={"a": "E"}, response_x_reference={"a": "E"}, reference_x_passages={"x": "E"},
                        reference_x_response={"x": "E"})

    assert cause(case).name == "none"


def test_rightly_declined_has_none_and_a_false_refusal_ignores_what_is_there() -> None:
    """The same refusal, twice."""
    refusal = {"response": "I don't know.", "reference_x_passages": {"x": "NE"}, "reference_x_response": {"x": "N"}}

    assert cause(a_case("", "x", answerable=False, **refusal)).name == "none"
    found = cause(a_case("", "x", answerable=True, **refusal))
    assert (found.name, found.passage_ids, found.claim_ids) == ("generator_ignored", ("p2",), ("x",))


def test_refusal_because_nothing_was_there() -> None:
    """What was asked for stands in no passage."""
    case = a_case("", "x", answerable=True, response="I don't know.", reference_x_passages={"x": "NN"}, reference_x_response={"x": "N"})

    assert cause(case).name == "retrieval_missed"


def test_extra_claim_is_the_generators() -> None:
    """Right, retrieved, and one claim more."""
    case = a_rated_case("ab", "x", response_x_passages={"a": "EN", "b": "NC"}, response_x_reference={"a": "E", "b": "N"},
                        reference_x_passages={"x": "EN"}, reference_x_response={"x": "E"})
    found = cause(case)

    assert (found.name, found.claim_ids, found.passage_ids) == ("generator_added", ("b",), ("p2",))
    assert found.detail == "the answer adds 1 claim that no passage supports, against what a passage says"


def test_how_many_of_the_added_are_denied_is_said_plainly() -> None:
    """Two, of which one or both are denied."""
    said = {
        passages: cause(a_rated_case("ab", "x", response_x_passages={"a": "N", "b": passages}, response_x_reference={"a": "N", "b": "N"},
                                     reference_x_passages={"x": "E"}, reference_x_response={"x": "E"})).detail
        for passages in "NC"
    }

    assert said["N"] == "the answer adds 2 claims that no passage supports"
    assert said["C"] == "the answer adds 2 claims that no passage supports, 1 of them against what a passage says"


def test_lucky_guess_is_the_retrievers() -> None:
    """Right without a source: what was needed was not retrieved, and its document is named."""
    case = a_rated_case("a", "x", response_x_passages={"a": "N"}, response_x_reference={"a": "E"}, reference_x_passages={"x": "N"},
                        reference_x_response={"x": "E"}, relevant_ids=frozenset({"d9"}))
    found = cause(case)

    assert (found.name, found.passage_ids, found.claim_ids) == ("retrieval_missed", ("d9",), ("x",))


def test_wrong_source_by_the_reference() -> None:
    """The claim is supported, and the expected answer denies it."""
    case = a_rated_case("a", "x", response_x_passages={"a": "EN"}, response_x_reference={"a": "C"}, reference_x_passages={"x": "CN"},
                        reference_x_response={"x": "C"})
    found = cause(case)

    assert (found.name, found.passage_ids, found.claim_ids) == ("source_wrong", ("p1",), ("a",))


def test_wrong_source_when_the_judge_only_sees_silence() -> None:
    """The reference is silent on the claim, but the passage behind it denies what the reference says."""
    case = a_rated_case("a", "x", response_x_passages={"a": "E"}, response_x_reference={"a": "N"}, reference_x_passages={"x": "C"},
                        reference_x_response={"x": "N"})

    assert cause(case).name == "source_wrong"


@pytest.mark.parametrize(
    ("used", "other", "word"),
    [
        ({"effective_date": "2023-01-01"}, {"effective_date": "2026-01-01"}, "newer"),
        ({"authority": "forum"}, {"source": "official"}, "more authoritative"),
        ({"effective_date": "2026-01-01", "source": "official"}, {"effective_date": "2026-05-01", "source": "fan forum"}, "disagree"),
        ({}, {}, "disagree"),
    ],
)
def test_wrong_mirror_without_a_reference(used: dict[str, str], other: dict[str, str], word: str) -> None:
    """Another retrieved passage denies the used one; date decides only among equals in authority."""
    trace = a_trace(passages=(a_passage(1, **used), a_passage(2, **other)))
    judgements = tuple(a_judgement(Table.RESPONSE_X_PASSAGES, "a", p, v) for p, v in (("p1", "E"), ("p2", "C")))
    found = cause(JudgedTrace(trace=trace, claims=(a_claim("a"),), judgements=judgements))

    assert found.name == "source_wrong"
    assert word in found.detail


@pytest.mark.parametrize(
    ("used", "other"),
    [
        ({"effective_date": "2026-01-01"}, {"effective_date": "2023-01-01"}),
        ({"source": "official"}, {"authority": "forum"}),
        ({"effective_date": "2026-01-01", "source": "official"}, {"effective_date": "2025-05-01", "source": "fan forum"}),
        ({"effective_date": "2026-01-01", "source": "official"}, {"effective_date": "2023-05-01", "source": "official"}),
    ],
)
def test_the_better_source_is_not_blamed_for_an_older_or_lesser_one(used: dict[str, str], other: dict[str, str]) -> None:
    """An archived page or a mirror was retrieved beside the current one, and says otherwise: the answer rests on the right one."""
    trace = a_trace(passages=(a_passage(1, **used), a_passage(2, **other)))
    judgements = tuple(a_judgement(Table.RESPONSE_X_PASSAGES, "a", p, v) for p, v in (("p1", "E"), ("p2", "C")))

    assert cause(JudgedTrace(trace=trace, claims=(a_claim("a"),), judgements=judgements)).name != "source_wrong"


def test_ranked_below_the_cut_off() -> None:
    """The passage that states it is at rank 3, evidence ends at 2."""
    case = a_rated_case("a", "x", response_x_passages={"a": "NNN"}, response_x_reference={"a": "N"}, reference_x_passages={"x": "NNE"},
                        reference_x_response={"x": "N"}, k=2)
    found = cause(case)

    assert (found.name, found.passage_ids) == ("ranked_below_k", ("p3",))


def test_what_was_there_and_not_said() -> None:
    """On topic, supported, incomplete."""
    case = a_rated_case("a", "xy", response_x_passages={"a": "E"}, response_x_reference={"a": "N"}, reference_x_passages={"x": "E", "y": "E"},
                        reference_x_response={"x": "N", "y": "N"})
    found = cause(case)

    assert (found.name, found.claim_ids, found.passage_ids) == ("generator_ignored", ("x", "y"), ("p1",))


def test_made_up_though_everything_was_there() -> None:
    """No expected claim is lacking and none ignored: the generator added."""
    case = a_rated_case("ab", "x", response_x_passages={"a": "N", "b": "C"}, response_x_reference={"a": "N", "b": "N"},
                        reference_x_passages={"x": "E"}, reference_x_response={"x": "E"})

    assert cause(case).name == "generator_added"


def test_judge_undecided() -> None:
    """Nothing shows a fault, and one claim has no verdict."""
    found = cause(a_case("ab", response_x_passages={"a": "E", "b": "?"}))

    assert (found.name, found.claim_ids) == ("judge_undecided", ("b",))


def test_without_a_reference_unsupported_claims_still_have_a_cause() -> None:
    """Unknown quadrant, known fault. Nothing wrong to see: none, and what is missing is said."""
    assert cause(a_case("a", response_x_passages={"a": "N"})).name == "generator_added"
    supported = cause(a_case("a", response_x_passages={"a": "E"}))
    assert supported.name == "none"
    assert "no expected answer" in supported.detail


def test_a_silent_reference_does_not_make_a_source_wrong() -> None:
    """The quadrant is wrong mirror by its figures, but nothing denies the passage: what can be shown is that the expected claim was not retrieved."""
    rows = {"response_x_passages": {"a": "E"}, "response_x_reference": {"a": "N"}, "reference_x_passages": {"x": "N"}, "reference_x_response": {"x": "N"}}
    found = cause(a_rated_case("a", "x", **rows, relevant_ids=frozenset({"d9"})))

    assert (found.name, found.passage_ids, found.claim_ids) == ("retrieval_missed", ("d9",), ("x",))
    assert found.detail.endswith("no source was shown to be wrong")


def test_an_incomplete_answer_is_no_wrong_mirror() -> None:
    """Everything said is confirmed, most is missing and was not retrieved: correctness is low, the source is not at fault."""
    rows = {
        "response_x_passages": {"a": "E"}, "response_x_reference": {"a": "E"}, "reference_x_passages": {"x": "E", "y": "N", "z": "N", "w": "N"},
        "reference_x_response": {"x": "E", "y": "N", "z": "N", "w": "N"},
    }

    assert cause(a_rated_case("a", "xyzw", **rows)).name == "retrieval_missed"


class TestOnTheLine:
    """Two claims, one supported, one denied by the passage: faithfulness is 0.5, which counts as high, so the cell is wrong mirror."""

    TABLES: ClassVar[dict[str, Any]] = {"response_x_passages": {"a": "E", "b": "C"}, "reference_x_passages": {"x": "E"}, "reference_x_response": {"x": "N"}}

    def test_a_right_source_is_not_blamed(self) -> None:
        """The reference does not speak of the supported claim, and the passage states what was expected: the generator went wrong, and the sentence says so."""
        found = cause(a_rated_case("ab", "x", response_x_reference={"a": "N", "b": "C"}, **self.TABLES))

        assert (found.name, found.passage_ids) == ("generator_ignored", ("p1",))
        assert found.detail.endswith("no source was shown to be wrong")

    def test_a_denied_claim_that_a_passage_states_is(self) -> None:
        """Supported by the second passage, denied by the reference: that passage is the wrong source, whatever the other claim does."""
        tables = self.TABLES | {"response_x_passages": {"a": "NE", "b": "CN"}, "reference_x_passages": {"x": "EN"}}
        found = cause(a_rated_case("ab", "x", response_x_reference={"a": "C", "b": "C"}, **tables))

        assert (found.name, found.passage_ids, found.claim_ids) == ("source_wrong", ("p2",), ("a",))

    def test_silence_of_the_reference_does_not_blame_a_source_while_another_claim_rests_on_nothing(self) -> None:
        """What was expected was not retrieved either."""
        tables = self.TABLES | {"reference_x_passages": {"x": "N"}}
        found = cause(a_rated_case("ab", "x", response_x_reference={"a": "N", "b": "N"}, **tables))

        assert found.name == "retrieval_missed"


def test_a_passage_that_states_what_the_answer_denies_is_no_wrong_source() -> None:
    """A judge reads both out of one passage; the expected claim, which the answer denies, is in it: the answer took the wrong thing from a right source."""
    rows = {"response_x_passages": {"a": "E"}, "response_x_reference": {"a": "C"}, "reference_x_passages": {"x": "E"}, "reference_x_response": {"x": "C"}}

    assert cause(a_rated_case("a", "x", **rows)).name == "generator_ignored"
