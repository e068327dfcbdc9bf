"""DeepEval's conversational test cases, in all its files."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from ragviz.loaders import Loader, detect, read
from ragviz.records import LoadIssue, Trace
from tests.contracts.loader_samples import DEEPEVAL_TALK, A, P, Q

TURNS = [{("retrieval_context" if name == "retrievalContext" else name): value for name, value in turn.items() if name != "order"} for turn in DEEPEVAL_TALK["turns"]]
GOLDEN = {"scenario": "A refund", "turns": TURNS, "expected_outcome": "The customer knows.", "user_description": None, "context": None, "name": None, "comments": None, "additional_metadata": None}


def as_table(turns: Any = TURNS) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(GOLDEN)
    writer.writerow([json.dumps(turns) if name == "turns" else value for name, value in GOLDEN.items()])
    return out.getvalue().encode()


FILES = {
    "test run": json.dumps({"testCases": [], "conversationalTestCases": [DEEPEVAL_TALK], "metricsScores": []}).encode(),
    "wrapped test run": json.dumps({"testRunData": {"testCases": [], "conversationalTestCases": [DEEPEVAL_TALK]}}).encode(),
    "results": json.dumps({"test_results": [{"name": "c1", "success": True, "conversational": True, "metrics_data": [], "turns": TURNS}], "test_run_id": None}).encode(),
    "data set": json.dumps([GOLDEN]).encode(),
    "lines": (json.dumps({**GOLDEN, "turns": json.dumps(TURNS)}) + "\n").encode(),
    "table": as_table(),
}


def best(data: bytes) -> Loader:
    return detect(data, "f")[0][0]


def loaded(data: bytes) -> tuple[list[Trace], list[LoadIssue]]:
    parts = list(read(io.BytesIO(data), filename="f"))
    return [p for p in parts if isinstance(p, Trace)], [p for p in parts if isinstance(p, LoadIssue)]


@pytest.mark.parametrize("data", FILES.values(), ids=FILES)
def test_each_answer_with_context_is_a_trace(data: bytes) -> None:
    """Its own question and passages; what was said before is history, of both speakers."""
    traces, issues = loaded(data)

    assert best(data).name == "deepeval"
    assert issues == []
    assert [(t.question, t.response, [p.text for p in t.passages or ()]) for t in traces] == [(Q, A, P), ("And single sign-on?", "With the Business plan.", [P[1]])]
    assert [len(t.history) for t in traces] == [2, 4]
    assert len({t.group for t in traces}) == 1
    assert len({t.id for t in traces}) == 2


def test_scores_are_of_the_whole() -> None:
    """They stand once, at the last trace; scenario and outcome are tags."""
    traces, _ = loaded(FILES["test run"])

    assert [[(s.name, s.value) for s in t.scores] for t in traces] == [[], [("Turn Faithfulness", 0.5)]]
    assert [t.id for t in traces] == ["c1-turn-4", "c1-turn-6"]
    assert traces[0].tags["scenario"] == "A refund"


def test_without_any_context_the_last_answer_is_the_trace() -> None:
    """Nobody knows what was retrieved for it."""
    turns = [{name: value for name, value in turn.items() if name != "retrieval_context"} for turn in TURNS]
    ((trace,), issues) = loaded(json.dumps([{**GOLDEN, "turns": turns}]).encode())

    assert (trace.question, trace.response, trace.passages, issues) == ("And single sign-on?", "With the Business plan.", None, [])


def test_an_empty_context_was_retrieved() -> None:
    """[] is not null."""
    turns = [*TURNS[:3], {**TURNS[3], "retrieval_context": []}]

    assert [t.passages for t in loaded(json.dumps([{**GOLDEN, "turns": turns}]).encode())[0]] == [()]


def test_faults_are_told_with_their_place() -> None:
    """A turn that is none, and a conversation without an answer; the others are read."""
    odd = [{**GOLDEN, "turns": [*TURNS, None]}, {**GOLDEN, "turns": TURNS[:1]}, GOLDEN]
    traces, issues = loaded(json.dumps(odd).encode())

    assert len(traces) == 4
    assert [(i.where, i.rejected) for i in issues] == [("f:1", False), ("f:2", True)]
