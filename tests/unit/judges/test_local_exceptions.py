"""What exceptions and opening hours say of what they do not name outright."""

from __future__ import annotations

import pytest

from ragviz.judges.local_exceptions import by_exception
from ragviz.judges.local_hours import by_hours
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
    assert by_exception(look(view_claim(claim), view_premise(premise))) is said


@pytest.mark.parametrize(("premise", "claim", "said"), HOURS)
def test_hours(premise: str, claim: str, said: bool | None) -> None:
    """When it opens and closes, of the same thing, where one span of hours is given."""
    assert by_hours(look(view_claim(claim), view_premise(premise))) is said


def test_closing_is_not_being_closed() -> None:
    """"Closes at 5 pm" and "open until 5 pm" are no opposites; "closed" and "open" are."""
    shop = "The shop is open from 9 am to 6 pm."

    assert verdicts([("The shop closes at 6 pm.", shop), ("The shop is closed from 9 am to 6 pm.", shop)]) == [Verdict.ENTAILED, Verdict.CONTRADICTED]
