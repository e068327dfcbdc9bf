"""Spans of many writings become one trace."""

from __future__ import annotations

import base64
import io
import json
from typing import Any

import pytest

from ragviz.loaders import read
from ragviz.loaders.asked import answered, asked
from ragviz.records import LoadIssue, Trace

HEX = "82f977ade02e7e06ea2ac85422a84580"


def a_span(number: int, parent: int | None = None, *, trace: str = HEX, dropped: int = 0, at: int | None = None, **attributes: Any) -> dict[str, Any]:
    """An OTLP span; keyword names have dots as double underscores."""
    values = [{"key": k.replace("__", "."), "value": {"doubleValue": v} if isinstance(v, float) else {"stringValue": v}} for k, v in attributes.items()]
    start = 1717405200000000000 + (number if at is None else at) * 1_000_000_000
    return {
        "traceId": trace,
        "spanId": f"{number:016x}",
        "parentSpanId": "" if parent is None else f"{parent:016x}",
        "name": f"s{number}",
        "startTimeUnixNano": str(start),
        "endTimeUnixNano": str(start + 500_000_000),
        "attributes": values,
        "droppedAttributesCount": dropped,
    }


def load(*spans: dict[str, Any]) -> tuple[list[Trace], list[LoadIssue]]:
    parts = list(read(io.BytesIO(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}).encode()), filename="f", format="openinference"))
    return [p for p in parts if isinstance(p, Trace)], [p for p in parts if isinstance(p, LoadIssue)]


def documents(*ids: str, prefix: str = "retrieval__documents") -> dict[str, Any]:
    return {f"{prefix}__{n}__document__id": name for n, name in enumerate(ids)} | {
        f"{prefix}__{n}__document__content": f"text of {name}" for n, name in enumerate(ids)
    }


ROOT = a_span(1, openinference__span__kind="CHAIN", input__value='{"question": "Why?"}', output__value="So.")


def ids(trace: Trace) -> list[str | None]:
    return [p.doc_id for p in trace.passages or ()]


def test_the_usual_trace() -> None:
    """Root, retriever, model; spans come children first."""
    model = a_span(3, 1, openinference__span__kind="LLM", llm__model_name="m", llm__token_count__prompt=5.0, llm__token_count__completion=7.0)
    (trace,), issues = load(a_span(2, 1, openinference__span__kind="RETRIEVER", **documents("a", "b")), model, ROOT)

    assert (trace.question, trace.response, ids(trace), trace.model, issues) == ("Why?", "So.", ["a", "b"], "m", [])
    assert trace.usage is not None
    assert (trace.usage.latency_ms, trace.usage.tokens_in, trace.usage.tokens_out) == (500, 5, 7)


def test_a_span_sent_twice_is_one() -> None:
    """Exporters retry."""
    retriever = a_span(2, 1, openinference__span__kind="RETRIEVER", **documents("a"))
    (trace,), _ = load(ROOT, retriever, retriever)

    assert ids(trace) == ["a"]


def test_indexes_are_numbers() -> None:
    """Document 10 comes after 9, not after 1, and gaps stay visible in the rank."""
    names = {f"retrieval__documents__{n}__document__id": f"d{n}" for n in (10, 2, 0)}
    (trace,), _ = load(ROOT, a_span(2, 1, **names))

    assert [(p.doc_id, p.rank) for p in trace.passages or ()] == [("d0", 1), ("d2", 3), ("d10", 11)]


def test_two_retrievers_and_a_reranker() -> None:
    """Each document once; the reranker's order first, the rest behind it."""
    (trace,), _ = load(
        ROOT,
        a_span(2, 1, openinference__span__kind="RETRIEVER", **documents("a", "b")),
        a_span(3, 1, openinference__span__kind="RETRIEVER", **documents("b", "c")),
        a_span(4, 1, openinference__span__kind="RERANKER", **documents("c", "a", prefix="reranker__output_documents")),
    )

    assert [(p.doc_id, p.rank) for p in trace.passages or ()] == [("c", 1), ("a", 2), ("b", 3)]


def test_a_retriever_that_found_nothing() -> None:
    """It has no attribute at all, but the span says that it ran: that is an empty list. Without such a span nothing is known."""
    ran, silent = load(ROOT, a_span(2, 1, openinference__span__kind="RETRIEVER", input__value="Why?"))[0], load(ROOT)[0]

    assert (ran[0].passages, silent[0].passages) == ((), None)


