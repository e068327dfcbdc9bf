"""Quotes found, and quotes refused."""

from __future__ import annotations

import time

import pytest

from ragviz.evidence.quotes import find_quote
from ragviz.records import MatchTier

EXACT, FOLDED, FUZZY = MatchTier.EXACT, MatchTier.FOLDED, MatchTier.FUZZY


@pytest.mark.parametrize(
    ("quote", "premise", "tier", "shown"),
    [
        ("5 days", "It takes 15 days or 5 days.", EXACT, ["5 days"]),
        ("30", "It is 30.5 and 30.", EXACT, ["30"]),
        ("“Express parcels”", "Express parcels arrive", EXACT, ["Express parcels"]),
        ("😀 happy", "I am 😀 happy", EXACT, ["😀 happy"]),
        ("مرحبا بك", "قال مرحبا بك يا صديقي", EXACT, ["مرحبا بك"]),
        ("保証期間は二年", "本製品の保証期間は二年です。", EXACT, ["保証期間は二年"]),
        ("the FINE print", "It's the  **ﬁne** print.", FOLDED, ["the  **ﬁne** print"]),
        ("ab cd", "x a\u200bb cd", FOLDED, ["a\u200bb cd"]),
        ("recieve a full refund within 30 days", "You will receive a full refund within 30 days.", FUZZY, ["receive a full refund within 30 days"]),
        ("tenant … sublet the flat", "the tenant is allowed to sublet the flat.", EXACT, ["tenant", "sublet the flat"]),
        ("It is red. [...] It is big.", "It is red. It is old. It is big.", EXACT, ["It is red.", "It is big."]),
    ],
)
def test_found(quote: str, premise: str, tier: MatchTier, shown: list[str]) -> None:
    """The tier says how, the spans show the passage's own characters."""
    located = find_quote(quote, premise)

    assert located is not None
    assert tier is located.tier
    assert shown == [s.of(premise) for s in located.spans]


@pytest.mark.parametrize(
    ("quote", "premise"),
    [
        ("the tenant is ... allowed to sublet", "Under rule 4 the tenant is not allowed to sublet the flat."),
        ("refunds are … paid in 5 days", "refunds are, except for gift cards, paid in 5 days"),
        ("The motor … weighs 4.1 kg", "The motor weighs 3.2 kg. The pump weighs 4.1 kg."),
        ("sublet … tenant", "the tenant may sublet"),
        ("a full refund within 90 days", "You will receive a full refund within 30 days."),
        ("You can open the box before returning it", "You cannot open the box before returning it."),
        ("sales decrease a lot this year in Europe", "sales increase a lot this year in Europe"),
        ("the blue pump has two years of warranty", "the green pump has two years of warranty"),
        ("5 °C", "It is -5 °C."),
        ("410 EUR", "It costs 1,410 EUR."),
        ("", "x"),
        ("...", "x"),
        ("x", ""),
    ],
)
def test_refused(quote: str, premise: str) -> None:
    """Gaps that swallow a "not" or an exception, joined sentences, other numbers, other words, cut words."""
    assert find_quote(quote, premise) is None


def test_the_first_of_several_places_is_given() -> None:
    """The same words twice."""
    located = find_quote("a day", "once a day, twice a day")

    assert located is not None
    assert located.spans[0].start == 5


@pytest.mark.parametrize("quote", ["the quick brwon fox jumps", "word " * 500 + "x", "nothing like that at all", "word ... fox", "word ... zebra"])
def test_long_passages_stay_cheap(quote: str) -> None:
    """100,000 equal words and half a megabyte of text."""
    premise = "word " * 100_000 + "the quick brown fox jumps"
    start = time.process_time()

    find_quote(quote, premise)

    assert time.process_time() - start < 8


@pytest.mark.parametrize("quote", [".", "—", "''", "[...]", " , ", "…", "()", "-"])
def test_marks_alone_are_no_quote(quote: str) -> None:
    """Each of them stands in the passage; none of them shows anything."""
    assert find_quote(quote, "It's open — [...], … - that is ('' or ()), daily.") is None
