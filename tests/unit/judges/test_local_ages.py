"""Ages in one word."""

from __future__ import annotations

import pytest

from ragviz.judges.local_ages import ages
from ragviz.records import Verdict
from tests.unit.judges.labelled_pairs import verdicts


@pytest.mark.parametrize(("claim", "passage", "there"), [
    ("Under-twelves travel free.", "Children under 12 travel free.", True),
    ("Under-12s travel free.", "Kids under the age of twelve travel free.", True),
    ("Over 65s pay half.", "People older than 65 pay half.", True),
    ("Under-fives travel free.", "Children under 12 travel free.", False),
    ("Under-12s travel free.", "People over 12 travel free.", False),
    ("Under-12s travel free.", "Bags under 12 kg travel free.", False),
])
def test_ages(claim: str, passage: str, there: bool) -> None:
    """The figure and its side decide."""
    (age,) = ages(claim)

    assert (age.said.search(passage) is not None) is there


@pytest.mark.parametrize("claim", ["Overtones are counted.", "The understudies rest.", "It is under the sixth bridge.", "Trousers fit."])
def test_no_ages(claim: str) -> None:
    """Other words with "over" and "under"."""
    assert ages(claim) == ()


def test_verdicts() -> None:
    """What is said of them is found; of others not."""
    assert verdicts([("Under-twelves travel free.", "Children under 12 travel free.")]) == [Verdict.ENTAILED]
    assert verdicts([("Over-65s pay half.", "Children under 12 travel free.")]) != [Verdict.ENTAILED]
