"""A claim said in the words of the passage."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragviz.consistency import check
from ragviz.evidence.windows import index_premise
from ragviz.judges.local_view import look, view_claim, view_premise
from ragviz.judges.local_wording import moved, reworded
from ragviz.records import Span


def said(claim: str, premise: str) -> str | None:
    indexed = index_premise(premise)
    found = reworded(claim, indexed, range(len(indexed.units)))
    return found.text if found else None


@pytest.mark.parametrize(("claim", "premise", "expected"), [
    ("She resigned in May.", "She stepped down in May.", "She stepped down in May."),
    ("The CEO bought it.", "It was purchased by the chief executive.", "The chief executive purchased it."),
    ("A refund is free.", "A refund is free.", None),
    ("Interns are welcome.", "Internships are welcome.", "Internships are welcome."),
    ("Animals are allowed.", "Dogs are allowed.", "Dogs are allowed."),
    ("Dogs are allowed.", "Animals are allowed.", None),
    ("Deliveries take a week.", "Parcels ship fast.", "Ship take a week."),
    ("It costs 30 euros.", "It costs 30 euros.", None),
])
def test_words_of_the_passage(claim: str, premise: str, expected: str | None) -> None:
    """Only what the passage lacks is replaced, by what stands for it there; a general word by a special one, never the other way."""
    assert expected == said(claim, premise)


def test_places_point_into_the_claim_as_written() -> None:
    """A finding on a replaced word covers the word that was written, and says it."""
    claim, premise = "The firm will not purchase the mill.", "The company will buy the mill."
    indexed = index_premise(premise)
    wording = reworded(claim, indexed, range(1))
    assert wording is not None

    assert "purchase" == wording.original(Span(*_place(wording.text, "buy"))).of(claim)
    assert "the mill" == wording.original(Span(*_place(wording.text, "the mill"))).of(claim)
    (clash,) = moved(check(wording.text, premise), wording, claim).clashes
    assert clash.hypothesis_span is not None
    assert "not" == clash.hypothesis_span.of(claim)


@settings(deadline=None)
@given(st.lists(st.sampled_from(["firm", "company", "resign", "stepped", "down", "CEO", "chief", "executive", "buys", "purchased", "free", "of", "charge", "30", "at", "no", "cost", "the", "is"]), min_size=1, max_size=14), st.data())
def test_any_stretch_comes_from_the_claim(words: list[str], data: st.DataObject) -> None:
    """Whatever is replaced, every stretch of the new text maps to a stretch of the old, in order."""
    claim, indexed = " ".join(words), index_premise("The company bought it free of charge; the chief executive stepped down.")
    wording = reworded(claim, indexed, range(len(indexed.units)))
    if wording is None:
        return
    start = data.draw(st.integers(0, len(wording.text) - 1))
    end = data.draw(st.integers(start + 1, len(wording.text)))

    place = wording.original(Span(start, end))

    assert 0 <= place.start < place.end <= len(claim)
    assert Span(0, len(claim)) == wording.original(Span(0, len(wording.text)))


def test_a_passage_on_something_else_changes_nothing() -> None:
    """Where the passage would still lack most of the claim, the claim stays as it is."""
    claim = view_claim("The firm planted cherry orchards behind Graz cathedral.")

    assert 0.0 == look(claim, view_premise("The company has a fax machine.")).reworded


def _place(text: str, part: str) -> tuple[int, int]:
    at = text.index(part)
    return at, at + len(part)
