"""Passages where people put them when they have no column for them."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from ragviz.loaders import read as read_file
from ragviz.loaders import read_many
from ragviz.loaders.passages_inside import from_tools
from ragviz.records import LoadIssue, Trace

TEXT, MORE = "The warranty is two years.", "Returns are free for 30 days."
ASK = {"role": "user", "content": "How long?"}
SAY = {"role": "assistant", "content": "Two years."}
CALL = {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "type": "function", "function": {"name": "search", "arguments": "{}"}}]}


def tool(content: Any) -> dict[str, Any]:
    """What a tool gave back."""
    return {"role": "tool", "tool_call_id": "c", "content": content}


def read(content: Any) -> tuple[list[Trace], list[LoadIssue]]:
    """Traces and issues of one file."""
    raw = content if isinstance(content, bytes) else json.dumps(content).encode()
    parts = list(read_many([("f", io.BytesIO(raw))]))
    return [p for p in parts if isinstance(p, Trace)], [p for p in parts if isinstance(p, LoadIssue)]


SHAPES: dict[str, Any] = {
    "in the answer's object": {
        "question": "How long?",
        "output": {"answer": "Two years.", "sources": [{"url": "https://a", "snippet": TEXT}, {"url": "https://b", "snippet": MORE}]},
    },
    "in the input": [{"input": {"question": "How long?", "context": [TEXT, MORE]}, "output": "Two years.", "expected": "Two years", "scores": {"x": 1}}],
    "in the metadata": [{"input": {"question": "How long?"}, "output": "Two years.", "expected": "Two years", "metadata": {"context": [TEXT, MORE]}}],
    "tool: documents": [{"messages": [ASK, CALL, tool(json.dumps([{"id": "d1", "text": TEXT}, {"id": "d2", "text": MORE}])), SAY]}],
    "tool: object": [{"messages": [ASK, CALL, tool(json.dumps({"results": [{"content": TEXT}, {"content": MORE}]})), SAY]}],
    "tool: two texts": [{"messages": [ASK, CALL, tool(TEXT), tool(MORE), SAY], "id": "x", "contexts": None}],
    "tool: parts": [{"messages": [ASK, CALL, tool([{"type": "text", "text": TEXT}, {"type": "text", "text": MORE}]), SAY]}],
    "research": {
        "question": "How long?",
        "answers": ["Two years", "24 months"],
        "prediction": "Two years.",
        "ctxs": [{"title": "W", "text": TEXT, "hasanswer": True}, {"title": "R", "text": MORE}],
    },
    "bars in a cell": f"question\tanswer\tcontexts\nHow long?\tTwo years.\t{TEXT} ||| {MORE}\n".encode(),
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_they_are_found(shape: Any) -> None:
    """Question, answer and both passages, in order."""
    ((found,), issues) = read(shape)

    assert (found.question, found.response, [p.text for p in found.passages or ()]) == ("How long?", "Two years.", [TEXT, MORE])
    assert issues == []


def test_accepted_answers_beside_a_prediction_are_the_reference() -> None:
    """Alone, they are what was answered, if anything: they are not taken for a reference then."""
    assert read(SHAPES["research"])[0][0].reference == "Two years"
    assert read({"question": "How long?", "answers": ["Two years"], "contexts": [TEXT]})[0][0].reference is None


@pytest.mark.parametrize(
    "row",
    [
        {"question": "How long?", "answer": {"answer": "Two years.", "sources": ["manual.pdf", "faq.md"]}},
        {"question": "How long?", "answer": "Two years.", "metadata": {"source": "web", "documents": 3}},
        {"messages": [ASK, SAY]},
        {"messages": [ASK, CALL, tool(TEXT), SAY, {"role": "user", "content": "And then?"}, {"role": "assistant", "content": "Nothing."}]},
    ],
    ids=["file names", "a number", "no tool", "of an earlier question"],
)
def test_what_is_no_passage_stays_unknown(row: dict[str, Any]) -> None:
    """Names of files say nothing; what was looked up for an earlier question is not what this answer rests on."""
    ((found,), _) = read([row])

    assert found.passages is None


@pytest.mark.parametrize(("content", "message", "fix"), [
    (b"- question: How long?\n  answer: Two years.\n  contexts:\n    - The warranty is two years.\n", "looks like YAML", "convert it to JSON"),
    (b'2026-01-01 INFO {"question": "q?", "answer": "a"}\n2026-01-01 INFO {"question": "r?", "answer": "b"}\n', "something before its JSON object", "sed"),
])
def test_text_of_another_kind_is_told_what_to_do(content: bytes, message: str, fix: str) -> None:
    """Instead of "no format fits"."""
    (_, (issue,)) = read(content)

    assert message in issue.message
    assert fix in issue.fix


def in_a_cell(cell: str) -> bytes:
    """A table with that cell of contexts."""
    out = io.StringIO()
    csv.writer(out).writerows([["question", "answer", "contexts"], ["How long?", "Two years.", cell]])
    return out.getvalue().encode()


WRITTEN: dict[str, Any] = {
    "documents as Python prints them": in_a_cell(
        repr([{"x": 1}]).replace(
            "{'x': 1}",
            f"Document(id='a', metadata={{'source': 'w.md', 'page': (1, 2)}}, page_content={TEXT!r}), Document(metadata={{}}, page_content={MORE!r})",
        )
    ),
    "of an older library": in_a_cell(f"[Document(page_content={TEXT!r}, metadata={{'source': 'w.md'}}), langchain.schema.Document(page_content={MORE!r})]"),
    "camel case": {
        "userQuestion": "How long?",
        "llmResponse": "Two years.",
        "retrievedChunks": [{"chunkText": TEXT, "sourceUrl": "w.md"}, {"chunkText": MORE}],
    },
    "citations": {
        "query": "How long?",
        "response": "Two years.",
        "context": json.dumps({"citations": [{"content": TEXT, "filepath": "w.md"}, {"content": MORE}]}),
    },
    "columns": {"question": "How long?", "answer": "Two years.", "contexts": {"text": [TEXT, MORE], "id": ["a", "b"]}},
}


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
def test_however_they_are_written(written: Any) -> None:
    """Records of a library in a cell, JavaScript's names, lists of an API, columns of a data set."""
    ((found,), _) = read(written)

    assert (found.question, found.response, [p.text for p in found.passages or ()]) == ("How long?", "Two years.", [TEXT, MORE])


