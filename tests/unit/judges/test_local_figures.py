"""Figures in another form."""

from __future__ import annotations

import pytest

from ragviz.judges.local_rules import Scene, stop
from ragviz.judges.local_view import look, view_claim, view_premise


@pytest.mark.parametrize(("premise", "claim", "lacking"), [
    ("The ferry from Sund to Orn sails twice a week.", "There are two ferries a week from Sund to Orn.", False),
    ("From 1979 to 1991 she worked at the institute.", "She worked at the institute for twelve years.", False),
    ("Sales rose to 412 million dollars, from 381 million a year earlier.", "Sales had been 381 million dollars a year earlier.", False),
    ("The mill was repaired in 1994 and listed in 1996.", "The mill was repaired in the 1990s.", False),
    ("Interest is credited quarterly.", "Interest is credited four times a year.", False),
    ("Heat the oven to 180 °C (350 °F).", "Heat the oven to 180 °F.", True),
    ("The treaty was signed in 1992 and came into force in 1993.", "Twelve countries signed the treaty.", True),
    ("The free plan is limited to five projects; on the Team plan there is no limit.", "The free plan is limited to seven projects and two exports.", True),
])
def test_figures(premise: str, claim: str, lacking: bool) -> None:
    """Counts in words, differences of years and currencies in front are no missing figures; another unit and another count are."""
    seen = look(view_claim(claim), view_premise(premise))
    clashes = bool(seen.together and seen.together.clashes)

    assert (clashes or stop(Scene(seen)) is not None) is lacking
