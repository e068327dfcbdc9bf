"""Column-oriented JSON turned into rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragviz.loaders.fields import has_synonym, normal


def columnar(value: Any) -> list[dict[str, Any]] | None:
    """
    Rows of a column-oriented object; None when it is none.

    Known: pandas ``to_json()`` ({column: {"0": …}}), orient "split" and "table", and {column: [values]}.
    """
    if not isinstance(value, dict) or not value:
        return None
    parts = list(value.values())
    if (
        set(value) >= {"columns", "data"}
        and isinstance(value["columns"], list)
        and isinstance(value["data"], list)
        and all(isinstance(r, list) for r in value["data"])
    ):
        return [dict(zip(map(str, value["columns"]), row, strict=False)) for row in value["data"]]
    if set(value) == {"schema", "data"} and isinstance(value["data"], list):
        return [row for row in value["data"] if isinstance(row, dict)]
    if all(isinstance(p, Mapping) for p in parts) and parts[0] and all(str(k).isdigit() for p in parts for k in p) and (_named(value) or _aligned(parts)):
        order = sorted({k for p in parts for k in p}, key=int)
        return [{name: column.get(k) for name, column in value.items()} for k in order]
    if all(str(k).isdigit() for k in value) and all(isinstance(p, Mapping) and _named(p) for p in parts):
        return [dict(value[k]) for k in sorted(value, key=int)]  # orient="index"
    if len(value) > 1 and all(isinstance(p, list) for p in parts) and parts[0] and _named(value):
        return [{name: column[i] for name, column in value.items() if i < len(column)} for i in range(max(map(len, parts)))]
    return None


def _aligned(columns: list[Mapping[str, Any]]) -> bool:
    """True for columns that share the row numbers 0, 1, 2, …, and hold more than numbers (BEIR results hold nothing else)."""
    numbers = [str(n) for n in range(len(columns[0]))]
    return len(columns) > 1 and all(list(map(str, c)) == numbers for c in columns) and not all(isinstance(v, (int, float)) for c in columns for v in c.values())


def _named(columns: Mapping[str, Any]) -> bool:
    """True when the names are ours or those of exports we know."""
    names = {normal(str(c)) for c in columns}
    return has_synonym(names, "question") or bool(names & {"trace_id", "record_id", "context.span_id", "id"})
