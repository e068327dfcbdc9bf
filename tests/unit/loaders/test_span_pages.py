"""Traces as Grafana Tempo and Jaeger give them out, and steps of OpenLLMetry that search by their name."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from ragviz.loaders import detect, read, read_many
from ragviz.records import LoadIssue, Trace
from tests.contracts.loader_samples import A, P, Q

ID, START = "5b8efff798038103d269b633813fc60c", 1_741_476_777_000_000


def span(n: int, name: str, given: dict[str, str]) -> dict[str, Any]:
    """A span of OpenLLMetry in OTLP; the first is the root."""
    return {
        "traceId": ID, "spanId": f"eee19b7ec3c1b17{n}", "name": name, "startTimeUnixNano": str(START * 1000 + n), "endTimeUnixNano": str(START * 1000 + 2_000_000_000),
        "attributes": [{"key": key, "value": {"stringValue": value}} for key, value in given.items()], **({"parentSpanId": "eee19b7ec3c1b170"} if n else {}),
    }


def spans(found: Any, name: str = "retrieve_docs.task") -> list[dict[str, Any]]:
    """A workflow with a step that gave that back."""
    return [
        span(0, "rag.workflow", {"traceloop.span.kind": "workflow", "traceloop.entity.input": json.dumps({"args": [], "kwargs": {"question": Q}}), "traceloop.entity.output": json.dumps(A)}),
        span(1, name, {"traceloop.span.kind": "task", "traceloop.entity.input": json.dumps({"args": [Q]}), "traceloop.entity.output": json.dumps(found)}),
    ]


def in_jaeger(one: dict[str, Any]) -> dict[str, Any]:
    """The same span as Jaeger writes it."""
    parent = one.get("parentSpanId")
    return {
        "traceID": ID, "spanID": one["spanId"], "operationName": one["name"], "startTime": START, "duration": 2_000_000, "logs": [], "processID": "p1",
        "references": [{"refType": "CHILD_OF", "traceID": ID, "spanID": parent}] if parent else [],
        "tags": [{"key": a["key"], "type": "string", "value": a["value"]["stringValue"]} for a in one["attributes"]],
    }


def traces(value: Any) -> list[Trace]:
    """Of a file in memory."""
    raw = json.dumps(value).encode()
    assert detect(raw, "f")[0][0].name == "otel_genai"
    return [p for p in read(io.BytesIO(raw), filename="f") if isinstance(p, Trace)]


GIVEN = spans(P)
PAGES = {
    "collector": {"resourceSpans": [{"scopeSpans": [{"spans": GIVEN}]}]},
    "tempo": {"batches": [{"resource": {}, "scopeSpans": [{"spans": GIVEN}]}]},
    "tempo, old": {"batches": [{"instrumentationLibrarySpans": [{"spans": GIVEN}]}]},
    "tempo, version 2": {"trace": {"resourceSpans": [{"scopeSpans": [{"spans": GIVEN}]}]}},
    "jaeger": {"data": [{"traceID": ID, "spans": [in_jaeger(one) for one in GIVEN], "processes": {"p1": {"serviceName": "s"}}}], "total": 0},
    "jaeger, one trace": {"traceID": ID, "spans": [in_jaeger(one) for one in GIVEN], "processes": {}},
}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_page_reads_as_its_spans(page: dict[str, Any]) -> None:
    """Question, answer, passages, time and duration, whoever kept the spans."""
    (trace,) = traces(page)

    assert (trace.id, trace.question, trace.response, [p.text for p in trace.passages or ()]) == (ID, Q, A, P)
    assert trace.started_at is not None
    assert trace.usage is not None
    assert trace.usage.latency_ms == 2000


@pytest.mark.parametrize(
    ("name", "found", "wanted"),
    [
        ("VectorStoreRetriever.task", {"documents": [{"page_content": text, "metadata": {"id": f"d{n}"}} for n, text in enumerate(P)]}, P),
        ("similarity_search.tool", {"outputs": P}, P),
        ("retrieve.task", [], []),
        ("retrieve.task", None, None),
        ("write_answer.task", P, None),
        ("retrieve.task", "a text", None),
    ],
)
def test_a_step_that_searches_by_its_name_gives_the_passages(name: str, found: Any, wanted: Any) -> None:
    """OpenLLMetry has no kind of its own for it; a list that is empty says that nothing was found."""
    (trace,) = traces({"resourceSpans": [{"scopeSpans": [{"spans": spans(found, name)}]}]})

    assert (None if trace.passages is None else [p.text for p in trace.passages]) == wanted


@pytest.mark.parametrize("page", [{"batches": [{"id": 1}]}, {"data": [{"spans": []}]}, {"trace": "x", "question": Q, "answer": A}])
def test_other_files_of_such_names_are_no_spans(page: dict[str, Any]) -> None:
    """Names alone decide nothing."""
    assert all(loader.name not in ("otel_genai", "openinference") for loader, _ in detect(json.dumps(page).encode(), "f"))


def test_one_trace_in_several_files_says_how_to_join_them() -> None:
    """Put into one file, its spans are one trace."""
    first, second = ({"resourceSpans": [{"scopeSpans": [{"spans": [one]}]}]} for one in (span(0, "rag.workflow", {"gen_ai.prompt": Q, "gen_ai.completion": A}), GIVEN[1]))
    raw = [json.dumps(one).encode() for one in (first, second)]
    apart = list(read_many([(f"{n}.json", io.BytesIO(one)) for n, one in enumerate(raw)]))
    (joined,) = [p for p in read(io.BytesIO(b"\n".join(raw)), filename="f") if isinstance(p, Trace)]

    assert any("put the files into one" in p.fix for p in apart if isinstance(p, LoadIssue))
    assert [p.text for p in joined.passages or ()] == P
