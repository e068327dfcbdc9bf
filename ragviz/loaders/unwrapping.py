"""Records inside the objects that people and tools put around them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ragviz.loaders.fields import has_synonym, normal
from ragviz.loaders.rows import Row, no_object
from ragviz.records import LoadIssue

WRAPPERS = ("data", "results", "samples", "examples", "items", "rows", "records", "traces", "questions", "dataset", "test_cases")


def unwrapped(row: Row, *, wanted: str = "") -> Iterator[Row | LoadIssue]:
    """The rows inside {"data": [...]}, {"results": {"items": [...]}} or {id: {...}}, and which of them are none; the row itself when it is no such wrapper."""
    found = None if asks(row.value) else _rows_inside(row.value, wanted, 0)
    if found is None:
        yield row
    else:
        yield from (
            Row(f"{row.where}:{n + 1}", n, value) if isinstance(value, Mapping) else no_object(row.where, n + 1, value) for n, value in enumerate(found)
        )


def _rows_inside(value: Mapping[str, Any], wanted: str, depth: int) -> list[Any] | None:
    """The list of records in an object: under one of the usual names, else under any name if its records ask something."""
    for name in dict.fromkeys((wanted, *WRAPPERS, *map(str, value))):
        inner = value.get(name)
        if isinstance(inner, list) and any(isinstance(e, Mapping) for e in inner):
            rows = [e["row"] if isinstance(e, Mapping) and isinstance(e.get("row"), Mapping) else e for e in inner]
            if name == wanted or asks(next(e for e in rows if isinstance(e, Mapping))):
                return rows
        if isinstance(inner, Mapping) and depth < 2 and name in WRAPPERS and (deeper := _rows_inside(inner, wanted, depth + 1)):
            return deeper
    if len(value) > 0 and all(isinstance(v, Mapping) and asks(v) for v in value.values()):
        return [{"id": name, **v} for name, v in value.items()]
    return None


def asks(value: Mapping[str, Any]) -> bool:
    """True for a record with a question, or with an answer and passages."""
    names = [normal(str(k)) for k in value]
    return has_synonym(names, "question") or (has_synonym(names, "response") and has_synonym(names, "passages"))
