"""The everyday pairs: what a new user tries first."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from ragviz.records import Verdict
from tests.unit.judges.labelled_pairs import rows_of, verdicts

ROWS = rows_of("everyday_pairs.jsonl")


class TestFile:
    def test_enough_of_each(self) -> None:
        """At least 600 pairs over many domains, ids unique, all three expectations on both sides."""
        assert len(ROWS) >= 600
        assert len({row["id"] for row in ROWS}) == len(ROWS)
        assert len({row["kind"] for row in ROWS}) >= 15
        assert 6 == len({(half, row["expect"]) for row in ROWS for half in ("-d", "-h") if half in row["id"]})

    def test_twins_stay_on_one_side(self) -> None:
        """No premise is in both halves, and no pair stands twice."""
        sides: dict[str, set[str]] = defaultdict(set)
        for row in ROWS:
            found = re.fullmatch(r"[a-z]+-([dh])\d{3}-\d", row["id"])
            assert found, row["id"]
            sides[row["premise"]].add(found[1])

        assert all(len(found) == 1 for found in sides.values())
        assert len({(row["premise"], row["claim"]) for row in ROWS}) == len(ROWS)


class TestDevelopmentHalf:
    def test_right_side_of_supported(self) -> None:
        """Balanced accuracy on the half that was looked at, so that later changes do not lose it; what it is worth, only the other half tells."""
        rows = [row for row in ROWS if "-d" in row["id"]]
        found = verdicts([(row["claim"], row["premise"]) for row in rows])
        good = [v is Verdict.ENTAILED for v, row in zip(found, rows, strict=True) if row["expect"] == "supported"]
        bad = [v in (Verdict.NEUTRAL, Verdict.CONTRADICTED) for v, row in zip(found, rows, strict=True) if row["expect"] != "supported"]

        assert (sum(good) / len(good) + sum(bad) / len(bad)) / 2 >= 0.7

    def test_supported_is_hardly_ever_contradicted(self) -> None:
        """At most 3 in 100."""
        rows = [row for row in ROWS if "-d" in row["id"] and row["expect"] == "supported"]
        found = verdicts([(row["claim"], row["premise"]) for row in rows])

        assert sum(v is Verdict.CONTRADICTED for v in found) <= 0.03 * len(rows)


@pytest.mark.parametrize(("claim", "premise", "verdict"), [
    ("The lift costs 9 euros.", "A ride on the lift is priced at €9.", Verdict.ENTAILED),
    ("She became CEO in 2015 and resigned in 2019.", "She was appointed chief executive in 2015. She stepped down in May 2019.", Verdict.ENTAILED),
    ("SMS codes require the Gold plan.", "SMS codes are available only on the Gold plan.", Verdict.ENTAILED),
    ("Helpers are paid.", "Helpers are unpaid.", Verdict.CONTRADICTED),
    ("The seat of the firm is in Metz.", "Headquartered in Brest, the firm has workshops in Metz and Lille.", Verdict.CONTRADICTED),
    ("The capital of Turkey is Istanbul.", "Ankara is the capital city of Turkey. Istanbul is its largest city.", Verdict.CONTRADICTED),
    ("Everyone on the jury voted for the design.", "The jury chose the design by 5 votes to 3.", Verdict.CONTRADICTED),
    ("Edition 4 appeared before edition 3.5.", "Edition 3.5 appeared in May 2020; edition 4 followed in June 2021.", Verdict.CONTRADICTED),
])
def test_first_tries(claim: str, premise: str, verdict: Verdict) -> None:
    """Short claims in plain words."""
    assert [verdict] == verdicts([(claim, premise)])
