"""Names in running text and when two mean the same."""

from __future__ import annotations

import pytest

from ragviz.text.names import NameKind, names, same_name


def texts(text: str) -> list[str]:
    """The names as written."""
    return [n.text for n in names(text)]


def test_a_run_of_capitals_is_one_name() -> None:
    """Particles inside belong to it, months and sentence openings do not."""
    assert texts("In May the Bank of England met Mara Olsen in Lyon.") == ["Bank of England", "Mara Olsen", "Lyon"]


def test_acronyms_and_identifiers() -> None:
    """The WHO is no pronoun; ISO 9001 and GPT-4 are whole; UK 2012 is not."""
    assert [(n.text, n.kind) for n in names("the WHO and ISO 9001, GPT-4, then UK 2012")] == [
        ("WHO", NameKind.ACRONYM), ("ISO 9001", NameKind.IDENTIFIER), ("GPT-4", NameKind.IDENTIFIER), ("UK", NameKind.ACRONYM),
    ]


def test_a_currency_is_no_name() -> None:
    """CHF is a unit."""
    assert texts("it cost CHF 1'410") == []


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("Mara Olsen", "Olsen", True), ("Mara Olsen", "M. Olsen", True), ("World Health Organization", "WHO", True), ("Dr. Mara Olsen", "Mara Olsen", True),
        ("Mara Olsen", "Tom Olsen", False), ("Plan A", "Plan B", False), ("Lyon", "Dijon", False), ("Berlin", "Berlins", True),
    ],
)
def test_when_two_names_mean_the_same(a: str, b: str, *, same: bool) -> None:
    """Surnames, initials, acronyms, titles and endings are allowed for; another first name is another person."""
    (first,), (second,) = names(f"said {a} then"), names(f"said {b} then")

    assert same_name(first, second) is same
    assert same_name(second, first) is same


def test_accents_do_not_make_another_name() -> None:
    """"Noël Hart", "Noel Hart", and the same with the accent as a character of its own."""
    one, two = (names(f"It is by {who} Hart.")[-1] for who in ("No\u00ebl", "Noel"))

    assert same_name(one, two)
    assert one.parts == two.parts



@pytest.mark.parametrize(
    "text",
    ["Trainees may park here.", "The ferry leaves at 9.", "Bank of england notes", "March is cold.", "A320 lands.", "Covid-19 is here, mp3 too.", "I am here", "J. smith left", "no capital", "5 pigs", "X"],
)
def test_a_text_whose_only_capital_is_its_first_letter_has_the_names_it_has_beside_other_letters(text: str) -> None:
    assert names(text) == names(f"{text} é")
