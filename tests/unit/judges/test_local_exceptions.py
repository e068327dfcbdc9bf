"""What exceptions and opening hours say of what they do not name outright."""

from __future__ import annotations

import pytest

from ragviz.judges.local_rules import Scene, told
from ragviz.judges.local_view import look, view_claim, view_premise
from ragviz.records import Verdict
from tests.unit.judges.labelled_pairs import verdicts

EXCEPTIONS = [
    ("The spa is open daily except Tuesday.", "The spa is not open on Tuesdays.", True),
    ("The spa is open daily except Tuesday.", "The spa is open on Tuesday.", False),
    ("The spa is open daily EXCEPT Tuesday.", "The spa is open on Tuesday.", False),
    ("Except for Tuesday, the spa is open daily.", "The spa is open on Tuesday.", False),
    ("The spa is open daily except Tuesday.", "The spa is closed on Tuesday.", True),
    ("The spa is open daily except Tuesday.", "The spa is open on Friday.", True),
    ("The spa is open daily except Tuesday.", "The spa is open on Friday at 9 am.", None),
    ("The spa is open in May except Tuesday.", "The spa is open on Friday.", None),
    ("The spa is open daily except holidays.", "The spa is open on Friday.", None),
    ("The spa is open daily except Tuesday and Sunday.", "The spa is not open on Sunday.", True),
    ("All fees are repaid apart from the booking fee.", "The booking fee is repaid.", False),
    ("No fees are repaid apart from the booking fee.", "The booking fee is repaid.", True),
    ("The guest pays nothing but a deposit.", "The guest pays a deposit.", True),
    ("The guest pays nothing but a deposit.", "The guest pays no deposit.", False),
    ("The guest pays nothing but a deposit.", "The guest pays rent.", None),
    ("The guest pays a deposit, but not the rent.", "The guest pays a deposit.", None),
    ("Everyone pays the tax, with the exception of children under 6.", "Children under 6 do not pay the tax.", True),
    ("Everyone pays the tax, with the exception of children under 6.", "Children under 6 pay the tax.", False),
    ("Everyone pays the tax, with the exception of children under 6.", "Children under 12 do not pay the tax.", None),
    ("The fee is repaid except in winter.", "The fee is repaid in winter.", None),
    ("The fee is repaid unless the key is lost.", "If the key is not lost, the fee is repaid.", True),
    ("The fee is repaid unless the key is lost.", "If the key is lost, the fee is repaid.", False),
    ("The fee is repaid unless the key is lost.", "If the key is lost, the fee is not repaid.", None),
    ("The fee is repaid within 30 days unless the key is lost.", "If the key is not lost, the fee is repaid within 90 days.", None),
]
HOURS = [
    ("The hall is open from 10 am to 5 pm.", "The hall closes at 5 pm.", True),
    ("The hall is open from 10 am to 5 pm.", "The hall opens at 10 am.", True),
    ("The hall is open from 10 am to 5 pm.", "The hall closes at 10 am.", False),
    ("The hall is open from 10 am to 5 pm.", "The hall closes at 6 pm.", None),
    ("The hall is open from 10 am to 5 pm.", "The shop closes at 5 pm.", None),
    ("The hall is open from 10 am to 5 pm, on Fridays from 9 am to 3 pm.", "The hall closes at 5 pm.", None),
    ("The hall is not open from 10 am to 5 pm.", "The hall closes at 5 pm.", None),
    ("The hall was rebuilt from 10 am to 5 pm.", "The hall closes at 5 pm.", None),
]


@pytest.mark.parametrize(("premise", "claim", "said"), EXCEPTIONS)
def test_exceptions(premise: str, claim: str, said: bool | None) -> None:
    """Said of what is taken out, its contrary, or nothing of the claim."""
    assert told(Scene(look(view_claim(claim), view_premise(premise)))) is said


@pytest.mark.parametrize(("premise", "claim", "said"), HOURS)
def test_hours(premise: str, claim: str, said: bool | None) -> None:
    """When it opens and closes, of the same thing, where one span of hours is given."""
    assert told(Scene(look(view_claim(claim), view_premise(premise)))) is said


def test_closing_is_not_being_closed() -> None:
    """"Closes at 5 pm" and "open until 5 pm" are no opposites; "closed" and "open" are."""
    shop = "The shop is open from 9 am to 6 pm."

    assert verdicts([("The shop closes at 6 pm.", shop), ("The shop is closed from 9 am to 6 pm.", shop)]) == [Verdict.ENTAILED, Verdict.CONTRADICTED]


DAYS = ["Monday", "Tuesday", "Friday", "Sunday"]
WHOLES = ["every day", "daily", "all week", "each day"]


@pytest.mark.parametrize("whole", WHOLES)
@pytest.mark.parametrize("word", ["except", "except on", "excluding"])
@pytest.mark.parametrize("thing", ["The gym is open", "Tours are held", "The bus runs"])
def test_days_beside_those_taken_out(whole: str, word: str, thing: str) -> None:
    """Every day but those that are taken out is meant: none is contradicted, and none that is taken out is supported."""
    told = verdicts([(f"{thing} on {day}.", f"{thing} {whole} {word} {out}.") for day in DAYS for out in DAYS])

    for (day, out), said in zip(((day, out) for day in DAYS for out in DAYS), told, strict=True):
        assert said is not (Verdict.ENTAILED if day == out else Verdict.CONTRADICTED), (day, out)


@pytest.mark.parametrize("month", ["May", "June", "December", "August"])
@pytest.mark.parametrize("whole", ["all year", "every month"])
def test_months_beside_those_taken_out(month: str, whole: str) -> None:
    """The same of the months of a year."""
    told = verdicts([(f"Deliveries are made in {month}.", f"Deliveries are made {whole} except in August.")])[0]
    assert told is not (Verdict.ENTAILED if month == "August" else Verdict.CONTRADICTED)


KINDS = [
    ("All EU countries but {} are in the zone.", "{} is in the zone."),
    ("Every member but {} pays a fee.", "{} pays a fee."),
    ("All students but {} passed the test.", "{} passed the test."),
    ("All animals but {} may enter.", "{} may enter."),
]


@pytest.mark.parametrize(("premise", "claim"), KINDS)
@pytest.mark.parametrize("name", ["Ireland", "Anna", "Malta", "Ben"])
def test_what_is_taken_out_of_a_kind_is_not_supported(premise: str, claim: str, name: str) -> None:
    """"All countries but Ireland" says nothing good of Ireland."""
    assert verdicts([(claim.format(name), premise.format(name))])[0] is not Verdict.ENTAILED


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("No dogs are allowed but cats are.", "Cats are allowed."),
        ("No dogs are allowed but cats are.", "No dogs are allowed."),
        ("All students passed but Anna failed.", "All students passed."),
        ("All students passed but Anna failed.", "Anna failed."),
        ("No vehicles but cars may enter.", "Cars may enter."),
        ("All students but Anna passed.", "Anna did not pass."),
    ],
)
def test_but_between_two_clauses_takes_nothing_out(premise: str, claim: str) -> None:
    """What each half says stays supported."""
    assert verdicts([(claim, premise)])[0] is Verdict.ENTAILED


def test_another_exception_is_denied() -> None:
    """Two exceptions from one whole differ."""
    told = verdicts([(f"The gym is open every day except {a}.", f"The gym is open every day except {b}.") for a in DAYS for b in DAYS])
    assert all((said is Verdict.ENTAILED) == (a == b) for said, (a, b) in zip(told, ((a, b) for a in DAYS for b in DAYS), strict=True))
