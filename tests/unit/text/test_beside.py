"""The word beside a number: what is plainly nothing else must be read as a closer look reads it."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ragviz.text import bounds, dates, number_draft, quantity_units
from ragviz.text.beside import word_before, word_behind
from ragviz.text.calendar_words import MONTHS
from ragviz.text.dates import DATE_WORDS
from ragviz.text.quantities import may_count, quantities
from ragviz.text.quantity_units import LABELS
from ragviz.text.units import EXACT

_AROUND = [
    *EXACT, *bounds.BEFORE, *bounds.AFTER, *sorted(MONTHS), *sorted(LABELS), "globes", "The library has", "per", "a", "an", "month", "of the", "x 10^5", "to", "until", "p.m.", "uhr", "Rs", "US$", "$", "€ ", "(", ")", ",", ".",
    ". Then", "; and", "-", "–", "/", "st", "'s", "**", "_", "million", "k", "half", "quarter", "5", "12", "1998", "1,410", "9:30", "out of", "between", "from", "Room", "no.", "#", "rose", "and a half", "P30D", "\u00a0", "café", "5½",
]
_TEXTS = st.lists(st.tuples(st.sampled_from(_AROUND), st.sampled_from([" ", " ", " ", "", ", ", "-"])), max_size=12).map(
    lambda parts: "".join(word + gap for word, gap in parts)
)


def test_the_plain_word_before_and_behind() -> None:
    """Letters between spaces are a word; signs, apostrophes and the text's edge take a closer look."""
    assert word_before("has over 26 globes", 9) == "over"
    assert [word_before(text, len(text)) for text in ("The ", "of today's ", "US$ ", "at  ", " ")] == ["the", "", "", "", ""]
    assert [word_behind("26" + behind, 2) for behind in (" Globes.", ", or", "", ".", ". Then", " 5", " l'an", " km/h", "%")] == [
        "globes",
        "",
        "",
        "",
        None,
        None,
        None,
        None,
        None,
    ]


@given(_TEXTS)
@example("It has 26 globes, over 3 km and room 7 of 12.")
@example("from 5 to 8 percent of EUR 3.50 in 2 of 3 rooms, 5 minimum")
def test_a_closer_look_finds_the_same(text: str) -> None:
    """Reading on without the short cuts changes no amount and no date."""
    quick = quantities(text), dates.dates(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounds, "word_before", lambda *_: "")
        patch.setattr(quantity_units, "word_before", lambda *_: "")
        patch.setattr(number_draft, "word_behind", lambda *_: None)
        patch.setattr(dates, "word_behind", lambda *_: None)
        assert (quantities(text), dates.dates(text)) == quick


@given(_TEXTS)
def test_only_digits_are_looked_at_where_no_word_counts(text: str) -> None:
    """Where it is known that no word is part of a number or date, the words need not be read."""
    runs = re.findall(r"[^\W\d_]+", text.lower())
    if text.isascii() and not any(map(may_count, runs)):
        assert quantities(text, in_words=False) == quantities(text)
    if DATE_WORDS.isdisjoint(runs):
        assert dates.dates(text, in_words=False) == dates.dates(text)
