"""What a comparison finds, and where."""

from __future__ import annotations

import time

import pytest

from ragviz.consistency import Findings, analyse, check
from ragviz.records import ClashKind


def test_a_clash_points_at_both_sides_with_values_for_people() -> None:
    """Spans lie in the texts as given; the premise's are shifted to where the window begins."""
    claim, premise = "Items can be returned within 90 days.", "Items can be returned within 30 days."

    (clash,) = check(claim, premise, start=100).clashes

    assert (clash.kind, clash.hypothesis_value, clash.premise_value) == (ClashKind.DURATION, "90 days", "30 days")
    assert clash.hypothesis_span is not None
    assert clash.premise_span is not None
    assert clash.hypothesis_span.of(claim) == "90 days"
    assert clash.premise_span.shift(-100).of(premise) == "30 days"


def test_like_is_compared_with_like_only() -> None:
    """The motor's weight says nothing about the pump's."""
    premise = "The motor weighs 3.2 kg. The pump weighs 4.1 kg."

    assert [c.premise_value for c in check("The pump weighs 3.2 kg.", premise).clashes] == ["4.1 kg"]
    assert check("The motor weighs 3.2 kg.", premise).clashes == ()
    assert check("The valve weighs 3.2 kg.", premise).clashes == ()


def test_markdown_does_not_hide_a_number() -> None:
    """Offsets are on the raw text."""
    claim = "About **999** million people watched the match."

    (clash,) = check(claim, "About 67 million people watched the match.").clashes

    assert clash.hypothesis_span is not None
    assert clash.hypothesis_span.of(claim) == "999** million"


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The museum is in Lyon.", "I enjoyed Lyon last week."),
        ("The kit holds a saw and a plane.", "The kit holds a saw, a plane, a chisel, a square and a rule."),
        ("The fee is 1,410.00 EUR.", "The fee is 1.410,00 EUR."),
        ("Turnout was 30.2 %.", "Turnout was 30.2052 %."),
        ("The mast is at 21 degrees.", "The mast is 21 metres high."),
        ("The tunnel is 3 km long.", "The tunnel opened in 1998 and has 2 tubes."),
        ("", "Anything."), ("Anything.", ""), ("…", "?!"), ("\x00\ud83d", "א 🙂 ב"),
    ],
)
def test_no_clash_where_nothing_is_denied(claim: str, premise: str) -> None:
    """Mention, omission, other notation, rounding, another unit, odd text."""
    assert check(claim, premise).clashes == ()


def test_a_dropped_qualifier_is_not_a_clash() -> None:
    """The premise says less than the claim: not supported, not contradicted."""
    found = check("The drug reduced tumour growth.", "The drug reduced tumour growth in mice.")

    assert found.clashes == ()
    assert [(d.kind, d.hypothesis_span, d.premise_value) for d in found.dropped] == [(ClashKind.QUALIFIER, None, "in mice")]


def test_details_are_counted() -> None:
    """Of two details one is matched, one has no counterpart."""
    found = check("Mara Olsen founded the mill in 1890.", "The mill was founded by Mara Olsen.")

    assert (len(found.agreements), found.n_missing, found.n_details, found.matched_share) == (1, 1, 2, 0.5)
    assert found.coverage == 1.0


def test_nothing_shared_gives_nothing() -> None:
    """No alignment, no clash; a claim without details counts as fully matched."""
    found = check("The quick fox likes apples.", "Sheep graze on hills.")

    assert (found.alignment, found.coverage, found.clashes, found.matched_share) == (0.0, 0.0, (), 1.0)
    assert Findings().kinds == {}


LONG = ["word ", "9", "1,2,", "Aa ", "not ", "(", "Jan ", "is a ", "$", "in a week ", "all 5 of the 6 % ", "May 5 1999. ", "A buys B. ", "rise fall. "]


