"""Amounts in running text."""

from __future__ import annotations

from decimal import Decimal

import pytest

from ragviz.text.bounds import Bound
from ragviz.text.quantities import quantities
from ragviz.text.quantity import Quantity, QuantityKind


def only(text: str) -> Quantity:
    """The one amount of the text."""
    found = quantities(text)
    assert len(found) == 1, [q.label for q in found]
    return found[0]


@pytest.mark.parametrize("written", ["1,410.00", "1.410,00", "1 410,00", "1'410", "1\u202f410", "1410"])
def test_one_number_in_the_styles_of_several_countries(written: str) -> None:
    """Thousands and decimal marks differ, the number does not."""
    assert only(f"a sum of {written} units").value == 1410


def test_an_ambiguous_numeral_keeps_its_second_reading() -> None:
    """1.410 is 1.41 in English and 1410 in German; 1,410 the other way round."""
    assert (only("x is 1.410 here").value, only("x is 1.410 here").other) == (Decimal("1.410"), Decimal(1410))
    assert (only("x is 1,410 here").value, only("x is 1,410 here").other) == (Decimal(1410), Decimal("1.410"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("twenty-five apples", 25), ("a dozen eggs", 12), ("two hundred and five thousand people", 205_000), ("half a million people", 500_000),
        ("nine million", 9_000_000), ("1.2bn users", 1_200_000_000), ("die Zahl ist zwölf und nicht mehr", 12), ("il y a dix-sept maisons et une cave", 17),
        ("2½ cups", Decimal("2.5")), ("1 1/2 cups", Decimal("1.5")), ("6.02 × 10^3 cells", 6020), ("two and a half cups", Decimal("2.5")),
    ],
)
def test_words_scales_and_fractions(text: str, value: Decimal) -> None:
    """Numbers in words, with scales, and mixed with fractions."""
    assert only(text).value == value


@pytest.mark.parametrize(
    ("text", "low", "high", "bound"),
    [
        ("3–5 people", 3, 5, Bound.EXACT), ("between 3 and 5 people", 3, 5, Bound.EXACT), ("more than 50 people", 50, None, Bound.MORE),
        ("at least 50 people", 50, None, Bound.AT_LEAST), ("up to 50 people", None, 50, Bound.AT_MOST), ("fewer than 50 people", None, 50, Bound.LESS),
        ("about 50 people", 50, 50, Bound.ABOUT), ("50 or more people", 50, None, Bound.AT_LEAST), ("50+ people", 50, None, Bound.AT_LEAST),
    ],
)
def test_ranges_and_bounds(text: str, low: int | None, high: int | None, bound: Bound) -> None:
    """What a number limits is kept with it."""
    found = only(text)

    assert (found.low, found.high, found.bound) == (low, high, bound)


def test_a_change_is_no_range() -> None:
    """ "From 5 to 8" after "rose" is two values."""
    assert [q.value for q in quantities("It rose from 5 to 8 percent.")] == [5, 8]


@pytest.mark.parametrize(
    ("text", "kind", "unit", "value"),
    [
        ("$25", QuantityKind.MONEY, "USD", 25), ("25 euros", QuantityKind.MONEY, "EUR", 25), ("£3.5 million", QuantityKind.MONEY, "GBP", 3_500_000),
        ("90 cents", QuantityKind.MONEY, "USD", Decimal("0.90")), ("30.2052 %", QuantityKind.PERCENT, "%", Decimal("30.2052")),
        ("half of the members", QuantityKind.PERCENT, "%", 50), ("one in five adults", QuantityKind.PERCENT, "%", 20),
        ("3.2 kg", QuantityKind.MEASURE, "kg", Decimal("3.2")), ("60 km/h", QuantityKind.MEASURE, "km/h", 60), ("-5 °C", QuantityKind.MEASURE, "°C", -5),
        ("2 business days", QuantityKind.MEASURE, "business day", 2), ("an hour and a half", QuantityKind.MEASURE, "h", Decimal("1.5")),
        ("half an hour", QuantityKind.MEASURE, "h", Decimal("0.5")), ("P30D", QuantityKind.MEASURE, "day", 30),
    ],
)
def test_units_money_and_shares(text: str, kind: QuantityKind, unit: str, value: Decimal) -> None:
    """Kind, unit and value."""
    found = only(f"It takes {text}.")

    assert (found.kind, found.unit.name, found.value) == (kind, unit, value)


def test_rates_labels_and_ordinals() -> None:
    """€5 per month is a rate, room 7 a name, the 3rd an order."""
    assert only("€5 per month").per == "month"
    assert [(q.kind, q.noun) for q in quantities("Room 7 has 6 windows.")] == [(QuantityKind.LABEL, "room"), (QuantityKind.NUMBER, "windows")]
    assert only("the 3rd place").kind is QuantityKind.ORDINAL


def test_markdown_and_symbols_stay_outside() -> None:
    """Spans are in the given text, with emphasis inside a long amount and never around it."""
    text = "About **999** million people"

    assert only(text).span.of(text) == "999** million"


@pytest.mark.parametrize("text", ["version 1.2.3", "A320 and GPT-4", "one of the best", "no one came", "9" * 200])
def test_what_only_looks_like_a_number(text: str) -> None:
    """Versions, model names, pronouns and endless digits are no amounts."""
    assert quantities(text) == []


def test_case_matters_for_symbols() -> None:
    """A milliwatt is no megawatt."""
    assert (only("2 mW").unit.factor, only("2 MW").unit.factor) == (Decimal("0.001"), Decimal(1_000_000))
