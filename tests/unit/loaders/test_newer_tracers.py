"""What tracers of today write: messages with parts, events and log records, agents whose tools retrieve. Question, answer and passages come out of each."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from ragviz.loaders import read
from ragviz.records import LoadIssue, Trace

Q, A = "How long do I have to get a refund?", "You have 30 days [1]."
P1, P2 = "Annual plans can be refunded within 30 days.", "Single sign-on needs the Business plan."
DOCS = [{"id": "d1", "score": 0.9, "content": P1}, {"id": "d2", "score": 0.5, "content": P2}]
ASKED: list[dict[str, Any]] = [
    {"role": "system", "parts": [{"type": "text", "content": "Answer from the context."}]},
    {"role": "user", "parts": [{"type": "text", "content": Q}]},
]
SAID = [{"role": "assistant", "parts": [{"type": "text", "content": A}], "finish_reason": "stop"}]


def value_of(value: Any) -> dict[str, Any]:
    """As OTLP writes it."""
    if isinstance(value, dict):
        return {"kvlistValue": {"values": [{"key": k, "value": value_of(v)} for k, v in value.items()]}}
    if isinstance(value, list):
        return {"arrayValue": {"values": [value_of(v) for v in value]}}
    return {"doubleValue": value} if isinstance(value, float) else {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}


def attributes(given: dict[str, Any]) -> list[dict[str, Any]]:
    """A list of keys and values."""
    return [{"key": key, "value": value_of(value)} for key, value in given.items()]


def span(n: int, given: dict[str, Any], *, events: tuple[tuple[str, dict[str, Any]], ...] = ()) -> dict[str, Any]:
    """The n-th span of one trace; the first is its root."""
    return {
        "traceId": "82f977ade02e7e06ea2ac85422a84580", "spanId": f"b97e7d794b35290{n}", "parentSpanId": "b97e7d794b352900" if n else "", "name": f"step {n}",
        "startTimeUnixNano": str(1717405200000000000 + n), "endTimeUnixNano": "1717405201370000000", "attributes": attributes(given),
        "events": [{"name": name, "attributes": attributes(inner)} for name, inner in events],
    }


def batch(*spans: dict[str, Any]) -> dict[str, Any]:
    """An export of spans."""
    return {"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}


def loaded(*values: Any) -> tuple[list[Trace], list[LoadIssue]]:
    """Lines of a file, as a user opens it."""
    parts = list(read(io.BytesIO(b"".join(json.dumps(value).encode() + b"\n" for value in values)), filename="f.json"))
    return [p for p in parts if isinstance(p, Trace)], [p for p in parts if isinstance(p, LoadIssue)]


def texts(trace: Trace) -> list[str] | None:
    """Of the passages; None where they are unknown."""
    return None if trace.passages is None else [p.text for p in trace.passages]


ROOT = span(0, {"gen_ai.operation.name": "invoke_agent"})
CHAT = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt"}
TOOLED = [
    *ASKED,
    {"role": "assistant", "parts": [{"type": "tool_call", "id": "1", "name": "search", "arguments": {"q": "refund"}}]},
    {"role": "tool", "parts": [{"type": "tool_call_response", "id": "1", "response": DOCS}]},
]
PYDANTIC = [
    *ASKED,
    {"role": "assistant", "parts": [{"type": "tool_call", "id": "1", "name": "search", "arguments": {"q": "refund"}}]},
    {"role": "user", "parts": [{"type": "tool_call_response", "id": "1", "name": "search", "result": DOCS}]},
    *SAID,
]
SPANS: dict[str, tuple[list[dict[str, Any]], list[str] | None]] = {
    "retrieval and chat": ([ROOT, span(1, {"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.documents": DOCS}),
                            span(2, {**CHAT, "gen_ai.input.messages": ASKED, "gen_ai.output.messages": SAID})], [P1, P2]),
    "a tool retrieves": ([ROOT, span(1, {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.result": {"documents": DOCS}}),
                          span(2, {**CHAT, "gen_ai.input.messages": ASKED, "gen_ai.output.messages": SAID})], [P1, P2]),
    "a tool's reply among the messages": ([span(0, {**CHAT, "gen_ai.input.messages": TOOLED, "gen_ai.output.messages": SAID})], [P1, P2]),
    "Pydantic AI": ([span(0, {"gen_ai.agent.name": "rag", "final_result": A, "pydantic_ai.all_messages": PYDANTIC})], [P1, P2]),
    "OpenInference agent": ([span(0, {"openinference.span.kind": "AGENT", "input.value": Q, "output.value": A}),
                             span(1, {"openinference.span.kind": "TOOL", "input.value": "refund", "output.value": json.dumps(DOCS)})], [P1, P2]),
    "OpenInference contents": ([span(0, {
        "openinference.span.kind": "LLM", "llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.contents.0.message_content.text": Q,
        "llm.output_messages.0.message.contents.0.message_content.type": "text", "llm.output_messages.0.message.contents.0.message_content.text": A})], None),
    "Vercel": ([span(0, {"ai.operationId": "ai.generateText", "ai.prompt": json.dumps({"messages": [{"role": "user", "content": Q}]}), "ai.response.text": A}),
                span(1, {"ai.toolCall.name": "search", "ai.toolCall.result": json.dumps(DOCS)})], [P1, P2]),
    "a retriever counts before tools": ([ROOT, span(1, {"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.documents": DOCS[:1]}),
                                         span(2, {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.result": "It is Monday."}),
                                         span(3, {**CHAT, "gen_ai.input.messages": ASKED, "gen_ai.output.messages": SAID})], [P1]),
}
EVENTS: dict[str, tuple[tuple[str, dict[str, Any]], ...]] = {
    "one message each": (("gen_ai.system.message", {"content": "Answer."}), ("gen_ai.user.message", {"content": Q}),
                         ("gen_ai.choice", {"index": 0, "message": {"role": "assistant", "content": A}})),
    "message as JSON": (("gen_ai.user.message", {"content": Q}), ("gen_ai.choice", {"index": 0, "message": json.dumps({"role": "assistant", "content": A})})),
    "details": (("gen_ai.client.inference.operation.details", {"gen_ai.input.messages": ASKED, "gen_ai.output.messages": SAID}),),
    "prompt and completion": (("gen_ai.content.prompt", {"gen_ai.prompt": json.dumps([{"role": "user", "content": Q}])}),
                              ("gen_ai.content.completion", {"gen_ai.completion": json.dumps([{"role": "assistant", "content": A}])})),
}


def as_json(spans: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same with JSON texts in place of structured values."""
    def flat(value: dict[str, Any]) -> Any:
        kind, inner = next(iter(value.items()))
        if kind == "kvlistValue":
            return {one["key"]: flat(one["value"]) for one in inner["values"]}
        return [flat(one) for one in inner["values"]] if kind == "arrayValue" else int(inner) if kind == "intValue" else inner

    def text(value: dict[str, Any]) -> dict[str, Any]:
        return {"stringValue": json.dumps(flat(value))} if value.keys() & {"kvlistValue", "arrayValue"} else value

    return [{**one, "attributes": [{**a, "value": text(a["value"])} for a in one["attributes"]]} for one in spans]


