"""Where a sentence is cut, and where it is not."""

from __future__ import annotations

import pytest

from ragviz.claims.clauses import clauses


def cut(sentence: str) -> list[str]:
    return [c.complete(c.span.of(sentence)) for c in clauses(sentence)]


@pytest.mark.parametrize(
    ("sentence", "statements"),
    [
        ("Express shipping takes 2 business days, and it is free", ["Express shipping takes 2 business days", "Express shipping is free"]),
        ("Shipping takes 2 days and costs $5", ["Shipping takes 2 days", "Shipping costs $5"]),
        ("Tracking is included and delivery takes 2 days", ["Tracking is included", "delivery takes 2 days"]),
        ("Orders ship on Monday and they arrive on Friday", ["Orders ship on Monday", "Orders arrive on Friday"]),
        ("The app is free; it runs on Linux", ["The app is free", "The app runs on Linux"]),
        ("The tower was built in 1889 and was renovated in 1986", ["The tower was built in 1889", "The tower was renovated in 1986"]),
        ("The device is light, yet it is robust and it is waterproof", ["The device is light", "The device is robust", "The device is waterproof"]),
        ("Der Versand dauert 2 Tage und ist kostenlos", ["Der Versand dauert 2 Tage", "Der Versand ist kostenlos"]),
        ("Der Versand dauert 2 Tage, und er ist kostenlos", ["Der Versand dauert 2 Tage", "Der Versand ist kostenlos"]),
        ("La livraison est gratuite et elle prend trois jours", ["La livraison est gratuite", "La livraison prend trois jours"]),
        ("Refunds go back to the card you used and arrive within 5 days", ["Refunds go back to the card you used", "Refunds arrive within 5 days"]),
        ("You pay when the parcel arrives, and the label is free", ["You pay when the parcel arrives", "the label is free"]),
        ("Such networks are not supported; use Ethernet there", ["Such networks are not supported", "use Ethernet there"]),
        ("The later change wins, and stock counts are added up", ["The later change wins", "stock counts are added up"]),
        ("The red meant blood; and the star represented unity", ["The red meant blood", "the star represented unity"]),
        (
            "The blue represents peace, the red stands for blood, and the star denotes unity",
            ["The blue represents peace", "the red stands for blood", "the star denotes unity"],
        ),
        ("Content is stored in Paris, and backups stay there too", ["Content is stored in Paris", "backups stay there too"]),
        ("The app works offline, but it is possible that sync is delayed", ["The app works offline", "it is possible that sync is delayed"]),
    ],
)
def test_two_statements_come_apart(sentence: str, statements: list[str]) -> None:
    """Own subject, shared subject, or a pronoun that can only mean the subject before it."""
    assert statements == cut(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The fee lies between 5 and 10 euros",
        "It tastes of salt and pepper",
        "The kit holds a saw, a plane, a chisel, a square and a rule",
        "Between the old and the new town is a river",
        "If you return it, you get a refund and shipping is free",
        "The box, which is red and is heavy, costs 5 EUR",
        "The Pro plan includes support, and the Basic plan does not",
        "He said “it is late and it is dark” and left",
        "The policy says that A is true and B is false",
        "In 2019 the office was closed, and the shop was sold",
        "Although it is red, the box is light and the lid is heavy",
        "The town, the largest in the region, has a river",
        "You need to arrive and stay sealed",
        "You can return it and get a refund",
        "The case (it is red, and it is big) is new",
        "Rates rose     and then fell",
        "Research and development is done in Lyon",
        "1,000 and 2,000 are round",
    ],
)
def test_one_statement_stays_whole(sentence: str) -> None:
    """Lists, pairs, conditions, relative clauses, quotations, brackets, ellipses and reported speech are not cut."""
    assert [sentence] == cut(sentence)


def test_spans_lie_in_the_sentence() -> None:
    """The span covers what is written, not what was completed."""
    sentence = "Shipping takes 2 days and costs $5"

    assert [c.span.of(sentence) for c in clauses(sentence)] == ["Shipping takes 2 days", "costs $5"]


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("Members can't; only owners and admins may issue tokens.", ["Members can't", "only owners and admins may issue tokens."]),
        ("Guests may not; employees and trainees need a badge.", ["Guests may not", "employees and trainees need a badge."]),
        ("The shop is closed; the museum and the café are open.", ["The shop is closed", "the museum and the café are open."]),
        (
            "Students cannot; only staff, guests and alumni may borrow them; all others pay.",
            ["Students cannot", "only staff, guests and alumni may borrow them", "all others pay."],
        ),
        ("The kit has screws; bolts and nuts.", ["The kit has screws; bolts and nuts."]),
        ("Bring your passport; visa and ticket.", ["Bring your passport; visa and ticket."]),
    ],
)
def test_a_semicolon_parts_before_the_and_of_a_list(sentence: str, parts: list[str]) -> None:
    """Two subjects of one verb stay together behind a semicolon; a list without a verb is no statement."""
    assert [clause.span.of(sentence) for clause in clauses(sentence)] == parts
