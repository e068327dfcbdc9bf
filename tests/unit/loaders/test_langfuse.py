"""Traces of Langfuse's API with the observations inside, in each way people save them."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from ragviz.loaders import read_many
from ragviz.records import LoadIssue, Trace

PASSAGES = [{"id": "d1", "content": "Refunds take five days.", "score": 0.9}, {"id": "d2", "content": "Ask the desk.", "score": 0.4}]


def step(kind: str, name: str, output: Any, **more: Any) -> dict[str, Any]:
    """One observation."""
    return {
        "id": name,
        "traceId": "t1",
        "type": kind,
        "name": name,
        "startTime": "2026-01-01T00:00:00.000Z",
        "parentObservationId": None,
        "input": "How long?",
        "output": output,
        **more,
    }


def trace(*observations: Any, **more: Any) -> dict[str, Any]:
    """What ``GET /api/public/traces/{id}`` answers."""
    return {
        "id": "t1", "timestamp": "2026-01-01T00:00:00.000Z", "name": "rag", "input": {"question": "How long?"}, "output": "Five days.", "sessionId": "s1", "userId": None, "tags": ["shop"],
        "release": None, "version": None, "metadata": None, "public": False, "environment": "default", "htmlPath": "/project/p/traces/t1", "latency": 1.5, "totalCost": 0.002,
        "observations": list(observations), "scores": [{"name": "helpful", "value": 1, "traceId": "t1"}], **more,
    }


def read(content: Any) -> tuple[list[Trace], list[LoadIssue]]:
    """Traces and issues of one file; what is no text as JSON."""
    parts = list(read_many([("f", io.BytesIO(content.encode() if isinstance(content, str) else json.dumps(content).encode()))]))
    return [p for p in parts if isinstance(p, Trace)], [p for p in parts if isinstance(p, LoadIssue)]


@pytest.mark.parametrize("kept", [lambda t: t, lambda t: [t], lambda t: {"data": [t], "meta": {"page": 1}}, json.dumps], ids=["alone", "list", "page", "line"])
@pytest.mark.parametrize(
    "retriever",
    [
        step("RETRIEVER", "find", PASSAGES),
        step("SPAN", "retrieval", {"documents": PASSAGES}),
        step("SPAN", "vector-search", PASSAGES),
        step("TOOL", "kb", {"contexts": PASSAGES}),
    ],
    ids=["retriever", "span named so", "another span", "tool"],
)
def test_observations_inside_a_trace(kept: Any, retriever: dict[str, Any]) -> None:
    """Question, answer, passages, scores, cost and time."""
    (found,), issues = read(kept(trace(retriever, step("GENERATION", "answer", {"role": "assistant", "content": "Five days."}, model="m1"))))

    assert ([p.doc_id for p in found.passages or ()], found.question, found.response) == (["d1", "d2"], "How long?", "Five days.")
    assert ([s.name for s in found.scores], found.model, found.usage and (found.usage.latency_ms, found.usage.cost_usd), found.tags["tags"]) == (
        ["helpful"],
        "m1",
        (1500.0, 0.002),
        "shop",
    )
    assert issues == []


def test_what_a_model_says_is_no_passage() -> None:
    """Messages are objects with a text too; without a step that retrieves, nothing is known of passages."""
    (found,), _ = read(
        trace(
            step("GENERATION", "answer", [{"role": "assistant", "content": "Five days."}]),
            step("SPAN", "chat", [{"role": "assistant", "content": "Five days."}]),
        )
    )

    assert found.passages is None


@pytest.mark.parametrize("output", [None, {"documents": None}], ids=["null", "null inside"])
def test_a_retriever_whose_output_was_not_recorded(output: Any) -> None:
    """Unknown, and not nothing: what was answered cannot be held against no passages."""
    (found,), _ = read(trace(step("RETRIEVER", "find", output)))

    assert found.passages is None


def test_a_retriever_that_found_nothing() -> None:
    """An empty list is what it gave, and no gap in the file."""
    (found,), _ = read(trace(step("RETRIEVER", "find", [])))

    assert found.passages == ()


def test_a_list_of_traces_with_ids_says_what_is_missing() -> None:
    """The list of the API names its observations by id: no passages, and the way to them is told, once."""
    found, issues = read({"data": [trace("o1", "o2", id="a"), trace("o3", id="b")], "meta": {"page": 1}})

    assert [(t.id, t.passages, t.response) for t in found] == [("a", None, "Five days."), ("b", None, "Five days.")]
    assert ["GET /api/public/traces/ID" in i.fix for i in issues] == [True]


@pytest.mark.parametrize("finished_first", [False, True])
def test_a_step_that_was_written_while_it_ran_and_again_at_its_end(finished_first: bool) -> None:
    """The finished one counts, wherever it stands."""
    running = step("RETRIEVER", "find", None)
    finished = step("RETRIEVER", "find", PASSAGES, endTime="2026-01-01T00:00:02.000Z")
    (found,), _ = read(trace(*((finished, running) if finished_first else (running, finished))))

    assert [p.doc_id for p in found.passages or ()] == ["d1", "d2"]


@pytest.mark.parametrize(("usage", "beside"), [
    ({"input": 70, "output": 9}, {}), ({"promptTokens": 70, "completionTokens": 9, "totalTokens": 79}, {}), ({"prompt_tokens": 70, "completion_tokens": 9}, {}),
    (None, {"promptTokens": 70, "completionTokens": 9}),
])
def test_tokens_under_each_version_s_names(usage: Any, beside: dict[str, Any]) -> None:
    """In the usage or beside it."""
    (found,), issues = read(trace(step("GENERATION", "llm", "Five days.", usage=usage, **beside)))

    assert [] == issues
    assert found.usage is not None
    assert (70, 9) == (found.usage.tokens_in, found.usage.tokens_out)


def test_version_release_and_metadata_are_tags_and_steps_say_how_long_it_took() -> None:
    """A trace without a latency lasted from the start of its first step to the end of its last one."""
    steps = [
        step("RETRIEVER", "find", PASSAGES, endTime="2026-01-01T00:00:00.500Z"),
        step("GENERATION", "llm", "Five days.", startTime="2026-01-01T00:00:01Z", endTime="2026-01-01T00:00:02Z"),
    ]
    (found,), _ = read(trace(*steps, latency=None, version="2.1", release="abc", metadata={"item": "b01"}))

    assert {"version": "2.1", "release": "abc", "item": "b01", "name": "rag", "session": "s1", "tags": "shop", "span_id": "trace"} == found.tags
    assert found.usage is not None
    assert 2000 == found.usage.latency_ms