def test_words_that_only_look_like_a_record_stay_text() -> None:
    """A passage about code is a passage."""
    said = "Call Document(page_content='x') to make one."
    ((found,), _) = read(in_a_cell(said))

    assert [p.text for p in found.passages or ()] == [said]


def test_documents_beside_what_a_tool_said_are_the_passages() -> None:
    """LangChain's tools that give content and artifact: the documents keep their ids; an artifact that is none changes nothing."""
    said = {"type": "tool", "content": "Source: a", "tool_call_id": "1"}
    documents = [{"page_content": "The warranty lasts two whole years.", "metadata": {"id": "d1"}}]

    assert [(d.doc_id, d.text) for d in from_tools([{**said, "artifact": documents}]) or ()] == [("d1", documents[0]["page_content"])]
    for other in (None, [], {"a": 1}, ["x"], [{"n": 1}]):
        assert [d.text for d in from_tools([{**said, "artifact": other}]) or ()] == ["Source: a"]


@pytest.mark.parametrize("name", ["results", "hits", "matches", "references", "evidence"])
def test_hits_beside_question_and_answer(name: str) -> None:
    """Names that may mean other things count where objects with texts lie under them."""
    hits = [{"id": "d1", "score": 0.8, "payload": {"text": "The warranty lasts two whole years."}}]
    (trace,) = [p for p in read_file(io.BytesIO(json.dumps([{"question": "How long?", "answer": "Two years.", name: hits}]).encode()), filename="f") if isinstance(p, Trace)]
    (other,) = [p for p in read_file(io.BytesIO(json.dumps([{"question": "How long?", "answer": "Two years.", name: [{"metric": "x", "value": 1}]}]).encode()), filename="f") if isinstance(p, Trace)]

    assert [(p.doc_id, p.score) for p in trace.passages or ()] == [("d1", 0.8)]
    assert other.passages is None
