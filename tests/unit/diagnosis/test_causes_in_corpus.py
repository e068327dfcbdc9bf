"""Root causes that passages outside the trace show: what was missed, and better sources."""

from __future__ import annotations

import msgspec
import numpy as np

from ragviz.diagnosis.corpus import Corpus
from ragviz.pipeline.further import decide
from ragviz.records import Fact, JudgedTrace, Side, Table
from tests.build import a_case, a_claim, a_judgement, a_passage, a_trace, judged_by_facts
from tests.unit.diagnosis.caused import RELEVANT, a_rated_case, cause


def test_wrong_mirror_by_a_source_that_was_not_even_retrieved() -> None:
    """No reference, one passage, and elsewhere in the corpus an official one with another value."""
    mirror = a_passage(1, "Returns within 90 days.", facts=(Fact(attribute="window", value="90 days"),), source="mirror")
    official = a_passage(1, "Returns within 30 days.", id="o", facts=(Fact(attribute="window", value="30 days"),), source="official")
    case = judged_by_facts(a_trace(passages=(mirror,)), (a_claim("c1", fact=("window", "90 days")),))

    assert cause(case).name == "none"
    found = cause(case, corpus=Corpus([mirror, official]))
    assert (found.name, found.passage_ids) == ("source_wrong", ("p1", "o"))


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
