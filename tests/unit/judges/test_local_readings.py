"""Kinds of reading, each with twins from other domains: who may do it, what is denied, figures of a kind, answers beside their reference."""

from __future__ import annotations

import collections
import re

import pytest

from ragviz.judges.local_alike import alike, boundless, named
from ragviz.judges.questions import merely_offers, sub_questions
from ragviz.judges.relevance_model import features
from ragviz.records import Pair, PairKey, Table, Verdict
from tests.unit.judges.labelled_pairs import JUDGE, asked, rows_of

ROWS = rows_of("reading_pairs.jsonl")
SAID = {Verdict.ENTAILED: "supported", Verdict.CONTRADICTED: "contradicted", Verdict.NEUTRAL: "not_supported", Verdict.UNJUDGED: "unjudged"}


def half(mark: str) -> list[dict[str, str]]:
    return [row for row in ROWS if re.fullmatch(rf"\w+-{mark}\d{{3}}-[abc]", row["id"])]


def test_enough_of_each_kind() -> None:
    """Twelve or more of each kind, ids unique, a third of the passages held out; all three expectations on both sides."""
    kinds = collections.Counter(row["kind"] for row in ROWS)

    assert len(kinds) == 11
    assert min(kinds.values()) >= 12
    assert len({row["id"] for row in ROWS}) == len(ROWS) == len(half("d")) + len(half("h"))
    assert len(half("h")) >= len(ROWS) / 4
    assert 6 == len({(mark, row["expect"]) for mark in "dh" for row in half(mark)})


@pytest.mark.parametrize("row", half("d"), ids=lambda row: row["id"])
def test_developed(row: dict[str, str]) -> None:
    """Every pair that the rules were made on is read right, by words alone."""
    assert SAID[JUDGE.judge([asked(row)])[0].verdict] == row["expect"]


def test_held_out() -> None:
    """Of those written beside them and looked at only as a total, nine in ten; none that is supported is called contradicted."""
    said = [(row["expect"], SAID[judgement.verdict]) for row, judgement in zip(half("h"), JUDGE.judge([asked(row) for row in half("h")]), strict=True)]

    assert sum(expect == found for expect, found in said) >= 0.9 * len(said)
    assert ("supported", "contradicted") not in said


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.get("question") or "whatever" in row["claim"] or "regardless" in row["claim"]], ids=lambda row: row["id"]
)
def test_places_are_places_of_the_texts(row: dict[str, str]) -> None:
    """However a pair is read: every quote stands in its passage, and what clashes in the claim stands in the claim."""
    judgement = JUDGE.judge([asked(row)])[0]

    assert all(e.span.of(row["premise"]) == e.quote for e in judgement.evidence)
    assert all(clash.hypothesis_span is None or clash.hypothesis_span.fits(row["claim"]) for clash in judgement.clashes)
    assert all(clash.premise_span is None or clash.premise_span.fits(row["premise"]) for clash in judgement.clashes)


def test_texts_without_a_sign_are_read_as_they_stand() -> None:
    """No "one", "only", proviso, rate or "whatever": nothing is read in, and nothing is made."""
    pair = Pair(
        key=PairKey(Table.RESPONSE_X_REFERENCE, "t", "c1", "r"),
        premise="The gate opens at nine.",
        hypothesis="The gate opens at eight.",
        question="When does the gate open?",
    )

    assert alike(pair, None, None) == (None, None)
    assert named(pair.question, pair.hypothesis, None) is None
    assert boundless(pair.hypothesis, pair.premise, None) is None


WHY = [
    ("Why was the ferry cancelled?", "You can book a cabin online.", True),
    ("Why was the ferry cancelled?", "A storm was expected.", False),
    ("Why is the heating off?", "Visitors can use the lounge. You may order tea.", True),
    ("Why is the heating off?", "You can only turn it on in October.", False),
    ("Why did the payment fail?", "You can pay by cash or card.", True),
    ("Why did the payment fail?", "You can pay again once the limit is raised.", False),
    ("Why can't I see the report?", "Users can export lists.", True),
    ("Why can't I see the report?", "Users can see it if they are owners.", False),
    ("Why should I join the club?", "You can borrow boats.", False),
    ("Why do I need a permit?", "You can enter the park with it.", False),
    ("When was the ferry cancelled?", "You can book a cabin online.", False),
    ("What is the reason for the delay?", "Passengers may ask at the desk.", True),
]


@pytest.mark.parametrize(("question", "answer", "offers"), WHY)
def test_what_one_can_do_is_no_reason(question: str, answer: str, offers: bool) -> None:
    """"You can pay by card" does not say why a payment failed; what one can do is a reason to join."""
    (part,) = sub_questions(question)

    assert merely_offers(question, answer) is offers
    assert (features(0.5, part, answer)[1] == 1.0 and part.asked_for.value == "a reason") is offers
