"""Who asked, who answered and what was retrieved, in each writing of a conversation: never one message as both, never a tool's result as the question."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from ragviz.loaders import read_many
from ragviz.records import LoadIssue, Trace

ASKED, SAID, FOUND = "How long is the warranty?", "Two years.", "The warranty lasts two years from purchase."


def read(*records: Any, name: str = "f.jsonl") -> tuple[list[Trace], list[LoadIssue]]:
    """Of one file of JSON lines."""
    parts = list(read_many([(name, io.BytesIO("\n".join(map(json.dumps, records)).encode()))]))
    return [p for p in parts if isinstance(p, Trace)], [p for p in parts if isinstance(p, LoadIssue)]


SHAPES: dict[str, dict[str, Any]] = {
    "author and text": {"messages": [{"author": "user", "text": ASKED}, {"author": "bot", "text": SAID}]},
    "role bot": {"messages": [{"role": "user", "content": ASKED}, {"role": "bot", "content": SAID}]},
    "ShareGPT": {"conversations": [{"from": "human", "value": ASKED}, {"from": "gpt", "value": SAID}]},
    "choices as the answer": {"question": ASKED, "answer": {"choices": [{"message": {"role": "assistant", "content": SAID}}]}},
    "logged chat": {
        "request": {"model": "m", "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": ASKED}]},
        "response": {"choices": [{"message": {"role": "assistant", "content": SAID}}]},
    },
    "logged Anthropic call": {
        "request": {"model": "m", "messages": [{"role": "user", "content": ASKED}]},
        "response": {"role": "assistant", "content": [{"type": "text", "text": SAID}]},
    },
}


@pytest.mark.parametrize("shape", SHAPES)
def test_question_and_answer(shape: str) -> None:
    (trace,), issues = read({**SHAPES[shape], "contexts": [FOUND]})

    assert (trace.question, trace.response, [p.text for p in trace.passages or ()], issues) == (ASKED, SAID, [FOUND], [])


def test_what_a_tool_gave_back_is_no_question() -> None:
    """Anthropic's interface has the user send it."""
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": FOUND}]}]}
    (trace,), _ = read({"messages": [
        {"role": "user", "content": ASKED}, {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "search", "input": {"q": "warranty"}}]},
        result, {"role": "assistant", "content": [{"type": "text", "text": SAID}]},
    ]})

    assert (trace.question, trace.response, [p.text for p in trace.passages or ()]) == (ASKED, SAID, [FOUND])


def test_a_file_search_of_the_responses_interface() -> None:
    hit = {"file_id": "f1", "filename": "warranty.md", "score": 0.8, "text": FOUND, "attributes": {}}
    (trace,), _ = read(
        {
            "id": "resp_1",
            "model": "m",
            "input": [{"role": "user", "content": [{"type": "input_text", "text": ASKED}]}],
            "output": [
                {"type": "file_search_call", "id": "fs", "results": [hit]},
                {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": SAID}]},
            ],
        }
    )

    assert (trace.question, trace.response, [(p.id, p.text, p.score, p.source) for p in trace.passages or ()]) == (
        ASKED,
        SAID,
        [("f1", FOUND, 0.8, "warranty.md")],
    )


def test_a_list_of_numbers_is_no_answer() -> None:
    """ "[1]" is what somebody answered."""
    (trace,), _ = read({"question": "Which?", "answer": "[1]", "contexts": [FOUND]})

    assert trace.response == "[1]"


@pytest.mark.parametrize("predicted", ["prediction", "generated", "model_answer"])
def test_an_answer_beside_a_prediction_is_the_expected_one(predicted: str) -> None:
    (trace,), _ = read({"question": ASKED, "answer": "2 years", predicted: SAID, "contexts": [FOUND]})
    (own,), _ = read({"question": ASKED, "answer": SAID, predicted: "draft", "reference": "2 years", "contexts": [FOUND]})

    assert (trace.response, trace.reference) == (SAID, "2 years")
    assert (own.response, own.reference) == (SAID, "2 years")


def test_ids_that_are_joined_as_the_passages_are() -> None:
    (trace,), issues = read({"question": ASKED, "answer": SAID, "contexts": f"{FOUND} ||| Keep the receipt for it.", "doc_ids": "a1|a17"})

    assert ([p.id for p in trace.passages or ()], issues) == (["a1", "a17"], [])


def test_runs_without_the_id_of_their_trace_come_together() -> None:
    """``list_runs(select=…)`` leaves it out; the parents, or the dotted order, say it."""
    def run(name: str, kind: str, parent: str | None, outputs: Any, **more: Any) -> dict[str, Any]:
        return {"id": name, "name": name, "run_type": kind, "inputs": {"question": ASKED}, "outputs": outputs, "parent_run_id": parent, "session_name": "s",
                "start_time": "2026-01-01T00:00:00Z", "end_time": "2026-01-01T00:00:01Z", **more}

    runs = [
        run("r1", "chain", None, {"answer": SAID}),
        run("r2", "chain", "r1", {"x": 1}),
        run("r3", "retriever", "r2", {"documents": [{"page_content": FOUND, "metadata": {}}]}),
    ]
    ordered = [
        {**one, "dotted_order": order}
        for one, order in zip(runs, ["20260101T0Zr1", "20260101T0Zr1.20260101T1Zr2", "20260101T0Zr1.20260101T1Zr2.20260101T2Zr3"], strict=True)
    ]
    for given in (runs, ordered, ordered[::2]):
        (trace,), _ = read(*given)

        assert (trace.id, trace.question, trace.response, [p.text for p in trace.passages or ()]) == ("r1", ASKED, SAID, [FOUND])


def test_a_run_that_was_posted_and_then_patched() -> None:
    """The SDK's traffic has a line when a run begins and one when it ends."""
    begun = {
        "id": "r1",
        "name": "rag",
        "run_type": "chain",
        "inputs": {"question": ASKED},
        "outputs": None,
        "parent_run_id": None,
        "session_name": "s",
        "start_time": "2026-01-01T00:00:00Z",
    }
    (trace,), issues = read(begun, {**begun, "inputs": None, "outputs": {"answer": SAID}, "end_time": "2026-01-01T00:00:01Z"})

    assert (trace.question, trace.response, issues) == (ASKED, SAID, [])
