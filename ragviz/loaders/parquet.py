"""Parquet, read in batches and by column: some tools store arrays of token probabilities beside the answer."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from ragviz.loaders.cells import plain
from ragviz.loaders.limits import GIANT_COLUMNS
from ragviz.records import LoadIssue

_ERRORS = (pa.ArrowException, OSError, ValueError, TypeError, OverflowError, EOFError, NotImplementedError)


def excerpt(source: BinaryIO) -> bytes:
    """A small Parquet file with the same columns and the first rows: the head of a format whose index lies at the end."""
    source.seek(0)
    try:
        file = pq.ParquetFile(source, pre_buffer=False)
        batch = next(file.iter_batches(batch_size=4, columns=_columns(file)), None)
        table = pa.Table.from_batches([batch] if batch is not None else [], schema=batch.schema if batch is not None else file.schema_arrow)
        out = io.BytesIO()
        pq.write_table(table, out)
        return out.getvalue()
    except _ERRORS:
        return b"PAR1"
    finally:
        source.seek(0)


def first_rows(source: BinaryIO) -> list[dict[str, Any]]:
    """Up to four rows; an empty row with the column names when there are none; [] for a damaged file."""
    try:
        file = pq.ParquetFile(source, pre_buffer=False)
        rows = [_plain(row) for batch in file.iter_batches(batch_size=4, columns=_columns(file)) for row in batch.to_pylist()][:4]
    except _ERRORS:
        return []
    return rows or [dict.fromkeys(file.schema_arrow.names)]


def parquet_rows(source: BinaryIO, filename: str, columns: frozenset[str] | None) -> Iterator[dict[str, Any] | LoadIssue]:
    """Rows as plain values, a batch at a time."""
    try:
        file = pq.ParquetFile(source, pre_buffer=False)
        wanted = [c for c in _columns(file) if columns is None or c in columns]
        for batch in file.iter_batches(batch_size=512, columns=wanted):
            for row in batch.to_pylist():
                yield _plain(row)
    except _ERRORS as exc:
        yield LoadIssue(where=filename, message=f"not a complete Parquet file: {str(exc).splitlines()[0][:200]}", fix="write or copy the file again")


def _columns(file: pq.ParquetFile) -> list[str]:
    return [name for name in file.schema_arrow.names if name.lower() not in GIANT_COLUMNS]


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {str(name): plain(value) for name, value in row.items()}
