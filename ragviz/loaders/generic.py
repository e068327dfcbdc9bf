"""Any table or list of records with a question and an answer or passages, under any of the usual names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, BinaryIO

from ragviz.loaders.building import warning
from ragviz.loaders.cells import is_null, structure
from ragviz.loaders.fields import Record, follow, has_synonym, normal, translated
from ragviz.loaders.format import Format, guarded
from ragviz.loaders.mapping import Unfound, mapped, rows_for
from ragviz.loaders.outline import Outline
from ragviz.loaders.passage_rows import joined
from ragviz.loaders.records_in import present, trace_of_row
from ragviz.loaders.rows import Row, read_rows
from ragviz.loaders.turns import CONVERSATIONS, look_like_turns
from ragviz.loaders.unwrapping import unwrapped
from ragviz.records import LoadIssue, Trace

CLAIM_TABLE = frozenset({"trace_id", "claim_id", "claim", "verdict"})
"""Headings of a table of verdicts, as we export it: a row is a claim, and the answers are not in it."""
SAID_OF = ("claim", "sentence", "statement")
SAID = ("verdict", "label")
"""Headings of a row that is what somebody says of one claim: a label, or an error that a user reported."""


def read(source: BinaryIO, filename: str, *, field_map: Mapping[str, str] | None = None) -> Iterator[Trace | LoadIssue]:
    """Every record under synonyms, or under the names the user gives."""
    told = translated_told = False
    n = 0
    unfound = Unfound(field_map or {})
    rows = read_rows(source, filename=filename)
    for row in rows if field_map else joined(rows):
        if isinstance(row, LoadIssue):
            yield row
            continue
        if field_map:
            inside, paths = rows_for(row, field_map)
            for named in inside:
                unfound.look(named.value, paths)
                yield from guarded(named, partial(_mapped_trace, field_map=paths))
            continue
        for one in unwrapped(row):
            if isinstance(one, LoadIssue):
                yield one
                continue
            if not translated_told:
                translated_told = True
                if taken := translated({normal(str(k)): str(k).strip() for k in one.value}):
                    yield warning(filename, f"headings were translated: {taken}", "name others with --map, if one of these is wrong")
            if not told and _lone_passage(one.value):
                told = True
                yield warning(one.where, "passages are one text here; it was read as a single passage", "write passages as a JSON list to keep them apart")
            yield from guarded(one._replace(n=n), trace_of_row)  # counted over all pages, so that rows without ids are told apart
            n += 1
    yield from unfound.issues(filename)


def _mapped_trace(row: Row, field_map: Mapping[str, str]) -> Iterator[Trace | LoadIssue]:
    if all(is_null(follow(row.value, path)) for path in field_map.values()):
        yield LoadIssue(
            where=row.where,
            message=f"nothing at {', '.join(field_map.values())} in this record",
            fix=f"names found: {', '.join(list(map(str, row.value))[:20])}",
        )
        return
    yield from trace_of_row(mapped(row, field_map))


def _lone_passage(row: Mapping[str, Any]) -> bool:
    """True when the passages are plain text, not a list in any writing."""
    record = Record(row)
    name = present(record, "passages")
    value = record.values.get(name)
    return isinstance(value, str) and len(value) > 300 and structure(value) is value


def matches(look: Outline) -> bool:
    """A question, an answer or passages under the usual names, directly or inside a wrapper."""
    if look.container not in ("json", "jsonl", "objects", "table", "parquet"):
        return False
    if look.names >= CLAIM_TABLE or labels_claims(look.names):
        return False
    if isinstance(look.row.get("messages", look.row.get("conversation")), list) and (has_synonym(look.names, "passages") or "messages" in look.keys):
        return True
    if any(look_like_turns(structure(look.row.get(name))) for name in ("turns", *CONVERSATIONS)):
        return True
    if has_synonym(look.names, "question") or (has_synonym(look.names, "response") and has_synonym(look.names, "passages")):
        return True
    return wraps(look.top)


def wraps(value: Mapping[str, Any]) -> bool:
    """True for an object around records: a page of an API."""
    return bool(value) and not any(isinstance(one, Row) and one.value is value for one in unwrapped(Row("", 0, value)))


def labels_claims(names: Iterable[str]) -> bool:
    """True for rows that say something of a claim, without the answer that it is in."""
    names = set(names)
    return bool(names & set(SAID_OF)) and bool(names & set(SAID)) and not has_synonym(names, "response")


LOADER = Format(
    name="generic", label="CSV, JSON, JSONL, Parquet or Arrow with a question, an answer and passages", order=60,
    recognised_by="a column or key that means question (question, query, user_input, prompt, …), or an answer together with passages",
    matches=matches, read=read, suffixes=(".csv", ".tsv", ".json", ".jsonl", ".parquet", ".arrow", ".feather"),
)
