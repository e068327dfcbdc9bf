"""What a passage denies outright though it has every word of the claim, what it says in other words, and honest claims that must not trip these rules."""

from __future__ import annotations

import collections

import pytest

from ragviz.judges.local_rules import outright
from ragviz.judges.local_view import look, view_claim, view_premise
from ragviz.records import Pair, PairKey, Table, Verdict
from tests.unit.judges.labelled_pairs import JUDGE, rows_of

ROWS = rows_of("denied_pairs.jsonl")
DEVELOPED = [row for row in ROWS if "-d" in row["id"]]
HELD_OUT = [row for row in ROWS if "-h" in row["id"]]
FITS = {
    "supported": {Verdict.ENTAILED}, "contradicted": {Verdict.CONTRADICTED}, "unsupported": {Verdict.NEUTRAL, Verdict.CONTRADICTED},
    "notcontra": {Verdict.ENTAILED, Verdict.NEUTRAL, Verdict.UNJUDGED},
}
STILL_MISREAD = {"holder-d014", "denied-d002", "honest-d011", "honest-d036"}
"""
Letters "sent in town" for letters in town; the garden as a part of the grounds; what ", not the web client, for large files" denies; "on other days"
than Mondays.
"""


def asked(row: dict[str, str]) -> Pair:
    return Pair(
        key=PairKey(Table.RESPONSE_X_PASSAGES, row["id"], "c1", "p"),
        premise=row["premise"],
        hypothesis=row["claim"],
        question=row["question"],
        context=row["claim"],
    )


def test_enough_of_each_kind() -> None:
    """Eight kinds of eight or more, a quarter of them held out; a third are honest claims beside the rules' words."""
    kinds = collections.Counter(row["kind"] for row in ROWS)

    assert len(kinds) == 8
    assert min(kinds.values()) >= 8
    assert len({row["id"] for row in ROWS}) == len(ROWS) == len(DEVELOPED) + len(HELD_OUT)
    assert len(HELD_OUT) >= len(ROWS) / 4
    assert kinds["honest"] >= len(ROWS) / 3


@pytest.mark.parametrize("row", [row for row in DEVELOPED if row["id"] not in STILL_MISREAD], ids=lambda row: row["id"])
def test_developed(row: dict[str, str]) -> None:
    """Every pair that the rules were made on is read right, by words alone, but for those named."""
    assert JUDGE.judge([asked(row)])[0].verdict in FITS[row["expect"]]


def test_held_out() -> None:
    """Of those written at the same time and looked at only as totals, four in five; at most one of what holds or is left open is called contradicted."""
    said = [(row["expect"], judgement.verdict) for row, judgement in zip(HELD_OUT, JUDGE.judge([asked(row) for row in HELD_OUT]), strict=True)]

    assert sum(verdict in FITS[expect] for expect, verdict in said) >= 0.8 * len(said)
    assert said.count(("supported", Verdict.CONTRADICTED)) + said.count(("notcontra", Verdict.CONTRADICTED)) <= 1


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