@pytest.mark.parametrize("unit", LONG)
def test_long_texts_cost_in_proportion(unit: str) -> None:
    """A hundred thousand characters of one kind, read and compared with themselves, within seconds."""
    text = unit * (100_000 // len(unit))
    begun = time.process_time()
    analyse(text)
    check(text, text)

    assert time.process_time() - begun < 15


def test_case_white_space_and_markdown_change_nothing() -> None:
    """The same clash, with spans on the text as it was written."""
    premise = "The lease of the mill runs for 12 years."
    for claim in ("The lease of the mill runs for 9 years.", "THE LEASE OF THE MILL RUNS FOR 9 YEARS.", "the lease of  the **mill** runs\tfor `9` years."):
        (clash,) = check(claim, premise).clashes
        assert (clash.hypothesis_value, clash.premise_value) == ("9 years", "12 years")
        assert clash.hypothesis_span is not None
        assert "9" in clash.hypothesis_span.of(claim)


def test_a_whole_sentence_of_the_premise_never_clashes() -> None:
    """What another sentence says is about something else, or the premise contradicts itself; the claim is there word for word."""
    assert check("All owls are birds.", "All owls are birds. Not all birds are owls.").clashes == ()


def test_a_loose_sign_is_kept_apart() -> None:
    """A relation with several partners gives a suspicion, no clash."""
    found = check("The choir toured with Nils Berg.", "The choir toured with Ada Holm.")

    assert found.clashes == ()
    assert [(w.hypothesis_value, w.premise_value) for w in found.weak] == [("Nils Berg", "Ada Holm")]


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The council has 15 members in total.", "The council has 9 members from the north and 6 members from the south."),
        ("The trip takes 7 days.", "The trip takes 5–10 days."),
        ("More than 50 ships came.", "67 ships came."),
        ("The course is 26.2 miles long.", "The course is 42.195 km long."),
        ("The warranty lasts 24 months.", "The warranty lasts two years."),
        ("The gates are not open.", "The gates are closed."),
        ("Corlan was defeated by Brix.", "Brix defeated Corlan."),
        ("Some members voted.", "All members voted."),
        ("The device is waterproof.", "The device is not only waterproof but also light."),
    ],
)
def test_what_follows_is_no_clash(claim: str, premise: str) -> None:
    """Sums, ranges, bounds, conversions, double negation by opposites, the passive, all → some, not only."""
    found = check(claim, premise)

    assert (found.clashes, found.dropped) == ((), ())


def test_accents_that_stand_apart() -> None:
    """Letters and accents in two characters are compared as one, and the spans count both."""
    premise = "Cruz has modelled for Mango and L'Ore\u0301al."
    found = check("Cruz never modelled for L'Or\u00e9al.", premise)

    assert [ClashKind.NEGATION] == [clash.kind for clash in found.clashes]
    agreed = next(a for a in found.agreements if a.premise_span.of(premise).startswith("L'"))
    assert agreed.premise_span.of(premise) == "L'Ore\u0301al"


@pytest.mark.parametrize(
    ("claim", "premise", "values"),
    [
        ("The warranty lasts five years.", "The kettle comes with a two-year warranty.", ("5 years", "2 years")),
        ("The warranty is five years long.", "It comes with a warranty of two years.", ("5 years", "2 years")),
        ("The battery lasts 10 hours.", "The laptop has an 8-hour battery life.", ("10 h", "8 h")),
        ("The trip takes three hours.", "It is a two-hour trip.", ("3 h", "2 h")),
        ("The ticket costs 12 EUR.", "Ticket: 15 EUR.", ("12 EUR", "15 EUR")),
        ("The lid weighs 3 kg.", "With its 2 kg lid, it stays shut.", ("3 kg", "2 kg")),
    ],
)
def test_a_verb_of_measuring_says_no_more_than_the_unit(claim: str, premise: str, values: tuple[str, str]) -> None:
    """What lasts five years is the warranty, whether or not the premise says "lasts"."""
    assert [(c.hypothesis_value, c.premise_value) for c in check(claim, premise).clashes] == [values]


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The battery lasts 10 hours.", "Charging takes 2 hours."),
        ("The ticket costs 12 EUR.", "Parking costs 15 EUR."),
        ("The trip takes three hours.", "The museum visit takes two hours."),
        ("The warranty lasts five years.", "The lamp has lasted two years so far."),
        ("Staff must stay for one year.", "Full-time staff receive 25 days of annual leave per calendar year."),
    ],
)
def test_what_another_thing_measures_is_no_clash(claim: str, premise: str) -> None:
    """The verb alone does not make two things one."""
    assert check(claim, premise).clashes == ()


@pytest.mark.parametrize("name", ["Alice", "John", "Mary"])
def test_a_given_name_that_is_a_frequent_word_is_a_name_where_a_sentence_begins(name: str) -> None:
    """Whoever founded it, it was Bob."""
    (clash,) = check(f"{name} founded the company in 2015.", "The company was founded by Bob in 2015.").clashes

    assert (clash.kind, clash.hypothesis_value, clash.premise_value) == (ClashKind.NAME, name, "Bob")
