"""Braintrust: what spans of a log give."""

from __future__ import annotations

import csv
import io
import json
from copy import deepcopy
from typing import Any

import pytest

from ragviz.loaders import read
from ragviz.records import LoadIssue, Trace
from tests.contracts.loader_samples import BRAINTRUST, A, P, Q, R


def loaded(data: bytes) -> tuple[list[Trace], list[LoadIssue]]:
    parts = list(read(io.BytesIO(data), filename="f"))
    return [p for p in parts if isinstance(p, Trace)], [p for p in parts if isinstance(p, LoadIssue)]


def lines(spans: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(s) + "\n" for s in spans).encode()


def changed(span: str, **fields: Any) -> list[dict[str, Any]]:
    spans = deepcopy(BRAINTRUST)
    next(s for s in spans if s["span_id"] == span).update(fields)
    return spans


def test_a_log_is_a_trace() -> None:
    """Question, answer, passages, reference, usage, scores and tags; the judge's own call is none of it."""
    (trace,), issues = loaded(lines(BRAINTRUST))

    assert issues == []
    assert (trace.id, trace.question, trace.response, trace.reference) == ("s1", Q, A, R)
    assert [(p.doc_id, p.text, p.score) for p in trace.passages or ()] == [("d1", P[0], 0.9), ("d2", P[1], 0.4)]
    assert {(s.name, s.value) for s in trace.scores} == {("Helpful", 1.0), ("Faithfulness", 0.5)}
    assert (trace.model, trace.usage.tokens_in, trace.usage.tokens_out, trace.usage.cost_usd) == ("demo", 90, 12, 0.001)  # type: ignore[union-attr]
    assert trace.usage.latency_ms == pytest.approx(1370)  # type: ignore[union-attr]
    assert (trace.tags["session_id"], trace.tags["tags"], trace.tags["name"]) == ("c1", "prod", "rag")


def as_table() -> bytes:
    out = io.StringIO()
    names = list(dict.fromkeys(name for span in BRAINTRUST for name in span))
    writer = csv.writer(out)
    writer.writerow(names)
    writer.writerows([json.dumps(span[name]) if isinstance(span.get(name), dict | list) else span.get(name) for name in names] for span in BRAINTRUST)
    return out.getvalue().encode()


@pytest.mark.parametrize("data", [json.dumps(BRAINTRUST).encode(), json.dumps({"events": BRAINTRUST, "cursor": "x"}).encode(), as_table()], ids=["list", "page", "table"])
def test_in_every_container(data: bytes) -> None:
    """The same trace but for its place."""
    (trace,), issues = loaded(data)

    assert issues == []
    assert (trace.question, trace.response, len(trace.passages or ()), trace.reference) == (Q, A, 2, R)


def test_nothing_found_and_nothing_recorded_differ() -> None:
    """An empty list was retrieved; a null output says nothing."""
    assert loaded(lines(changed("s2", output=[])))[0][0].passages == ()
    assert loaded(lines(changed("s2", output=None)))[0][0].passages is None


def test_tools_and_outputs_give_passages_where_no_name_tells() -> None:
    """Metadata or output with documents first, then what tools gave back."""
    (tool,), _ = loaded(lines(changed("s2", span_attributes={"name": "lookup", "type": "tool"}, output=P[0])))
    assert [p.text for p in tool.passages or ()] == [P[0]]
    quiet = [s for s in BRAINTRUST if s["span_id"] != "s2"]
    (inside,), _ = loaded(lines([{**s, "output": {"answer": A, "contexts": P}} if s["span_id"] == "s1" else s for s in quiet]))
    assert [p.text for p in inside.passages or ()] == P
    (meta,), _ = loaded(lines([{**s, "metadata": {"contexts": P}} if s["span_id"] == "s1" else s for s in quiet]))
    assert [p.text for p in meta.passages or ()] == P


def test_a_reranker_decides_the_order() -> None:
    """As in every tracer."""
    spans = [*BRAINTRUST, {**BRAINTRUST[3], "id": "e6", "span_id": "s6", "span_attributes": {"name": "rerank", "type": "function"}, "output": [{"id": "d2", "content": P[1]}]}]

    assert [p.doc_id for p in loaded(lines(spans))[0][0].passages or ()] == ["d2", "d1"]


def test_an_experiment_is_read_like_a_log() -> None:
    """Its root is an eval with the expected answer; the task lies below."""
    (trace,), _ = loaded(lines(changed("s1", span_attributes={"name": "eval", "type": "eval"})))

    assert (trace.response, trace.reference, len(trace.passages or ())) == (A, R, 2)


def test_a_row_without_its_ids_is_told() -> None:
    """With its line and what to do; the others are read."""
    traces, issues = loaded(lines(BRAINTRUST) + b'{"id": "e9", "span_id": null, "input": "?"}\n')

    assert len(traces) == 1
    assert [(i.where, i.rejected, bool(i.fix)) for i in issues] == [("f:6", True, True)]
