"""What the expected answer shows about sources: a denial is evidence, silence is none, and a verdict that its fellows speak against is none either."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
import pytest

from ragviz.diagnosis.against_reference import clashes_shown
from ragviz.diagnosis.sources import source_reports
from ragviz.records import REFERENCE, Clash, ClashKind, Evidence, Grounding, JudgedTrace, Span, Table
from tests.build import a_case, a_judgement, a_note, a_passage
from tests.unit.diagnosis.caused import RELEVANT, cause

DENIED: dict[str, Any] = {"response_x_passages": {"a": "E"}, "response_x_reference": {"a": "C"}}


def a_mirror(**tables: Any) -> JudgedTrace:
    """A supported claim that the expected answer does not confirm."""
    return a_case("a", "x", ratings=RELEVANT, **tables)


def placed(case: JudgedTrace, table: Table, start: int) -> JudgedTrace:
    """The same with all evidence of a table at one place of ten characters, and claim ``a`` being the answer's first ten."""
    place = Evidence(span=Span(start, start + 10), quote="0123456789")
    judgements = tuple(msgspec.structs.replace(j, evidence=(place,)) if j.key.table is table else j for j in case.judgements)
    claims = tuple(msgspec.structs.replace(c, spans=(Span(0, 10),)) for c in case.claims)
    return msgspec.structs.replace(case, claims=claims, judgements=judgements)


class TestADenial:
    @pytest.mark.parametrize(("start", "name"), [(0, "unknown"), (20, "source_wrong")], ids=["in the claim's own words", "elsewhere in the answer"])
    def test_of_a_claim_that_states_what_was_expected_shows_nothing(self, start: int, name: str) -> None:
        """The judge finds the expected claim in the very words which it finds denied: one of the two verdicts is wrong, and no source is blamed for it."""
        case = placed(a_mirror(**DENIED, reference_x_response={"x": "E"}), Table.REFERENCE_X_RESPONSE, start)
        found = cause(case)

        assert found.name == name
        assert ("its other verdicts do not bear that out" in found.detail) == (name == "unknown")
        assert [r.damage for r in source_reports([case])] == [int(name == "source_wrong")]

    @pytest.mark.parametrize(("passage", "name"), [("N", False), ("C", True)], ids=["silent on it", "denies it"])
    def test_by_a_bare_no_shows_nothing_by_itself(self, passage: str, name: bool) -> None:
        """“No” has no words of its own: only a passage that denies it too is wrong."""
        case = a_mirror(**DENIED, reference_x_passages={"x": passage}, reference_x_response={"x": "C"}, reference="No")
        claims = tuple(msgspec.structs.replace(c, text="No") if c.id == "x" else c for c in case.claims)

        assert (cause(msgspec.structs.replace(case, claims=claims)).name == "source_wrong") is name

    def test_of_an_expected_answer_that_was_not_split_is_a_denial(self) -> None:
        """Its claims are not known, its denial is."""
        case = a_case("a", ratings=RELEVANT, reference="30 days.", **DENIED)

        assert [r.damage for r in source_reports([case])] == [1]

    def test_a_passage_that_states_what_was_expected_is_right(self) -> None:
        """The claim is denied, and the passage behind it says what was expected."""
        assert cause(a_mirror(**DENIED, reference_x_passages={"x": "E"}, reference_x_response={"x": "N"})).name == "generator_ignored"


class TestAPersonsWord:
    FOUND = a_note("a", Grounding.SUPPORTED)

    def test_on_the_passages_outweighs_a_machines_on_the_expected_answer(self) -> None:
        """
        The claim is right by a person; that the expected answer denies it is a machine's word: no source is blamed, and the sentence says
        whose word it is.
        """
        case = a_mirror(response_x_passages={"a": "C"}, response_x_reference={"a": "C"}, reference_x_response={"x": "N"}, annotations=(self.FOUND,))
        found = cause(case)

        assert (found.name, found.passage_ids) == ("unknown", ())
        assert "a person found a supported; that the expected answer denies it is the judge's word alone" in found.detail
        assert [r.damage for r in source_reports([case])] == [0]

    def test_leaves_a_passage_to_blame_that_itself_denies_what_was_expected(self) -> None:
        """Two verdicts, one certificate: the passage contradicts the expected answer."""
        assert cause(a_mirror(**DENIED, reference_x_passages={"x": "C"}, annotations=(self.FOUND,))).name == "source_wrong"

    def test_on_the_expected_answer_is_evidence(self) -> None:
        """A person says that the expected answer denies the claim: the source is wrong; says that it confirms it: nothing is."""
        silent: dict[str, Any] = {"response_x_passages": {"a": "E"}, "response_x_reference": {"a": "N"}, "reference_x_response": {"x": "E"}}
        denied = a_note("a", Grounding.CONTRADICTED, table=Table.RESPONSE_X_REFERENCE)
        confirmed = a_note("a", Grounding.SUPPORTED, table=Table.RESPONSE_X_REFERENCE)

        assert cause(a_mirror(**silent, annotations=(denied,))).name == "source_wrong"
        assert cause(a_mirror(**silent, annotations=(confirmed,))).name == "none"