def test_dropped_attributes_are_warned_of() -> None:
    """The plain SDK keeps 128: the kind is lost, the documents make it a retriever."""
    (trace,), issues = load(a_span(1, dropped=34, retrieval__documents__8__document__id="d8"))

    assert [(p.doc_id, p.rank) for p in trace.passages or ()] == [("d8", 9)]
    assert [("34" in i.message, i.rejected) for i in issues] == [(True, False)]


def test_half_a_trace() -> None:
    """Without its root, the question is the retriever's and the answer the model's."""
    (trace,), _ = load(
        a_span(2, 1, openinference__span__kind="RETRIEVER", input__value="Why?", **documents("a")),
        a_span(3, 1, openinference__span__kind="LLM", output__value="So."),
    )

    assert (trace.question, trace.response) == ("Why?", "So.")


def test_base64_ids_are_the_same_trace() -> None:
    """A plain protobuf writer leaves base64 where the specification wants hex."""
    encoded = base64.b64encode(bytes.fromhex(HEX)).decode()
    (trace,), _ = load({**ROOT, "traceId": encoded, "spanId": base64.b64encode(bytes.fromhex("0" * 15 + "1")).decode()}, a_span(2, 1, **documents("a")))

    assert (trace.id, ids(trace)) == (HEX, ["a"])


def test_the_oldest_trace_comes_first() -> None:
    """Tracers list the newest first."""
    traces, _ = load(a_span(1, at=9, trace="b" * 32, input__value="later"), a_span(1, at=2, trace="a" * 32, input__value="earlier"))

    assert [t.question for t in traces] == ["earlier", "later"]


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("plain", "plain"),
        ('{"query": "q"}', "q"),
        ('"quoted"', "quoted"),
        ({"args": ["q"], "kwargs": {}}, "q"),
        ({"input": {"question": "q"}}, "q"),
        ({"whatever": "q"}, "q"),
        ([{"role": "system", "content": "s"}, {"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}], "q"),
        ({"messages": [{"type": "human", "content": "q"}]}, "q"),
        ([{"role": "user", "parts": [{"type": "text", "content": "q"}]}], "q"),
        ([[{"lc": 1, "id": ["x", "HumanMessage"], "kwargs": {"content": "q"}}]], "q"),
        ([{"role": "user", "content": [{"type": "text", "text": "q"}]}], "q"),
        ({}, None),
        (None, None),
        ([], None),
        ({"a": 1, "b": 2}, None),
    ],
)
def test_the_question_in_any_wrapping(value: Any, wanted: str | None) -> None:
    """Text, JSON in text, named arguments, messages of five dialects."""
    assert asked(value) == wanted


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("a", "a"),
        ({"answer": "a", "contexts": ["c"]}, "a"),
        ({"choices": [{"message": {"role": "assistant", "content": "a"}}]}, "a"),
        ({"generations": [[{"text": "a"}]]}, "a"),
        ([{"role": "assistant", "parts": [{"type": "text", "content": "a"}], "finish_reason": "stop"}], "a"),
        ({"messages": [{"role": "user", "content": "q"}, {"role": "ai", "content": "a"}]}, "a"),
        ({"replies": ["a"]}, "a"),
        (None, None),
    ],
)
def test_the_answer_in_any_wrapping(value: Any, wanted: str | None) -> None:
    """Text, objects of several makers, the last message of the machine."""
    assert answered(value) == wanted


def test_flat_spans_without_ids_are_no_data_set() -> None:
    """Their output is an answer; taken for an expected one it would be lost. The map reads them."""
    table = b"input.value,output.value,retrieval.documents.0.document.content\nHow long?,Two years.,The warranty is two years.\n"
    fields = {"question": "input.value", "response": "output.value", "passages": "retrieval.documents.0.document.content"}

    (refused,) = read(io.BytesIO(table), filename="f")
    (trace,) = read(io.BytesIO(table), filename="f", field_map=fields)

    assert isinstance(refused, LoadIssue)
    assert "--map" in refused.fix
    assert isinstance(trace, Trace)
    assert (trace.question, trace.response, trace.reference, [p.text for p in trace.passages or ()]) == (
        "How long?",
        "Two years.",
        None,
        ["The warranty is two years."],
    )
