"""Bounds that follow, orders that forbid, "nothing" that is a price: what two texts clash on, and what only looks so."""

from __future__ import annotations

import pytest

from ragviz.consistency.checking import check
from ragviz.records import ClashKind

DURATIONS = [
    ("Soak it for at least 5 minutes.", "Soak it for at least 1 hour.", True),
    ("Soak it for at least 1 hour.", "Soak it for at least 5 minutes.", False),
    ("Employees with at least 1 year of service get a bonus.", "Employees with at least 5 years of service get a bonus.", False),
    ("Pupils must be at least 6 years old.", "Pupils must be at least 9 years old.", False),
    ("Add at least 5 litres.", "Add at least 9 litres.", False),
]
ORDERS = [
    ("You may crush the tablets.", "Do not crush or chew the tablets.", True),
    ("You may chew the tablets.", "Do not crush or chew the tablets.", True),
    ("The soup can be frozen.", "Do not freeze the soup.", True),
    ("Do not freeze the soup.", "The soup can be frozen.", True),
    ("The soup must not be frozen.", "Do not freeze the soup.", False),
    ("The soup can be served.", "Do not freeze the soup.", False),
    ("You may open the lid while it spins.", "Never open the lid while it spins.", True),
    ("You may open the lid.", "Never open the lid while it spins.", False),
]


@pytest.mark.parametrize(("claim", "premise", "follows"), DURATIONS)
def test_shorter_of_two_least_durations(claim: str, premise: str, follows: bool) -> None:
    """Whoever waits an hour waits five minutes; who must be nine is not "at least six"."""
    found = check(claim, premise)

    assert any(not agreement.said for agreement in found.agreements) is follows
    assert not follows or not (found.clashes or found.dropped)


@pytest.mark.parametrize(("claim", "premise", "clashes"), ORDERS)
def test_orders_forbid(claim: str, premise: str, clashes: bool) -> None:
    """"Do not crush or chew" forbids both; a prohibition under a condition says nothing where the claim knows none."""
    assert any(clash.kind is ClashKind.NEGATION for clash in check(claim, premise).clashes) is clashes


def test_bounds_that_meet() -> None:
    """"Under 21" and "over 21" have nothing in common; "under 6" says nothing of 6 to 14."""
    assert check("Drivers must be under 21.", "Drivers must be over 21.").clashes
    assert not check("Children under 6 pay half.", "Those aged 6 to 14 pay half.").clashes


def test_nothing_as_a_price() -> None:
    """"It costs nothing" denies nothing of those whom it costs nothing."""
    assert not check("Guests can use the pool for nothing.", "The pool costs nothing for guests.").clashes
    assert not check("The pool costs nothing.", "The pool costs nothing for guests.").clashes


def test_only_where_the_claim_says_where() -> None:
    """"Only in the online shop" is not left out by a claim about the online shop."""
    premise = "The voucher is valid only in the online shop."

    assert not check("The voucher is valid in the online shop.", premise).dropped
    assert check("The voucher is valid.", premise).dropped


def test_what_may_be_asked_for() -> None:
    """"May be asked to show" leaves open what "must show" says; the claim may leave it open too."""
    premise = "You may be asked to show a passport."

    assert check("You must show a passport.", premise).dropped
    assert not check("You may be asked to show a passport.", premise).dropped


def test_participles_have_no_sides() -> None:
    """"Items that are unopened" has nobody who returns; who beat whom is exchanged still."""
    assert not check("You can return items that are unopened.", "Unopened items can be returned.").clashes
    assert check("Rexford defeated Vale.", "Vale defeated Rexford.").clashes
    assert check("The phonograph was invented before the telephone was patented.", "The telephone was patented before the phonograph was invented.").clashes


def test_prices_of_two() -> None:
    """Whom a price is for stands behind it: six euros for children are no clash with twelve for adults, twelve for children are."""
    premise = "The ticket costs 12 EUR for adults and 6 EUR for children."

    assert not check("A ticket for children costs 6 EUR.", premise).clashes
    assert not check("A ticket for adults costs 12 EUR.", premise).clashes
    assert check("A ticket for children costs 12 EUR.", premise).clashes


def test_what_is_taken_out_clashes_with_nothing() -> None:
    """Grade 1 is left out, so grade 2 does not clash with it; where it is not left out it does."""
    assert not check("Pupils in grade 2 take part.", "All pupils except those in grade 1 take part.").clashes
    assert check("Pupils in grade 2 take part.", "Pupils in grade 1 take part.").clashes


def test_unless_otherwise_stated() -> None:
    """A formal reserve limits nothing; a case does."""
    assert not check("Prices include tax.", "Prices include tax unless otherwise stated.").dropped
    assert check("Prices include tax.", "Prices include tax unless they are marked as net.").dropped
