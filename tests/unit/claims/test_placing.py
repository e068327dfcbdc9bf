"""A model's claims put back into the answer."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from ragviz.claims.placing import placed

ANSWER = "Express shipping takes 2 business days [1], and it is free. Ann and Bob won. Gift cards are not refundable."


def shown(rows: list[tuple[str, str]], answer: str = ANSWER, question: str = "") -> list[tuple[str, list[str]]]:
    return [(claim.text, [span.of(answer) for span in claim.spans]) for claim in placed(rows, answer, question=question)]


def test_quotes_become_spans_and_citations_fall_out() -> None:
    """The mark [1] is no part of a claim."""
    rows = [("Express shipping takes 2 business days [1].", "Express shipping takes 2 business days [1]"), ("Express shipping is free.", "it is free")]

    assert shown(rows) == [
        ("Express shipping takes 2 business days.", ["Express shipping takes 2 business days"]),
        ("Express shipping is free.", ["it is free"]),
    ]


def test_shared_words_belong_to_the_more_specific_quote() -> None:
    """"Ann and Bob won" without "Bob won" leaves "Ann and" for the first claim."""
    rows = [("Ann won.", "Ann and Bob won"), ("Bob won.", "Bob won")]

    assert shown(rows) == [("Ann won.", ["Ann and"]), ("Bob won.", ["Bob won"])]


def test_the_same_quote_twice_is_shown_once() -> None:
    """The second claim stays, without a place."""
    assert shown([("Ann won.", "Ann and Bob won"), ("Bob won.", "Ann and Bob won")]) == [("Ann won.", ["Ann and Bob won"]), ("Bob won.", [])]


def test_claims_come_in_reading_order() -> None:
    """Whatever order the reply has; a repeated claim counts once."""
    rows = [("Ann won.", "Ann"), ("It is free.", "it is free"), ("ann won.", "Ann")]

    assert [text for text, _ in shown(rows)] == ["It is free.", "Ann won."]


def test_the_quote_after_the_claim_before_is_meant() -> None:
    """"It is red" stands twice: the second claim means the second."""
    answer = "The door is new. It is red. The gate is old. It is red."
    found = placed([("The door is new.", "The door is new."), ("The gate is old.", "The gate is old."), ("The gate is red.", "It is red.")], answer)

    assert found[2].spans[0].start == answer.rindex("It is red")


def test_invented_quotes() -> None:
    """Kept without spans when every content word is there, else dropped."""
    assert shown([("Shipping is free.", "shipping costs nothing")]) == [("Shipping is free.", [])]
    assert shown([("Shipping takes 3 days.", "takes 3 days")]) == []
    assert shown([("Penguins fly.", "Penguins fly")]) == []


def test_what_the_answer_does_not_say_is_replaced_by_its_own_words() -> None:
    """Another figure, a dropped or an added "not", other words altogether."""
    assert shown([("Shipping takes 5 business days.", "takes 2 business days")])[0][0] == "takes 2 business days"
    assert shown([("Gift cards are refundable.", "Gift cards are not refundable")])[0][0] == "Gift cards are not refundable"
    assert shown([("Ann did not win.", "Ann and Bob won")])[0][0] == "Ann and Bob won"
    assert shown([("Penguins live in Antarctica.", "it is free")])[0][0] == "it is free"


def test_the_question_completes_a_short_answer() -> None:
    """"30 days" is a claim about what was asked."""
    rows = [("Items can be returned within 30 days.", "30 days")]

    assert shown(rows, "30 days.", "Within how many days can items be returned?") == [("Items can be returned within 30 days.", ["30 days"])]


def test_a_negation_beside_the_quote_counts() -> None:
    """The "no" stands outside the short quote."""
    rows = [("No deposit is required.", "deposit is required")]

    assert shown(rows, "No fee or deposit is required.") == [("No deposit is required.", ["deposit is required"])]


PIECES = st.lists(st.sampled_from(["Ann", "and", "Bob", "won", "2", "days", "not", "[1]", "free", "…", "it is free", ANSWER, "x"]), max_size=6).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(PIECES, PIECES), max_size=6))
def test_spans_ascend_and_never_overlap(rows: list[tuple[str, str]]) -> None:
    """Over all claims in order, whatever the reply says."""
    spans = [span for claim in placed(rows, ANSWER) for span in claim.spans]

    assert all(a.end <= b.start for a, b in itertools.pairwise(spans))
    assert all(span.fits(ANSWER) for span in spans)
