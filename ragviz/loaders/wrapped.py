"""
A tool's rows inside somebody's object, and a tool's one-trace files gathered in a list.

APIs answer with pages (``{"data": [...], "next": …}``), and scripts collect downloads (``[{…}, {…}]``): the shape of the tool is one level further in.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, BinaryIO

from ragviz.errors import InputError
from ragviz.loaders.companions import Part
from ragviz.loaders.format import Format
from ragviz.loaders.jsontext import ends_with_a_comma, parse, salvage
from ragviz.loaders.limits import WHOLE_BYTES
from ragviz.loaders.outline import Outline
from ragviz.loaders.rows import flattened, read_rows
from ragviz.loaders.unwrapping import asks
from ragviz.records import LoadIssue

DEPTH = 2
"""Objects around the list at most."""
SAMPLE = 8
"""Rows that are looked at."""


def readings(look: Outline, *, unknown: bool) -> Iterator[tuple[bytes, Callable[[Format], Format]]]:
    """
    Other ways to look at a JSON file: what its head would be then, and how a format that fits it reads the file.

    Args:
        look: Of the file as it is.
        unknown: No format fits it as it is; only then are its rows taken for files of their own.
    """
    if look.container == "json" and look.top and not asks(look.top):
        for path, rows in _lists(look.top, ()):
            yield _written([row for row in rows if isinstance(row, Mapping)][:SAMPLE]), partial(_inside, path=path)
    if unknown and look.row and not look.top and look.container in ("json", "jsonl", "objects"):
        yield _written(look.row), _each


def _lists(value: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Sequence[Any]]]:
    """The list of objects of an object that holds no other; or the one inside the one object in it."""
    lists = [(str(name), inner) for name, inner in value.items() if isinstance(inner, list) and any(isinstance(e, Mapping) for e in inner[:SAMPLE])]
    if len(lists) == 1:
        yield (*path, lists[0][0]), lists[0][1]
    elif not lists and len(path) < DEPTH - 1:
        objects = [(str(name), inner) for name, inner in value.items() if isinstance(inner, Mapping) and any(isinstance(e, list) for e in inner.values())]
        if len(objects) == 1:
            yield from _lists(objects[0][1], (*path, objects[0][0]))


def _inside(found: Format, *, path: tuple[str, ...]) -> Format:
    return replace(found, read=partial(_read_inside, read=found.read, path=path))


def _each(found: Format) -> Format:
    return replace(found, read=partial(_read_each, read=found.read))


def _read_inside(source: BinaryIO, filename: str, *, read: Callable[[BinaryIO, str], Iterator[Part]], path: tuple[str, ...]) -> Iterator[Part]:
    raw = source.read(WHOLE_BYTES + 1)
    if len(raw) > WHOLE_BYTES:
        yield LoadIssue(
            where=filename, message=f"one JSON value of more than {WHOLE_BYTES >> 20} MiB", fix="write the rows as JSON Lines, which are read line by line"
        )
        return
    try:
        value = parse(raw)
    except InputError as exc:
        if (flat := flattened(raw, exc, filename)) is not None:
            value, issue = flat
            yield issue
        else:
            text = raw.decode("utf-8", "replace").lstrip()
            value, used = salvage(text, whole_records=True)
            if not ends_with_a_comma(text[used:]):
                yield LoadIssue(
                    where=f"{filename}:{text.count(chr(10), 0, used) + 1}",
                    message=f"the file is cut off or damaged here ({exc.message})",
                    fix="export or copy the file again; what came before was read",
                )
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    yield from read(io.BytesIO(_written(value or [])), filename)


def _read_each(source: BinaryIO, filename: str, *, read: Callable[[BinaryIO, str], Iterator[Part]]) -> Iterator[Part]:
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
        else:
            yield from read(io.BytesIO(_written(row.value)), row.where)


def _written(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, default=str).encode("utf-8", "replace")