@pytest.mark.parametrize("write", [list, as_json], ids=["structured", "JSON in text"])
@pytest.mark.parametrize("name", SPANS)
def test_messages_and_documents_are_read_however_they_are_written(name: str, write: Any) -> None:
    """Structured values, as the conventions have them, and the same as JSON in a text."""
    spans, wanted = SPANS[name]
    (trace,), _ = loaded(batch(*write(spans)))

    assert (trace.question, trace.response, texts(trace)) == (Q, A, wanted)


@pytest.mark.parametrize("name", EVENTS)
def test_messages_in_events_are_read(name: str) -> None:
    """Content may be on events of the span alone."""
    (trace,), _ = loaded(batch(span(0, CHAT, events=EVENTS[name])))

    assert (trace.question, trace.response, trace.model) == (Q, A, "gpt")


@pytest.mark.parametrize("name", EVENTS)
@pytest.mark.parametrize("logs_first", [True, False])
def test_messages_in_log_records_complete_their_span(name: str, logs_first: bool) -> None:
    """A collector writes spans, logs and metrics into one file, a line each."""
    records = [
        {"traceId": "82f977ade02e7e06ea2ac85422a84580", "spanId": "b97e7d794b352901", "eventName": event, "attributes": [], "body": value_of(inner)}
        for event, inner in EVENTS[name]
    ]
    spans, logs = batch(ROOT, span(1, CHAT)), {"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]}
    metrics: dict[str, Any] = {"resourceMetrics": [{"scopeMetrics": []}]}
    lines = [spans, metrics, logs] if not logs_first else [spans, logs, metrics]
    (trace,), issues = loaded(*lines)

    assert (trace.question, trace.response, trace.model, issues) == (Q, A, "gpt", [])


def test_documents_of_a_vector_store_in_events_are_passages() -> None:
    """OpenLLMetry writes one event a document on the span of the store."""
    found = tuple(
        ("db.query.result", {"db.query.result.id": d["id"], "db.query.result.distance": d["score"], "db.query.result.document": d["content"]}) for d in DOCS
    )
    root = span(0, {"traceloop.entity.input": json.dumps({"args": [Q]}), "traceloop.entity.output": json.dumps(A)})
    (trace,), _ = loaded(batch(root, span(1, {"db.system": "chroma"}, events=found)))

    assert trace.passages is not None
    assert (trace.question, trace.response, [(p.doc_id, p.score, p.text) for p in trace.passages]) == (Q, A, [("d1", 0.9, P1), ("d2", 0.5, P2)])
