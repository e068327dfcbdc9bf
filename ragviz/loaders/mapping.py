"""Where a user says that things are: rows and fields of an unknown shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ragviz.loaders.building import warning
from ragviz.loaders.cells import is_null
from ragviz.loaders.fields import SYNONYMS, follow
from ragviz.loaders.rows import Row
from ragviz.records import LoadIssue

DEPTH = 3
"""Objects around the list of records that are looked into."""


def rows_for(row: Row, field_map: Mapping[str, str]) -> tuple[list[Row], Mapping[str, str]]:
    """
    The records that the paths speak of, and the paths inside one record.

    ``question=runs[].prompt`` with every path under ``runs[]`` means the elements of ``runs``. A path that leads nowhere from the top
    is looked for in the list of records that the object wraps, whatever that is called.
    """
    prefixes = {path.partition("[].")[0] for path in field_map.values()}
    if len(prefixes) == 1 and all("[]." in path for path in field_map.values()) and isinstance(row.value, Mapping):
        prefix = prefixes.pop()
        if found := _records(follow(row.value, prefix)):
            return _numbered(row, found), {field: path[len(prefix) + 3 :] for field, path in field_map.items()}
    if not _leads_somewhere(row.value, field_map) and (found := _wrapped(row.value, field_map, 0)):
        return _numbered(row, found), field_map
    return [row], field_map


def _numbered(row: Row, values: list[Mapping[str, object]]) -> list[Row]:
    return [Row(f"{row.where}:{n + 1}", n, value) for n, value in enumerate(values)]


def _records(value: object) -> list[Mapping[str, object]]:
    """The elements of a list of objects; [] for anything else."""
    return list(value) if isinstance(value, list) and all(isinstance(e, Mapping) for e in value) else []


def _leads_somewhere(value: object, field_map: Mapping[str, str]) -> bool:
    return any(not is_null(follow(value, path)) for path in field_map.values())


def _wrapped(value: object, field_map: Mapping[str, str], depth: int) -> list[Mapping[str, object]]:
    """The first list of objects, from outside to inside, in which the paths lead somewhere."""
    if not isinstance(value, Mapping) or depth > DEPTH:
        return []
    for inner in value.values():
        records = _records(inner)
        if records and any(_leads_somewhere(record, field_map) for record in records[:8]):
            return records
    return next((found for inner in value.values() if (found := _wrapped(inner, field_map, depth + 1))), [])


def mapped(row: Row, field_map: Mapping[str, str]) -> Row:
    """The row with the user's fields put in under our names; the places they came from are not read twice."""
    tops = {path.split(".", 1)[0].split("[", 1)[0] for path in field_map.values()}
    synonyms = {name for field in field_map if field in SYNONYMS for name in SYNONYMS[field]}
    kept = {k: v for k, v in row.value.items() if k not in tops and k not in field_map.values() and k not in synonyms}
    ours = {field: follow(row.value, path) for field, path in field_map.items()}
    return row._replace(value={**kept, **{SYNONYMS[f][0] if f in SYNONYMS else f: v for f, v in ours.items()}})


def names_inside(value: object) -> str:
    """The names in the records that an object wraps, as a path of a map begins: ``items[]: ask, said``; "" when it wraps none."""
    if not isinstance(value, Mapping):
        return ""
    found = next(((name, records[0]) for name, inner in value.items() if (records := _records(inner))), None)
    return f"{found[0]}[]: {', '.join(list(map(str, found[1]))[:15])}" if found else ""


class Unfound:
    """The fields of a map that no record of a file has had so far: a mistyped path is told, not passed over."""

    def __init__(self, field_map: Mapping[str, str]) -> None:
        self._paths = dict(field_map)
        self._left = set(field_map)
        self._names: tuple[str, ...] = ()

    def look(self, record: Mapping[str, object], paths: Mapping[str, str]) -> None:
        """One more record, and where the fields are inside it."""
        if self._left:
            self._names = self._names or tuple(map(str, record))
            self._left -= {field for field in self._left if not is_null(follow(record, paths[field]))}

    def issues(self, filename: str) -> Iterator[LoadIssue]:
        """One doubt for each field that no record has; none where nothing fits at all, which every row says by itself."""
        if len(self._left) < len(self._paths):
            for field in sorted(self._left):
                yield warning(
                    filename, f"nothing at {self._paths[field]} in any record: no trace has its {field}", f"names found: {', '.join(self._names[:20])}"
                )
