"""Who did which deed, and what is said of which code."""

from __future__ import annotations

import pytest

from ragviz.judges.local_rules import Scene
from ragviz.judges.local_rules.codes import told_of_codes
from ragviz.judges.local_rules.table import STOPS
from ragviz.judges.local_rules.walks import first_of
from ragviz.judges.local_view import look, view_claim, view_premise

DEEDS = [
    ("The site was chosen by the council and paid for by the railway.", "The railway chose the site.", True),
    ("The site was chosen by the council and paid for by the railway.", "The council chose the site.", False),
    ("The site was chosen by the council and the railway.", "The railway chose the site.", False),
    ("The film was produced by Ada Berg, Tom Lind and Iris Falk.", "Tom Lind produced the film.", False),
    ("The bridge was designed by Ada Marlowe and opened by Mayor Stone.", "Mayor Marlowe opened the bridge.", True),
    ("The bridge was designed by Ada Marlowe and opened by Mayor Stone.", "The bridge was opened by Mayor Stone.", False),
    ("The bridge was designed by Ada Marlowe.", "Ada Marlowe opened the bridge.", True),
    ("The bridge was designed by Ada Marlowe.", "Ada Marlowe planned the bridge.", False),
    ("The bridge's designer was Ada Marlowe.", "Ada Marlowe designed the bridge.", False),
    ("The rent is due by Friday.", "The rent is paid by Friday.", False),
    ("The nurse gives the tablets and the doctor signs the chart.", "The nurse signs the chart.", True),
    ("The nurse gives the tablets and the doctor signs the chart.", "The doctor signs the chart.", False),
    ("The nurse gives the tablets and signs the chart.", "The nurse signs the chart.", False),
    ("The nurse gives the tablets, and she signs the chart.", "The nurse signs the chart.", False),
    ("The caretaker empties the bins on Mondays.", "The tenants empty the bins on Mondays.", True),
    ("Employees empty the bins on Mondays.", "The staff empty the bins on Mondays.", False),
    ("The doctor may shorten the treatment.", "The patient may shorten the treatment.", True),
    ("The treatment may be shortened.", "The patient may shorten the treatment.", False),
    ("The landlord repairs the heating; the tenant replaces bulbs.", "The tenant repairs the heating.", True),
]
CODES = [
    ("E4 means that the filter is clogged. E5 means that the door is open.", "E5 means that the filter is clogged.", True),
    ("E4 means that the filter is clogged. E5 means that the door is open.", "E4 means that the filter is clogged.", False),
    ("E4 means that the filter is clogged. E5 means that the door is open.", "E6 means that the filter is clogged.", False),
    ("If the door is open, E5 appears. If the filter is clogged, E4 appears.", "E5 appears if the door is open.", False),
    ("E4 and E5 mean that the filter is clogged. E6 means that the door is open.", "E4 means that the filter is clogged.", False),
    ("E4 and E5 mean that the filter is clogged. E6 means that the door is open.", "E5 means that the door is open.", True),
    ("Bus M4 leaves from bay 2 and bus M6 from bay 5.", "Bus M6 leaves from bay 5.", False),
    ("Bus M4 leaves from bay 2 and bus M6 from bay 5.", "Bus M6 leaves from bay 2.", True),
    ("Form A1 is for sickness, form A2 for parental leave.", "Form A2 is for sickness.", True),
    ("Room 101 seats 20 people, room 102 seats 40.", "Room 102 seats 40 people.", False),
    ("Room 101 seats 20 people, room 102 seats 40.", "Room 102 seats 20 people.", True),
    ("Form A1 is for sickness, form A2 for parental leave.", "Form A2 is for parental leave.", False),
    ("Error 401 says that the token expired; error 403 that the role lacks a right.", "Error 403 says that the token expired.", True),
]


@pytest.mark.parametrize(("premise", "claim", "another"), DEEDS)
def test_deeds(premise: str, claim: str, another: bool) -> None:
    """Another doer of the deed, or another deed of the doer."""
    found = first_of([rule for rule in STOPS if rule.name == "another doer or deed"], Scene(look(view_claim(claim), view_premise(premise))))

    assert (found is not None) is another


@pytest.mark.parametrize(("premise", "claim", "another"), CODES)
def test_codes(premise: str, claim: str, another: bool) -> None:
    """What stands with one code is not said of the other."""
    found = first_of([rule for rule in STOPS if rule.name == "another code"], Scene(look(view_claim(claim), view_premise(premise))))

    assert (found is not None) is another


def test_text_with_one_code_tells_none_from_another() -> None:
    """One code, or none: nothing to tell apart."""
    assert told_of_codes("E4 means that the filter is clogged.") is None
    assert told_of_codes("The filter is clogged.") is None
