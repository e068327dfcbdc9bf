"""Rows that a program holds (dicts, a pandas frame, a data set) as a file the loaders can read."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec

from ragviz.errors import InputError
from ragviz.loaders.bundle import Source

NAME = "rows.jsonl"
_FIX = "give a path, a list of paths, a list of dicts, or a table of pandas, Polars or Arrow"


def sources_of(traces: object) -> list[Source]:
    """
    What the loaders read.

    Args:
        traces: A path (folders, globs and archives too), paths, dicts in any shape that a file may have, or a table of pandas, Polars or Arrow.

    Raises:
        InputError: None of these; there is no row; or columns cannot be told apart.
    """
    if isinstance(traces, (str, PathLike)):
        return [Path(traces) if isinstance(traces, PathLike) else traces]
    if isinstance(traces, Mapping):
        return [as_file([traces])]
    records = _records(traces)
    if records is not None:
        return [as_file(records)]
    if not isinstance(traces, Iterable):
        raise InputError(f"traces cannot be read from {type(traces).__name__}", fix=_FIX)
    items = list(traces)
    if not items:
        raise InputError("there are no traces", fix=_FIX)
    if all(isinstance(item, (str, PathLike)) for item in items):
        return [Path(item) if isinstance(item, PathLike) else item for item in items]
    return [as_file(items)]


def _records(table: Any) -> list[Any] | None:
    """
    The rows of a table; None for anything else.

    Raises:
        InputError: It has no row, is a single column, or two columns have one name, of which pandas would keep the last unsaid.
    """
    if hasattr(table, "to_frame") and not hasattr(table, "columns"):
        raise InputError("traces cannot be read from a single column", fix="give the data frame it is from")
    if hasattr(table, "collect") and hasattr(table, "collect_schema") and not hasattr(table, "to_dicts"):
        raise InputError(f"the {type(table).__name__} has not been worked out yet", fix="give what .collect() makes of it")
    if hasattr(table, "read_all") and hasattr(table, "schema"):  # batches of Arrow as they come from a reader
        table = table.read_all()
    names = getattr(table, "column_names", None) if hasattr(table, "to_pylist") else getattr(table, "columns", None)
    if names is None or isinstance(table, Mapping):
        return None
    if any(isinstance(name, tuple) for name in names):
        raise InputError("the columns have several levels", fix='give them one: df.columns = [".".join(map(str, names)) for names in df.columns]')
    twice = [str(name) for name, n in Counter(names).items() if n > 1]
    if twice:
        raise InputError(
            f"several columns are named {', '.join(twice[:5])}", fix="rename or drop all but one: df.loc[:, ~df.columns.duplicated()] keeps the first"
        )
    try:
        rows = next((getattr(table, how)() for how in ("to_dicts", "to_pylist") if hasattr(table, how)), None)
        if rows is None:
            rows = table.to_dict("records") if hasattr(table, "to_dict") else None
    except (OverflowError, ValueError) as exc:
        raise InputError(
            f"a value of the {type(table).__name__} is beyond what Python holds (a date after the year 9999?)", fix="correct it, or leave its column out"
        ) from exc
    if rows is not None and not rows:
        raise InputError(f"the {type(table).__name__} has no rows", fix="check what made it: each row is one question with its answer")
    return rows


def as_file(rows: Sequence[Any]) -> Source:
    """Rows as a JSONL file in memory; row n is its line n."""
    lines = []
    for n, row in enumerate(rows, start=1):
        if not isinstance(row, Mapping):
            raise InputError(f"row {n} is no dict but {type(row).__name__}", fix=_FIX)
        try:
            lines.append(_line({str(name): _text(value) for name, value in row.items()}))
        except (*_UNREADABLE, NotImplementedError) as exc:
            name, why = _offender(row, exc)
            raise InputError(f"row {n}, {name}: {why}", fix="turn it into a text, a number, a list or a dict first") from exc
    return NAME, io.BytesIO(b"\n".join(lines) + b"\n")


_UNREADABLE = (TypeError, ValueError, OverflowError, RecursionError)


def _line(value: object) -> bytes:
    try:
        return msgspec.json.encode(value, enc_hook=_plain)
    except UnicodeEncodeError:  # half a character; who reads the line puts a mark in its place
        return json.dumps(value, default=_plain).encode("ascii")


def _text(value: object) -> object:
    """Bytes as the text they are; they would be written as Base64."""
    return bytes(value).decode("utf-8-sig") if isinstance(value, bytes | bytearray | memoryview) else value


def _offender(row: Mapping[Any, Any], exc: BaseException) -> tuple[str, str]:
    """The name of the first value that cannot be written, and what it is."""
    for name, value in row.items():
        try:
            _line(_text(value))
        except UnicodeDecodeError:
            return str(name), "bytes that are no UTF-8 text"
        except RecursionError:
            return str(name), "a list or dict that holds itself, or is nested too deeply"
        except NotImplementedError as fault:
            return str(name), f"something that is no text, number, list or dict: {fault}"
        except _UNREADABLE as fault:
            return str(name), str(fault)
    return "all of it", str(exc)


def _plain(value: object) -> object:
    """Arrays and numbers of numpy, frames, documents of frameworks, and whatever else can say itself in Python's own types."""
    if hasattr(value, "to_dict") and hasattr(value, "columns"):
        return value.to_dict("records")
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if hasattr(value, "model_dump"):
        return value.model_dump()
    if hasattr(value, "page_content"):  # a LangChain document of before pydantic 2
        return {"page_content": value.page_content, "metadata": getattr(value, "metadata", None) or {}}
    if hasattr(value, "strftime"):
        return str(value)
    raise NotImplementedError(type(value).__name__)
