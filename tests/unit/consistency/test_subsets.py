"""A rule for a part says nothing of the whole: express parcels, shipping to Norway, the hours on Sundays. Silent, neither supported nor contradicted."""

from __future__ import annotations

import pytest

from ragviz.judges.local import LocalJudge
from ragviz.records import Pair, PairKey, Table, Verdict

JUDGE = LocalJudge(embeddings=False)
PARTS = [
    ("Personalised mugs cannot be returned.", "Mugs can be returned within 30 days."),
    ("Engraved rings are excluded from exchange.", "Rings can be exchanged."),
    ("Express parcels arrive in 2 days.", "Parcels arrive in 5 days."),
    ("Shipping to Norway costs 12 EUR.", "Shipping costs 5 EUR."),
    ("Tickets for children cost 5 EUR.", "Tickets cost 10 EUR."),
    ("Tickets for children cost 5 EUR.", "Tickets for adults cost 10 EUR."),
    ("The shop closes at 4 pm on Saturdays.", "The shop closes at 6 pm."),
    ("On Sundays the museum opens at 11 am.", "The museum opens at 9 am."),
    ("In winter the pool closes at 5 pm.", "The pool closes at 8 pm."),
    ("The ferry runs hourly except on Sundays.", "The ferry runs every two hours on Sundays."),
    ("Guests with dogs must use the side entrance.", "Guests need not use the side entrance."),
    ("Electric bikes may not be taken on the train.", "Bikes may be taken on the train."),
    ("Frozen vegetables keep for 12 months.", "Vegetables keep for 5 days."),
    ("Students from abroad pay 900 EUR a term.", "Students pay 450 EUR a term."),
    ("Part-time employees are entitled to 12 days of leave.", "Employees are entitled to 28 days of leave."),
    ("Orders over 50 EUR are shipped free of charge.", "Orders are not shipped free of charge."),
    ("Saturday delivery costs 11 EUR.", "Delivery costs 4 EUR."),
    ("Refurbished phones have a warranty of 12 months.", "Phones have a warranty of 24 months."),
    ("Letters to Iceland take 6 days.", "Letters take 2 days."),
    ("Large parcels must be collected at the depot.", "Parcels need not be collected at the depot."),
    ("Damaged books cannot be exchanged.", "Books can be exchanged."),
    ("Night trains have no restaurant car.", "Trains have a restaurant car."),
    ("Messages to the press office are answered within 2 days.", "Messages are answered within 5 days."),
    ("Shipping to Norway costs 12 EUR.", "Shipping to Spain costs 9 EUR."),
]
SAME = [
    ("Personalised mugs cannot be returned.", "Personalised mugs can be returned."),
    ("The old bridge was built in 1840.", "The bridge was built in 1860."),
    ("Express parcels arrive in 2 days.", "Express parcels arrive in 5 days."),
    ("Shipping to Norway costs 12 EUR.", "Shipping to Norway costs 5 EUR."),
    ("The shop closes at 4 pm on Saturdays.", "The shop closes at 6 pm on Saturdays."),
    ("On Sundays the museum opens at 11 am.", "The museum opens at 9 am on Sundays."),
    ("The maximum load is 630 kg.", "The minimum load is 630 kg."),
    ("The concert is on Saturday at 8 pm.", "The concert is at 9 pm."),
    ("All tickets cost 5 EUR.", "Tickets cost 9 EUR."),
    ("Most members voted against the plan.", "No members voted against the plan."),
    ("Northern Lights tours start at 7 pm.", "Northern Lights tours start at 9 pm."),
    ("Tickets cost 5 EUR in advance.", "Tickets cost 7 EUR in advance."),
    ("Clara Venn composed the anthem.", "Venn did not compose the anthem."),
    ("The north pier is 40 m long.", "The south pier is 40 m long. "),
]


def judged(premise: str, claim: str) -> Verdict:
    return JUDGE.judge([Pair(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", "c", "p"), premise=premise, hypothesis=claim)])[0].verdict


@pytest.mark.parametrize(("premise", "claim"), PARTS)
def test_a_part_is_not_the_whole(premise: str, claim: str) -> None:
    """The passage may be right and the claim too."""
    assert judged(premise, claim) is Verdict.NEUTRAL


@pytest.mark.parametrize(("premise", "claim"), SAME)
def test_the_same_thing_still_clashes(premise: str, claim: str) -> None:
    """The same part in both, one certain thing with an adjective, opposite modifiers, quantifiers, names."""
    assert judged(premise, claim) is Verdict.CONTRADICTED
