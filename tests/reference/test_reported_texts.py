"""Faults reported in public on other tools, as far as text alone decides them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ragviz.claims.rules import statements
from ragviz.evidence.quotes import find_quote
from ragviz.records import Passage, Trace
from ragviz.text.citation_marks import resolve_citations
from ragviz.text.invisible import invisibles
from ragviz.text.normalize import fold
from ragviz.text.polarity import is_refusal


def cases(shared: Path, kind: str, wanted: Callable[[dict[str, Any]], bool] = lambda _: True) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in (shared / "cases" / "public_reports.jsonl").read_text(encoding="utf-8").splitlines()]
    found = [row for row in rows if row["kind"] == kind and wanted(row)]
    assert found
    return found


def test_bent_quotes_get_no_certificate(shared: Path) -> None:
    """A quote whose gap swallows a negation is not found."""
    for case in cases(shared, "quote", lambda row: str(row["expect"]).startswith("no certificate")):
        assert find_quote(case["quote"], case["passage"]) is None, case["id"]


def test_citation_styles(shared: Path) -> None:
    """Every marker is seen, invented sources are named, the trailing list is neither marker nor claim."""
    for case in cases(shared, "citations", lambda row: "markers" in row["expect"]):
        passages = tuple(Passage(id=f"p{n}", text="x", rank=n) for n in range(1, case["passages"] + 1))
        found = resolve_citations(Trace(id="t", question="?", response=case["answer"], passages=passages))
        assert [c.marker for c in found] == case["expect"]["markers"], case["id"]
        assert {f"[{label}]" for c in found for label in c.unresolved} == set(case["expect"]["invented"]), case["id"]
        assert not any("Sources" in words for words, _ in statements(case["answer"])), case["id"]


def test_refusals_state_nothing(shared: Path) -> None:
    """A refusal with a citation has no claim and keeps its citation."""
    for case in cases(shared, "abstention", lambda row: str(row["expect"]).startswith("refusal")):
        assert is_refusal(case["answer"]), case["id"]
        assert statements(case["answer"]) == [], case["id"]
        assert resolve_citations(Trace(id="t", question="?", response=case["answer"], passages=())), case["id"]


def test_hidden_characters_are_seen_and_folded_away(shared: Path) -> None:
    """Hidden characters are named for display, and gone from what is matched."""
    for case in cases(shared, "render", lambda row: "hidden" in str(row["expect"])):
        assert invisibles(case["text"]), case["id"]
        assert not invisibles(fold(case["text"]).text), case["id"]
