"""Root causes, each with what shows it."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
import numpy as np
import pytest

from ragviz.diagnosis.causes import Cause, root_cause
from ragviz.diagnosis.corpus import Corpus
from ragviz.metrics import score_all
from ragviz.pipeline.further import decide
from ragviz.records import Fact, JudgedTrace, RatingKind, Side, Table
from tests.build import a_case, a_claim, a_judgement, a_passage, a_rating, a_trace, judged_by_facts

RELEVANT = (a_rating(0.9, RatingKind.QUESTION_TO_RESPONSE_DIRECT),)


def cause(case: JudgedTrace, **settings: Any) -> Cause:
    return root_cause(case, score_all(case), **settings)


def a_rated_case(claims: str, expected: str, **fields: Any) -> JudgedTrace:
    return a_case(claims, expected, ratings=RELEVANT, **fields)


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
    assert "1 of them against what a passage says" in found.detail


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


def test_wrong_mirror_by_a_source_that_was_not_even_retrieved() -> None:
    """No reference, one passage, and elsewhere in the corpus an official one with another value."""
    mirror = a_passage(1, "Returns within 90 days.", facts=(Fact(attribute="window", value="90 days"),), source="mirror")
    official = a_passage(1, "Returns within 30 days.", id="o", facts=(Fact(attribute="window", value="30 days"),), source="official")
    case = judged_by_facts(a_trace(passages=(mirror,)), (a_claim("c1", fact=("window", "90 days")),))

    assert cause(case).name == "none"
    found = cause(case, corpus=Corpus([mirror, official]))
    assert (found.name, found.passage_ids) == ("source_wrong", ("p1", "o"))


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


class TestLookingFurther:
    MISSING = a_case("a", "", response_x_passages={"a": "N"}, response_x_reference={"a": "N"}, reference="The pass is 2106 metres high.", ratings=RELEVANT)

    def missed(self, *texts: str) -> str:
        claim = a_claim("x", side=Side.REFERENCE, text="The pass is 2106 metres high.")
        tables = [(Table.REFERENCE_X_PASSAGES, "p1"), (Table.REFERENCE_X_RESPONSE, "response")]
        case = msgspec.structs.replace(
            self.MISSING, claims=(*self.MISSING.claims, claim), judgements=(*self.MISSING.judgements, *(a_judgement(t, "x", p, "N") for t, p in tables))
        )
        found = cause(case, corpus=Corpus(a_passage(n, text, id=f"d{n}") for n, text in enumerate(texts, start=1)))
        assert found.name == "retrieval_missed"
        return found.detail

    def test_in_the_corpus_not_retrieved(self) -> None:
        """The passage is named."""
        assert self.missed("Two bakeries are in the village.", "The pass is 2106 metres high.").endswith("the corpus has it: d2")

    def test_not_in_the_corpus(self) -> None:
        """Another height of another place does not help."""
        assert self.missed("Two bakeries are in the village.", "The tower is 40 metres high.").endswith("no other passage of the corpus states it")


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


class TestEvidence:
    """A cause shows the passages it rests on, retrieved or not, with the words that say so."""

    def case(self) -> JudgedTrace:
        claim = a_claim("x", side=Side.REFERENCE, text="The pass is 2106 metres high.")
        tables = [(Table.REFERENCE_X_PASSAGES, "p1"), (Table.REFERENCE_X_RESPONSE, "response")]
        bare = TestLookingFurther.MISSING
        return msgspec.structs.replace(bare, claims=(*bare.claims, claim), judgements=(*bare.judgements, *(a_judgement(t, "x", p, "N") for t, p in tables)))

    def test_a_passage_that_was_not_retrieved_is_shown_with_rank_quote_and_judge(self) -> None:
        """Searched by words, asked of the real local judge; the certificate holds."""
        text = "In clear weather both lakes are seen. The pass is 2106 metres high and open from June."
        corpus = Corpus([a_passage(1, "Two bakeries are in the village.", id="d1"), a_passage(2, text, id="d2")], decide=decide)
        found = cause(self.case(), corpus=corpus)

        assert (found.name, len(found.evidence)) == ("retrieval_missed", 1)
        (shown,) = found.evidence
        assert (shown.claim_id, shown.passage_id, shown.retrieved, shown.rank, shown.found_by) == ("x", "d2", False, 1, "words")
        assert shown.span is not None
        assert shown.span.of(text) == shown.quote
        assert "2106" in shown.quote
        assert shown.judged_by.startswith("local")

    def test_vectors_find_what_shares_no_word(self) -> None:
        """Fused with the word search, and said."""
        texts = ["Two bakeries are in the village.", "Its summit lies at 2106 m.", "The tower is 40 metres high."]
        near = {text: [float(text == texts[1]), float(text != texts[1])] for text in texts}
        corpus = Corpus([a_passage(n, text, id=f"d{n}") for n, text in enumerate(texts)],
                        embed=lambda asked: np.array([near.get(text, [1.0, 0.0]) for text in asked], dtype=np.float32))
        ranked, how = corpus.ranked("bakeries")

        assert how == "words and embeddings"
        assert [r.passage.id for r in ranked][:2] == ["d0", "d1"]
        assert [r.rank for r in ranked] == [1, 2, 3]

    def test_an_unsupported_claim_is_looked_for_too(self) -> None:
        """No reference: what the answer added stands in the corpus, or the corpus says otherwise."""
        claim = a_claim("a", text="The pass is 2106 metres high.")
        case = a_case("a", response_x_passages={"a": "N"})
        case = msgspec.structs.replace(case, claims=(claim,))
        there = cause(case, corpus=Corpus([a_passage(1, "The pass is 2106 metres high.", id="d1")], decide=decide))
        other = cause(case, corpus=Corpus([a_passage(1, "The pass is 1980 metres high.", id="d1")], decide=decide))

        assert (there.name, there.evidence[0].verdict.value) == ("generator_added", "entailed")
        assert there.detail.endswith("in the corpus, not retrieved: d1 states one")
        assert (other.evidence[0].verdict.value, other.detail.endswith("d1 says otherwise")) == ("contradicted", True)

    def test_like_a_thing_of_something_else_is_no_evidence(self) -> None:
        """A whole corpus holds "within 14 days" of many things."""
        claim = a_claim("x", side=Side.REFERENCE, text="An opened item can be sent back within 14 days of delivery.")

        assert [s.verdict.value for s in decide(claim, [a_passage(1, "Changes are kept on the device for 14 days and are sent later.")])] == ["neutral"]

    def test_retrieved_evidence_is_the_judgement_s(self) -> None:
        """What was ignored is shown at its rank."""
        case = a_rated_case("a", "x", response_x_passages={"a": "NE"}, response_x_reference={"a": "N"}, reference_x_passages={"x": "NE"},
                            reference_x_response={"x": "N"})
        (shown,) = cause(case).evidence

        assert (shown.claim_id, shown.passage_id, shown.retrieved, shown.rank) == ("x", "p2", True, 2)
