"""Comma-, semicolon-, tab- and bar-separated text, row by row."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from ragviz.errors import UnreadableFile
from ragviz.loaders.fields import has_synonym, normal
from ragviz.loaders.limits import LINE_BYTES
from ragviz.loaders.opening import lines
from ragviz.records import LoadIssue

_DELIMITERS = ",\t;|"
_TOLD = re.compile(r"^\s*\"?sep=([,;|\t])\"?\s*$", re.MULTILINE)
"""The line that Excel writes and reads to say its delimiter."""
_DECIMAL_COMMA = re.compile(r"-?\d+,\d+")


def delimiter_of(text: str, *, cut: bool) -> str | None:
    """
    The delimiter under which the first rows have equally many fields; None for text that is no table.

    Args:
        text: Beginning of the file.
        cut: The text ends in the middle of the file: its last row does not count.
    """
    csv.field_size_limit(LINE_BYTES)
    told = _TOLD.match(text)
    if told:
        return told[1]
    best: tuple[int, str] | None = None
    for mark in _DELIMITERS:
        rows: list[list[str]] = []
        try:
            for row in csv.reader(io.StringIO(text, newline=""), delimiter=mark):
                if row:
                    rows.append(row)
                if len(rows) == 8:
                    break
        except csv.Error:
            continue
        if cut and 1 < len(rows) < 8:
            rows.pop()
        if not rows or len(rows[0]) < 2 or max(map(len, rows[0])) > 4000:
            continue
        width = len(rows[0])
        ragged = sum(len(row) != width for row in rows[1:])
        if ragged <= len(rows) // 4 and (best is None or width > best[0]):
            best = (width, mark)
    return best[1] if best else _by_headings(text)


def _by_headings(text: str) -> str | None:
    """Rows do not fit (someone forgot to quote), but the first line names columns we know."""
    line = text.lstrip("\r\n").split("\n", 1)[0]
    for mark in _DELIMITERS:
        names = [normal(cell.strip(' "\r')) for cell in line.split(mark)]
        if sum(has_synonym(names, field) for field in ("question", "response", "passages", "reference")) >= 2:
            return mark
    return None


def encoding_of(head: bytes) -> str:
    """UTF-8, or the Windows code page of old spreadsheets when the text is not UTF-8."""
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as exc:
        return "utf-8" if exc.start >= len(head) - 4 else "cp1252"
    return "utf-8"


def table_rows(source: BinaryIO, *, filename: str, delimiter: str, encoding: str) -> Iterator[tuple[str, dict[str, Any]] | LoadIssue]:
    """``file:line`` and the row under the headings of the file. Of repeated headings the first counts; empty cells are None."""
    csv.field_size_limit(LINE_BYTES)
    if encoding != "utf-8":
        yield LoadIssue(where=f"{filename}:1", message="the text is not UTF-8; read as Windows-1252", fix="save the file as UTF-8", rejected=False)
    ended = True

    def text() -> Iterator[str]:
        nonlocal ended
        for n, line in lines(source):
            if line is None:
                raise UnreadableFile(f"{filename}:{n}: a line of more than {LINE_BYTES >> 20} MiB", fix="check that this is a table with line breaks")
            ended = line.endswith(b"\n")
            yield line.decode(encoding, "replace")

    reader = csv.reader(text(), delimiter=delimiter)
    headings: list[str] | None = None
    start = 1
    held: tuple[str, list[str]] | None = None
    try:
        for cells in reader:
            where, start = f"{filename}:{start}", reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if headings is None and len(cells) <= 2 and _TOLD.match(delimiter.join(cells)):
                continue
            if headings is None:
                headings = [cell.strip() for cell in cells]
                continue
            if held is not None:
                yield from _row(*held, headings, delimiter=delimiter, last=False)
            held = (where, cells)
        if held is not None and headings is not None:
            yield from _row(*held, headings, delimiter=delimiter, last=not ended)
    except csv.Error as exc:
        yield LoadIssue(where=f"{filename}:{reader.line_num}", message=f"not a table from here on: {exc}", fix="check quotes and line breaks in this row")
    except UnreadableFile as exc:
        yield LoadIssue(where=f"{filename}:{reader.line_num}", message=exc.message, fix=exc.fix)


def _row(where: str, cells: list[str], headings: list[str], *, delimiter: str, last: bool) -> Iterator[tuple[str, dict[str, Any]] | LoadIssue]:
    if last and len(cells) < len(headings):
        yield LoadIssue(where=where, message=f"the file is cut off in this row ({len(cells)} of {len(headings)} fields)", fix="export or copy the file again")
        return
    if any(cells[len(headings):]):
        message = f"{len(cells)} fields under {len(headings)} headings; the last ones were put together"
        yield LoadIssue(where=where, message=message, fix="quote fields that contain the delimiter", rejected=False)
        cells = [*cells[: len(headings) - 1], delimiter.join(cells[len(headings) - 1 :])]
    row: dict[str, Any] = {}
    for heading, cell in zip(headings, cells, strict=False):
        if heading not in row:
            row[heading] = None if cell == "" else cell.replace(",", ".") if delimiter == ";" and _DECIMAL_COMMA.fullmatch(cell) else cell
    yield where, row
