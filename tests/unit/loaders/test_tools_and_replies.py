"""Agents' tools, rerankers, evaluations and replies as each tool's own export has them."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from ragviz.loaders import read
from ragviz.records import Trace

Q, A = "How long do I have to get a refund?", "You have 30 days [1]."
P1, P2 = "Annual plans can be refunded within 30 days.", "Single sign-on needs the Business plan."
T1, T2 = "2026-03-01T10:00:00+00:00", "2026-03-01T10:00:01+00:00"
DOCS = [{"id": "d1", "content": P1}, {"id": "d2", "content": P2}]


def traces(*values: Any) -> list[Trace]:
    """Of a file with one value a line."""
    parts = read(io.BytesIO(b"".join(json.dumps(value).encode() + b"\n" for value in values)), filename="f.json")
    return [p for p in parts if isinstance(p, Trace)]


def run(name: str, parent: str | None, kind: str, inputs: Any, outputs: Any) -> dict[str, Any]:
    """A run of LangSmith."""
    return {"id": name, "trace_id": "t", "parent_run_id": parent, "run_type": kind, "name": kind, "start_time": T1, "end_time": T2, "inputs": inputs, "outputs": outputs}


def observed(name: str, kind: str, given: Any, **more: Any) -> dict[str, Any]:
    """An observation of Langfuse."""
    return {"id": name, "traceId": "t", "type": kind, "name": name, "startTime": T1, "endTime": T2, "input": Q, "output": given,
            "parentObservationId": None if name == "root" else "root", **more}


def called(name: str, parent: str | None, operation: str, inputs: Any, output: Any) -> dict[str, Any]:
    """A call of Weave."""
    return {"id": name, "project_id": "e/p", "op_name": f"weave:///e/p/op/{operation}:x", "trace_id": "t", "parent_id": parent, "started_at": T1, "ended_at": T2,
            "inputs": inputs, "output": output}


FILES: dict[str, list[Any]] = {
    "LangSmith tool": [run("t", None, "chain", {"input": Q}, {"output": A}), run("r", "t", "tool", {"input": "refund"}, {"output": DOCS})],
    "LangGraph messages": [run("t", None, "chain", {"messages": [{"type": "human", "content": Q}]}, {"messages": [
        {"type": "human", "content": Q}, {"type": "ai", "content": "", "tool_calls": [{"name": "search"}]}, {"type": "tool", "content": json.dumps(DOCS)},
        {"type": "ai", "content": A}]})],
    "Langfuse tool": [observed("root", "AGENT", A), observed("search", "TOOL", [P1, P2])],
    "Langfuse reranker": [observed("root", "SPAN", A), observed("retrieve", "RETRIEVER", DOCS[::-1]), observed("rerank", "SPAN", DOCS)],
    "MLflow tool": [{"info": {"trace_id": "tr-1", "request_time": T1, "state": "OK"}, "data": {"spans": [
        {"trace_id": "dHI=", "span_id": "YQ==", "parent_span_id": None, "name": "root", "attributes": {
            "mlflow.spanType": '"AGENT"', "mlflow.spanInputs": json.dumps({"question": Q}), "mlflow.spanOutputs": json.dumps(A)}},
        {"trace_id": "dHI=", "span_id": "Yg==", "parent_span_id": "YQ==", "name": "search", "attributes": {
            "mlflow.spanType": '"TOOL"', "mlflow.spanInputs": '"refund"', "mlflow.spanOutputs": json.dumps(DOCS)}}]}}],
    "Opik tool": [{"trace": {"id": "t", "input": {"question": Q}, "output": {"answer": A}}, "project_name": "p",
                   "spans": [{"id": "s", "type": "tool", "name": "search", "input": {}, "output": {"output": DOCS}}]}],
    "promptfoo object": [{"evalId": "e", "results": {"version": 3, "results": [
        {"promptIdx": 0, "testIdx": 0, "vars": {"query": Q}, "response": {"output": {"answer": A, "context": [P1, P2]}}, "success": True, "score": 1}]}}],
    "Haystack messages": [{"retriever": {"documents": DOCS, "query": Q}, "llm": {"replies": [{"_role": "assistant", "_content": [{"text": A}], "_meta": {"model": "g"}}]}}],
    "Haystack messages without underscores": [{"retriever": {"documents": DOCS, "query": Q},
                                               "llm": {"replies": [{"role": "assistant", "content": [{"text": A}], "name": None, "meta": {"model": "g"}}]}}],
    "retrievals": [{"question": Q, "answer": A, "retrievals": [{"query": "a", "documents": DOCS[:1]}, {"query": "b", "documents": DOCS[1:]}]}],
    "Cohere": [{"query": Q, "text": A, "documents": [{"id": d["id"], "data": {"text": d["content"]}} for d in DOCS]}],
    "Flowise": [{"question": Q, "text": A, "sourceDocuments": [{"pageContent": P1}, {"pageContent": P2}]}],
    "Dify": [{"query": Q, "answer": A, "metadata": {"retriever_resources": [{"document_id": d["id"], "content": d["content"]} for d in DOCS]}}],
}


@pytest.mark.parametrize("name", FILES)
def test_question_answer_and_passages_come_out(name: str) -> None:
    """What a tool gave back is what was retrieved, where nothing else was recorded as retrieving."""
    (trace,) = traces(*FILES[name])

    assert (trace.question, trace.response, [p.text for p in trace.passages or ()]) == (Q, A, [P1, P2])


def test_each_example_of_an_evaluation_in_weave_is_a_trace() -> None:
    """To Weave a whole evaluation is one trace: its examples must not run into one another."""
    examples = [(Q, A, P1), ("Is SSO free?", "No.", P2)]
    calls = [called("eval", None, "Evaluation.evaluate", {"self": "x"}, {"mean": 1}), called("sum", "eval", "Evaluation.summarize", {}, {"mean": 1})]
    for n, (question, answer, passage) in enumerate(examples):
        made = {"output": {"answer": answer, "context": [passage]}, "scores": {"faithful": {"score": n}, "short": True}, "model_latency": 1.5}
        given = {"example": {"question": question, "expected": f"expected {n}"}, "model": "weave:///m"}
        calls += [called(f"p{n}", "eval", "Evaluation.predict_and_score", given, made), called(f"m{n}", f"p{n}", "RAG.predict", {"question": question}, made["output"])]
    found = traces(*calls)

    assert [(t.question, t.response, [p.text for p in t.passages or ()], t.reference) for t in found] == [(*e[:2], [e[2]], f"expected {n}") for n, e in enumerate(examples)]
    assert [[(s.name, s.value) for s in t.scores] for t in found] == [[("faithful.score", float(n)), ("short", 1.0)] for n in range(2)]
    assert [t.usage.latency_ms if t.usage else None for t in found] == [1500.0, 1500.0]


def test_a_proxys_log_is_read_under_its_own_names() -> None:
    """Helicone calls what was sent and what came back request_body and response_body."""
    sent = {"model": "g", "messages": [{"role": "user", "content": Q}]}
    (trace,) = traces({"request_id": "r", "request_body": sent, "response_body": {"choices": [{"message": {"role": "assistant", "content": A}}]}})

    assert (trace.question, trace.response, trace.model) == (Q, A, "g")
