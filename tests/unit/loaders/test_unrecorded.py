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
        "spans": [{"id": "s", "trace_id": "t", "parent_span_id": None, "name": "retrieve", "type": "general", "input": {"q": "How long?"}, "output": found, **TIMES}],
        "project_name": "p", "downloaded_at": "2026-01-01T00:00:00Z",
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
