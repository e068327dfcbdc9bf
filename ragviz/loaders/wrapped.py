"""
A tool's rows inside somebody's object, and a tool's one-trace files gathered in a list.

APIs answer with pages (``{"data": [...], "next": …}``), which scripts put one after the other, and scripts collect downloads (``[{…}, {…}]``): the shape of the tool is one level further in.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, BinaryIO

from ragviz.loaders.companions import Part
from ragviz.loaders.format import Format
from ragviz.loaders.outline import Outline
from ragviz.loaders.rows import kind_of, read_rows
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
    page = look.top or look.row
    if unknown and look.row and not look.top and look.container in ("json", "jsonl", "objects"):
        yield _written(look.row), _each
    if look.container in ("json", "jsonl", "objects") and page and not asks(page):
        for path, rows in _lists(page, ()):
            yield _written([row for row in rows if isinstance(row, Mapping)][:SAMPLE]), partial(_inside, path=path)


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
    records: list[Any] = []
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
            continue
        value = row.value
        for name in path:
            value = value.get(name) if isinstance(value, Mapping) else None
        if not isinstance(value, list):
            yield LoadIssue(where=row.where, message=f"{'.'.join(path)} should be a list, found {kind_of(value)}", fix="export this page again")
            continue
        records += value
    yield from read(io.BytesIO(_written(records)), filename)


def _read_each(source: BinaryIO, filename: str, *, read: Callable[[BinaryIO, str], Iterator[Part]]) -> Iterator[Part]:
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
        else:
            yield from read(io.BytesIO(_written(row.value)), row.where)


def _written(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, default=str).encode("utf-8", "replace")
