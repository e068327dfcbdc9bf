"""Logged calls of OpenAI and Azure OpenAI, batches, and conversations of the Azure AI evaluation SDK."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from ragviz.loaders import detect, read, read_many
from ragviz.records import LoadIssue, Trace
from ragviz.text.citation_marks import resolve_citations
from tests.contracts.loader_samples import AZURE_TALK, P, Q

A = "You have 30 days [doc1]."
USER = {"role": "user", "content": Q}
CALLED = {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}}]}
TOOL = {"role": "tool", "tool_call_id": "c1", "content": json.dumps([{"id": "d1", "text": P[0]}, {"id": "d2", "text": P[1]}])}
COMPLETION = {"id": "chatcmpl-1", "object": "chat.completion", "model": "demo", "choices": [{"index": 0, "message": {"role": "assistant", "content": A}, "finish_reason": "stop"}],
              "usage": {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}}
HITS = [{"file_id": "d1", "filename": "refunds.md", "score": 0.9, "text": P[0], "attributes": {}}, {"file_id": "d2", "filename": "sso.md", "score": 0.4, "text": P[1], "attributes": {}}]
MESSAGE = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": A, "annotations": [{"type": "file_citation", "index": 16, "file_id": "d1"}]}]}
CALLS: dict[str, dict[str, Any]] = {
    "chat": {"request": {"model": "demo", "messages": [USER, CALLED, TOOL]}, "response": COMPLETION},
    "messages beside": {"messages": [USER, CALLED, TOOL], "response": COMPLETION},
    "Responses, file search": {"request": {"model": "demo", "input": Q, "include": ["file_search_call.results"]}, "response": {
        "id": "resp_1", "object": "response", "model": "demo", "output": [{"type": "file_search_call", "id": "fs", "queries": ["refund"], "results": HITS}, MESSAGE],
        "usage": {"input_tokens": 9, "output_tokens": 3}}},
    "Responses, function": {"request": {"model": "demo", "input": [USER, {"type": "function_call", "call_id": "c1", "name": "search", "arguments": "{}"},
                                                                   {"type": "function_call_output", "call_id": "c1", "output": TOOL["content"]}]},
                            "response": {"id": "resp_1", "model": "demo", "output": [MESSAGE], "usage": {"input_tokens": 9, "output_tokens": 3}}},
}
CITED = [
    {"content": P[0], "title": "Refunds", "url": "https://kb.nimbus.example/refunds", "filepath": "refunds.md", "chunk_id": "0"},
    {"content": P[1], "title": "Refunds", "url": "https://kb.nimbus.example/refunds", "filepath": "refunds.md", "chunk_id": "1"},
]
RETRIEVED = [{"content": P[0], "chunk_id": "0", "original_search_score": 0.8, "rerank_score": 3.1}, {"content": "Dropped.", "chunk_id": "7", "original_search_score": 0.1, "filter_reason": "score"}]
OLD = {"role": "tool", "content": json.dumps({"citations": CITED, "intent": "refund"})}
ON_YOUR_DATA = {
    "now": {"choices": [{"index": 0, "message": {"role": "assistant", "content": A, "context": {"citations": CITED, "intent": '["refund"]', "all_retrieved_documents": RETRIEVED}}}]},
    "2023-08": {"choices": [{"index": 0, "message": {"role": "assistant", "content": A, "context": {"messages": [OLD]}}}]},
    "2023-06": {"object": "extensions.chat.completion", "choices": [{"index": 0, "messages": [{"index": 0, **OLD}, {"index": 1, "role": "assistant", "content": A}]}]},
}


def loaded(*records: Any) -> tuple[list[Trace], list[LoadIssue]]:
    parts = list(read(io.BytesIO("".join(json.dumps(r) + "\n" for r in records).encode()), filename="f"))
    return [p for p in parts if isinstance(p, Trace)], [p for p in parts if isinstance(p, LoadIssue)]


@pytest.mark.parametrize("name", CALLS)
def test_a_logged_call_is_a_trace(name: str) -> None:
    """What tools gave back is what was retrieved; model and tokens are told."""
    (trace,), issues = loaded(CALLS[name])

    assert issues == []
    assert (trace.question, trace.response, [(p.doc_id, p.text) for p in trace.passages or ()]) == (Q, A, [("d1", P[0]), ("d2", P[1])])
    assert (trace.model, trace.usage.tokens_in, trace.usage.tokens_out) == ("demo", 9, 3)  # type: ignore[union-attr]


def test_a_search_whose_results_are_not_in_the_log() -> None:
    """Unknown is not empty."""
    call = json.loads(json.dumps(CALLS["Responses, file search"]))
    call["response"]["output"][0]["results"] = None

    assert loaded(call)[0][0].passages is None


@pytest.mark.parametrize("version", ON_YOUR_DATA)
def test_azures_citations_are_the_passages(version: str) -> None:
    """In the order that [doc1] counts; two chunks of one document are two passages of it."""
    (trace,), issues = loaded({"request": {"messages": [USER], "data_sources": [{"type": "azure_search"}]}, "response": ON_YOUR_DATA[version]})

    assert issues == []
    assert [(p.id, p.doc_id, p.text, p.title, p.source) for p in trace.passages or ()] == [
        ("refunds.md:0", "refunds.md", P[0], "Refunds", "refunds.md"), ("refunds.md:1", "refunds.md", P[1], "Refunds", "refunds.md"),
    ]
    assert [c.passage_ids for c in resolve_citations(trace)] == [("refunds.md:0",)]
    assert [p.score for p in trace.passages or ()] == ([3.1, None] if version == "now" else [None, None])


def test_a_reply_that_found_nothing() -> None:
    """An empty list of citations was retrieved."""
    reply = {"choices": [{"message": {"role": "assistant", "content": "Not found.", "context": {"citations": []}}}]}

    assert loaded({"request": {"messages": [USER]}, "response": reply})[0][0].passages == ()


class TestBatches:
    OUT = ({"id": "b1", "custom_id": "q1", "response": {"status_code": 200, "request_id": "x", "body": COMPLETION}, "error": None},
           {"id": "b2", "custom_id": "q2", "response": {"status_code": 400, "request_id": "y", "body": {"error": {"message": "context too long", "code": "x"}}}, "error": None},
           {"id": "b3", "custom_id": "q3", "response": None, "error": {"code": "batch_expired", "message": "This request could not be executed."}})
    IN = tuple({"custom_id": f"q{n}", "method": "POST", "url": "/v1/chat/completions", "body": {"model": "demo", "messages": [USER, CALLED, TOOL]}} for n in (3, 1, 2))

    def test_output_and_requests_come_together(self, tmp_path: Path) -> None:
        """By custom_id, in whatever order either file is."""
        for name, rows in (("out.jsonl", self.OUT), ("in.jsonl", self.IN)):
            (tmp_path / name).write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
        parts = list(read_many([tmp_path / "out.jsonl", tmp_path / "in.jsonl"]))
        traces, issues = [p for p in parts if isinstance(p, Trace)], [p for p in parts if isinstance(p, LoadIssue)]

        assert [(t.id, t.question, t.response, t.response_is, len(t.passages or ())) for t in traces] == [
            ("q1", Q, A, None, 2), ("q2", Q, "", "absent", 2), ("q3", Q, "", "absent", 2),
        ]
        told = [i for i in issues if "is an error" in i.message]
        assert [(i.where, "context too long" in i.message or "could not be executed" in i.message) for i in told] == [("out.jsonl:2", True), ("out.jsonl:3", True)]
        assert not any("what was asked" in i.message for i in issues)

    def test_each_alone_says_what_it_needs(self) -> None:
        """In a sentence."""
        traces, issues = loaded(self.OUT[0])
        assert (len(traces), ["what was asked" in i.message for i in issues]) == (1, [True])
        traces, issues = loaded(*self.IN)
        assert (traces, ["batch's output" in i.fix for i in issues]) == ([], [True])


class TestConversations:
    def test_each_reply_with_a_context_is_a_trace(self) -> None:
        """Its own question and documents; history before."""
        traces, issues = loaded({**AZURE_TALK, "ground_truth": "30 days", "coherence": 4})

        assert issues == []
        assert [(t.question, [(p.doc_id, p.text) for p in t.passages or ()], len(t.history)) for t in traces] == [
            (Q, [("refunds.md", P[0]), ("sso.md", P[1])], 0), ("And single sign-on?", [("sso.md", P[1])], 2),
        ]
        assert [[(s.name, s.value) for s in t.scores] for t in traces] == [[], [("coherence", 4.0)]]
        assert len({t.group for t in traces}) == 1

    @pytest.mark.parametrize("context", [P[0], {"citations": [{"id": "x", "content": P[0]}]}, [P[0]]], ids=["text", "citations", "list"])
    def test_forms_of_a_context(self, context: Any) -> None:
        """Of a message, or of the whole conversation."""
        reply = {"role": "assistant", "content": "30 days."}
        for record in ({"messages": [USER, {**reply, "context": context}]}, {"conversation": {"messages": [USER, reply], "context": context}}):
            (trace,), _ = loaded(record)
            assert (trace.question, trace.response, [p.text for p in trace.passages or ()]) == (Q, "30 days.", [P[0]])

    def test_plain_messages_stay_what_they_are(self) -> None:
        """Without a context no reply is Azure's."""
        assert detect(json.dumps({"messages": [USER, {"role": "assistant", "content": A}]}).encode(), "f")[0][0].name == "chat_lines"
        assert detect(json.dumps({"conversation": [USER, {"role": "assistant", "content": A}], "contexts": P}).encode(), "f")[0][0].name == "generic"

    def test_a_conversation_without_a_reply_is_told(self) -> None:
        """With its line."""
        traces, issues = loaded(AZURE_TALK, {"conversation": {"messages": [USER]}})

        assert len(traces) == 2
        assert [(i.where, i.rejected) for i in issues] == [("f:2", True)]
