"""Arrow IPC: Feather and .arrow files, and the stream that Hugging Face `datasets` saves; read a batch at a time."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from ragviz.errors import UnreadableFile
from ragviz.loaders.cells import plain
from ragviz.loaders.headings import told_apart
from ragviz.loaders.limits import GIANT_COLUMNS
from ragviz.records import LoadIssue

if TYPE_CHECKING:
    import pyarrow as pa

FILE, STREAM = b"ARROW1\0\0", b"\xff\xff\xff\xff"
"""First bytes of a file with its index at the end (Feather too), and of a stream: a message's length follows."""
_SCHEMA_BYTES = 64 << 20
_ROWS = 512
"""Rows that are turned into values at once; a batch may hold all rows of the file."""


def is_arrow(head: bytes) -> bool:
    """True for the first bytes (16 suffice) of either kind."""
    return head.startswith(FILE) or (head.startswith(STREAM) and len(head) >= 8 and 0 < int.from_bytes(head[4:8], "little", signed=True) <= _SCHEMA_BYTES)


def excerpt(source: BinaryIO) -> bytes:
    """The same columns and the first rows as a small Parquet file, as which the rest of the program knows tables of this kind; ``FILE`` for a damaged file."""
    source.seek(0)
    try:
        pa = need_arrow("")
        import pyarrow.parquet as pq  # noqa: PLC0415 - costs 200 ms, only for such files

        batches, schema = _batches(source, pa)
        batch = next((b for b in batches if b.num_rows), None)
        table = pa.Table.from_batches([batch.slice(0, 4)] if batch is not None else [], schema=batch.schema if batch is not None else schema)
        try:
            return _written(table, pq)
        except (pa.ArrowException, ValueError, TypeError):  # Parquet does not know every type of Arrow
            return _written(pa.table({name: pa.array([None if v is None else str(v) for v in column.to_pylist()], pa.string()) if _is_odd(name, column, pa, pq) else column
                                      for name, column in zip(table.column_names, table.columns, strict=True)}), pq)
    except Exception as exc:
        if not _is_told(exc):
            raise
        return FILE
    finally:
        source.seek(0)


def _written(table: Any, pq: Any) -> bytes:
    out = io.BytesIO()
    pq.write_table(table, out)
    return out.getvalue()


def _is_odd(name: str, column: Any, pa: Any, pq: Any) -> bool:
    try:
        _written(pa.table({name: column}), pq)
    except (pa.ArrowException, ValueError, TypeError):
        return True
    return False


def arrow_rows(source: BinaryIO, filename: str, columns: frozenset[str] | None) -> Iterator[dict[str, Any] | LoadIssue]:
    """
    Rows as plain values.

    Raises:
        UnreadableFile: pyarrow is not installed.
    """
    pa = need_arrow(filename)
    source.seek(0)
    rows = 0
    try:
        batches, schema = _batches(source, pa, columns)
        if repeated := [new for old, new in zip(schema.names, told_apart(schema.names), strict=True) if old != new]:
            message = f"columns occur more than once; the later ones were read as {', '.join(repeated[:5])}"
            yield LoadIssue(where=filename, message=message, fix="give each column a name of its own", rejected=False)
        for batch in batches:
            for start in range(0, batch.num_rows, _ROWS):
                for row in batch.slice(start, _ROWS).to_pylist():
                    yield {str(name): plain(value) for name, value in row.items()}
                    rows += 1
    except Exception as exc:
        if not _is_told(exc):
            raise
        yield LoadIssue(
            where=f"{filename}:{rows + 1}", message=f"not a complete Arrow file: {(str(exc).splitlines() or ['damaged'])[0][:200]}", fix="write or copy the file again; what came before was read",
        )


def _batches(source: BinaryIO, pa: Any, columns: frozenset[str] | None = None) -> tuple[Iterator[pa.RecordBatch], pa.Schema]:
    """Checked batches of the columns that are wanted, and their schema."""
    start = source.tell()
    is_file = source.read(len(FILE)) == FILE

    def opened(options: Any = None) -> Any:
        source.seek(start)
        return pa.ipc.open_file(source, options=options) if is_file else pa.ipc.open_stream(source, options=options)

    names = opened().schema.names
    kept = [n for n, name in enumerate(names) if name.lower() not in GIANT_COLUMNS and (columns is None or name in columns)]
    reader = opened(pa.ipc.IpcReadOptions(included_fields=kept) if len(kept) < len(names) else None)

    def read() -> Iterator[pa.RecordBatch]:
        found = (reader.get_batch(n) for n in range(reader.num_record_batches)) if is_file else iter(reader)
        for batch in found:
            batch.validate(full=True)  # offsets of a damaged file would lead outside its memory
            yield batch.rename_columns(told_apart(batch.schema.names))

    return read(), reader.schema


def need_arrow(filename: str) -> Any:
    """
    Pyarrow.

    Raises:
        UnreadableFile: It is not installed.
    """
    try:
        import pyarrow as pa  # noqa: PLC0415 - costs 200 ms, only for such files
        import pyarrow.ipc  # noqa: PLC0415
    except ImportError as exc:
        raise UnreadableFile(f"{filename}: Arrow and Feather files are read with pyarrow, which is not installed", fix="pip install pyarrow") from exc
    return pa


def _is_told(exc: Exception) -> bool:
    """What damaged files cause; pyarrow's own errors by name, since it may be missing."""
    return isinstance(exc, OSError | ValueError | TypeError | KeyError | OverflowError | EOFError | NotImplementedError | MemoryError | UnreadableFile) or type(exc).__name__.startswith("Arrow")
