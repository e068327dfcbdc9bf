"""Kinds of claim that new users found misread: what was left out, exchanged, bounded, excepted, or said in other words."""

from __future__ import annotations

import pytest

from tests.unit.judges.labelled_pairs import (
    check_halves,
    developed,
    held_out,
    is_read_right,
    n_denied_though_open,
    n_right,
    rows_of,
    said_of,
)

ROWS = rows_of("meaning_pairs.jsonl")
DEVELOPED, HELD_OUT = developed(ROWS), held_out(ROWS)
STILL_MISREAD = {
    "frequency-d004",
    "bounds-d010",
    "bounds-d011",
    "bounds-d016",
    "paraphrase-d031",
    "help-d022",
    "help-d042",
    "help-d048",
    "honest-d014",
    "honest-d028",
}
"""Three buses in an hour for a bus three times an hour; two bounds in one claim; "25 MB or more is not accepted" for "smaller than 25 MB"; a bag of 7 kg for up to 8;
"mandatory to wear a seat belt"; who has to be a member for what only members can; who must be accompanied; a second thing that is lent out too;
a code that is "shown", and grade 2 of all but grade 1."""


def test_enough_of_each_kind() -> None:
    """Fifteen kinds of six or more, a quarter of them held out, two in five supported."""
    check_halves(ROWS, n_kinds=15, least=6, share=0.25)
    assert sum(row["expect"] == "supported" for row in ROWS) >= 0.4 * len(ROWS)


@pytest.mark.parametrize("row", [row for row in DEVELOPED if row["id"] not in STILL_MISREAD], ids=lambda row: row["id"])
def test_developed(row: dict[str, str]) -> None:
    """Every pair that the rules were made on is read right, by words alone, but for those named."""
    assert is_read_right(row)


def test_held_out() -> None:
    """Of those written at the same times and looked at only as totals, four in five; at most one of what is supported is called contradicted."""
    said = said_of(HELD_OUT)

    assert n_right(said) >= 0.8 * len(said)
    assert n_denied_though_open(said) <= 1
