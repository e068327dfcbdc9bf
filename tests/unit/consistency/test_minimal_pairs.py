"""Twins of one changed detail: the true one must pass, the changed one must be caught by the right check."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from ragviz.consistency import check

PAIRS = Path(__file__).resolve().parents[2] / "data" / "minimal_pairs.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
ALSO = {
    "number": {"number"}, "unit": {"unit", "number"}, "money": {"money", "unit"}, "percent": {"percent"}, "date": {"date"}, "duration": {"duration", "unit"},
    "negation": {"negation", "quantifier"}, "antonym": {"antonym", "negation"}, "quantifier": {"quantifier", "negation"}, "name": {"name", "antonym"},
    "role": {"role", "antonym"}, "other": {"number", "money", "date", "negation", "antonym"},
}
"""Kinds of clash that a changed detail of each kind may be reported as."""
AT_LEAST = 0.97


def behaves(row: dict[str, Any]) -> bool:
    """A true claim clashes with nothing; a changed one clashes in kind; one that says too much is at least not confirmed."""
    found = check(row["claim"], row["premise"])
    if row["expect"] == "supported":
        return not found.clashes and not found.dropped
    if row["expect"] == "contradicted":
        return not set(found.kinds).isdisjoint(ALSO[row["kind"]])
    return not found.clashes and (bool(found.dropped) or found.n_missing > 0)


def test_there_are_enough_of_them() -> None:
    """At least 300 pairs of twins over every kind, ids unique."""
    assert len(ROWS) >= 600
    assert len({r["id"] for r in ROWS}) == len(ROWS)
    assert {r["kind"] for r in ROWS} >= set(ALSO) | {"qualifier", "reported"}


def test_nearly_all_behave() -> None:
    """97 % of all rows; the rest is printed."""
    wrong = [r["id"] for r in ROWS if not behaves(r)]

    assert len(wrong) <= (1 - AT_LEAST) * len(ROWS), wrong


@pytest.mark.parametrize("kind", sorted({r["kind"] for r in ROWS}))
def test_each_kind_behaves(kind: str) -> None:
    """No kind is carried by the others: at least nine rows in ten."""
    by_expectation: dict[str, list[bool]] = defaultdict(list)
    for row in ROWS:
        if row["kind"] == kind:
            by_expectation[row["expect"]].append(behaves(row))

    assert all(sum(good) >= 0.9 * len(good) for good in by_expectation.values()), by_expectation
