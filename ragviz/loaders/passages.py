"""One retrieved unit out of any shape tools write: text, objects of a dozen dialects, or a printed LangChain document."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from ragviz.loaders.cells import id_of, is_null, number, structure, text_of, whole, words
from ragviz.loaders.fields import normal
from ragviz.loaders.search_hits import TEXT_KEYS, hits_of, plain_hit, scored, titled
from ragviz.records import Fact, Passage
from ragviz.records.ids import synthetic_passage_id

_ID_KEYS = ("doc_id", "document_id", "id", "docid", "id_", "_id", "passage_id", "chunk_id", "node_id", "pid", "doc_uri", "uri", "url", "uuid", "file_id", "page_url", "link")
_SCORE_KEYS = ("score", "relevance_score", "similarity_score", "similarity", "_score", "distance", "retrieval_score", "rerank_score")
_LABELS = ("relevance", "relevant", "is_relevant", "is_selected", "is_supporting")
_META_IDS = ("id", "doc_id", "chunk_id", "document_id", "doc_uri")
_FIELDS = frozenset({"title", "source", "revision", "effective_date", "authority", *_SCORE_KEYS})
"""Metadata that has a field of its own in a passage."""
_KNOWN = frozenset({*TEXT_KEYS, *_ID_KEYS, *_SCORE_KEYS, "metadata", "meta", "title", "source", "revision", "effective_date", "authority",
                    "facts", "claims", "rank", *_LABELS, "type", "embedding", "sparse_embedding", "extra_info", "dataframe", "blob"})
_TEXTS = frozenset(TEXT_KEYS)
_FOUND = ("documents", "passages", "contexts", "chunks", "results")
"""What one of several retrievals found."""
_LISTS = frozenset({"citations", "sources", "source_documents", "retrieved_documents", "retrieved_chunks", "retrieved_passages", "search_results", "hits"})
"""Names of a list of passages inside an object that is no passage itself."""
_PRINTED = re.compile(r"^(?:Document\()?page_content=(?P<text>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")(?:,?\s+metadata=(?P<meta>\{.*\}))?\)?$", re.DOTALL)


class Draft(msgspec.Struct, kw_only=True):
    """A passage before it has a rank and a unique id."""

    text: str = ""
    id: str | None = None
    """Id of the passage where the file has one beside the document's."""
    doc_id: str | None = None
    score: float | None = None
    title: str | None = None
    source: str | None = None
    relevance: int | None = None
    facts: tuple[Fact, ...] | None = None
    revision: str | None = None
    effective_date: str | None = None
    authority: str | None = None
    metadata: dict[str, str] = {}
    rank: int | None = None
    """Only where the file numbers its passages with gaps."""
    missing: bool = False
    """Known by id only; whoever made the draft has already said so."""


def drafts_of(value: Any) -> list[Draft] | None:
    """A list of passages; None when the value says nothing. One text is one passage; {id: text} is a list too."""
    value = structure(value)
    if is_null(value):
        return None
    if isinstance(value, Mapping):
        if value and all(inner is None for inner in value.values()):
            return None  # {"documents": null}: what was found was not recorded
        if (hits := hits_of(value)) is not None:
            return drafts_of(hits)
        for key in (*_FOUND, "output", "nodes"):
            if isinstance(value.get(key), list):
                return drafts_of(value[key])
        if (rows := _by_column(value)) is not None:
            return [draft_of(row) for row in rows]
        if any(key in value for key in (*TEXT_KEYS, *_ID_KEYS, "node", "kwargs")):
            return [draft_of(value)]
        for key, inner in value.items():
            if normal(str(key)) in _LISTS and isinstance(inner, list):
                return drafts_of(inner)
        return [with_id(draft_of(v), str(k)) for k, v in value.items()]
    if isinstance(value, list):
        if value and all(isinstance(one, Mapping) and not _TEXTS & one.keys() and any(isinstance(one.get(key), list) for key in _FOUND) for one in value):
            return [draft for one in value for draft in drafts_of(next(one[key] for key in _FOUND if isinstance(one.get(key), list))) or ()]
        # A null among texts keeps its place: ids and scores in other columns count by position. Nulls alone are how tables write an empty list.
        return [draft_of(element) for element in value] if any(element is not None for element in value) else []
    return [draft_of(value)]


