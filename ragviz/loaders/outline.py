"""What the first bytes of a file are: the container and the names in it, looked at once for all loaders."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from io import BytesIO
from typing import Any

import msgspec

from ragviz.errors import InputError
from ragviz.loaders.arrow import excerpt, is_arrow
from ragviz.loaders.cells import nested, plain
from ragviz.loaders.columns import columnar
from ragviz.loaders.containers import container_of
from ragviz.loaders.encodings import readable
from ragviz.loaders.fields import is_index, normal
from ragviz.loaders.jsontext import parse, salvage, try_parse, values
from ragviz.loaders.limits import HEAD_BYTES
from ragviz.loaders.tables import delimiter_of, table_rows
from ragviz.loaders.utf8 import is_damaged_mark

_CREATE = re.compile(rb"CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?[\"'`\[]?(\w+)", re.IGNORECASE)


class Outline(msgspec.Struct, frozen=True, kw_only=True):
    """The look of a file."""

    container: str
    """empty, binary, sqlite, parquet, arrow (damaged, or nothing to read it with), json, jsonl, objects (JSON back to back), table, text."""
    value: Any = None
    """The top value of a JSON file, as far as it lies in the head."""
    rows: tuple[dict[str, Any], ...] = ()
    """The first few rows: list elements, lines, or rows of a table."""
    tables: frozenset[str] = frozenset()
    """Table names of a database."""
    text: str = ""
    """The head as text (not for binary containers)."""
    delimiter: str = ","

    @property
    def row(self) -> dict[str, Any]:
        """The first row; {} when there is none."""
        return self.rows[0] if self.rows else {}

    @property
    def keys(self) -> frozenset[str]:
        """Names in the first rows, as the file writes them, without pandas' row numbers."""
        return frozenset(key for row in self.rows for key in row if not is_index(normal(key)))

    @property
    def names(self) -> frozenset[str]:
        """Names in the first rows, normalised."""
        return frozenset(normal(key) for key in self.keys)

    @property
    def top(self) -> Mapping[str, Any]:
        """The top object of a JSON file; {} for lists and everything else."""
        return self.value if isinstance(self.value, dict) else {}

    @property
    def is_table(self) -> bool:
        """CSV or Parquet: names are columns."""
        return self.container in ("table", "parquet")


@lru_cache(maxsize=8)
def outline(head: bytes) -> Outline:
    """The look of a file that starts with ``head``. Never raises."""
    try:
        return _outline(head)
    except (InputError, ValueError, TypeError, RecursionError, OverflowError):
        return Outline(container="json" if head.lstrip()[:1] in (b"{", b"[") else "binary")


def _outline(head: bytes) -> Outline:
    if head.startswith(b"\xef\xbb\xbf"):
        head = head[3:]
    elif head.startswith((b"\xff\xfe", b"\xfe\xff")) and not is_damaged_mark(head[:516]):
        head = head.decode("utf-16", "replace").encode("utf-8", "replace")
    if head.startswith(b"SQLite format 3"):
        return Outline(container="sqlite", tables=frozenset(name.decode().lower() for name in _CREATE.findall(head)))
    if head.startswith(b"PAR1"):
        from ragviz.loaders.parquet import first_rows  # noqa: PLC0415 - pyarrow costs 200 ms, only for parquet

        return Outline(container="parquet", rows=tuple(_opened(row) for row in first_rows(BytesIO(head))))
    if is_arrow(head):
        head = excerpt(BytesIO(head))
        return _outline(head) if head.startswith(b"PAR1") else Outline(container="arrow")
    kind = container_of(head)
    if kind in ("empty", "binary"):
        return Outline(container=kind)
    head = readable(head)
    text = head.decode("utf-8", "replace")
    if kind == "jsonl":
        found = [value for line in head.split(b"\n")[:40] if isinstance(value := try_parse(line), dict)]
        return Outline(container=kind, rows=tuple(found[:8]), text=text)
    if kind == "objects":
        found = [value for _, value in values(text) if isinstance(value, dict)]
        return Outline(container=kind, rows=tuple(found[:8]), text=text)
    if kind == "json":
        return _json(head, text)
    cut = len(head) >= HEAD_BYTES
    delimiter = delimiter_of(text, cut=cut)
    heading = text.lstrip("\n\r").split("\n", 1)[0].strip()
    if delimiter is None and not ("\n" in text.strip() and re.fullmatch(r"[\w \-]{1,60}", heading)):
        return Outline(container="text", text=text)
    rows: list[dict[str, Any]] = []
    for row in table_rows(BytesIO(head), filename="", delimiter=delimiter or ","):
        if isinstance(row, tuple):
            rows.append(_opened(row[1]))
        if len(rows) == 8:
            break
    if not rows and delimiter is not None:
        rows = [dict.fromkeys((cell.strip() for cell in heading.split(delimiter)), None)]
    return Outline(container="table", rows=tuple(rows), text=text, delimiter=delimiter or "")


def _opened(row: dict[str, Any]) -> dict[str, Any]:
    return {name: nested(cell) for name, cell in row.items()}


def _json(head: bytes, text: str) -> Outline:
    try:
        value = parse(head)
    except InputError:
        value, _ = salvage(text.lstrip(), whole_records=False)
    value = plain(value)
    transposed = columnar(value)
    if transposed is not None:
        rows = transposed
    elif isinstance(value, list):
        rows = [element for element in value[:8] if isinstance(element, dict)]
    else:
        rows = [value] if isinstance(value, dict) else []
    return Outline(container="json", value=value, rows=tuple(rows[:8]), text=text)
