"""Gemini: what was asked, what was answered, what grounded it, and where."""

from __future__ import annotations

import copy
import io
import json
from typing import Any

import pytest

from ragviz.claims.rules import RulesExtractor
from ragviz.evidence.attribution import attribute_citations
from ragviz.loaders import read
from ragviz.loaders.grounding_supports import marks_of
from ragviz.records import LoadIssue, Side, Trace
from tests.contracts.loader_samples import GEMINI, P, Q

ANSWER = "Für 30 Tage – kostenlos 🙂. Und SSO kostet extra."
REPLY: dict[str, Any] = GEMINI["response"]  # type: ignore[assignment]


def loaded(*records: Any) -> tuple[list[Trace], list[LoadIssue]]:
    parts = list(read(io.BytesIO("".join(json.dumps(r) + "\n" for r in records).encode()), filename="f"))
    return [p for p in parts if isinstance(p, Trace)], [p for p in parts if isinstance(p, LoadIssue)]


def snake(value: Any) -> Any:
    """As the Python library's ``model_dump`` names it."""
    if isinstance(value, dict):
        return {"".join("_" + c.lower() if c.isupper() else c for c in name): snake(inner) for name, inner in value.items()}
    return [snake(one) for one in value] if isinstance(value, list) else value


def changed(**fields: Any) -> dict[str, Any]:
    record = copy.deepcopy(GEMINI)
    record["response"]["candidates"][0]["groundingMetadata"].update(fields)  # type: ignore[index]
    return record


