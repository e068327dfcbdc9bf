"""A denial, "only", a list with one more name, another kind of thing: no support from a passage that says nothing of the sort."""

from __future__ import annotations

import pytest

from ragviz.judges.local_rules import Scene
from ragviz.judges.local_rules.table import STOPS
from ragviz.judges.local_rules.unbacked import adds_also, has_no_cause
from ragviz.judges.local_rules.walks import first_of
from ragviz.judges.local_view import look, view_claim, view_premise

DISCOUNTS = "The agent presents home insurance plans and their prices. Discounts are given to clients with several policies."


@pytest.mark.parametrize(("premise", "claim", "lacks"), [
    (DISCOUNTS, "The agent presents home insurance plans and prices, but there are no discounts for clients.", True),
    (DISCOUNTS, "The agent presents home insurance plans, their prices and discounts for clients.", False),
    ("The kit comes with a hose. It does not contain a pump.", "The kit contains no pump.", False),
    ("The shop is closed on Mondays.", "The shop is not open on Mondays.", False),
    ("Drivers under 25 are excluded from the offer.", "Drivers under 25 cannot use the offer.", False),
    ("The club offers rowing and sailing.", "The club offers only rowing.", True),
    ("The club offers rowing; nothing but a life jacket is needed.", "The club offers rowing for which only a life jacket is needed.", False),
    ("Backups are kept in Graz and Linz.", "Backups are kept in Graz and Vienna.", True),
    ("Backups are kept in Graz and Linz.", "Backups are kept in Linz and Graz.", False),
    ("Backups are kept in Graz. The office is in Vienna.", "Backups are kept in Graz and Vienna.", False),
    ("Nightshore is a Swedish crime drama that ran for three years.", "Nightshore is a horror drama.", True),
    ("Nightshore is a Swedish crime drama that ran for three years.", "Nightshore is a crime drama.", False),
    ("Alma Rudd is a Norwegian violinist.", "Alma Rudd is a senator.", True),
    ("Alma Rudd plays the violin in Oslo.", "Alma Rudd is a musician.", False),
    ("Express parcels arrive in two days.", "Express shipping is free.", True),
    ("Express parcels are shipped free of charge.", "Express shipping is free.", False),
    ("The pump stands in the cellar.", "The pump is broken.", True),
    ("The pump broke in May.", "The pump is broken.", False),
    ("The gate is closed.", "The gate is open.", False),
    ("The course is obligatory for all students.", "The course is mandatory.", False),
    ("Die Karte ist nicht übertragbar.", "Die Karte ist nicht übertragbar.", False),
])
def test_kinds(premise: str, claim: str, lacks: bool) -> None:
    """Each beside a twin that the passage carries, or of which it says nothing by these signs."""
    found = first_of(
        [rule for rule in STOPS if rule.finds.__module__.endswith(".unbacked") and rule.finds is not has_no_cause and rule.finds is not adds_also],
        Scene(look(view_claim(claim), view_premise(premise))),
    )

    assert lacks is (found is not None)
