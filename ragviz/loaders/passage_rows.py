"""Tables with a row for each retrieved passage, the question and the answer repeated in each: the rows of a question as one record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ragviz.loaders.cells import is_null, number, text_of
from ragviz.loaders.fields import SYNONYMS, has_synonym, normal
from ragviz.loaders.rows import Row
from ragviz.records import LoadIssue

_SURE = ("passage", "passage_text", "chunk", "chunk_text", "retrieved_passage", "retrieved_chunk", "retrieved_text", "document_text", "doc_text", "retrieved_document",
         "context", "retrieved_context", "passage_content", "chunk_content")
"""Names of the text of one passage."""
_MAYBE = ("document", "text", "content", "page_content", "snippet")
"""The same beside a rank or a score."""
_IDS = ("doc_id", "docid", "document_id", "passage_id", "chunk_id", "pid", "context_id", "node_id")
_RANKS = ("rank", "position", "retrieval_rank", "doc_rank", "passage_rank", "chunk_rank")
_SCORES = ("score", "similarity", "similarity_score", "relevance_score", "retrieval_score", "rerank_score", "distance")
_BESIDE = {"title": ("title", "doc_title", "document_title"), "source": ("source", "source_url", "url", "file_name", "filename"), "is_relevant": ("is_relevant", "relevant", "relevance")}
_SAME = tuple(name for name in SYNONYMS["id"] if name not in ("id", "uuid", "name", "record_id", "log_id"))
"""Ids of a question; a row may have one of its own."""


def joined(rows: Iterable[Row | LoadIssue]) -> Iterator[Row | LoadIssue]:
    """Rows that follow each other and tell of one question as one row with a list of passages, in the order of their ranks; all others as they are."""
    held: list[Row] = []
    known: dict[tuple[str, ...], dict[str, str] | None] = {}
    for row in rows:
        columns = None
        if isinstance(row, Row) and isinstance(row.value, Mapping):
            written = tuple(row.value)
            if written not in known and len(known) < 100:
                known[written] = _columns(written)
            columns = known.get(written)
        if columns is None or isinstance(row, LoadIssue) or not isinstance(row.value[columns["text"]], str):
            yield from _flushed(held, known)
            held = []
            yield row
            continue
        if held and _key(held[0]) != _key(row):
            yield from _flushed(held, known)
            held = []
        held.append(row)
    yield from _flushed(held, known)


def _columns(written: tuple[str, ...]) -> dict[str, str] | None:
    """Which column holds what of a passage; None where rows are no passages."""
    names = {normal(str(name)): name for name in written}

    def first(known: Iterable[str]) -> str | None:
        return next((names[name] for name in known if name in names), None)

    rank, score, doc_id = first(_RANKS), first(_SCORES), first(_IDS)
    text = first(_SURE) or (first(_MAYBE) if rank or score else None)
    if text is None or not (rank or doc_id) or not has_synonym(names, "question") or any(name in names for name in SYNONYMS["passages"] if names.get(name) != text):
        return None
    found = {"text": text, "id": doc_id, "score": score, "rank": rank, **{field: first(known) for field, known in _BESIDE.items()}}
    return {field: name for field, name in found.items() if name is not None}


def _key(row: Row) -> tuple[str, ...]:
    """What rows of one question have in common."""
    names = {normal(str(name)): value for name, value in row.value.items()}
    return tuple(text_of(next((names[name] for name in known if not is_null(names.get(name))), None)) for known in (_SAME, SYNONYMS["question"], SYNONYMS["response"], SYNONYMS["model"]))


def _flushed(held: list[Row], known: Mapping[tuple[str, ...], dict[str, str] | None]) -> Iterator[Row]:
    if not held:
        return
    columns = known[tuple(held[0].value)] or {}
    places = [number(row.value[columns["rank"]]) if "rank" in columns else None for row in held]
    if all(place is not None for place in places):
        held = [row for _, row in sorted(zip(places, held, strict=True), key=lambda pair: pair[0] or 0)]
    passages: list[dict[str, Any]] = [{field: value for field, name in columns.items() if field != "rank" and not is_null(value := row.value.get(name))} for row in held]
    first = min(held, key=lambda row: row.n)
    rest = {name: value for name, value in first.value.items() if name not in columns.values()}
    yield first._replace(value={**rest, "passages": passages})
