"""From verdicts on pairs to the grounding of a claim."""

from __future__ import annotations

import pytest

from ragviz.grounding import groundings, word_in_force
from ragviz.records import Evidence, Grounding, JudgedTrace, Span, Table
from tests.build import a_case, a_claim, a_judgement, a_note, a_trace

ANSWERED = Table.RESPONSE_X_PASSAGES


def grounding_of(case: JudgedTrace, claim_id: str = "a") -> Grounding:
    return groundings(case, ANSWERED)[claim_id].grounding


class TestVerdictsOfSinglePassages:
    @pytest.mark.parametrize(
        ("letters", "expected"),
        [
            ("EN", "supported"), ("NE", "supported"), ("E?", "supported"), ("EC", "conflicted"), ("CN", "contradicted"), ("C?", "contradicted"),
            ("NN", "not_supported"), ("N?", "unjudged"), ("N-", "unjudged"), ("--", "unjudged"), ("??", "unjudged"),
        ],
    )
    def test_rules(self, letters: str, expected: str) -> None:
        """Entailed somewhere, contradicted nowhere: supported; both: conflicted; all neutral: not supported; a gap decides nothing."""
        assert expected == grounding_of(a_case("a", response_x_passages={"a": letters}))

    def test_nothing_retrieved_is_not_supported(self) -> None:
        """No passage exists that could still support it."""
        assert grounding_of(a_case("a", passages=())) is Grounding.NOT_SUPPORTED

    def test_unknown_passages_are_unjudged(self) -> None:
        """Where the file cannot say what was retrieved, nothing is known."""
        assert grounding_of(a_case("a", passages=None)) is Grounding.UNJUDGED

    def test_missing_verdicts_are_counted(self) -> None:
        """Three passages, one judged, one failed, one never asked: two without a verdict."""
        assert groundings(a_case("a", response_x_passages={"a": "N?-"}), ANSWERED)["a"].unjudged == 2


class TestCutOff:
    def test_only_the_first_k_count(self) -> None:
        """The only support is at rank 2: gone at k = 1."""
        assert grounding_of(a_case("a", response_x_passages={"a": "NE"}, k=2)) is Grounding.SUPPORTED
        assert grounding_of(a_case("a", response_x_passages={"a": "NE"}, k=1)) is Grounding.NOT_SUPPORTED

    def test_joined_verdict_on_more_passages_does_not_count(self) -> None:
        """Support by all three together says nothing of the first two, unless its evidence lies there."""
        trace = a_trace(3)
        neutral = [a_judgement(ANSWERED, "a", p.id, "N") for p in trace.passages or ()]
        here = Evidence(span=Span(0, 4), quote="Text", passage_id="p1")
        there = Evidence(span=Span(0, 4), quote="Text", passage_id="p3")

        def at_two(*evidence: Evidence) -> Grounding:
            joined = a_judgement(ANSWERED, "a", "*", "E", evidence=evidence)
            return grounding_of(JudgedTrace(trace=trace, claims=(a_claim("a"),), judgements=(*neutral, joined), k=2))

        assert at_two() is Grounding.NOT_SUPPORTED
        assert at_two(here, there) is Grounding.NOT_SUPPORTED
        assert at_two(here) is Grounding.SUPPORTED


class TestJoinedPassages:
    def test_settle_what_no_single_one_does(self) -> None:
        """Two passages together entail it."""
        assert grounding_of(a_case("a", response_x_passages={"a": "NN"}, joined={"a": "E"})) is Grounding.SUPPORTED

    def test_do_not_speak_against_a_single_one(self) -> None:
        """A passage entails it: the joined verdict is not consulted."""
        assert grounding_of(a_case("a", response_x_passages={"a": "EN"}, joined={"a": "C"})) is Grounding.SUPPORTED

    def test_neutral_covers_passages_without_a_verdict(self) -> None:
        """Everything was read at once and is silent."""
        assert grounding_of(a_case("a", response_x_passages={"a": "??"}, joined={"a": "N"})) is Grounding.NOT_SUPPORTED

    def test_verdict_on_an_answer_whose_passages_are_unknown(self) -> None:
        """Verdicts that came with a file need no passages."""
        assert grounding_of(a_case("a", passages=None, joined={"a": "E"})) is Grounding.SUPPORTED


class TestPeople:
    def test_latest_word_counts(self) -> None:
        """First supported, later contradicted: contradicted, and the judge's own verdict is kept beside it."""
        notes = (a_note("a", Grounding.SUPPORTED, minute=1), a_note("a", Grounding.CONTRADICTED, minute=2, author="Bo"))

        found = groundings(a_case("a", response_x_passages={"a": "N"}, annotations=notes), ANSWERED)["a"]

        assert (found.grounding, found.by, found.judged) == (Grounding.CONTRADICTED, "human", Grounding.NOT_SUPPORTED)

    def test_withdrawing_takes_back_ones_own_words_only(self) -> None:
        """Bo withdraws: Ada's word stands again. Ada withdraws too: the judge's."""
        ada, bo = a_note("a", Grounding.SUPPORTED, minute=1), a_note("a", Grounding.CONTRADICTED, minute=2, author="Bo")
        bo_back, ada_back = a_note("a", None, minute=3, author="Bo"), a_note("a", None, minute=4)

        assert word_in_force([ada, bo, bo_back]) is ada
        assert word_in_force([ada, bo, bo_back, ada_back]) is None

    def test_word_on_another_claim_set_does_not_count(self) -> None:
        """Claim a of the facts is another claim than claim a of the text."""
        note = a_note("a", Grounding.SUPPORTED, claim_set="facts")

        assert grounding_of(a_case("a", response_x_passages={"a": "N"}, annotations=(note,))) is Grounding.NOT_SUPPORTED


def test_confidence_of_silence_is_that_of_the_least_sure_passage() -> None:
    """0.9 and 0.6 neutral: not supported with 0.6; one without a confidence: unknown."""
    trace = a_trace(2)

    def confidence(first: float | None, second: float | None) -> float | None:
        said = (a_judgement(ANSWERED, "a", "p1", "N", confidence=first), a_judgement(ANSWERED, "a", "p2", "N", confidence=second))
        return groundings(JudgedTrace(trace=trace, claims=(a_claim("a"),), judgements=said), ANSWERED)["a"].confidence

    assert confidence(0.9, 0.6) == 0.6
    assert confidence(0.9, None) is None
