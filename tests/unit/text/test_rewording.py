"""Rewording keeps every word that carries meaning."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragviz.text.rewording import reworded


@pytest.mark.parametrize(("said", "expected"), [
    ("The fee does not apply.", "the  fee  doesn't  apply"),
    ("Members can't return it.", "Members  cannot  return  it"),
    ("It isn’t “free”.", 'it  is  not  "free"'),
    ('Nimbus calls it "basic".', "Nimbus  calls  it  “basic”"),
    ("Cannot be returned", "Can't  be  returned"),
    ("US orders arrive in 5 MW units.", "US  orders  arrive  in  5  MW  units"),
    ("the plan", "The  plan"),
    ("Founded by A. B. Co.", "Founded  by  A.  B.  Co"),
    ("", ""),
    ("Yes", "Yes"),
])
def test_edits(said: str, expected: str) -> None:
    """Contractions, quotes, the first function word, spaces, the full stop; names, numbers and units stay."""
    assert expected == reworded(said)


@given(st.lists(st.sampled_from(["Nimbus", "30", "days", "5.5", "mW", "MW", "US", "us", "not", "Acme-7", "€4", "é"]), min_size=1, max_size=12))
def test_no_word_is_lost(words: list[str]) -> None:
    """Whatever the sentence, its words are the same in the same order and case."""
    assert words == reworded(" ".join(words) + ".").removesuffix(".").split()


@given(st.text(max_size=60))
def test_numbers_stay(text: str) -> None:
    """No digit comes or goes in any text."""
    assert re.findall(r"\d", text) == re.findall(r"\d", reworded(text))
