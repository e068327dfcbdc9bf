"""Claims of whole answers."""

from __future__ import annotations

import time

import pytest

from ragviz.claims.rules import statements


def texts(answer: str) -> list[str]:
    return [words for words, _ in statements(answer)]


def shown(answer: str) -> list[list[str]]:
    return [[s.of(answer) for s in spans] for _, spans in statements(answer)]


def test_the_span_covers_what_is_written() -> None:
    """The second claim names its subject; its span is the words in the answer."""
    answer = "Express shipping takes 2 business days, and it is free."

    assert texts(answer) == ["Express shipping takes 2 business days", "Express shipping is free"]
    assert shown(answer) == [["Express shipping takes 2 business days"], ["it is free"]]


def test_citations_are_no_part_of_a_claim() -> None:
    """A mark inside splits the span, not the claim; a list of sources is no claim."""
    answer = "Rates rose [1, 3] and then fell [2]. Growth held [9]. See [9](https://example.org). Sources: [1], [2]"

    assert texts(answer) == ["Rates rose and then fell", "Growth held"]
    assert shown(answer) == [["Rates rose", "and then fell"], ["Growth held"]]


def test_a_pronoun_that_begins_the_next_sentence() -> None:
    """"It" can only be the tower; "They" cannot be the singular U.S., so it stays."""
    assert texts("The tower is 69 m high. It was built in 1889.") == ["The tower is 69 m high", "The tower was built in 1889"]
    assert texts("The U.S. has 50 states. They are large.") == ["The U.S. has 50 states", "They are large"]


def test_markdown() -> None:
    """Headings, lead-ins and code are no claims; items and cells are, with the words they need."""
    answer = (
        "## Plans\nThe Pro plan includes the following:\n- 10 GB storage\n- Phone support [1]\n\n"
        "| Plan | Price |\n|---|---|\n| Basic | $5 |\n| Pro | $9 |\n\n```\nx = 1\n```\n1. Open **Settings**.\n2. Click Export."
    )

    assert [t.removesuffix("**") for t in texts(answer)] == [
        "The Pro plan includes 10 GB storage", "The Pro plan includes Phone support", "Basic: Price $5", "Pro: Price $9", "Open **Settings", "Click Export",
    ]


@pytest.mark.parametrize(
    ("answer", "claims"),
    [
        ("Hello! Based on the passages: Is it open? Have a nice day! I hope this helps.", []),
        ("Yes, returns are free.", ["returns are free"]),
        ("Yes. Returns are free.", ["Returns are free"]),
        ("Yes.", ["Yes"]),
        ("30 days", ["30 days"]),
        ("<img src=x> The tower is 69 m high. <script>alert(1)</script>", ["The tower is 69 m high"]),
        ("See the [returns page](https://x.example) for the fee.", ["See the returns page for the fee"]),
        ("According to passage 2, the tower is 69 m high.", ["the tower is 69 m high"]),
        ("I don't know the price, but delivery takes 3 days.", ["delivery takes 3 days"]),
        ("Leider steht dazu nichts in den Unterlagen [2]. Der Versand dauert 2 Tage.", ["Der Versand dauert 2 Tage"]),
        ("About **999** million people watched.", ["About **999** million people watched"]),
        ("**Window:** 30 days", ["**Window:** 30 days"]),
        ("He lives in the U.S. It is big.", ["He lives in the U.S.", "It is big"]),
        ("退货期限为30天。运费由买方承担。", ["退货期限为30天", "运费由买方承担"]),
        ("The note says “Keep it dry. And cool.” and it is red.", ["The note says “Keep it dry. And cool.”", "The note is red"]),
    ],
)
def test_what_is_a_claim(answer: str, claims: list[str]) -> None:
    """Greetings, questions, remarks and refusals state nothing; short answers do."""
    assert claims == texts(answer)


def test_a_thousand_claims_are_cheap() -> None:
    """60,000 characters, 2,000 claims."""
    answer = "Express shipping takes 2 business days, and it is free [1]. " * 1_000
    start = time.process_time()

    assert len(statements(answer)) == 2_000
    assert time.process_time() - start < 6
