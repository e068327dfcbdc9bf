"""What vector stores and search engines answer, as the plain objects of passages inside it: text, id, score and metadata side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

TEXT_KEYS = (
    "text", "page_content", "content", "passage", "contents", "body", "chunk", "context", "passage_text", "chunk_text", "paragraph_text", "document", "snippet", "value", "raw_text", "paragraph", "sentence", "excerpt", "page_snippet",
)
"""Under which names a passage keeps its text, the surest first."""
_LISTS = ("matches", "hits", "points", "objects", "result")
"""Pinecone; Elasticsearch, OpenSearch and Milvus; Qdrant's two; Weaviate."""
_BODIES = ("payload", "_source", "properties", "entity", "fields", "chunk", "chunkRecord")
"""Qdrant; Elasticsearch; Weaviate; Milvus; Pinecone's search; services that rank chunks."""
_OF_THE_STORE = ("version", "vector", "vectors", "shard_key", "order_value", "_index", "_additional", "collection")
"""What a store says of its own record: its version is not the document's."""
_COLUMNS = {"ids": "id", "distances": "distance", "metadatas": "metadata", "uris": "uri"}
"""What a Chroma query gives beside its documents: a list for each of the questions that were asked at once."""
_SENTENCES = ("sentences", "sents")
_DEEP = 3
"""Objects in objects that are opened."""


def hits_of(answer: Mapping[str, Any]) -> list[Any] | None:
    """The list of hits in the answer of a search; None where the object is none."""
    for opened in (_chroma, _weaviate, _hotpot, _listed):
        found = opened(answer)
        if found is not None:
            return found
    return None


def plain_hit(hit: Mapping[str, Any]) -> Mapping[str, Any]:
    """
    A hit whose text lies in an object of its own, as one object; any other as it is.

    What stands beside (id, score) goes before what stands inside; the metadata inside stay metadata.
    """
    for _ in range(_DEEP):
        if _has_text(hit):
            break
        name = next((key for key in _BODIES if isinstance(hit.get(key), Mapping)), None)
        if name is not None:
            outer = {key: value for key, value in hit.items() if key not in (name, *_OF_THE_STORE) and value is not None}
            told = hit.get("_additional")
            hit = {**hit[name], **(told if isinstance(told, Mapping) else {}), **outer}
            continue
        inner = next((key for key in TEXT_KEYS if isinstance(hit.get(key), (Mapping, list))), None)
        if inner is not None and (text := _text_in(hit[inner])) is not None:
            return {**hit, inner: text}
        meta = hit.get("metadata")
        key = next((key for key in TEXT_KEYS if isinstance(meta, Mapping) and isinstance(meta.get(key), str)), None)
        if key is None or not isinstance(meta, Mapping):
            break
        hit = {**hit, "text": meta[key], "metadata": {name: value for name, value in meta.items() if name != key}}
    return hit


def scored(pair: list[Any]) -> Mapping[str, Any] | None:
    """``[document, score]``, as LangChain's ``similarity_search_with_score`` gives each hit; None for any other list."""
    if len(pair) != 2 or isinstance(pair[1], bool) or not isinstance(pair[1], (int, float)):
        return None
    if isinstance(pair[0], Mapping):
        return {**pair[0], "score": pair[1]}
    return {"text": pair[0], "score": pair[1]} if isinstance(pair[0], str) else None


def titled(pair: list[Any]) -> Mapping[str, Any] | None:
    """``[title, [sentence, …]]``, as HotpotQA's files give each document; None for any other list."""
    if len(pair) != 2 or not isinstance(pair[0], str) or not isinstance(pair[1], list) or not pair[1] or not all(isinstance(one, str) for one in pair[1]):
        return None
    return {"id": pair[0], "title": pair[0], "text": " ".join(one.strip() for one in pair[1])}


def _has_text(hit: Mapping[str, Any]) -> bool:
    return any(isinstance(hit.get(key), str) for key in TEXT_KEYS)


def _text_in(value: Any) -> str | None:
    """``{"content": "…"}`` or ``["…", "…"]`` as text."""
    if isinstance(value, Mapping):
        return next((value[key] for key in TEXT_KEYS if isinstance(value.get(key), str)), None)
    parts = [part["text"] if isinstance(part, Mapping) and part.get("type") == "text" else part for part in value]  # Anthropic's search results
    return "\n".join(parts) if parts and all(isinstance(part, str) for part in parts) else None


def _listed(answer: Mapping[str, Any]) -> list[Any] | None:
    if _has_text(answer):
        return None
    for key in _LISTS:
        inner = answer.get(key)
        if isinstance(inner, Mapping):  # {"hits": {"total": …, "hits": [...]}}, {"result": {"points": [...]}}
            inner = next((inner[name] for name in _LISTS if isinstance(inner.get(name), list)), None)
        if isinstance(inner, list) and all(isinstance(hit, (Mapping, list)) for hit in inner):
            return inner
    return None


def _chroma(answer: Mapping[str, Any]) -> list[Any] | None:
    """Of a query of one question: a column of texts, each column inside one more list."""
    texts = answer.get("documents")
    if not isinstance(texts, list) or len(texts) != 1 or not isinstance(texts[0], list) or not any(isinstance(answer.get(name), list) for name in _COLUMNS):
        return None
    columns = {
        one: answer[name][0] for name, one in _COLUMNS.items() if isinstance(answer.get(name), list) and answer[name] and isinstance(answer[name][0], list)
    }
    return [{"text": text, **{name: cells[n] for name, cells in columns.items() if n < len(cells)}} for n, text in enumerate(texts[0])]


def _weaviate(answer: Mapping[str, Any]) -> list[Any] | None:
    """``{"data": {"Get": {"Chunk": [...]}}}``."""
    got = answer.get("data")
    got = got.get("Get") if isinstance(got, Mapping) else None
    lists = [hits for hits in got.values() if isinstance(hits, list)] if isinstance(got, Mapping) else []
    return [_told_apart(hit) for hit in lists[0]] if len(lists) == 1 else None


def _told_apart(hit: Any) -> Any:
    """Of an object of GraphQL: what is the document's, and what Weaviate adds (id, distance)."""
    if not isinstance(hit, Mapping):
        return hit
    return {"properties": {key: value for key, value in hit.items() if key != "_additional"}, "_additional": hit.get("_additional")}


def _hotpot(answer: Mapping[str, Any]) -> list[Any] | None:
    """``{"title": [...], "sentences": [[...], ...]}``: HotpotQA's columns, a document each."""
    titles, parts = answer.get("title"), next((answer[name] for name in _SENTENCES if isinstance(answer.get(name), list)), None)
    if (
        not isinstance(titles, list)
        or parts is None
        or len(titles) != len(parts)
        or not all(isinstance(part, list) and all(isinstance(s, str) for s in part) for part in parts)
    ):
        return None
    return [{"id": title, "title": title, "text": " ".join(s.strip() for s in part)} for title, part in zip(titles, parts, strict=True)]
