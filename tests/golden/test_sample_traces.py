"""The shipped samples are whole, agree with each other, and teach what their README says."""

from __future__ import annotations

import collections
import json
from pathlib import Path
from typing import Any

import pytest

from ragviz.claims.rules import RulesExtractor
from ragviz.diagnosis.causes import CauseName
from ragviz.diagnosis.quadrants import Quadrant
from ragviz.loaders.native import read
from ragviz.records import LoadIssue, Passage, Side, Trace
from ragviz.text.citation_marks import resolve_citations
from ragviz.text.polarity import is_refusal

RUNS = ("baseline.jsonl", "candidate.jsonl")


@pytest.fixture(scope="module")
def folder() -> Path:
    return Path(__file__).resolve().parents[2] / "sample_traces"


def rows(path: Path) -> list[Trace | LoadIssue]:
    with path.open("rb") as source:
        return list(read(source, path.name))


def traces(path: Path) -> dict[str, Trace]:
    found = rows(path)
    assert all(isinstance(row, Trace) for row in found)
    return {row.id: row for row in found if isinstance(row, Trace)}


def expected(folder: Path) -> dict[str, dict[str, dict[str, Any]]]:
    return json.loads((folder / "expected.json").read_text(encoding="utf-8"))


def test_both_runs_ask_the_same_questions(folder: Path) -> None:
    """72 questions, equal ids, groups, references and labels; every trace has an expectation in known words."""
    first, second = (traces(folder / name) for name in RUNS)

    assert 72 == len(first) == len(second)
    assert [(t.id, t.group, t.question, t.reference, t.relevant_ids, t.answerable) for t in first.values()] == [
        (t.id, t.group, t.question, t.reference, t.relevant_ids, t.answerable) for t in second.values()
    ]
    for name, wanted in expected(folder).items():
        assert wanted.keys() == traces(folder / name).keys()
        assert {row["quadrant"] for row in wanted.values()} <= {q.value for q in Quadrant}
        assert {row["cause"] for row in wanted.values()} <= {c.value for c in CauseName}


def test_passages_are_the_corpus(folder: Path) -> None:
    """Every retrieved passage and every label stands in corpus.jsonl, word for word, with its source and dates."""
    corpus = {row["id"]: row for row in map(json.loads, (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines())}

    def known(passage: Passage) -> bool:
        row = corpus[passage.matching_id]
        return (passage.text, passage.title, passage.source, passage.authority, passage.effective_date) == (
            row["text"], row["title"], row["source"], row["authority"], row["effective_date"],
        )

    for name in RUNS:
        for trace in traces(folder / name).values():
            passages = trace.passages or ()
            assert all(known(p) for p in passages), trace.id
            assert [p.score for p in passages] == sorted((p.score or 0 for p in passages), reverse=True), trace.id
            assert (trace.relevant_ids or frozenset()) <= corpus.keys(), trace.id


def test_every_kind_of_failure_is_there(folder: Path) -> None:
    """All quadrants and all causes that a file can show occur in the baseline; the candidate is better but for the returns."""
    wanted = expected(folder)
    base, cand = (wanted[name] for name in RUNS)
    topics = {t.id: t.tags["topic"] for t in traces(folder / RUNS[0]).values()}

    def good(run: dict[str, dict[str, Any]]) -> collections.Counter[str]:
        return collections.Counter(topics[i] for i, row in run.items() if row["quadrant"] == "good")

    assert {q.value for q in Quadrant} == {row["quadrant"] for row in base.values()}
    assert {"none", "source_wrong", "retrieval_missed", "generator_ignored", "generator_added", "unknown"} == {row["cause"] for row in base.values()}
    assert "ranked_below_k" == base["q70"]["at_k"]["5"]["cause"]
    assert (10, 4) == (good(base)["returns"], good(cand)["returns"])
    assert (34, 50) == (good(base).total(), good(cand).total())


@pytest.mark.parametrize("name", RUNS)
def test_refusals_and_claims_are_read_as_meant(folder: Path, name: str) -> None:
    """Exactly the abstentions are refusals; every other answer has claims."""
    wanted = expected(folder)[name]
    found = traces(folder / name)
    claims = dict(zip(found, RulesExtractor().extract([*found.values()], side=Side.RESPONSE), strict=True))

    assert {i for i, row in wanted.items() if row["quadrant"] == "abstained"} == {i for i, t in found.items() if is_refusal(t.response)}
    assert all(bool(claims[i]) == (row["quadrant"] != "abstained") for i, row in wanted.items())


@pytest.mark.parametrize("name", RUNS)
def test_one_source_is_invented(folder: Path, name: str) -> None:
    """Only q12 of the baseline cites a source that was never retrieved: [9] of five."""
    invented = {(i, c.marker) for i, t in traces(folder / name).items() for c in resolve_citations(t) if c.unresolved}

    assert ({("q12", "[9]")} if name == RUNS[0] else set()) == invented


def test_damaged_lines_are_named(folder: Path) -> None:
    """Six lines become traces, one of them under another id; the others say where and why."""
    found = rows(folder / "damaged.jsonl")

    assert ["d01", "d03", "d06", "d09", "d09", "d11"] == [row.id for row in found if isinstance(row, Trace)]
    assert [2, 4, 7, 8, 12, 13] == [int(row.where.rpartition(":")[2]) for row in found if isinstance(row, LoadIssue)]


def test_the_readme_lists_every_trace(folder: Path) -> None:
    """One row a question, with both expectations."""
    text = (folder / "README.md").read_text(encoding="utf-8")

    assert all(f"| {i} | {t.question} |" in text for i, t in traces(folder / RUNS[0]).items())
