"""Plain statements of ordinary English: bans, tables, lists, orders and conditions, and honest statements beside them."""

from __future__ import annotations

import collections

import pytest

from ragviz.records import Verdict
from tests.unit.judges.labelled_pairs import FITS, developed, held_out, rows_of, verdicts

ROWS = rows_of("plain_pairs.jsonl")
DEVELOPED, HELD_OUT = developed(ROWS), held_out(ROWS)


def test_enough_of_each() -> None:
    """Two in five or more are held out, and of both parts a third are honest statements."""
    honest = collections.Counter("-h" in row["id"] for row in ROWS if row["expect"] in {"supported", "notcontra"})

    assert len({row["id"] for row in ROWS}) == len(ROWS) == len(DEVELOPED) + len(HELD_OUT)
    assert len(HELD_OUT) >= 0.4 * len(ROWS)
    assert honest[True] >= len(HELD_OUT) / 3
    assert honest[False] >= len(DEVELOPED) / 3


@pytest.mark.parametrize("row", DEVELOPED, ids=lambda row: row["id"])
def test_developed(row: dict[str, str]) -> None:
    """Every pair that the rules were made on is read right, by words alone."""
    assert verdicts([(row["claim"], row["premise"])])[0] in FITS[row["expect"]]


def test_held_out() -> None:
    """Of those written before the rules and looked at only as totals, none that is denied is called supported, and none that holds contradicted."""
    said = list(zip(HELD_OUT, verdicts([(row["claim"], row["premise"]) for row in HELD_OUT]), strict=True))

    assert sum(verdict in FITS[row["expect"]] for row, verdict in said) >= 0.85 * len(said)
    assert sum(row["expect"] == "contradicted" and verdict is Verdict.ENTAILED for row, verdict in said) <= 1
    assert sum(row["expect"] in {"supported", "notcontra"} and verdict is Verdict.CONTRADICTED for row, verdict in said) <= 1
