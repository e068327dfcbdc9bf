"""What the sample traces state is annotated by hand, and from that alone the judge `facts` finds what the README says of every trace."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from ragviz.evidence.quotes import find_quote
from ragviz.loaders import write_native
from ragviz.loaders.native import read
from ragviz.pipeline import claim_set_of, default_judge, import_files, judge_run, make_judge
from ragviz.pipeline.choices import DEFAULT_JUDGE
from ragviz.records import MatchTier, Side, Trace
from ragviz.store import open_store

REPO = Path(__file__).resolve().parents[2]
FOLDER = REPO / "sample_traces"
RUNS = ("baseline.jsonl", "candidate.jsonl")
REWORDED = {
    ("plans-cancel", "not refunded"),  # "We do not refund part of a period"
    ("q18", "Australia"),  # asked for; the refusal in the other run is no fact
}
"""Values that do not stand word for word in their text."""


def traces(name: str) -> list[Trace]:
    with (FOLDER / name).open("rb") as source:
        return [trace for trace in read(source, name) if isinstance(trace, Trace)]


def expected(name: str, k: int | None) -> dict[str, tuple[str, str]]:
    rows: dict[str, dict[str, Any]] = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))[name]
    at_k = {i: {**row, **row.get("at_k", {}).get(str(k), {})} for i, row in rows.items()}
    return {i: (row["quadrant"], row["cause"]) for i, row in at_k.items()}


@pytest.mark.parametrize("k", [None, 5])
@pytest.mark.parametrize("name", RUNS)
def test_quadrants_and_causes_are_exactly_those_of_the_readme(name: str, k: int | None) -> None:
    """All 72, with every passage and with the first five: refusals, a missing reference, what came at rank 7."""
    store = open_store(":memory:")
    view = judge_run(store, import_files(store, [FOLDER / name]).run_id, "facts", k=k).view

    assert {r.trace_id: (r.quadrant, r.cause) for r in store.results(view)} == expected(name, k)
    assert len(expected(name, k)) == 72


def test_the_samples_carry_the_annotation() -> None:
    """The runs and the corpus hold what facts.json says, and it says nothing of verdicts, quadrants or causes."""
    done = subprocess.run([sys.executable, "docs/annotate_samples.py", "--check"], cwd=REPO, capture_output=True, text=True, check=False)
    said = json.loads((FOLDER / "facts.json").read_text(encoding="utf-8"))

    assert done.returncode == 0, done.stdout + done.stderr
    assert said.keys() == {"passages", "questions", *RUNS}
    assert {key for row in said["questions"].values() for key in row} == {"facets", "expected"}


def stated() -> Iterator[tuple[str, str, str]]:
    """(where, value, the text that should say it)."""
    for name in RUNS:
        for trace in traces(name):
            yield from ((p.matching_id, fact.value, p.text) for p in trace.passages or () for fact in p.facts or ())
            yield from ((trace.id, c.value or "", trace.response if c.side is Side.RESPONSE else trace.reference or "") for c in trace.claims or ())


def test_values_stand_in_their_texts() -> None:
    """A value is a quotation, so a verdict on it has a certificate: no fact is told of a text that does not say it."""
    lacking = {(where, value) for where, value, text in stated() if (found := find_quote(value, text)) is None or found.tier is MatchTier.FUZZY}

    assert lacking - REWORDED == set()


@pytest.mark.parametrize("name", RUNS)
def test_written_and_read_again_they_are_the_same(name: str) -> None:
    """The facts of passages, the pairs of both sides and what the question asks for survive our own format."""
    whole = traces(name)

    assert whole == [t for t in read(BytesIO(b"".join(write_native(whole))), name) if isinstance(t, Trace)]
    assert all(t.facets and t.claims is not None and all(p.facts for p in t.passages or ()) for t in whole)


def test_without_a_choice_texts_are_judged() -> None:
    """Annotated or not: the judge shown first is the local one, on claims split from the answer's text."""
    store = open_store(":memory:")
    run_id = import_files(store, [FOLDER / RUNS[0]]).run_id

    assert default_judge(store, run_id) == DEFAULT_JUDGE == "local"
    assert claim_set_of(make_judge("local"), store.traits(run_id)) == "rules"
    assert claim_set_of(make_judge("facts"), store.traits(run_id)) == "facts"
