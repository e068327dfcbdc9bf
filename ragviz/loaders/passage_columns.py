"""The passages of one record out of its columns: a list, texts beside ids and scores, or a column for each passage."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ragviz.loaders.building import with_ids
from ragviz.loaders.cells import cut_by_numpy, id_of, number, structure, words
from ragviz.loaders.fields import SYNONYMS, Record
from ragviz.loaders.passages import Draft, drafts_of
from ragviz.loaders.printed import cut_by_haystack

_BARS = "|||"
"""Between passages that people join in one cell; no prose has it."""

_MAYBE = ("results", "hits", "matches", "search_hits", "evidence", "evidences", "references", "citations")
_NUMBERED = re.compile(
    r"(?:retrieved_)?(?:context|passage|document|doc|chunk|snippet|paragraph|excerpt|evidence|search_result|kontext|passagen|dokument|contexte|extrait|contexto|pasaje|fragmento)s?_?"
    r"(?P<n>\d+)(?:_text|_content)?$"
)
_FIELDS = {"score": ("score", "similarity", "distance"), "id": ("id", "doc_id"), "source": ("source", "url"), "title": ("title",)}
_WHAT = r"score|similarity|distance|id|source|url|title"
_BESIDE = re.compile(rf"(?:(?:retrieved_)?(?:context|passage|document|doc|chunk)_)?(?P<before>{_WHAT})_?(?P<n>\d+)$|(?:retrieved_)?(?:context|passage|document|doc|chunk)_?(?P<of>\d+)_(?P<after>{_WHAT})$")
"""What stands beside a passage with a column of its own."""


def passages_in(record: Record) -> tuple[list[Draft] | None, list[str]]:
    """Passages from the first filled column of texts, with ids and scores from theirs."""
    names = [n for n in SYNONYMS["passages"] if n in record]
    if "retrieval_context" in names and "context" in names:
        names.remove("context")
    record.used.update(names)
    drafts = None
    for name in names:
        value = record.values[name]
        drafts = drafts_of([part.strip() for part in value.split(_BARS) if part.strip()] if isinstance(value, str) and _BARS in value else value)
        if drafts is not None:
            break
    if drafts is None:
        drafts = _numbered_columns(record)
    if drafts is None:
        drafts = _hits(record)
    drafts, doubts = with_ids(drafts, record.named("passage_ids"), record.named("passage_scores"))
    if cut := [str(n) for n, draft in enumerate(drafts or (), start=1) if cut_by_haystack(draft.text)]:
        doubts.append(f"passage {', '.join(cut)} ends in ... after 100 characters, as Haystack prints documents: the rest is not in the file")
    if any(cut_by_numpy(record.values[name]) for name in names):
        doubts.append('numpy printed "..." in the list of passages: those in the middle are not in the file')
    return drafts, doubts


def _hits(record: Record) -> list[Draft] | None:
    """Objects with texts under a name that may mean other things too."""
    for name in _MAYBE:
        given = structure(record.values.get(name))
        if isinstance(given, list) and given and all(isinstance(one, Mapping) for one in given):
            found = drafts_of(given) or []
            if found and all(draft.text.strip() for draft in found):
                record.used.add(name)
                return found
    return None


def _numbered_columns(record: Record) -> list[Draft] | None:
    """Passages in columns of their own, context_1, context_2, …, with what stands beside each: score_1, or context_1_score."""
    found = sorted((int(m["n"]), name) for name in record.values if (m := _NUMBERED.match(name)))
    if not found:
        return None
    beside: dict[tuple[str, str], str] = {}
    for name in record.values:
        if m := _BESIDE.match(name):
            beside.setdefault((m["before"] or m["after"], m["n"] or m["of"]), name)
    drafts = []
    for n, name in found:
        record.used.add(name)
        given = drafts_of(record.values[name]) or []
        told = {field: record.values[known] for field, names in _FIELDS.items() for one in names if (known := beside.get((one, str(n))))}
        if len(given) == 1 and told:
            record.used.update(known for (field, of), known in beside.items() if of == str(n) and any(field in names for names in _FIELDS.values()))
            one = given[0]
            one.score = number(told.get("score")) if one.score is None else one.score
            one.doc_id, one.source, one.title = one.doc_id or id_of(told.get("id")), one.source or words(told.get("source")), one.title or words(told.get("title"))
        drafts += given
    return drafts
