"""What a passage denies outright though it has every word of the claim, what it says in other words, and honest claims that must not trip these rules."""

from __future__ import annotations

import pytest

from ragviz.judges.local_rules import outright
from ragviz.judges.local_view import look, view_claim, view_premise
from tests.unit.judges.labelled_pairs import (
    JUDGE,
    asked,
    check_halves,
    developed,
    held_out,
    is_read_right,
    n_denied_though_open,
    n_right,
    rows_of,
    said_of,
)

ROWS = rows_of("denied_pairs.jsonl")
DEVELOPED, HELD_OUT = developed(ROWS), held_out(ROWS)
STILL_MISREAD = {"holder-d014", "denied-d002", "honest-d011", "honest-d036"}
"""
Letters "sent in town" for letters in town; the garden as a part of the grounds; what ", not the web client, for large files" denies; "on other days"
than Mondays.
"""


def test_enough_of_each_kind() -> None:
    """Eight kinds of eight or more, a quarter of them held out; a third are honest claims beside the rules' words."""
    kinds = check_halves(ROWS, n_kinds=8, least=8, share=0.25)

    assert kinds["honest"] >= len(ROWS) / 3


@pytest.mark.parametrize("row", [row for row in DEVELOPED if row["id"] not in STILL_MISREAD], ids=lambda row: row["id"])
def test_developed(row: dict[str, str]) -> None:
    """Every pair that the rules were made on is read right, by words alone, but for those named."""
    assert is_read_right(row)


def test_held_out() -> None:
    """Of those written at the same time and looked at only as totals, four in five; at most one of what holds or is left open is called contradicted."""
    said = said_of(HELD_OUT)

    assert n_right(said) >= 0.8 * len(said)
    assert n_denied_though_open(said) <= 1


@pytest.mark.parametrize("row", [row for row in DEVELOPED if row["expect"] == "contradicted"], ids=lambda row: row["id"])
def test_certificate(row: dict[str, str]) -> None:
    """The quote is the sentence that denies, and the clash points into both texts."""
    judgement = JUDGE.judge([asked(row)])[0]

    clash = judgement.clashes[0]
    assert clash.premise_span is not None
    assert clash.hypothesis_span is not None
    assert clash.premise_span.of(row["premise"]).rstrip(".") == clash.premise_value.rstrip(".")
    assert clash.hypothesis_span.of(row["claim"]).rstrip(".") == clash.hypothesis_value.rstrip(".")
    assert judgement.evidence[0].span.start <= clash.premise_span.start < judgement.evidence[0].span.end
    assert not {clash.hypothesis_value.lower(), clash.premise_value.lower()} & {"of", "not", "to"}


@pytest.mark.parametrize("row", [row for row in ROWS if row["expect"] in {"supported", "notcontra"}], ids=lambda row: row["id"])
def test_rules_deny_nothing_honest(row: dict[str, str]) -> None:
    """None of the rules that need no weighing fires on what is said, or left open."""
    told = outright(look(view_claim(row["claim"]), view_premise(row["premise"]), row["question"]))

    assert told is None or told[0]


def test_reasons_name_what_differs() -> None:
    """Never the same word on both sides."""
    for judgement in JUDGE.judge([asked(row) for row in ROWS]):
        for part in judgement.rationale.split("; "):
            left, says, right = part.partition(", the claim says ")
            assert not says or left.removeprefix("possible clash: ").removeprefix("the passage says ") != right
