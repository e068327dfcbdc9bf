"""Files of labelled pairs, and what the local judge says of them by words alone: of those developed on one by one, of those held out as totals."""

from __future__ import annotations

import collections
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ragviz.judges.local import LocalJudge
from ragviz.records import Pair, PairKey, Table, Verdict

FOLDER = Path(__file__).resolve().parents[2] / "data"
JUDGE = LocalJudge(embeddings=False)
FITS = {
    "supported": {Verdict.ENTAILED}, "contradicted": {Verdict.CONTRADICTED}, "not_supported": {Verdict.NEUTRAL},
    "unsupported": {Verdict.NEUTRAL, Verdict.CONTRADICTED}, "notcontra": {Verdict.ENTAILED, Verdict.NEUTRAL, Verdict.UNJUDGED},
}
"""Verdicts that are right for what a pair expects."""


def rows_of(name: str) -> list[dict[str, Any]]:
    """Rows of a file beside the tests."""
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


def verdicts(pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
    """One for each (claim, premise)."""
    asked = [Pair(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", f"c{i}", "p"), premise=premise, hypothesis=claim) for i, (claim, premise) in enumerate(pairs)]
    return [judgement.verdict for judgement in JUDGE.judge(asked)]


def developed(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those that rules were made on: "-d" in their id."""
    return [row for row in rows if "-d" in row["id"]]


def held_out(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those looked at only as totals: "-h" in their id."""
    return [row for row in rows if "-h" in row["id"]]


def asked(row: dict[str, Any]) -> Pair:
    """A row as the judge is asked it."""
    table = Table(row.get("table", "response_x_passages"))
    return Pair(
        key=PairKey(table, row["id"], "c1", "p"), premise=row["premise"], hypothesis=row["claim"], question=row.get("question", ""), context=row["claim"]
    )


def is_read_right(row: dict[str, Any]) -> bool:
    """Whether the verdict on a row is one that it expects."""
    return JUDGE.judge([asked(row)])[0].verdict in FITS[row["expect"]]


def said_of(rows: Sequence[dict[str, Any]]) -> list[tuple[str, Verdict]]:
    """What each row expects, and the verdict on it."""
    return [(row["expect"], judgement.verdict) for row, judgement in zip(rows, JUDGE.judge([asked(row) for row in rows]), strict=True)]


def n_right(said: Sequence[tuple[str, Verdict]]) -> int:
    """How many verdicts are right."""
    return sum(verdict in FITS[expect] for expect, verdict in said)


def n_denied_though_open(said: Sequence[tuple[str, Verdict]]) -> int:
    """How many of those that hold, or are left open, are called contradicted."""
    return sum(verdict is Verdict.CONTRADICTED and expect in {"supported", "notcontra"} for expect, verdict in said)


def check_halves(rows: Sequence[dict[str, Any]], *, n_kinds: int, least: int, share: float) -> collections.Counter[str]:
    """Ids are unique and each in one half, there are so many kinds with so many rows or more, and such a share is held out; the rows of each kind."""
    kinds = collections.Counter(row["kind"] for row in rows)

    assert len(kinds) == n_kinds
    assert min(kinds.values()) >= least
    assert len({row["id"] for row in rows}) == len(rows) == len(developed(rows)) + len(held_out(rows))
    assert len(held_out(rows)) >= share * len(rows)
    return kinds
