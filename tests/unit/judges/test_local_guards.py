"""False alarms: long claims on encyclopaedic passages, and everyday claims in other words, that nothing contradicts."""

from __future__ import annotations

import pytest

from ragviz.records import Verdict
from tests.unit.judges.labelled_pairs import rows_of, verdicts

ROWS = rows_of("guard_pairs.jsonl")


class TestGuards:
    """Several entities, years and quantities in one passage: other years, other people's figures, parts and wholes are no contradiction."""

    def test_enough_of_each(self) -> None:
        """At least 100 encyclopaedic and 70 everyday pairs that are no contradictions."""
        quiet = [row for row in ROWS if row["expect"] != "contradicted"]
        assert sum(row["kind"] == "encyclopaedic" for row in quiet) >= 100
        assert sum(row["kind"] == "everyday" for row in quiet) >= 70
        assert len({(row["premise"], row["claim"]) for row in ROWS}) == len(ROWS)

    @pytest.mark.parametrize("kind", ["encyclopaedic", "everyday"])
    def test_false_alarms_are_rare(self, kind: str) -> None:
        """At most 2 in 100 claims that nothing contradicts are called contradicted."""
        rows = [row for row in ROWS if row["kind"] == kind and row["expect"] != "contradicted"]
        alarms = [
            row["id"] for row, found in zip(rows, verdicts([(row["claim"], row["premise"]) for row in rows]), strict=True) if found is Verdict.CONTRADICTED
        ]

        assert len(alarms) <= 0.02 * len(rows), alarms

    def test_contradictions_are_still_seen(self) -> None:
        """Silence is not the way to be right: three quarters of those in the same passages are found."""
        rows = [row for row in ROWS if row["expect"] == "contradicted"]
        found = verdicts([(row["claim"], row["premise"]) for row in rows])

        assert len(rows) >= 13
        assert sum(v is Verdict.CONTRADICTED for v in found) >= 0.75 * len(rows)


@pytest.mark.parametrize(("claim", "premise"), [
    ("In 2001 the party won 79 seats.", "In 1997 the party won 61 seats."),
    ("The Starter plan is limited to two projects.", "The free plan is limited to five projects."),
    ("Uranus is closer to the Sun than Neptune.", "Neptune is farther from the Sun than Uranus."),
    ("The larger trees are older than the smaller ones.", "The smaller trees are younger than the larger ones."),
    ("On Saturdays the office is closed.", "The office is open Monday to Friday."),
    ("The pool cannot be used on Tuesdays.", "The pool is closed on Tuesdays."),
    ("The files used to be stored in plain text.", "Files are no longer stored in plain text."),
    ("Her later books were less successful.", "She wrote three more books, none of them as successful."),
    ("It is often blue.", "It is less often blue than green."),
    ("The start was at the town hall instead of the docks.", "The start was moved from the docks to the town hall."),
    ("The castle can be visited on the day of monuments.", "The castle cannot be visited, except on the day of monuments."),
    ("The mill is the biggest employer, ahead of the hospital.", "The mill is the biggest employer, followed by the hospital."),
    ("An opened item can be returned within 30 days.", "Personalised items, opened label rolls and activated licences cannot be returned."),
])
def test_no_contradiction(claim: str, premise: str) -> None:
    """The same said the other way round, or of another time, another part, another thing."""
    assert verdicts([(claim, premise)]) != [Verdict.CONTRADICTED]


@pytest.mark.parametrize(("claim", "premise"), [
    ("In 2001 the party won 61 seats.", "In 1997 the party won 61 seats."),
    ("Neptune is larger than Uranus.", "Neptune is smaller than Uranus."),
    ("The office is closed on Mondays.", "The office is open on Mondays."),
    ("The pool is not closed on Tuesdays.", "The pool is closed on Tuesdays."),
    ("Files are stored in plain text.", "Files are no longer stored in plain text."),
    ("Personalised items can be returned.", "Personalised items, opened label rolls and activated licences cannot be returned."),
])
def test_contradiction(claim: str, premise: str) -> None:
    """The nearest neighbours of those that are none."""
    assert verdicts([(claim, premise)]) == [Verdict.CONTRADICTED]
