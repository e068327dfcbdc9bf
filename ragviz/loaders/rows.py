"""Any container as rows: JSON lists, JSON Lines, columns turned round, tables, Parquet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, BinaryIO, NamedTuple

from ragviz.errors import InputError
from ragviz.loaders import arrow
from ragviz.loaders.back_to_back import on_one_line, several
from ragviz.loaders.cells import as_in_table, nested
from ragviz.loaders.columns import columnar
from ragviz.loaders.containers import container_of
from ragviz.loaders.jsontext import TOO_DEEP, ends_with_a_comma, parse, salvage, shallow, try_parse
from ragviz.loaders.limits import HEAD_BYTES, LINE_BYTES, WHOLE_BYTES
from ragviz.loaders.tables import delimiter_of, table_rows
from ragviz.loaders.utf8 import lines
from ragviz.records import LoadIssue

LOOKED_AT = 8
"""Lines among which one must be whole for a file to be JSON Lines."""


class Row(NamedTuple):
    """One record of a file."""

    where: str
    """``file:line``; the number of the record where lines mean nothing."""
    n: int
    """From 0."""
    value: Any


def read_rows(source: BinaryIO, *, filename: str, columns: frozenset[str] | None = None) -> Iterator[Row | LoadIssue]:
    """
    Every record, or why there is none.

    Args:
        source: At its first character, UTF-8 (or Parquet).
        filename: For messages.
        columns: For Parquet: read only these (None = all but known giants).
    """
    start = source.tell()
    head = source.read(HEAD_BYTES)
    source.seek(start)
    if head.startswith(b"PAR1"):
        from ragviz.loaders.parquet import parquet_rows  # noqa: PLC0415 - pyarrow costs 200 ms, only for parquet

        yield from (
            row if isinstance(row, LoadIssue) else Row(f"{filename}:{n + 1}", n, _opened(row)) for n, row in enumerate(parquet_rows(source, filename, columns))
        )
        return
    if arrow.is_arrow(head):
        rows = arrow.arrow_rows(source, filename, columns)
        yield from (row if isinstance(row, LoadIssue) else Row(f"{filename}:{n + 1}", n, _opened(row)) for n, row in enumerate(rows))
        return
    kind = container_of(head)
    if kind == "empty":
        yield LoadIssue(where=filename, message="the file is empty", fix="check the export that wrote it")
    elif kind == "binary":
        yield LoadIssue(where=filename, message="the file is binary data, not text", fix="export as JSON Lines, JSON, CSV or Parquet")
    elif kind == "jsonl" or (len(head) >= HEAD_BYTES and _is_lines(source)):
        yield from _json_lines(source, filename)
    elif kind in ("json", "objects"):
        yield from _json_whole(source, filename)
    else:
        index = 0
        delimiter = delimiter_of(head.decode("utf-8", "replace"), cut=len(head) >= HEAD_BYTES) or ","
        for row in table_rows(source, filename=filename, delimiter=delimiter):
            if isinstance(row, LoadIssue):
                yield row
            else:
                yield Row(row[0], index, _opened(row[1]))
                index += 1


def _opened(row: dict[str, Any]) -> dict[str, Any]:
    """The row of a table with the objects that its cells stand for; None for what tables write when there is nothing."""
    return {name: nested(as_in_table(cell)) for name, cell in row.items()}


def flattened(raw: bytes, fault: InputError, where: str) -> tuple[Any, LoadIssue] | None:
    """JSON that is nested too deeply without what lies deeper than is read, and what is said of that; None where the fault is another one."""
    if fault.message != TOO_DEEP or (value := try_parse(shallow(raw.decode("utf-8", "replace")))) is None:
        return None
    return value, LoadIssue(where=where, message=f"{TOO_DEEP}: what lies deeper was left out", fix=fault.fix, rejected=False)


def head_after_damage(source: BinaryIO) -> bytes:
    """
    The head of JSON Lines from its first complete object on, where the line before, longer than a head, is none; b"" for anything else. The stream stays
    where it is.

    Within one JSON value no line begins a value of its own unless the one before ends with a comma, a colon or an open bracket.
    """
    start, before = source.tell(), b""
    try:
        for n, (_, line) in enumerate(islice(lines(source), LOOKED_AT)):
            stripped = (line or b"").strip()
            if n and stripped[:1] == b"{" and before[-1:] not in b",:[{" and isinstance(try_parse(stripped), dict):
                source.seek(-len(line or b""), 1)
                return source.read(HEAD_BYTES)
            before = stripped or before or b"?"
        return b""
    finally:
        source.seek(start)


def _is_lines(source: BinaryIO) -> bool:
    """True for JSON Lines with a first line longer than the head: it is a complete value and more follows, or it is damaged and one of the next is complete."""
    start = source.tell()
    found = lines(source)
    first = next(found, (0, b""))[1] or b""
    more = next(found, None) is not None
    source.seek(start)
    return more and (isinstance(try_parse(first), dict) or bool(head_after_damage(source)))


def _json_lines(source: BinaryIO, filename: str) -> Iterator[Row | LoadIssue]:
    index = 0
    for n, line in lines(source):
        where = f"{filename}:{n}"
        if line is None:
            yield LoadIssue(where=where, message=f"a line of more than {LINE_BYTES >> 20} MiB", fix="split the record, or write one JSON object per line")
            continue
        if not line.strip():
            continue
        try:
            value = parse(line)
        except InputError as exc:
            if (flat := flattened(line, exc, where)) is not None and isinstance(flat[0], dict):
                yield flat[1]
                yield Row(where, index, flat[0])
                index += 1
                continue
            if (together := on_one_line(line)) is not None:
                yield from (Row(where, index + n, one) for n, one in enumerate(together))
                index += len(together)
                continue
            cut = not line.endswith(b"\n")
            yield LoadIssue(
                where=where, message=f"the line is cut off ({exc.message})" if cut else exc.message, fix="export or copy the file again" if cut else exc.fix
            )
            continue
        if not isinstance(value, dict):
            yield LoadIssue(where=where, message=f"a JSON object is expected, found {kind_of(value)}", fix="one JSON object per line")
            continue
        yield Row(where, index, value)
        index += 1


def _json_whole(source: BinaryIO, filename: str) -> Iterator[Row | LoadIssue]:
    raw = source.read(WHOLE_BYTES + 1)
    if len(raw) > WHOLE_BYTES:
        yield LoadIssue(
            where=filename, message=f"one JSON value of more than {WHOLE_BYTES >> 20} MiB", fix="convert it to JSON Lines, which is read line by line"
        )
        return
    try:
        yield from _records(parse(raw), filename)
    except InputError as exc:
        if (flat := flattened(raw, exc, filename)) is not None:
            yield flat[1]
            yield from _records(flat[0], filename)
            return
        text = raw.decode("utf-8", "replace")
        del raw
        if (together := several(text)) is not None:
            yield from _elements(together.elements, filename)
            if together.cut_at_line is not None:
                where = f"{filename}:{together.cut_at_line}"
                yield LoadIssue(where=where, message="the file is cut off in its last object", fix="export or copy the file again")
            return
        lead = len(text) - len(text.lstrip())
        value, used = salvage(text[lead:], whole_records=True)
        if not ends_with_a_comma(text[lead + used :]):
            line = text.count("\n", 0, lead + used) + 1
            yield LoadIssue(
                where=f"{filename}:{line}",
                message=f"the file is cut off or damaged here ({exc.message})",
                fix="export or copy the file again; what came before was read",
            )
        if value:
            yield from _records(value, filename)


def _records(value: Any, filename: str) -> Iterator[Row | LoadIssue]:
    """The elements of a list, the rows behind columns, or the one object itself."""
    rows = columnar(value)
    if rows is None and not isinstance(value, list):
        if isinstance(value, dict):
            yield Row(filename, 0, value)
        else:
            yield LoadIssue(where=filename, message=f"a list or an object is expected, found {kind_of(value)}", fix="see docs/LOADERS.md for the shapes")
        return
    yield from _elements(rows if rows is not None else value, filename)


def _elements(elements: Sequence[Any], filename: str) -> Iterator[Row | LoadIssue]:
    index = 0
    for n, element in enumerate(elements, start=1):
        if isinstance(element, dict):
            yield Row(f"{filename}:{n}", index, element)
            index += 1
        else:
            yield no_object(filename, n, element)


def no_object(where: str, n: int, element: Any) -> LoadIssue:
    """What is said of element ``n`` (from 1) of a list of records that is none."""
    return LoadIssue(where=f"{where}:{n}", message=f"element {n} should be an object, found {kind_of(element)}", fix="a list of JSON objects is expected")


def left_out(where: str, name: str, value: Any) -> Iterator[LoadIssue]:
    """What is said of a list of objects that is none, and of what stands in it and is no object: it costs itself alone. None: there is no such list."""
    if value is not None and not isinstance(value, (list, dict)):
        yield LoadIssue(
            where=where, message=f"{name} should be a list, found {kind_of(value)}; it was left out", fix="export or copy the record again", rejected=False
        )
    for n, one in enumerate(value, start=1) if isinstance(value, list) else ():
        if not isinstance(one, dict):
            yield LoadIssue(
                where=where,
                message=f"element {n} of {name} should be an object, found {kind_of(one)}; it was left out",
                fix="export or copy the record again",
                rejected=False,
            )


def kind_of(value: Any) -> str:
    """A JSON type in words."""
    return {str: "text", list: "a list", dict: "an object", bool: "true or false", int: "a number", float: "a number"}.get(type(value), "null")
