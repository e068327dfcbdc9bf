"""Rates in two wordings, weeks and months, and formulas between dollar signs."""

from __future__ import annotations

import pytest

from ragviz.records import Verdict
from ragviz.text.quantities import quantities
from tests.unit.judges.labelled_pairs import verdicts

UNITS = {"hour": (60, "minutes"), "day": (24, "hours"), "minute": (60, "seconds")}
WORDS = {2: "twice", 3: "three times", 4: "four times", 6: "6 times"}


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("n", WORDS)
@pytest.mark.parametrize("thing", ["The bus runs", "The pump starts", "The page is updated"])
def test_so_many_an_hour_is_every_so_many_minutes(thing: str, unit: str, n: int) -> None:
    """The same pace is no contradiction, either way round; another is not supported."""
    whole, smaller = UNITS[unit]
    count, interval, other = (
        f"{thing} {WORDS[n]} a{'n' if unit == 'hour' else ''} {unit}.",
        f"{thing} every {whole // n} {smaller}.",
        f"{thing} every {whole // n + 3} {smaller}.",
    )
    same, back, wrong = verdicts([(count, interval), (interval, count), (count, other)])

    assert Verdict.CONTRADICTED not in {same, back}
    assert wrong is not Verdict.ENTAILED


@pytest.mark.parametrize(
    ("claim", "premise"), [("Take two tablets daily.", "Take one tablet twice a day."), ("Take 6 tablets a day.", "Take 2 tablets three times a day.")]
)
def test_doses_of_a_day_are_counted(claim: str, premise: str) -> None:
    """The product of a dose and how often."""
    assert verdicts([(claim, premise)])[0] is not Verdict.CONTRADICTED


@pytest.mark.parametrize(
    ("weeks", "months"), [("4 weeks", "one month"), ("6 weeks", "a month and a half"), ("8 weeks", "two months"), ("12 weeks", "three months")]
)
def test_a_month_is_four_weeks(weeks: str, months: str) -> None:
    """No contradiction, either way round; 10 weeks and 1 month still are one."""
    told = verdicts(
        [
            (f"The revision takes {weeks}.", f"The revision takes {months}."),
            (f"The revision takes {months}.", f"The revision takes {weeks}."),
            ("The revision takes 10 weeks.", "The revision takes one month."),
        ]
    )
    assert Verdict.CONTRADICTED not in told[:2]
    assert told[2] is Verdict.CONTRADICTED


@pytest.mark.parametrize(
    ("text", "money"),
    [
        ("$x^2$", 0),
        ("$a_5 + 3$", 0),
        (r"$\alpha = 5$", 0),
        ("it is $x = 2$ then", 0),
        ("5$", 1),
        ("$5", 1),
        ("from $5 to 8$", 2),
        ("US$5", 1),
        ("it costs 20 $", 1),
    ],
)
def test_formulas_are_no_money(text: str, money: int) -> None:
    """A dollar sign that closes a formula is no unit."""
    assert sum(2 if q.is_range else 1 for q in quantities(text) if q.unit.name == "USD") == money
