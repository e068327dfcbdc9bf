"""Wrong mirrors without a reference: each case beside a twin in which nothing is wrong."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from ragviz.diagnosis.causes import root_cause
from ragviz.diagnosis.conflicts import source_faults
from ragviz.diagnosis.corpus import Corpus
from ragviz.diagnosis.other_values import other_value
from ragviz.diagnosis.superseded import asks_of_the_past, newer_revisions, own_word
from ragviz.metrics import score_all
from ragviz.pipeline.further import decide
from ragviz.records import Clash, ClashKind, JudgedTrace, Passage, Span, Table
from tests.build import a_claim, a_judgement, a_passage, a_trace

OLD = "The ferry to Hallow carries bicycles free of charge. This page was replaced in May and is kept for reference only."
CLAIM = "The ferry to Hallow carries bicycles free of charge."


def case(claim: str, *passages: Passage, verdicts: str = "E", question: str = "What does a bicycle cost on the ferry?", **fields: Any) -> JudgedTrace:
    """One claim, and what a judge says of it and each passage."""
    said = tuple(a_judgement(Table.RESPONSE_X_PASSAGES, "a", p.id, v) for p, v in zip(passages, verdicts, strict=True))
    return JudgedTrace(trace=a_trace(passages=passages, question=question, **fields), claims=(a_claim("a", text=claim),), judgements=said)


def blamed(of: JudgedTrace, *others: Passage) -> tuple[str, str]:
    """Cause and sentence, with everything retrieved and the others to be searched."""
    found = root_cause(of, score_all(of), corpus=Corpus([*(of.trace.passages or ()), *others], decide=decide))
    return str(found.name), found.detail


class TestOwnWord:
    def test_a_page_that_says_it_was_replaced(self) -> None:
        """Its own sentence is quoted as the evidence."""
        name, detail = blamed(case(CLAIM, a_passage(1, OLD)))

        assert name == "source_wrong"
        assert "“This page was replaced in May and is kept for reference only.”" in detail

    def test_what_a_current_page_still_says_is_not_blamed(self) -> None:
        """The page is old, the statement is not."""
        assert blamed(case(CLAIM, a_passage(1, OLD)), a_passage(2, "Bicycles: the ferry to Hallow carries bicycles free of charge.", id="now"))[0] == "none"

    def test_another_retrieved_source_that_says_it_clears_it(self) -> None:
        """Two sources, one of them in force."""
        assert blamed(case(CLAIM, a_passage(1, OLD), a_passage(2, CLAIM), verdicts="EE"))[0] == "none"

    def test_who_asks_for_the_past_is_answered_from_the_archive(self) -> None:
        """"In 2019" wants the old page."""
        assert blamed(case(CLAIM, a_passage(1, OLD), question="What did a bicycle cost in 2019?"))[0] == "none"
        assert not asks_of_the_past("Why was my bicycle left on the quay?")

    @pytest.mark.parametrize(
        "text",
        [
            "In this guide, the old filter is replaced every year.",
            "This guide explains how the filter is replaced.",
            "The old page was replaced by this page.",
            "This policy is not deprecated.",
            "This version replaced the first one.",
            "Archived mail is kept for ten years.",
        ],
    )
    def test_texts_about_replacing_are_in_force(self, text: str) -> None:
        """A word of replacing is not yet a word about the page."""
        assert own_word(a_passage(1, text)) is None

    @pytest.mark.parametrize(
        ("text", "fields"),
        [
            ("This page of the manual has been superseded.", {}), ("Diese Seite wurde im Mai ersetzt.", {}), ("Cette page n'est plus en vigueur.", {}),
            ("Bicycles are free.", {"metadata": {"status": "Archived"}}), ("Bicycles are free.", {"metadata": {"superseded_by": "fares-7"}}),
            ("Bicycles are free.", {"metadata": {"valid_until": "2025-12-31"}}),
        ],
    )
    def test_other_ways_of_saying_so(self, text: str, fields: dict[str, Any]) -> None:
        """In two more languages, and in metadata."""
        assert own_word(a_passage(1, text, **fields), asked_at=datetime(2026, 3, 1, tzinfo=UTC))

    def test_an_end_date_that_had_not_come_is_none(self) -> None:
        """Asked in 2025; and where nobody knows when it was asked, nothing is said."""
        passage = a_passage(1, "Bicycles are free.", metadata={"valid_until": "2025-12-31"})

        assert own_word(passage, asked_at=datetime(2025, 3, 1, tzinfo=UTC)) is None
        assert own_word(passage) is None


class TestOlderRevision:
    THEN = a_passage(1, "The museum charges adults 9 crowns. Children pay nothing.", title="Tickets", effective_date="2023-01-01", id="then")

    def test_the_newer_revision_does_not_say_it(self) -> None:
        """Another rule altogether: no judge sees a clash."""
        then = a_passage(1, "Small dogs travel on the tram without a ticket.", title="Animals", effective_date="2023-01-01", id="then")
        now = a_passage(2, "Small dogs travel on the tram at the driver's choice.", title="ANIMALS", effective_date="2026-01-01", id="now")
        name, detail = blamed(case("Small dogs travel on the tram without a ticket.", then), now)

        assert (name, detail) == ("source_wrong", "the answer rests on then, and a newer revision does not say so: now")

    def test_a_newer_revision_that_still_says_it(self) -> None:
        """Only the price rose."""
        now = a_passage(2, "The museum charges adults 12 crowns. Children pay nothing.", title="Tickets", effective_date="2026-01-01", id="now")

        assert blamed(case("Children pay nothing.", self.THEN), now)[0] == "none"

    def test_another_part_of_a_document_is_no_newer_revision(self) -> None:
        """Long documents are cut into passages of one title; one of a later date is about something else."""
        other = a_passage(2, "The cloakroom closes at six.", title="Tickets", effective_date="2026-01-01", id="other")

        assert blamed(case("Children pay nothing at the museum.", self.THEN), other)[0] == "none"

    def test_without_title_or_date_nothing_is_newer(self) -> None:
        """And an older one is not newer."""
        now = a_passage(2, "Other text.", title="Tickets", effective_date="2022-01-01")

        assert newer_revisions(self.THEN, [now, a_passage(3, "x", effective_date="2027-01-01"), a_passage(4, "x", title="Tickets")]) == []

    def test_a_left_out_condition_of_an_old_text_is_the_old_text_s(self) -> None:
        """No passage supports the claim as it stands; the one it was taken from has a newer revision that says something else."""
        then = a_passage(1, "Entry is free on every day, as long as a card is shown.", title="Entry", effective_date="2023-01-01", id="then")
        now = a_passage(2, "Entry is free on Mondays.", title="Entry", effective_date="2026-01-01", id="now")

        assert blamed(case("Entry is free on every day.", then, verdicts="N"), now)[0] == "source_wrong"
        assert blamed(case("Entry is free on every day.", then, verdicts="N"))[0] == "generator_added"


class TestOtherValue:
    @pytest.mark.parametrize(
        ("claim", "text", "values"),
        [
            ("A basket holds up to 40 eggs.", "Stacking: a basket holds up to 60 eggs and weighs 2 kg.", ("at most 40", "at most 60")),
            ("The pass costs 5 euros.", "The pass costs 6 euros.", ("5 EUR", "6 EUR")),
            ("The hut is open for 90 days.", "The hut is open for 3 weeks.", ("90 days", "3 weeks")),
        ],
    )
    def test_another_value_of_the_same_attribute(self, claim: str, text: str, values: tuple[str, str]) -> None:
        """Limits too, which do not exclude each other; the certificate holds."""
        found = other_value(claim, text)

        assert found is not None
        clash, place = found
        assert (clash.hypothesis_value, clash.premise_value) == values
        assert place.span.of(text) == place.quote
        assert clash.premise_span is not None
        assert clash.premise_span.of(text) in place.quote

    @pytest.mark.parametrize(
        ("claim", "text"),
        [
            ("A basket holds up to 40 eggs.", "A basket holds up to 40 eggs."),
            ("The tank holds 2 litres.", "The tank holds 2000 ml."),
            ("A parcel can be kept for 10 days.", "An opened parcel can be kept for 4 days."),
            ("The pass costs 5 euros.", "For students the pass costs 3 euros."),
            ("The tank of the M3 holds 2 litres.", "The tank of the M4 holds 3 litres."),
            ("The pass costs 5 euros per day.", "The pass costs 60 euros per month."),
            ("A basket holds up to 40 eggs.", "A basket weighs 2 kg and holds apples and eggs."),
            ("The pass costs 5 euros.", "The pass costs 5 euros or 6 euros."),
            ("It takes 5 days.", "It takes 6 days."),
        ],
    )
    def test_the_same_value_another_thing_or_fewer_cases(self, claim: str, text: str) -> None:
        """None of these is a conflict."""
        assert other_value(claim, text) is None

    def test_a_better_source_beside_the_used_one_gives_another(self) -> None:
        """Both were retrieved, the judge was silent on the second: the more official one decides; the other way round nothing is wrong."""
        mirror, official = (
            a_passage(1, "A basket holds up to 40 eggs.", authority="mirror"),
            a_passage(2, "A basket holds up to 60 eggs.", authority="official"),
        )
        (fault,) = source_faults(case("A basket holds up to 40 eggs.", mirror, official, verdicts="EN"))

        assert (fault.kind, fault.used, fault.against) == ("less_authoritative", ("p1",), ("p2",))
        assert source_faults(case("A basket holds up to 60 eggs.", mirror, official, verdicts="NE")) == []


def test_a_clash_with_something_else_makes_no_source_contested() -> None:
    """The judge reads "cannot be brought along" of dogs as a denial of what is said of bicycles; the passage does not name them."""
    about = a_passage(1, "Bicycles can be brought along on the morning train.")
    other = a_passage(2, "Dogs cannot be brought along.")
    clash = Clash(kind=ClashKind.NEGATION, hypothesis_span=Span(0, 1), premise_span=Span(0, 1), hypothesis_value="brought", premise_value="cannot")
    said = (a_judgement(Table.RESPONSE_X_PASSAGES, "a", "p1", "E"), a_judgement(Table.RESPONSE_X_PASSAGES, "a", "p2", "C", clashes=(clash,)))
    claims = (a_claim("a", text="Bicycles can be brought along on the morning train."),)

    assert source_faults(JudgedTrace(trace=a_trace(passages=(about, other)), claims=claims, judgements=said)) == []


def test_a_passage_that_only_looks_like_support_does_not_lend_its_authority() -> None:
    """The claim is a fan page's word for word; an official page was taken for support although it speaks of something else."""
    fan = a_passage(1, "Lost keys are kept for 90 days.", authority="mirror", id="fan")
    near = a_passage(2, "The history of an order is kept for 90 days.", authority="official", id="near")
    right = a_passage(3, "Lost keys are kept for 30 days.", authority="official", id="right")

    name, detail = blamed(case("Lost keys are kept for 90 days.", fan, near, verdicts="EE"), right)
    assert (name, detail) == ("source_wrong", "the answer rests on fan, but a more authoritative passage says otherwise: right")


def test_a_passage_without_an_id_is_called_by_rank_and_title() -> None:
    """Its made-up id says nothing to anyone."""
    old = a_passage(1, OLD, id="sha1:0123456789ab", title="Fares")

    assert blamed(case(CLAIM, old))[1].startswith("the answer rests on #1 Fares, which is no longer in force")
