"""The shape of the tutorial: DOCUMENTS with facts, TRACES with annotated attribute-value claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, BinaryIO

import msgspec

from ragviz.loaders.building import assemble, first_text, ids_of, tags_of, warning
from ragviz.loaders.cells import id_of, structure, text_of
from ragviz.loaders.claims_in import claims_in, pairs_in
from ragviz.loaders.companions import Companion, Needs, Part
from ragviz.loaders.format import Format, guarded
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import Draft, draft_of
from ragviz.loaders.rows import Row, read_rows
from ragviz.records import ImportedClaim, LoadIssue, Side, Trace

_USED = frozenset({"name", "id", "question", "response", "answer", "retrieved", "relevant_documents", "relevant", "expected_claims", "response_claims",
                   "requested_facets", "reference", "reference_answer", "answerable", "expected_answer"})


def documents_of(value: Any) -> dict[str, Draft]:
    """{id: text} or {id: {text, source, revision, effective_date, authority, facts or claims}}, or a list of objects with an id."""
    found: dict[str, Draft] = {}
    pairs = value.items() if isinstance(value, Mapping) else [(None, element) for element in value]
    for name, element in pairs:
        draft = draft_of(element)
        key = str(name) if name is not None else draft.doc_id
        if key is not None:
            draft.doc_id = key
            found[key] = draft
    return found


def read(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Traces with the texts and facts of their documents where the file has them."""
    told = False
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
            continue
        lowered = {str(k).lower(): v for k, v in row.value.items()}
        documents = documents_of(lowered["documents"]) if isinstance(lowered.get("documents"), (dict, list)) and "traces" in lowered else None
        inner = lowered.get("traces")
        for one in [Row(f"{filename}:{n + 1}", n, value) for n, value in enumerate(inner)] if isinstance(inner, list) else [row]:
            if not isinstance(one.value, Mapping):
                yield LoadIssue(where=one.where, message="a trace should be an object", fix="see docs/LOADERS.md, tutorial shape")
                continue
            if documents is None and not told and one.value.get("retrieved"):
                told = True
                yield Needs(
                    role="documents",
                    issue=warning(one.where, "the file has ids of documents, but no texts", "open it together with the file of documents (--documents)"),
                )
            yield from guarded(one, partial(_trace, documents=documents))


def _trace(row: Row, documents: dict[str, Draft] | None) -> Iterator[Trace | LoadIssue]:
    value = row.value
    drafts, missing = _retrieved(value.get("retrieved"), documents)
    claims = _claims(value)
    facets = structure(value.get("requested_facets"))
    yield from assemble(
        row.where,
        row.n,
        id=value.get("name", value.get("id")),
        question=value.get("question"),
        response=value.get("response", value.get("answer")),
        drafts=drafts,
        reference=first_text(value.get("reference", value.get("reference_answer", value.get("expected_answer")))),
        relevant_ids=ids_of(value.get("relevant_documents", value.get("relevant"))),
        answerable=value.get("answerable") if isinstance(value.get("answerable"), bool) else None,
        facets=tuple(map(text_of, facets)) if isinstance(facets, list) else None,
        claims=claims,
        passages_are="ids" if documents is None and drafts else None,
        tags=tags_of({k: v for k, v in value.items() if k not in _USED}),
    )
    if missing:
        yield warning(row.where, f"no document named {', '.join(missing)} in the file", "add it to DOCUMENTS; the passage has no text")


def _retrieved(value: Any, documents: dict[str, Draft] | None) -> tuple[list[Draft] | None, list[str]]:
    """The documents of the retrieved ids, in rank order; unknown ones without text."""
    value = structure(value)
    if not isinstance(value, list):
        return None, []
    drafts: list[Draft] = []
    missing: list[str] = []
    for element in value:
        if isinstance(element, Mapping):
            drafts.append(draft_of(element))
            continue
        name = id_of(element) or ""
        known = (documents or {}).get(name)
        if known is None and documents is not None:
            missing.append(name)
        drafts.append(msgspec.structs.replace(known) if known is not None else Draft(doc_id=name, missing=True))
    return drafts, missing


def _claims(value: Mapping[str, Any]) -> tuple[ImportedClaim, ...] | None:
    """Annotated pairs of both sides; None when the record has neither."""
    if value.get("response_claims") is None and value.get("expected_claims") is None:
        return None
    found: list[ImportedClaim] = []
    for name, side in (("response_claims", Side.RESPONSE), ("expected_claims", Side.REFERENCE)):
        claims = pairs_in(value.get(name), side)
        found += claims if claims is not None else claims_in(value.get(name), side) or ()
    return tuple(found)


def matches(look: Outline) -> bool:
    """TRACES with DOCUMENTS, or rows with annotated claims on both sides."""
    top = {str(k).lower() for k in look.top}
    if "traces" in top and ("documents" in top or _annotated({str(k).lower(): v for k, v in look.top.items()}.get("traces"))):
        return True
    return _annotated(list(look.rows))


def _annotated(rows: Any) -> bool:
    """True for rows with attribute-value claims, not those of RAGChecker."""
    row = rows[0] if isinstance(rows, list) and rows and isinstance(rows[0], dict) else {}
    if not row.get("question") and not row.get("name"):
        return False
    return "gt_answer" not in row and "response_claims" in row and ("expected_claims" in row or "requested_facets" in row or "retrieved" in row)


def read_documents(source: BinaryIO, filename: str) -> Iterator[Part]:
    """A map or list of documents, as a companion."""
    documents: dict[str, Draft] = {}
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
            continue
        lowered = {str(k).lower(): v for k, v in row.value.items()}
        inner = lowered["documents"] if isinstance(lowered.get("documents"), (dict, list)) else None
        documents |= documents_of(inner if inner is not None else row.value if not _is_document(row.value) else [row.value])
    if documents:
        yield Companion(role="documents", rows=len(documents), where=filename, documents=documents)
    else:
        yield LoadIssue(where=filename, message="no documents with an id found", fix="write {id: text} or a list of {id, text}")


def _is_document(value: Mapping[str, Any]) -> bool:
    """True for one document object, False for a map of them."""
    draft = draft_of(value)
    return draft.doc_id is not None and bool(draft.text)


def matches_documents(look: Outline) -> bool:
    """{id: text}, {id: {text, …}}, or {"DOCUMENTS": …} without traces."""
    top = look.top
    if look.container != "json" or not top:
        return False
    if {str(k).lower() for k in top} == {"documents"}:
        return True
    parts = list(top.values())
    if all(isinstance(p, str) for p in parts):
        return len(parts) > 1 and sum(len(p) > 25 and " " in p for p in parts) >= len(parts) / 2
    return all(isinstance(p, dict) and isinstance(p.get("text"), str) for p in parts)


LOADER = Format(
    name="tutorial", label="Tutorial traces (DOCUMENTS and TRACES with annotated facts)", order=30,
    recognised_by="TRACES beside DOCUMENTS, or rows with response_claims and expected_claims as attribute-value pairs", matches=matches, read=read,
)
DOCUMENTS = Format(
    name="documents", label="Map of documents (beside a file with ids only)", order=62, companion=True,
    recognised_by="one JSON object of id → text, or id → {text, …}", matches=matches_documents, read=read_documents, suffixes=(".json",),
)
