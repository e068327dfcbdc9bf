"""What is cut out of an answer, and what is never touched."""

from __future__ import annotations

import re

import pytest

from ragviz.claims import extractors
from ragviz.records import Side, Span, Trace
from ragviz.remedies.cutting import Cut, Piece, cut_out
from tests.build import a_trace


def pieces_of(text: str, *bad: str) -> list[Piece]:
    """The answer's claims as the rules find them; those whose words hold one of ``bad`` are bad."""
    trace = a_trace(response=text)
    (claims,) = extractors.make("rules").extract([trace], side=Side.RESPONSE)
    return [Piece(c.id, c.text, c.spans, any(b in " ".join(s.of(text) for s in c.spans) for b in bad)) for c in claims]


def cut(text: str, *bad: str) -> Cut:
    return cut_out(text, pieces_of(text, *bad))


@pytest.mark.parametrize(
    ("text", "bad", "left"),
    [
        ("Red is warm [1]. Blue is cold [2]. Green is calm [3].", "Blue is", "Red is warm [1]. Green is calm [3]."),
        ("Red is warm [1]. Blue is cold [2].", "Blue is", "Red is warm [1]."),
        ("Red is warm.[1] Blue is cold.[2]", "Red is", "Blue is cold.[2]"),
        ("Red is warm.\n\nBlue is cold.\n\nGreen is calm.", "Blue is", "Red is warm.\n\nGreen is calm."),
        ("Colours:\n- Red is warm [1].\n- Blue is cold.\n- Green is calm.", "Blue is", "Colours:\n- Red is warm [1].\n- Green is calm."),
        ("Red is warm.\n- Blue is cold.", "Blue is", "Red is warm."),
        # A clause goes with the joint in front of it; the marks of what stays, stay.
        ("Express parcels arrive on Monday [1], and delivery costs £9 [2].", "delivery costs", "Express parcels arrive on Monday [1]."),
        ("Express parcels arrive on Monday, and delivery costs £9 [1].", "delivery costs", "Express parcels arrive on Monday [1]."),
        (
            "Opened items go back within 14 days, but sale items cannot be returned, and labels are free.",
            "sale items",
            "Opened items go back within 14 days, and labels are free.",
        ),
        # The first clause goes with the joint behind it, and the next one begins the sentence.
        ("The label costs £2 [1]; support is open daily [2].", "label costs", "Support is open daily [2]."),
        ("未開封の商品は返品できます[1]。開封した商品は返品できません[2]。", "未開封", "開封した商品は返品できません[2]。"),
    ],
)
def test_what_is_left(text: str, bad: str, left: str) -> None:
    """Sentences and clauses go with their marks; the rest keeps every character."""
    assert cut(text, bad).text == left


def test_a_sentence_that_cannot_be_parted_goes_whole_and_says_so() -> None:
    """ "It" would stand for nothing once the first clause is gone: the supported claim is lost with it, and named."""
    found = cut("Red is good. The plan is free and it includes ten seats.", "plan is free")

    assert found.text == "Red is good."
    assert len(found.lost) == 1


def test_a_word_that_points_back_is_a_doubt() -> None:
    """The sentence stays; a reader is told."""
    found = cut("The plan is free. It includes ten seats.", "plan is free")

    assert found.text == "It includes ten seats."
    assert "It includes ten seats" in found.doubts[0]


def test_a_claim_without_a_place_is_named() -> None:
    """Nothing can be cut, and nothing is."""
    found = cut_out("Red is warm.", [Piece("c1", "Blue is cold.", (), bad=True)])

    assert (found.text, found.not_placed, found.removed) == ("Red is warm.", ("c1",), ())


def test_citations_keep_their_places() -> None:
    """A mark behind the cut moves with its text, one inside is gone."""
    text = "Red is warm [1]. Blue is cold [2]. Green is calm [3]."
    found = cut(text, "Blue is")
    marks = [Span(*m.span()) for m in re.finditer(r"\[\d\]", text)]
    moved = [found.moved(span) for span in marks]

    assert [None if span is None else span.of(found.text) for span in moved] == ["[1]", None, "[3]"]


def test_nothing_bad_changes_nothing() -> None:
    """Not a character."""
    trace: Trace = a_trace(response="  Red is warm [1].\n\n* Blue   is cold.\t")

    assert cut(trace.response).text == trace.response
