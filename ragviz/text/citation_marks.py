"""Where an answer cites, in whatever style, and which retrieved passages that means."""

from __future__ import annotations

import re

import msgspec

from ragviz.records import Citation, Span, Trace


class CitationMark(msgspec.Struct, frozen=True, kw_only=True):
    """One mark as written."""

    span: Span
    text: str
    labels: tuple[str, ...]


def citation_marks(text: str) -> list[CitationMark]:
    """All marks in order."""
    return [CitationMark(span=Span(*m.span()), text=m.group(), labels=tuple(re.findall(r"\d+", m.group()))) for m in re.finditer(r"\[\d[\d,\s-]*\]", text)]


def trailing_sources(text: str) -> Span | None:
    """The list of sources at the end."""
    match = re.search(r"(?i)\bsources:[^\n]*\Z", text)
    return Span(*match.span()) if match else None


def resolve_citations(trace: Trace) -> tuple[Citation, ...]:
    """Marks of the answer with the passages they name."""
    ids = [p.id for p in trace.passages or ()]
    found = []
    for mark in citation_marks(trace.response):
        good = tuple(ids[int(label) - 1] for label in mark.labels if 0 < int(label) <= len(ids))
        found.append(Citation(span=mark.span, marker=mark.text, passage_ids=good, unresolved=tuple(x for x in mark.labels if not 0 < int(x) <= len(ids))))
    return tuple(found)
