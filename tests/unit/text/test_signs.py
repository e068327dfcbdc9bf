"""Words looked for whatever their case."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragviz.text.signs import Signs

PATTERN = r"\b(?:also|too|as well|stra[ßs]se\w*|[ks]un(?!der))\b|n['’]t\b"
SIGNS = Signs(PATTERN)
WORDS = ["also", "ALSO", "Too", "as  well", "As Well", "aſ well", "STRASSE", "Straße", "kun", "Kun", "sunder", "don't", "DON'T", "\u0130", "x_also", "é", "."]


@pytest.mark.parametrize(("text", "end"), [("He ALSO came.", 7), ("He came aſ well", 15), ("Don’T", 5), ("alsoran", -1), ("", -1)])
def test_where_the_first_match_ends(text: str, end: int) -> None:
    assert SIGNS.end(text) == end
    assert SIGNS.stand_in(text) == (end >= 0)


@given(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join) | st.text(max_size=30))
def test_finds_what_the_pattern_finds(text: str) -> None:
    match = re.search(PATTERN, text, re.IGNORECASE)
    assert SIGNS.end(text) == (-1 if match is None else match.end())


def test_a_capital_would_never_be_found() -> None:
    with pytest.raises(ValueError, match="small letters"):
        Signs(r"\bAlso\b")
    assert Signs(r"\Wis").stand_in("It IS")
