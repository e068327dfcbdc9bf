"""Pairs from traces, and joined premises back to passages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ragviz.grounding import joined_id, joined_pairs, joined_text, pairs_for, unjoin
from ragviz.records import Clash, ClashKind, Evidence, Fact, ImportedClaim, ImportedVerdict, Side, Span, Table, Verdict
from tests.build import a_claim, a_judgement, a_passage, a_trace

ANSWERED = Table.RESPONSE_X_PASSAGES
CLAIMS = (a_claim("c1", fact=("price", "free")), a_claim("c2", fact=("eta", "2 days")), a_claim("r1", side=Side.REFERENCE, fact=("eta", "3 days")))


class TestPairs:
    def test_each_claim_meets_each_passage(self) -> None:
        """Two claims, the first two of three passages: four pairs in reading order."""
        keys = [p.key for p in pairs_for(a_trace(3), CLAIMS, ANSWERED, k=2)]

        assert [(k.claim_id, k.premise_id) for k in keys] == [("c1", "p1"), ("c1", "p2"), ("c2", "p1"), ("c2", "p2")]

    def test_facts_of_the_other_side_are_the_premise(self) -> None:
        """Against the reference: its facts; against the answer: the answer's; against a passage: the passage's."""
        trace = a_trace(passages=(a_passage(1, facts=(Fact(attribute="eta", value="2 days"),)),), reference="Three days.")

        assert [Fact(attribute="eta", value="3 days")] == list(pairs_for(trace, CLAIMS, Table.RESPONSE_X_REFERENCE)[0].premise_facts or ())
        assert [f.attribute for f in pairs_for(trace, CLAIMS, Table.REFERENCE_X_RESPONSE)[0].premise_facts or ()] == ["price", "eta"]
        assert [f.value for f in pairs_for(trace, CLAIMS, ANSWERED)[0].premise_facts or ()] == ["2 days"]

    def test_an_answer_without_facts_states_none(self) -> None:
        """Annotated, but empty: known to state nothing. Without annotation: unknown."""
        trace = a_trace(reference="Three days.")

        assert pairs_for(trace, CLAIMS[2:], Table.REFERENCE_X_RESPONSE)[0].premise_facts == ()
        assert pairs_for(trace, (a_claim("r1", side=Side.REFERENCE),), Table.REFERENCE_X_RESPONSE)[0].premise_facts is None

    def test_passages_known_by_id_only_are_not_asked(self) -> None:
        """Nothing to read is not the same as silence: the claim stays unjudged. Facts without text can be compared."""
        trace = a_trace(passages=(a_passage(1, ""), a_passage(2, "", facts=())), passages_are="ids")

        assert ["p2", "p2"] == [p.key.premise_id for p in pairs_for(trace, CLAIMS, ANSWERED)]
        assert joined_pairs(trace, CLAIMS, ANSWERED) == []

    def test_no_reference_no_pairs(self) -> None:
        """The metric then says that its input is missing."""
        assert pairs_for(a_trace(), CLAIMS[:2], Table.RESPONSE_X_REFERENCE) == []

    def test_reference_known_as_claims_only(self) -> None:
        """Their text stands in for the expected answer."""
        assert pairs_for(a_trace(), CLAIMS, Table.RESPONSE_X_REFERENCE)[0].premise == "eta = 3 days"


class TestImportedVerdicts:
    def test_reach_their_own_pair(self) -> None:
        """A verdict on passage p2 is attached to the pair with p2, and nowhere else."""
        said = ImportedVerdict(table=ANSWERED, premise_id="p2", verdict=Verdict.ENTAILED, label="yes")
        trace = a_trace(2, claims=(ImportedClaim(side=Side.RESPONSE, text="It is so.", verdicts=(said,)),))

        pairs = pairs_for(trace, (a_claim("c1", text="It is so."),), ANSWERED)

        assert [None, said] == [p.imported for p in pairs]

    def test_equal_claims_keep_their_order(self) -> None:
        """The same sentence twice with different verdicts: first to first, second to second."""
        verdicts = [ImportedVerdict(table=ANSWERED, premise_id="p1", verdict=v, label=v.value) for v in (Verdict.ENTAILED, Verdict.NEUTRAL)]
        trace = a_trace(claims=tuple(ImportedClaim(side=Side.RESPONSE, text="So.", verdicts=(v,)) for v in verdicts))

        pairs = pairs_for(trace, (a_claim("c1", text="So."), a_claim("c2", text="So.")), ANSWERED)

        assert verdicts == [p.imported for p in pairs]

    def test_on_all_passages_together(self) -> None:
        """It belongs to the joined pair, which exists for it even where the passages are unknown."""
        said = ImportedVerdict(table=ANSWERED, premise_id="*", verdict=Verdict.ENTAILED, label="S")
        claims = (ImportedClaim(side=Side.RESPONSE, text="So.", verdicts=(said,)),)
        made = (a_claim("c1", text="So."), a_claim("c2", text="Not so."))

        assert [said] == [p.imported for p in joined_pairs(a_trace(passages=None, claims=claims), made, ANSWERED)]
        assert [said, None] == [p.imported for p in joined_pairs(a_trace(2, claims=claims), made, ANSWERED)]


class TestJoined:
    def test_id_says_how_many(self) -> None:
        """The first two of three: *2. A cut-off that leaves none out shares the id of no cut-off."""
        assert [joined_id(a_trace(3), k) for k in (2, 3, None)] == ["*2", "*", "*"]

    def test_one_passage_has_nothing_to_join(self) -> None:
        """No pair without a verdict of the file's own."""
        assert joined_pairs(a_trace(1), CLAIMS, ANSWERED) == []

    def test_evidence_goes_back_to_its_passage(self) -> None:
        """"b c" crosses the border of "a b" and "c d": one piece in each, weights by length."""
        trace = a_trace(passages=(a_passage(1, "a b"), a_passage(2, "c d")))
        joined = a_judgement(ANSWERED, "c1", "*", "E", evidence=(Evidence(span=Span(2, 6), quote="b\n\nc"),))

        back = unjoin(joined, trace)

        assert [("p1", "b", Span(2, 3), 0.5), ("p2", "c", Span(0, 1), 0.5)] == [(e.passage_id, e.quote, e.span, e.weight) for e in back.evidence]

    def test_clash_goes_back_to_its_passage(self) -> None:
        """The second passage's 32 against the claim's 12."""
        trace = a_trace(passages=(a_passage(1, "Some text."), a_passage(2, "32 days")))
        clash = Clash(kind=ClashKind.NUMBER, hypothesis_span=Span(0, 2), premise_span=Span(12, 14), hypothesis_value="12", premise_value="32")

        (back,) = unjoin(a_judgement(ANSWERED, "c1", "*", "C", clashes=(clash,)), trace).clashes

        assert ("p2", Span(0, 2)) == (back.passage_id, back.premise_span)

    def test_other_judgements_and_second_calls_change_nothing(self) -> None:
        """Mapping back twice is mapping back once."""
        trace = a_trace(passages=(a_passage(1, "a b"), a_passage(2, "c d")))
        single = a_judgement(ANSWERED, "c1", "p1", "E", evidence=(Evidence(span=Span(0, 1), quote="a"),))
        joined = unjoin(a_judgement(ANSWERED, "c1", "*", "E", evidence=(Evidence(span=Span(5, 8), quote="c d"),)), trace)

        assert single == unjoin(single, trace)
        assert joined == unjoin(joined, trace)

    @given(st.lists(st.text(min_size=1, max_size=8), min_size=2, max_size=4), st.data())
    def test_every_piece_is_what_it_quotes(self, texts: list[str], data: st.DataObject) -> None:
        """Whatever the texts and the span: each piece lies in its passage and equals its quote."""
        trace = a_trace(passages=tuple(a_passage(n, t) for n, t in enumerate(texts, start=1)))
        whole = joined_text(trace)
        start = data.draw(st.integers(0, len(whole) - 1))
        span = Span(start, data.draw(st.integers(start + 1, len(whole))))

        back = unjoin(a_judgement(ANSWERED, "c1", "*", "E", evidence=(Evidence(span=span, quote=span.of(whole)),)), trace)

        for piece in back.evidence:
            passage = trace.passage(piece.passage_id or "")
            assert passage is not None
            assert piece.span.of(passage.text) == piece.quote
