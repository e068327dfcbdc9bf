"""More and less, first and later, all and some, as figures and dates say it."""

from __future__ import annotations

import pytest

from ragviz.consistency import check
from ragviz.consistency.analysis import analyse
from ragviz.consistency.comparisons import figures
from ragviz.records import ClashKind

ASH = "The wood was 61 % ash, 27 % elm and 12 % oak."
DATES = "The pier was finished in May 1904, and the lighthouse was lit in June 1907."
VOTES = "The council passed the plan by 9 votes to 4."


@pytest.mark.parametrize(("premise", "claim", "clashes"), [
    (ASH, "Elm made up most of the wood.", True),
    (ASH, "Ash made up most of the wood.", False),
    (ASH, "There was more oak than elm.", True),
    (ASH, "There was more elm than oak.", False),
    (ASH, "There was less ash than oak.", True),
    ("Injuries: sprain (14 %), fracture (6 %).", "The most common injury was a fracture.", True),
    ("Injuries: sprain (14 %), fracture (6 %).", "The most common injury was a sprain.", False),
    (DATES, "The lighthouse was lit before the pier was finished.", True),
    (DATES, "The pier was finished before the lighthouse was lit.", False),
    (DATES, "The pier was finished after the lighthouse was lit.", True),
    (VOTES, "Everyone voted for the plan.", True),
    (VOTES, "The council passed the plan.", False),
])
def test_comparisons(premise: str, claim: str, *, clashes: bool) -> None:
    """The premise compares nothing in words; its figures do."""
    assert clashes is bool(check(claim, premise).clashes)


def test_figures_belong_to_things() -> None:
    """One amount each, whichever side the thing stands on."""
    assert [(frozenset({"ash"}), 61.0), (frozenset({"elm"}), 27.0), (frozenset({"oak"}), 12.0)] == [(f.keys - {"wood"}, f.value) for f in figures(analyse(ASH))]
    assert [] == figures(analyse("The wood was 61 % ash."))


@pytest.mark.parametrize(("premise", "claim", "kind"), [
    ("Parcels over 20 kg are weighed twice.", "Parcels over 5 kg are weighed twice.", "dropped"),
    ("Parcels over 20 kg are weighed twice.", "Parcels over 20 kg are weighed twice.", ""),
    ("The maximum load of the lift is 2048 kg.", "The lift can load up to 5000 kg.", "clashes"),
    ("The quota is 2048 MB.", "The quota is 2 GB.", ""),
    ("The price fell from 90 euros to 70 euros.", "The price is 90 euros.", "clashes"),
    ("The price fell from 90 euros to 70 euros.", "The price was 90 euros before.", ""),
    ("The game was moved from Friday to Sunday.", "The game is on Friday.", "clashes"),
    ("The game was moved from Friday to Sunday.", "The game is on Sunday.", ""),
    ("One in six voters is under 30.", "Most voters are under 30.", "clashes"),
    ("Dubbing is available only on the Studio plan.", "Dubbing is available on all plans.", "clashes"),
    ("Riders under 12 travel free.", "All riders travel free.", "dropped"),
    ("All riders travel free.", "All riders travel free.", ""),
    ("The gym is open daily except Sundays.", "The gym is closed on Sundays.", ""),
    ("The gym is open daily except Sundays.", "The gym is closed on Fridays.", "clashes"),
    ("The helpers are unpaid.", "The helpers are paid.", "clashes"),
    ("The helpers are unpaid.", "The helpers are not paid.", ""),
    ("The form is incomplete.", "The form is complete.", "clashes"),
    ("The dish is vegan if you leave out the egg.", "Without egg the dish is vegan.", ""),
    ("The fox is the fastest animal here.", "No animal here is faster than the fox.", ""),
])
def test_bounds_changes_and_shares(premise: str, claim: str, kind: str) -> None:
    """A clash, a premise that says less, or neither."""
    found = check(claim, premise)

    assert (kind == "clashes", kind == "dropped") == (bool(found.clashes), bool(found.dropped) and not found.clashes), found


def test_kind_of_a_share() -> None:
    """A share against "most" is a clash of quantifiers."""
    (clash,) = check("Most voters are under 30.", "One in six voters is under 30.").clashes

    assert ClashKind.QUANTIFIER is clash.kind
    assert "Most" == clash.hypothesis_value
