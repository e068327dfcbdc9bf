"""Negations and refusals."""

from __future__ import annotations

import pytest

from ragviz.text.polarity import is_refusal, may_negate, negations, refusal_span
from ragviz.text.tokens import lower_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It is not open, isn't it?", ["not", "n't"]),
        ("Not only cheap; no more than 5.", []),
        ("No. 5 costs no money", ["no"]),
        ("Das ist kein Problem, nicht wahr, ohne Gebühr", ["kein", "nicht", "ohne"]),
        ("Il n'y a pas de frais", ["n", "pas"]),
        ("No se cobra nunca", ["No", "nunca"]),
        ("Il n’a pas été là – ni ici", ["n", "pas", "ni"]),
        ("Für 5 € außer sonntags", ["außer"]),
        ("Für 5 € – täglich; l’été aussi", []),
        ("他没来", ["没"]),
        ("notable northern note", []),
    ],
)
def test_negations(text: str, words: list[str]) -> None:
    """Words that turn a statement around, and no others."""
    assert words == [s.of(text) for s in negations(text)]
    assert may_negate(text, lower_words(text)) or not words


@pytest.mark.parametrize(
    "text",
    [
        "I don't know.",
        "I’m sorry, but I cannot answer that from the provided documents.",
        "The provided context does not mention the warranty. It only discusses shipping. Please contact support.",
        "There is no information about prices in the passages [1][2].",
        "None of the sources state the fee.",
        "I don't know. The passages mention students [1], but none for pensioners.",
        "Leider steht dazu nichts in den Unterlagen [2].",
        "Das geht aus den Dokumenten nicht hervor.",
        "Les documents ne mentionnent pas le prix.",
        "No lo sé.",
        "この情報は文書に記載がありません。",
        "文中没有提到价格。",
    ],
)
def test_refusals(text: str) -> None:
    """Declined in several languages, with citations, apologies and offers beside it."""
    assert is_refusal(text)
    assert refusal_span(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I don't know the price, but delivery takes 3 days.",
        "The kit does not contain batteries.",
        "The export file does not include deleted records.",
        "We do not offer student discounts.",
        "No information is stored on our servers for longer than 30 days.",
        "Der Preis enthält keine Mehrwertsteuer.",
        "The lock cannot be opened without a key.",
    ],
)
def test_statements_are_not_refusals(text: str) -> None:
    """A negative statement states something."""
    assert not is_refusal(text)


def test_a_mixed_answer_shows_where_it_declines() -> None:
    """Only the part before "but" declines."""
    text = "I don't know the price, but delivery takes 3 days."
    span = refusal_span(text)

    assert span is not None
    assert span.of(text) == "I don't know the price"
