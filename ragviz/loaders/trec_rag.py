"""Answers of the TREC RAG track: sentences that cite documents by position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from ragviz.loaders.building import assemble
from ragviz.loaders.cells import id_of, listed, number, text_of
from ragviz.loaders.companions import Needs, Part
from ragviz.loaders.format import Format, per_row
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import Draft, numbered
from ragviz.loaders.rows import Row
from ragviz.records import Citation, LoadIssue, Passage, Span, Trace


def read(source: BinaryIO, filename: str) -> Iterator[Part]:
    """One answer a line; its documents are ids only."""
    yield from per_row(source, filename, _answer)
    yield Needs(
        role="documents",
        issue=LoadIssue(
            where=filename,
            message="answers of the RAG track have ids of documents, but no texts",
            fix="open them together with the documents (--documents)",
            rejected=False,
        ),
    )


def _answer(row: Row) -> Iterator[Trace | LoadIssue]:
    value = row.value
    meta = value.get("metadata") if isinstance(value.get("metadata"), Mapping) else {}
    drafts = [Draft(doc_id=id_of(name), missing=True) for name in listed(value.get("references"))]
    response, citations = _cited(value.get("answer"), numbered(drafts)[0])
    topic = id_of(value.get("topic_id", meta.get("narrative_id", meta.get("topic_id"))))
    run = value.get("run_id", meta.get("run_id"))
    yield from assemble(
        row.where,
        row.n,
        id=topic,
        question=value.get("topic", meta.get("narrative", meta.get("topic"))),
        response=response,
        drafts=drafts,
        citations=citations,
        group=topic,
        passages_are="ids",
        tags={"run": text_of(run)} if run is not None else {},
    )


def _cited(sentences: Any, passages: tuple[Passage, ...]) -> tuple[str, tuple[Citation, ...]]:
    """The sentences with [n] behind each, n from 1; a position outside the list of references names nothing."""
    text, citations = "", []
    for sentence in sentences if isinstance(sentences, list) else ():
        if not isinstance(sentence, Mapping):
            continue
        text += (" " if text else "") + text_of(sentence.get("text")).strip()
        for given in listed(sentence.get("citations")):
            position = number(given)
            if position is None:
                continue
            mark = f"[{int(position) + 1}]"
            text += f" {mark}"
            known = 0 <= position < len(passages)
            citations.append(
                Citation(
                    span=Span(len(text) - len(mark), len(text)),
                    marker=mark,
                    passage_ids=(passages[int(position)].id,) if known else (),
                    unresolved=() if known else (mark.strip("[]"),),
                )
            )
    return text, tuple(citations)


def matches(look: Outline) -> bool:
    """References, and an answer that is a list of cited sentences."""
    answer = look.row.get("answer")
    first = answer[0] if isinstance(answer, list) and answer else None
    return "references" in look.row and isinstance(first, dict) and {"text", "citations"} <= first.keys()


LOADER = Format(
    name="trec_rag",
    label="TREC RAG track answers",
    order=51,
    matches=matches,
    read=read,
    suffixes=(".jsonl",),
    recognised_by="references with an answer of {text, citations}",
)
