"""What a passage says of another, of before a change or up to another bound, though the claim has its words; and the same said the other way round."""

from __future__ import annotations

import collections

import pytest

from ragviz.records import Pair, PairKey, Table, Verdict
from tests.unit.judges.labelled_pairs import JUDGE, rows_of

ROWS = rows_of("sense_pairs.jsonl")
DEVELOPED = [row for row in ROWS if "-d" in row["id"]]
HELD_OUT = [row for row in ROWS if "-h" in row["id"]]
FITS = {
    "supported": {Verdict.ENTAILED}, "contradicted": {Verdict.CONTRADICTED}, "unsupported": {Verdict.NEUTRAL, Verdict.CONTRADICTED},
    "notcontra": {Verdict.ENTAILED, Verdict.NEUTRAL, Verdict.UNJUDGED},
}
STILL_MISREAD = {"otherthan-d002", "buffer-d001", "doses-d002", "bounds-d010"}
"""What is excepted from a ban is not called contradicted; the first 300 EUR for a buffer of 300 EUR; two capsules three times a day for two a day is not called contradicted;
"can have up to 2,000 words" of what "may not exceed" them."""


def asked(row: dict[str, str]) -> Pair:
    return Pair(
        key=PairKey(Table.RESPONSE_X_PASSAGES, row["id"], "c1", "p"),
        premise=row["premise"],
        hypothesis=row["claim"],
        question=row["question"],
        context=row["claim"],
    )


def test_enough_of_each_kind() -> None:
    """Fifteen kinds of nine or more, four in ten of them held out, in both directions."""
    kinds = collections.Counter(row["kind"] for row in ROWS)

    assert len(kinds) == 15
    assert min(kinds.values()) >= 9
    assert len({row["id"] for row in ROWS}) == len(ROWS) == len(DEVELOPED) + len(HELD_OUT)
    assert len(HELD_OUT) >= 0.4 * len(ROWS)


@pytest.mark.parametrize("row", [row for row in DEVELOPED if row["id"] not in STILL_MISREAD], ids=lambda row: row["id"])
def test_developed(row: dict[str, str]) -> None:
    """Every pair that the rules were made on is read right, by words alone, but for those named."""
    assert JUDGE.judge([asked(row)])[0].verdict in FITS[row["expect"]]


def test_held_out() -> None:
    """Of those written before the rules and looked at only as totals, four in five; at most three of what holds or is left open are called contradicted."""
    said = [(row["expect"], judgement.verdict) for row, judgement in zip(HELD_OUT, JUDGE.judge([asked(row) for row in HELD_OUT]), strict=True)]

    assert sum(verdict in FITS[expect] for expect, verdict in said) >= 0.8 * len(said)
    assert said.count(("supported", Verdict.CONTRADICTED)) + said.count(("notcontra", Verdict.CONTRADICTED)) <= 3