def _by_column(value: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """``{"text": [...], "id": [...]}``, as data sets keep lists of records, as those records; None for anything else."""
    columns = {str(name): cells for name, cells in value.items() if isinstance(cells, list)}
    texts = next((columns[name] for name in TEXT_KEYS if name in columns), None)
    if texts is None or not all(isinstance(text, str) for text in texts) or any(len(cells) != len(texts) for cells in columns.values()):
        return None
    return [{name: cells[n] for name, cells in columns.items()} for n in range(len(texts))]


def with_id(draft: Draft, doc_id: str) -> Draft:
    """The draft under the id its container gives."""
    draft.doc_id = doc_id
    return draft


def draft_of(element: Any) -> Draft:
    """One passage in any dialect."""
    element = structure(element) if isinstance(element, str) and element[:1] == "{" else element
    if isinstance(element, str):
        return _printed(element) or Draft(text=text_of(element))
    if isinstance(element, list):
        hit = scored(element) or titled(element)
        if hit is None:
            return Draft(text="\n".join(text_of(part) for part in element))
        element = hit
    if not isinstance(element, Mapping):
        return Draft(text=text_of(element))
    if isinstance(element.get("kwargs"), Mapping) and "lc" in element:
        element = element["kwargs"]
    if isinstance(element.get("node"), Mapping):
        return _llama_node(element)
    if any(str(key).startswith("document.") for key in element):
        element = {str(key).removeprefix("document."): v for key, v in element.items()}
    for name in ("document", "data"):  # the search engine's wrapping, Cohere's
        if isinstance(element.get(name), Mapping) and not any(isinstance(element.get(key), str) for key in TEXT_KEYS):
            element = {**{k: v for k, v in element.items() if k != name}, **element[name]}
    return _from_object(plain_hit(element))


def _from_object(element: Mapping[str, Any]) -> Draft:
    meta = structure(element.get("metadata") if element.get("metadata") is not None else element.get("meta", element.get("extra_info")))
    meta = meta if isinstance(meta, Mapping) else {}
    extra = {k: v for k, v in element.items() if k not in _KNOWN}

    def named(*keys: str) -> Any:
        for place in (element, meta):
            for key in keys:
                if not is_null(place.get(key)):
                    return place[key]
        return None

    text = next((element[k] for k in TEXT_KEYS if isinstance(element.get(k), str)), None)
    if text is None and not all(str(key).islower() for key in element):
        element = {normal(str(key)): inner for key, inner in element.items()}  # chunkText, as JavaScript writes it
        extra = {k: v for k, v in element.items() if k not in _KNOWN}
        text = next((element[k] for k in TEXT_KEYS if isinstance(element.get(k), str)), None)
    doc_id = next((found for k in _ID_KEYS if (found := id_of(element.get(k)))), None) or next(
        (found for k in _META_IDS if (found := id_of(meta.get(k)))), None
    )
    told = {k: v for k, v in {**extra, **meta}.items() if k not in _FIELDS and not (k in _META_IDS and id_of(v) == doc_id)}
    relevance = named(*_LABELS)
    source = named("source", "file_name", "filename", "file_path", "doc_uri", "source_url")
    return Draft(
        text=text_of(text),
        doc_id=doc_id,
        score=number(named(*_SCORE_KEYS)),
        title=words(named("title", "page_name")),
        source=words(source) if not isinstance(source, Mapping) else None,
        relevance=int(relevance) if isinstance(relevance, bool) else whole(relevance),
        facts=facts_of(element["facts"]) if element.get("facts") is not None else facts_of(element.get("claims")),
        revision=words(named("revision", "version")),
        effective_date=words(named("effective_date", "date")),
        authority=words(named("authority")),
        metadata={str(k): text_of(v)[:2000] for k, v in told.items() if not is_null(v)},
    )


def _llama_node(element: Mapping[str, Any]) -> Draft:
    """A LlamaIndex NodeWithScore: relevance is judged per source document, so its id is the document's, and the chunk id is kept."""
    node = element["node"]
    node = node["__data__"] if isinstance(node.get("__data__"), Mapping) else node
    draft = _from_object(node)
    relations = node.get("relationships")
    source = relations.get("1", relations.get("SOURCE")) if isinstance(relations, Mapping) else None
    chunk = id_of(node.get("id_")) or id_of(node.get("node_id")) or id_of(node.get("doc_id"))
    draft.doc_id = (id_of(source.get("node_id")) if isinstance(source, Mapping) else None) or id_of(node.get("ref_doc_id")) or chunk
    draft.score = number(element.get("score"))
    keep = ("id_", "relationships", "hash", "metadata_template", "metadata_separator", "text_template", "class_name", "start_char_idx", "end_char_idx",
            "excluded_embed_metadata_keys", "excluded_llm_metadata_keys", "mimetype", "text_resource", "image_resource", "audio_resource", "video_resource")
    draft.metadata = {k: v for k, v in draft.metadata.items() if k not in keep}
    if chunk is not None:
        draft.metadata["chunk_id"] = chunk
    if not draft.text and isinstance(node.get("text_resource"), Mapping):
        draft.text = text_of(node["text_resource"].get("text"))
    return draft


def _printed(text: str) -> Draft | None:
    """``page_content='…' metadata={…}``: what ``json.dumps(default=str)`` leaves of a LangChain document."""
    match = _PRINTED.match(text) if text.startswith(("page_content=", "Document(page_content=")) else None
    if match is None:
        return None
    try:
        body = ast.literal_eval(match["text"])
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    meta = structure(match["meta"]) if match["meta"] else {}
    return _from_object({"page_content": body, "metadata": meta if isinstance(meta, Mapping) else {}})


def facts_of(value: Any) -> tuple[Fact, ...] | None:
    """Attribute-value pairs from pairs, {attribute, value} objects or {attribute: value | [values]}; None when there are none to read."""
    value = structure(value)
    if not isinstance(value, (Mapping, list)):
        return None
    pairs: list[Fact] = []
    elements: Iterable[Any] = (
        value.items() if isinstance(value, Mapping) and not {"attribute", "value"} <= value.keys() else [value] if isinstance(value, Mapping) else value
    )
    for element in elements:
        if isinstance(element, Mapping):
            if "attribute" not in element or "value" not in element:
                return None
            attribute, stated = element["attribute"], element["value"]
        elif isinstance(element, (list, tuple)) and len(element) == 2:
            attribute, stated = element
        else:
            return None
        pairs.extend(Fact(attribute=text_of(attribute), value=text_of(one)) for one in (stated if isinstance(stated, list) else [stated]))
    return tuple(pairs)


def numbered(drafts: Iterable[Draft]) -> tuple[tuple[Passage, ...], list[str]]:
    """
    Passages with ranks and ids that are unique in the trace, and what is doubtful about them in words.

    A repeated document id gets ``#2``, ``#3``; a passage without one gets an id made from its text.
    """
    passages: list[Passage] = []
    seen: dict[str, int] = {}
    repeated: list[str] = []
    empty: list[int] = []
    for position, draft in enumerate(drafts, start=1):
        rank = draft.rank or position
        wanted = next((name for name in (draft.id, draft.doc_id) if name is not None), None) or synthetic_passage_id(draft.text)
        count = seen[wanted] = seen.get(wanted, 0) + 1
        unique = wanted if count == 1 else f"{wanted}#{count}"
        while count > 1 and unique in seen:
            count += 1
            unique = f"{wanted}#{count}"
        seen[wanted] = count
        seen.setdefault(unique, 1)
        if count > 1:
            repeated.append(wanted)
        if not draft.text.strip() and not draft.missing:
            empty.append(rank)
        passages.append(Passage(
            id=unique, text=draft.text, rank=rank, doc_id=draft.doc_id, score=draft.score, title=draft.title, source=draft.source,
            relevance=draft.relevance, facts=draft.facts, revision=draft.revision, effective_date=draft.effective_date,
            authority=draft.authority, metadata=draft.metadata,
        ))
    doubts = []
    if repeated:
        doubts.append(f"the same passage was retrieved more than once ({', '.join(dict.fromkeys(repeated))})")
    if empty:
        names = dict.fromkeys(name for passage in passages if not passage.text.strip() for name in passage.metadata)
        doubts.append(f"passage {', '.join(map(str, empty))} has no text" + (f" (names found: {', '.join(list(names)[:6])})" if names else ""))
    return tuple(passages), doubts
