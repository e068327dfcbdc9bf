"""Rows that a program holds (dicts, a pandas frame, a data set) as a file the loaders can read."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec

from ragviz.errors import InputError
from ragviz.loaders.bundle import Source

NAME = "rows.jsonl"
_FIX = "give a path, a list of paths, a list of dicts, or a pandas data frame"


def sources_of(traces: object) -> list[Source]:
    """
    What the loaders read.

    Args:
        traces: A path (folders, globs and archives too), paths, dicts in any shape that a file may have, or a table with ``to_dict``.

    Raises:
        InputError: None of these; or there is no row.
    """
    if isinstance(traces, (str, PathLike)):
        return [Path(traces) if isinstance(traces, PathLike) else traces]
    if isinstance(traces, Mapping):
        return [as_file([traces])]
    if hasattr(traces, "to_dict") and hasattr(traces, "columns"):
        return [as_file(traces.to_dict("records"))]
    if not isinstance(traces, Iterable):
        raise InputError(f"traces cannot be read from {type(traces).__name__}", fix=_FIX)
    items = list(traces)
    if not items:
        raise InputError("there are no traces", fix=_FIX)
    if all(isinstance(item, (str, PathLike)) for item in items):
        return [Path(item) if isinstance(item, PathLike) else item for item in items]
    return [as_file(items)]


def as_file(rows: Sequence[Any]) -> Source:
    """Rows as a JSONL file in memory; row n is its line n."""
    lines = []
    for n, row in enumerate(rows, start=1):
        if not isinstance(row, Mapping):
            raise InputError(f"row {n} is no dict but {type(row).__name__}", fix=_FIX)
        try:
            lines.append(msgspec.json.encode(dict(row), enc_hook=_plain))
        except (TypeError, NotImplementedError, ValueError) as exc:
            raise InputError(f"row {n} holds something that is no text, number, list or dict: {exc}", fix="turn it into a text first") from exc
    return NAME, io.BytesIO(b"\n".join(lines) + b"\n")


def _plain(value: object) -> object:
    """Arrays and numbers of numpy, and whatever else can say itself in Python's own types."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "isoformat"):
        return value.isoformat()
    raise NotImplementedError(type(value).__name__)
