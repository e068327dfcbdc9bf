"""What belongs to what: values, degrees and doers of one thing are not those of another."""

from __future__ import annotations

import pytest

from ragviz.consistency import check

CLASHING = [
    ("Lima is the capital of Peru. Arequipa is its second city.", "The capital of Peru is Arequipa."),
    ("The opera was staged in Graz, although the plot is set in Seville.", "The plot is set in Graz."),
    ("Based in Oslo, the group has branches in Malmo.", "The group is based in Malmo."),
    ("K2 is the second-highest mountain on Earth.", "K2 is the highest mountain on Earth."),
    ("Tin is soft, even though lead is softer than most metals.", "Tin is softer than lead."),
    ("The levy was imposed on the brewers last year.", "The levy was imposed by the brewers."),
    ("Unlike wasps, bumblebees in this valley are harmful.", "Bumblebees in this valley are unharmful."),
]
HOLDING = [
    ("Lima is the capital of Peru. Arequipa is its second city.", "The capital of Peru is Lima."),
    ("The opera was staged in Graz, although the plot is set in Seville.", "The plot is set in Seville."),
    ("Based in Oslo, the group has branches in Malmo.", "The group has branches in Malmo."),
    ("K2 is the second-highest mountain on Earth.", "K2 is the second-highest mountain on Earth."),
    ("The levy was imposed on the brewers last year.", "The levy was imposed on the brewers."),
    ("The bill was paid by the guest.", "The guest paid the bill."),
]


@pytest.mark.parametrize(("premise", "claim"), CLASHING)
def test_of_another_thing(premise: str, claim: str) -> None:
    """All words stand in the premise, and it says otherwise."""
    assert check(claim, premise).clashes


@pytest.mark.parametrize(("premise", "claim"), HOLDING)
def test_of_this_thing(premise: str, claim: str) -> None:
    """The same words, bound as the premise binds them."""
    assert not check(claim, premise).clashes


def test_bound_share() -> None:
    """Two of the three words stand in the clause about the lake, one in that about the river."""
    apart = check("The lake carries barges.", "The lake is deep and cold; the river carries barges.").bound

    assert 1.0 == check("The river carries barges.", "The lake is deep and cold; the river carries barges.").bound
    assert 2 / 3 == pytest.approx(apart)
