"""What vector stores answer becomes passages: text, id and score, never JSON or a score as evidence."""

from __future__ import annotations

from typing import Any

import pytest

from ragviz.loaders.passages import drafts_of, numbered

P1 = "Returns are free within 30 days."
SHAPES: dict[str, Any] = {
    "Pinecone query": {"matches": [{"id": "v1", "score": 0.9, "values": [], "metadata": {"text": P1, "page": 3}}], "namespace": ""},
    "Pinecone matches": [{"id": "v1", "score": 0.9, "metadata": {"text": P1}}],
    "Pinecone search": {"result": {"hits": [{"_id": "v1", "_score": 0.9, "fields": {"chunk_text": P1}}]}},
    "Qdrant points": {"points": [{"id": "v1", "version": 7, "score": 0.9, "payload": {"page_content": P1, "metadata": {"source": "a.md"}}}]},
    "Qdrant search": {"result": [{"id": "v1", "version": 7, "score": 0.9, "payload": {"text": P1}}], "status": "ok", "time": 0.01},
    "Elasticsearch": {"took": 3, "hits": {"total": {"value": 1}, "hits": [{"_index": "docs", "_id": "v1", "_score": 0.9, "_source": {"content": P1}}]}},
    "Elasticsearch hits": [{"_index": "docs", "_id": "v1", "_score": 0.9, "_source": {"body": P1}}],
    "Weaviate": {"data": {"Get": {"Chunk": [{"content": P1, "_additional": {"id": "v1", "distance": 0.9}}]}}},
    "Weaviate objects": {"objects": [{"uuid": "v1", "properties": {"content": P1}, "metadata": {"distance": 0.9}}]},
    "Chroma": {"ids": [["v1"]], "documents": [[P1]], "distances": [[0.9]], "metadatas": [[{"page": 3}]], "embeddings": None},
    "Milvus": [{"id": "v1", "distance": 0.9, "entity": {"text": P1}}],
    "ranked chunks": [{"chunk": {"text": P1, "id": "v1"}, "score": 0.9}],
    "content inside text": [{"id": "v1", "score": 0.9, "text": {"content": P1, "mime": "text/plain"}}],
    "LangChain with scores": [[{"id": "v1", "page_content": P1, "metadata": {}}, 0.9]],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_text_id_and_score(shape: str) -> None:
    (draft,) = drafts_of(SHAPES[shape]) or []

    assert (draft.text, draft.doc_id, draft.score) == (P1, "v1", 0.9)
    assert draft.revision is None, "the version of a store's record is not the document's"


def test_texts_with_scores() -> None:
    drafts = drafts_of([[P1, 0.9], ["Refunds take a week.", 0.8]]) or []

    assert [(d.text, d.score) for d in drafts] == [(P1, 0.9), ("Refunds take a week.", 0.8)]


def test_a_list_of_sentences_stays_one_passage() -> None:
    (draft,) = drafts_of([{"text": ["Returns are free.", "Refunds take a week."]}]) or []

    assert draft.text == "Returns are free.\nRefunds take a week."


def test_columns_of_titles_and_sentences_are_documents() -> None:
    drafts = drafts_of({"title": ["Returns", "Refunds"], "sentences": [["Returns are free. ", "Keep the box."], ["Refunds take a week."]]}) or []

    assert [(d.doc_id, d.title, d.text) for d in drafts] == [
        ("Returns", "Returns", "Returns are free. Keep the box."),
        ("Refunds", "Refunds", "Refunds take a week."),
    ]


def test_columns_of_passages_with_labels() -> None:
    drafts = drafts_of({"is_selected": [0, 1], "passage_text": ["Keep the box.", P1], "url": ["https://a.example/box", "https://a.example/returns"]}) or []

    assert [(d.doc_id, d.relevance, d.text) for d in drafts] == [("https://a.example/box", 0, "Keep the box."), ("https://a.example/returns", 1, P1)]


@pytest.mark.parametrize(
    ("odd", "texts"),
    [
        ({"matches": "none"}, {"matches": "none"}),
        ({"hits": 3}, {"hits": "3"}),
        ({"documents": [[]], "ids": [[]]}, {}),
        ({"matches": [None]}, {"matches": ""}),
        ({"data": {"Get": {}}}, {"data": ""}),
        ({"title": ["a"], "sentences": [[1]]}, {"title": "a", "sentences": "[1]"}),
    ],
)
def test_what_only_looks_like_hits_is_a_map_of_texts_by_id(odd: dict[str, Any], texts: dict[str, str]) -> None:
    """As any other object that is no passage and no answer of a search; an empty answer has none."""
    assert {draft.doc_id: draft.text for draft in drafts_of(odd) or []} == texts


def test_passages_without_text_are_told_even_when_all_lack_it() -> None:
    _, doubts = numbered(drafts_of([{"id": "v1", "lyrics": P1}]) or [])

    assert doubts == ["passage 1 has no text (names found: lyrics)"]
