"""Replies that say where they cite what (OpenAI, Anthropic, Cohere), and streams of Gemini: answer, passages, and marks that stand where they are said to."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from ragviz.loaders import detect, read
from ragviz.records import LoadIssue, Trace
from tests.contracts.loader_samples import P, Q

FIRST, SECOND = "It takes 30 days.", "Sign-on needs Business."
A = f"{FIRST} {SECOND}"


def parts(*rows: Any, name: str = "chat_lines") -> tuple[list[Trace], list[LoadIssue]]:
    """Traces and issues of JSON lines in memory, which are recognised as that format."""
    raw = "\n".join(map(json.dumps, rows)).encode()
    assert detect(raw, "f")[0][0].name == name
    found = list(read(io.BytesIO(raw), filename="f"))
    return [p for p in found if isinstance(p, Trace)], [p for p in found if isinstance(p, LoadIssue)]


def marks(trace: Trace) -> list[tuple[int, tuple[str, ...], tuple[str, ...]]]:
    """Where each mark ends, and what it cites; it is what stands there."""
    for one in trace.citations or ():
        assert trace.response[one.span.start : one.span.end] == one.marker
    return [(one.span.end, one.passage_ids, one.unresolved) for one in trace.citations or ()]


def openai(text: str, *notes: dict[str, Any]) -> dict[str, Any]:
    """A reply of the Responses interface after a file search."""
    found = [{"file_id": f"f{n}", "filename": f"{n}.txt", "score": 0.5, "text": text} for n, text in enumerate(P, start=1)]
    return {"id": "r1", "object": "response", "model": "m", "output": [
        {"type": "file_search_call", "id": "s", "queries": [Q], "results": found},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text, "annotations": list(notes)}]},
    ]}


class TestOpenAI:
    def test_annotations_are_marks_at_their_places(self) -> None:
        """A file by the index it stands at, in every way a reply is logged."""
        reply = openai(A, {"type": "file_citation", "index": len(FIRST) - 1, "file_id": "f1", "filename": "1.txt"}, {"type": "file_citation", "index": len(A), "file_id": "f2"})
        found, issues = parts({"request": {"input": Q}, "response": reply}, {"question": Q, "response": reply}, {"input": Q, "output": reply})

        assert [(t.question, t.response, [p.doc_id for p in t.passages or ()]) for t in found] == [(Q, A, ["f1", "f2"])] * 3
        assert all(marks(t) == [(len(FIRST), ("f1",), ()), (len(A), ("f2",), ())] for t in found)
        assert issues == []

    def test_an_address_that_stands_in_the_answer_is_the_mark_itself(self) -> None:
        """A search of the web has no texts: what is cited stays a name."""
        text = f"{FIRST} ([a](https://a))"
        (trace,), _ = parts({"request": {"input": Q}, "response": openai(text, {"type": "url_citation", "start_index": 18, "end_index": len(text), "url": "https://a"})})

        assert [(c.marker, c.unresolved) for c in trace.citations or ()] == [("([a](https://a))", ("https://a",))]

    @pytest.mark.parametrize("note", [{"index": 10_000, "file_id": "f1"}, {"index": -1, "file_id": "f1"}, {"start_index": 9, "end_index": 3, "url": "u"}, {"index": "x"}, None, "f1"])
    def test_a_place_that_is_none_is_left_out(self, note: Any) -> None:
        """The reply is read all the same."""
        (trace,), _ = parts({"request": {"input": Q}, "response": openai(A, note)})

        assert (trace.response, len(trace.passages or ()), marks(trace)) == (A, 2, [])

    def test_a_reply_alone_has_its_id_and_no_question(self) -> None:
        """One sentence says so for the file."""
        found, issues = parts(openai(A), openai(A))

        assert [(t.question, t.response) for t in found] == [("", A)] * 2
        assert found[0].id == "r1"
        assert ["what was asked is not in a reply"] == [i.message for i in issues if "asked" in i.message]


def cited(text: str, **place: Any) -> dict[str, Any]:
    """A part of an answer with what it cites."""
    return {"type": "text", "text": text, "citations": [{"cited_text": "x", **place}]}


class TestAnthropic:
    def test_documents_of_the_request_are_passages_and_each_part_has_its_mark(self) -> None:
        """Parts are joined as they are, without a line between them."""
        documents = [{"type": "document", "title": f"T{n}", "source": {"type": "text", "data": text}} for n, text in enumerate(P)]
        asks = [{"role": "user", "content": [*documents, {"type": "text", "text": Q}]}]
        content = [cited(FIRST, type="char_location", document_index=0), {"type": "text", "text": " "}, cited(SECOND, type="char_location", document_index=1)]
        reply = {"id": "m", "type": "message", "role": "assistant", "content": content}
        found, issues = parts({"request": {"messages": asks}, "response": reply}, {"messages": [*asks, {"role": "assistant", "content": content}]})

        assert [(t.question, t.response, [(p.title, p.text) for p in t.passages or ()]) for t in found] == [(Q, A, [("T0", P[0]), ("T1", P[1])])] * 2
        assert all(marks(t) == [(len(FIRST), ("T0",), ()), (len(A), ("T1",), ())] for t in found)
        assert issues == []

    def test_search_results_that_a_tool_gave_back(self) -> None:
        """Their texts lie in parts; their addresses are their ids."""
        results = [{"type": "search_result", "source": f"u{n}", "title": "T", "content": [{"type": "text", "text": text}]} for n, text in enumerate(P)]
        asks = [{"role": "user", "content": Q}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": results}]}]
        reply = {"type": "message", "role": "assistant", "content": [cited(FIRST, type="search_result_location", search_result_index=1)]}
        (trace,), issues = parts({"request": {"messages": asks}, "response": reply})

        assert [(p.id, p.text) for p in trace.passages or ()] == [("u0", P[0]), ("u1", P[1])]
        assert (marks(trace), issues) == ([(len(FIRST), ("u1",), ())], [])

    def test_a_line_of_a_batch(self) -> None:
        """Its documents lie in what was sent: what is cited stays a number."""
        (trace,), _ = parts({"custom_id": "c1", "result": {"type": "succeeded", "message": {"type": "message", "role": "assistant", "content": [cited(FIRST, document_index=0)]}}})

        assert (trace.id, trace.response, trace.passages, marks(trace)) == ("c1", FIRST, None, [(len(FIRST), (), ("document 1",))])


class TestCohere:
    def test_both_versions(self) -> None:
        """Documents of the request, or of the reply, or only those that are cited; the mark stands behind the words."""
        at = A.index("Business")
        old = {"text": A, "generation_id": "g", "finish_reason": "COMPLETE", "chat_history": [{"role": "USER", "message": Q}, {"role": "CHATBOT", "message": A}],
               "citations": [{"start": at, "end": at + 8, "text": "Business", "document_ids": ["doc_1"]}], "documents": [{"id": f"doc_{n}", "snippet": text} for n, text in enumerate(P)]}
        source = {"type": "document", "id": "d1", "document": {"id": "d1", "text": P[1]}}
        new = {"id": "x", "finish_reason": "COMPLETE", "message": {"role": "assistant", "content": [{"type": "text", "text": A}],
               "citations": [{"start": at, "end": at + 8, "text": "Business", "sources": [source]}]}}
        sent = {"messages": [{"role": "user", "content": Q}], "documents": [{"id": f"d{n}", "data": {"text": text}} for n, text in enumerate(P)]}
        found, issues = parts({"message": Q, "response": old}, {"request": sent, "response": new}, old, new)

        assert [(t.question, t.response, [p.text for p in t.passages or ()]) for t in found] == [(Q, A, P), (Q, A, P), (Q, A, P), ("", A, P[1:])]
        assert [marks(t) for t in found] == [[(len(A), (name,), ())] for name in ("doc_1", "d1", "doc_1", "d1")]
        assert [i.message for i in issues] == ["what was asked is not in a reply"]


def chunk(text: str, **more: Any) -> dict[str, Any]:
    """One of a stream."""
    return {"candidates": [{"content": {"parts": [{"text": text}], "role": "model"}, **more}], "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": len(text)}}


GROUNDING = {"groundingChunks": [{"retrievedContext": {"uri": f"u{n}", "text": text}} for n, text in enumerate(P)],
             "groundingSupports": [{"segment": {"endIndex": len(FIRST), "text": FIRST}, "groundingChunkIndices": [1]}]}
STREAM = [chunk("It takes "), chunk("30 days. Sign"), chunk("-on needs Business.", finishReason="STOP", groundingMetadata=GROUNDING)]


class TestStreamsOfGemini:
    def test_chunks_are_one_reply(self) -> None:
        """Alone, beside what was asked, and several streams in one file."""
        beside = {"request": {"contents": [{"role": "user", "parts": [{"text": Q}]}]}, "response": STREAM}
        for rows, asked in ((STREAM, [""]), ([beside], [Q]), ([*STREAM, *STREAM], ["", ""])):
            found, _ = parts(*rows, name="gemini")
            assert [t.question for t in found] == asked
            assert all((t.response, [p.text for p in t.passages or ()], marks(t)) == (A, P, [(len(FIRST), ("u1",), ())]) for t in found)

    def test_an_array_of_chunks(self) -> None:
        """As the service streams without asking for events."""
        (trace,) = [p for p in read(io.BytesIO(json.dumps(STREAM).encode()), filename="f") if isinstance(p, Trace)]

        assert (trace.response, marks(trace)) == (A, [(len(FIRST), ("u1",), ())])

    def test_replies_of_their_own_stay_apart(self) -> None:
        """Whole ones, those of other ids, and those of which nobody says how they end."""
        for rows in ([chunk("One.", finishReason="STOP")] * 2, [chunk("One."), chunk("Two.")], [{**chunk("One."), "responseId": "1"}, {**chunk("Two."), "responseId": "2"}]):
            assert len(parts(*rows, name="gemini")[0]) == 2