class TestSilence:
    SILENT: ClassVar[dict[str, Any]] = {"response_x_passages": {"a": "E"}, "response_x_reference": {"a": "N"}}

    def test_is_named_as_silence(self) -> None:
        """The expected answer does not say the claim: perhaps in other words, and no document did damage."""
        case = a_mirror(**self.SILENT, reference_x_response={"x": "E"})

        assert "the expected answer does not say a, or says it in other words" in cause(case).detail
        assert [r.damage for r in source_reports([case])] == [0]

    def test_with_a_passage_that_denies_what_the_answer_does_say_shows_nothing(self) -> None:
        """The answer says what was expected: a passage that would deny it cannot have misled."""
        assert cause(a_mirror(**self.SILENT, reference_x_passages={"x": "C"}, reference_x_response={"x": "E"})).name != "source_wrong"

    @pytest.mark.parametrize(("start", "name"), [(5, True), (50, False)], ids=["at one place", "at another place"])
    def test_with_a_passage_that_denies_what_was_expected(self, start: int, name: bool) -> None:
        """It blames the source only where the words that support the claim are those that deny what was expected."""
        case = a_mirror(**self.SILENT, reference_x_passages={"x": "C"}, reference_x_response={"x": "N"})
        case = placed(placed(case, Table.RESPONSE_X_PASSAGES, 0), Table.REFERENCE_X_PASSAGES, start)

        assert (cause(case).name == "source_wrong") is name


def test_only_words_that_stand_in_the_expected_answer_are_shown() -> None:
    """“without” against a word of the question is no detail of the expected answer; “not” and a price are."""
    reference = "£1,500 in the first year, not £2,000."
    whole, word, price = Span(0, len(reference)), Span(26, 29), Span(0, 6)
    clashes = tuple(
        Clash(kind=kind, hypothesis_span=Span(0, 2), premise_span=span, hypothesis_value="without", premise_value=value)
        for kind, span, value in ((ClashKind.NEGATION, whole, "interest"), (ClashKind.NEGATION, word, "not"), (ClashKind.MONEY, price, "1500 GBP"))
    )
    said = a_judgement(Table.RESPONSE_X_REFERENCE, "a", REFERENCE, "C", clashes=clashes)

    assert [c.premise_value for c in clashes_shown(said, reference)] == ["not", "1500 GBP"]


class TestHowFarItCanBeBelieved:
    """A source is called wrong on a "supported" that may be false: the sentence says when nothing else bears it out."""

    @staticmethod
    def told(passage: str, **more: Any) -> str:
        """Of a claim that the expected answer denies and for which the judge finds this passage."""
        case = a_case("a", "x", ratings=RELEVANT, passages=(a_passage(1, passage),), **{**DENIED, **more})
        claims = tuple(msgspec.structs.replace(c, text="Returns take 30 days." if c.id == "a" else "Returns take 90 days.") for c in case.claims)
        found = cause(msgspec.structs.replace(case, claims=claims))
        assert found.name == "source_wrong"
        return found.detail

    def test_the_passage_has_the_words(self) -> None:
        """Whoever reads it sees the claim there."""
        assert self.told("Returns take 30 days.").endswith("and the expected answer is another")

    @pytest.mark.parametrize("passage", ["Parcels are blue.", "Returns take 14 days."])
    def test_nobody_but_the_judge_finds_it_there(self, passage: str) -> None:
        """Another subject, or another value: the sentence says on whose word it rests."""
        assert "; that p1 says so is the judge's word alone" in self.told(passage)
        assert self.told(passage).endswith(": see whether it does")

    def test_another_verdict_or_a_person_bears_it_out(self) -> None:
        """The passage denies what was expected; or somebody looked."""
        assert "alone" not in self.told("Parcels are blue.", reference_x_passages={"x": "C"}, reference_x_response={"x": "C"})
        assert "alone" not in self.told("Parcels are blue.", reference_x_passages={"x": "C"}, annotations=(a_note("a", Grounding.SUPPORTED),))
