"""Comma-, semicolon-, tab- and bar-separated text, row by row."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from ragviz.errors import UnreadableFile
from ragviz.loaders.fields import has_synonym, normal
from ragviz.loaders.headings import told_apart
from ragviz.loaders.limits import LINE_BYTES
from ragviz.loaders.utf8 import lines
from ragviz.records import LoadIssue

_DELIMITERS = ",\t;|"
_TOLD = re.compile(r"^\s*\"?sep=([,;|\t])\"?\s*$", re.MULTILINE)
"""The line that Excel writes and reads to say its delimiter."""
_RULE = re.compile(r"\s*:?-+:?\s*|")
"""A cell of the line under the headings of a Markdown table."""
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


def table_rows(source: BinaryIO, *, filename: str, delimiter: str) -> Iterator[tuple[str, dict[str, Any]] | LoadIssue]:
    """``file:line`` and the row under the headings of the file; a repeated heading gets a number, as pandas does it; empty cells are None."""
    csv.field_size_limit(LINE_BYTES)
    raw: list[str] = []  # the lines of the row being read

    def text() -> Iterator[str]:
        for n, line in lines(source):
            if line is None:
                raise UnreadableFile(f"{filename}:{n}: a line of more than {LINE_BYTES >> 20} MiB", fix="check that this is a table with line breaks")
            raw.append(line.decode("utf-8", "replace"))
            yield raw[-1]

    reader = csv.reader(text(), delimiter=delimiter)
    headings: list[str] | None = None
    heading: list[str] = []
    start = 1
    held: tuple[str, list[str], list[str]] | None = None
    try:
        for cells in reader:
            where, start, written = f"{filename}:{start}", reader.line_num + 1, list(raw)
            raw.clear()
            if not any(cell.strip() for cell in cells) or (delimiter == "|" and all(_RULE.fullmatch(cell) for cell in cells)):
                continue
            if headings is None and len(cells) <= 2 and _TOLD.match(delimiter.join(cells)):
                continue
            if headings is None:
                heading, headings = cells, told_apart([cell.strip() for cell in cells])
                if repeated := [h for h, cell in zip(headings, cells, strict=True) if h != cell.strip()]:
                    yield LoadIssue(
                        where=where,
                        message=f"headings occur more than once; the later columns were read as {', '.join(repeated[:5])}",
                        fix="give each column a heading of its own",
                        rejected=False,
                    )
                continue
            if heading == cells:
                yield LoadIssue(
                    where=where, message="the headings stand here again; the line is no row", fix="leave the headings out where files are put together", rejected=False
                )
                continue
            if held is not None:
                yield from _row(*held[:2], headings, delimiter=delimiter)
            held = (where, cells, written)
        if held is not None and headings is not None:
            yield from _last(*held, headings, delimiter=delimiter)
    except csv.Error as exc:
        yield LoadIssue(where=f"{filename}:{reader.line_num}", message=f"not a table from here on: {exc}", fix="check quotes and line breaks in this row")
    except UnreadableFile as exc:
        yield LoadIssue(where=f"{filename}:{reader.line_num}", message=exc.message, fix=exc.fix)


def _last(where: str, cells: list[str], written: list[str], headings: list[str], *, delimiter: str) -> Iterator[tuple[str, dict[str, Any]] | LoadIssue]:
    """The last row: the file may be cut off in it, or a quote that nobody closed may have swallowed all that follows."""
    cut = not written[-1].endswith("\n")
    if _closed(written, delimiter):
        if cut and len(cells) < len(headings):
            yield LoadIssue(
                where=where, message=f"the file is cut off in this row ({len(cells)} of {len(headings)} fields)", fix="export or copy the file again"
            )
        else:
            yield from _row(where, cells, headings, delimiter=delimiter)
        return
    name, _, first = where.rpartition(":")
    rows = [line.rstrip("\r\n").split(delimiter) for line in written if line.strip()]
    if any(len(row) != len(headings) for row in rows):
        yield LoadIssue(
            where=where,
            message="a quote is opened in this row and never closed: the file is cut off or damaged here",
            fix="export or copy the file again, or close the quote",
        )
        return
    yield LoadIssue(
        where=where,
        message="a quote is opened here and never closed; from here on each line was read as a row",
        fix="close the quote, or write it twice",
        rejected=False,
    )
    for n, row in enumerate(rows):
        yield from _row(f"{name}:{int(first) + n}", [cell.strip('"') for cell in row], headings, delimiter=delimiter)


def _closed(written: list[str], delimiter: str) -> bool:
    """False when a quote that is opened in these lines is still open at their end."""
    try:
        list(csv.reader(written, delimiter=delimiter, strict=True))
    except csv.Error as exc:
        return "unexpected end" not in str(exc)
    return True


def _row(where: str, cells: list[str], headings: list[str], *, delimiter: str) -> Iterator[tuple[str, dict[str, Any]] | LoadIssue]:
    if any(cells[len(headings):]):
        message = f"{len(cells)} fields under {len(headings)} headings; the last ones were put together"
        yield LoadIssue(where=where, message=message, fix="quote fields that contain the delimiter", rejected=False)
        cells = [*cells[: len(headings) - 1], delimiter.join(cells[len(headings) - 1 :])]
    row: dict[str, Any] = {}
    for heading, cell in zip(headings, cells, strict=False):
        if heading not in row:  # empty headings stay alike
            row[heading] = None if cell == "" else cell.replace(",", ".") if delimiter == ";" and _DECIMAL_COMMA.fullmatch(cell) else cell
    yield where, row
