"""A retriever ran, and what it found was not recorded (it failed, or outputs are hidden): passages are unknown."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from ragviz.loaders import read_many
from ragviz.records import Trace

TIMES = {"start_time": "2026-01-01T00:00:00Z", "end_time": "2026-01-01T00:00:01Z"}


def langsmith(found: Any) -> list[dict[str, Any]]:
    return [
        {"id": "r1", "trace_id": "r1", "run_type": "chain", "name": "rag", "inputs": {"question": "How long?"}, "outputs": {"answer": "Five days."}, "parent_run_id": None, **TIMES},
        {"id": "r2", "trace_id": "r1", "run_type": "retriever", "name": "find", "inputs": {"query": "How long?"}, "outputs": found, "parent_run_id": "r1", **TIMES},
    ]


def opik(found: Any) -> dict[str, Any]:
    return {
        "trace": {"id": "t", "name": "rag", "input": {"question": "How long?"}, "output": {"answer": "Five days."}, **TIMES},
        "spans": [
            {"id": "s", "trace_id": "t", "parent_span_id": None, "name": "retrieve", "type": "general", "input": {"q": "How long?"}, "output": found, **TIMES}
        ],
        "project_name": "p",
        "downloaded_at": "2026-01-01T00:00:00Z",
    }


@pytest.mark.parametrize("made", [langsmith, opik])
def test_unknown_is_not_empty(made: Any) -> None:
    def passages(found: Any) -> Any:
        content = made(found)
        text = "\n".join(map(json.dumps, content)) if isinstance(content, list) else json.dumps(content)
        (trace,) = [part for part in read_many([("f.jsonl", io.BytesIO(text.encode()))]) if isinstance(part, Trace)]
        assert trace.response == "Five days."
        return trace.passages

    assert passages(None) is None
    assert passages({"documents": []}) == ()


@pytest.mark.parametrize(("row", "absent"), [({}, True), ({"output": None}, True), ({"output": ""}, False), ({"output": "Five days."}, False)])
def test_a_row_of_alce_without_output_is_not_known(row: dict[str, Any], absent: bool) -> None:
    """An empty reply is one; none at all says nothing of what was answered."""
    file = {"args": {"ndoc": 1}, "data": [{"question": "How long?", "docs": [{"id": "d", "text": "Five days."}], **row}]}
    (trace,) = [part for part in read_many([("f.json", io.BytesIO(json.dumps(file).encode()))]) if isinstance(part, Trace)]

    assert absent == (trace.response_is == "absent")


def otlp(status: Any, documents: list[dict[str, Any]]) -> str:
    def span(n: int, parent: str, name: str, **attributes: str) -> dict[str, Any]:
        return {
            "traceId": "a" * 32,
            "spanId": f"{n:016x}",
            "parentSpanId": parent,
            "name": name,
            "startTimeUnixNano": "1767225600000000000",
            "endTimeUnixNano": "1767225601000000000",
            "attributes": [{"key": k.replace("__", "."), "value": {"stringValue": v}} for k, v in attributes.items()],
        }

    root = span(1, "", "rag", openinference__span__kind="CHAIN", input__value="How long?", output__value="Five days.")
    found = {f"retrieval__documents__{n}__document__content": one["text"] for n, one in enumerate(documents)}
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [root, {**span(2, f"{1:016x}", "find", openinference__span__kind="RETRIEVER", input__value="How long?", **found), "status": status}]}]}]})


def phoenix(status: Any, documents: list[dict[str, Any]]) -> str:
    code = {0: "UNSET", 1: "OK", 2: "ERROR"}.get(status.get("code", 0), "ERROR")
    rows = [
        {"context.trace_id": "a" * 32, "context.span_id": "1" * 16, "parent_id": None, "name": "rag", "span_kind": "CHAIN", "status_code": "OK", "attributes.input.value": "How long?",
         "attributes.output.value": "Five days."},
        {"context.trace_id": "a" * 32, "context.span_id": "2" * 16, "parent_id": "1" * 16, "name": "find", "span_kind": "RETRIEVER", "status_code": code, "attributes.input.value": "How long?",
         "attributes.retrieval.documents": [{"document.content": one["text"]} for one in documents]},
    ]
    return "\n".join(map(json.dumps, rows))


@pytest.mark.parametrize("made", [otlp, phoenix])
def test_a_retriever_that_failed_leaves_passages_unknown(made: Any) -> None:
    """Its span says so; one that ended well and found nothing is an empty list, and what a failed one had found already is kept."""
    def passages(status: Any, documents: list[dict[str, Any]]) -> Any:
        (trace,) = [part for part in read_many([("f.jsonl", io.BytesIO(made(status, documents).encode()))]) if isinstance(part, Trace)]
        return trace.passages if trace.passages is None else [p.text for p in trace.passages]

    assert [None, None, [], []] == [passages(status, []) for status in ({"code": 2}, {"code": "STATUS_CODE_ERROR", "message": "timeout"}, {"code": 1}, {})]
    assert ["Five days."] == passages({"code": 2}, [{"text": "Five days."}])