SHAPES = {
    "request and response": GEMINI,
    "Python's names": {**GEMINI, "response": snake(REPLY)},
    "contents beside": {"contents": Q, **REPLY},
    "question beside": {"question": Q, "response": REPLY},
    "batch of Vertex AI": {**GEMINI, "status": "", "processed_time": "2026-11-01T00:00:00Z"},
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_reply_is_a_trace(shape: str) -> None:
    """Question, answer, passages, model, tokens."""
    (trace,), issues = loaded(SHAPES[shape])

    assert issues == []
    assert (trace.question, trace.response, trace.model) == (Q, ANSWER, "demo")
    assert [(p.doc_id, p.text, p.title) for p in trace.passages or ()] == [("gs://kb/refunds.md", P[0], "refunds.md"), ("gs://kb/sso.md", P[1], "sso.md")]
    assert (trace.usage.tokens_in, trace.usage.tokens_out) == (90, 12)  # type: ignore[union-attr]


def test_bytes_become_characters() -> None:
    """Each support ends in a mark on the sign that closes its sentence: one of 2, one of 3 and one of 4 bytes stand before."""
    (trace,), _ = loaded(GEMINI)

    assert [(c.span.start, c.marker, c.passage_ids) for c in trace.citations or ()] == [
        (ANSWER.index(". Und"), ".", ("gs://kb/refunds.md",)), (len(ANSWER) - 1, ".", ("gs://kb/sso.md",)),
    ]


@pytest.mark.parametrize("text", ["a", "é", "–", "🙂", "e\u0301", "日本", "👩‍👩‍👧"])
def test_every_cut_between_letters_is_found(text: str) -> None:
    """Whatever stands before: the segment's own text and the characters at its place are the same, in any part."""
    words = [f"{text}{n}." for n in range(5)]
    parts = [" ".join(words), " ".join(words)]
    whole = "".join(parts)
    for part in range(2):
        for n in range(5):
            before = " ".join(words[:n]) + (" " if n else "")
            segment = {"partIndex": part, "startIndex": len(before.encode()), "endIndex": len((before + words[n]).encode())}
            marks, lost = marks_of(parts, [{"segment": segment, "groundingChunkIndices": [0]}], ["p"])

            assert lost == 0
            assert [(m.span.start, m.marker) for m in marks or ()] == [(part * len(parts[0]) + len(before + words[n]) - 1, ".")]
            assert whole[marks[0].span.start] == "."  # type: ignore[index]


def test_a_wrong_place_is_mended_by_the_text_or_told() -> None:
    """Counted in characters, or of another text."""
    supports = [{"segment": {"startIndex": 0, "endIndex": 26, "text": "Für 30 Tage – kostenlos 🙂."}, "groundingChunkIndices": [0]},
                {"segment": {"startIndex": 0, "endIndex": 5, "text": "Nothing of it."}, "groundingChunkIndices": [0]}]
    (trace,), issues = loaded(changed(groundingSupports=supports))

    assert [c.span.start for c in trace.citations or ()] == [ANSWER.index(". Und")]
    assert [(i.where, i.rejected, "1 of the grounding supports" in i.message) for i in issues] == [("f", False, True)]


def test_a_support_of_several_sentences_stands_for_each() -> None:
    """And an index that names no chunk cites what was never retrieved."""
    (trace,), _ = loaded(changed(groundingSupports=[{"segment": {"endIndex": len(ANSWER.encode())}, "groundingChunkIndices": [0, 7]}]))

    assert [(c.passage_ids, c.unresolved) for c in trace.citations or ()] == [(("gs://kb/refunds.md",), ("8",))] * 2


def test_the_web_is_addresses_without_texts() -> None:
    """Told once in a file, not once in a line."""
    chunks = [{"web": {"uri": "https://a.example/1", "title": "a.example"}}, {"web": {"uri": "https://b.example/2", "title": "b.example"}}]
    record = changed(groundingChunks=chunks)
    traces, issues = loaded(record, {**record, "id": "g2"})

    assert [[(p.doc_id, p.text) for p in t.passages or ()] for t in traces] == [[("https://a.example/1", ""), ("https://b.example/2", "")]] * 2
    assert [t.passages_are for t in traces] == ["ids", "ids"]
    assert ["addresses without texts" in i.message for i in issues] == [True]


def test_chunks_of_one_document_are_told_apart() -> None:
    """They share its address, and no passage was retrieved twice."""
    chunks = [{"retrievedContext": {"uri": "gs://kb/all.pdf", "ragChunk": {"text": text, "pageSpan": {"firstPage": n}}}} for n, text in enumerate(P)]
    (trace,), issues = loaded(changed(groundingChunks=chunks))

    assert issues == []
    assert [(p.id, p.doc_id, p.text) for p in trace.passages or ()] == [("gs://kb/all.pdf", "gs://kb/all.pdf", P[0]), ("gs://kb/all.pdf:2", "gs://kb/all.pdf", P[1])]


def test_functions_give_passages_where_nothing_grounded() -> None:
    """After the last question; what was said before it is history; thoughts are no answer."""
    contents = [
        {"role": "user", "parts": [{"text": "Hello"}]}, {"role": "model", "parts": [{"text": "Hi."}]}, {"role": "user", "parts": [{"text": Q}]},
        {"role": "model", "parts": [{"functionCall": {"name": "search", "args": {}}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "search", "response": {"result": [{"id": "d1", "text": P[0]}]}}}]},
    ]
    reply = {"candidates": [{"content": {"parts": [{"text": "I should look.", "thought": True}, {"text": "30 days."}]}, "finishReason": "STOP"}]}
    (trace,), issues = loaded({"request": {"contents": contents}, "response": reply})

    assert issues == []
    assert (trace.question, trace.response, [(p.doc_id, p.text) for p in trace.passages or ()], len(trace.history)) == (Q, "30 days.", [("d1", P[0])], 2)


def test_nothing_recorded_and_nothing_said() -> None:
    """Without grounding nobody knows what was retrieved; a blocked question has no answer, and its line says why."""
    bare = {"request": {"contents": Q}, "response": {"candidates": [{"content": {"parts": [{"text": "30 days."}]}}]}}
    blocked = {"request": {"contents": Q}, "response": {"promptFeedback": {"blockReason": "SAFETY"}}}
    traces, issues = loaded(bare, blocked)

    assert [(t.response, t.passages, t.response_is) for t in traces] == [("30 days.", None, None), ("", None, "absent")]
    assert any(i.where == "f:2" and "SAFETY" in i.message for i in issues)


def test_claims_find_their_marks() -> None:
    """Each sentence of the answer cites what supports it."""
    (trace,), _ = loaded(GEMINI)
    (claims,) = RulesExtractor().extract([trace], side=Side.RESPONSE)
    found = attribute_citations(claims, trace.citations or (), trace.response)

    assert [tuple(c.passage_ids for c in found[claim.id]) for claim in claims] == [(("gs://kb/refunds.md",),), (("gs://kb/sso.md",),)]
