"""ragviz's own JSON Lines and Parquet: one Trace per record. The fastest way in, and the way out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import msgspec

from ragviz.errors import InputError
from ragviz.loaders.containers import container_of
from ragviz.loaders.format import Format, guarded
from ragviz.loaders.jsontext import parse, scrub
from ragviz.loaders.limits import HEAD_BYTES, LINE_BYTES
from ragviz.loaders.outline import Outline
from ragviz.loaders.records_in import trace_of_row
from ragviz.loaders.rows import Row, read_rows
from ragviz.loaders.scores_in import scores_in
from ragviz.records import LoadIssue, Trace
from ragviz.records.codec import encode

_decoder = msgspec.json.Decoder(Trace)
_FIELDS = frozenset(Trace.__struct_fields__)
_PARQUET = frozenset({"id", "question", "trace"})
"""Our Parquet holds the record as JSON beside two columns for people."""
_REQUIRED = frozenset({"id", "question", "response", "passages"})


def read(source: BinaryIO, filename: str) -> Iterator[Trace | LoadIssue]:
    """Traces line by line; a line with friendlier names (answer, doc_id, reference_answer, …) is read by synonyms."""
    start = source.tell()
    kind = container_of(source.read(HEAD_BYTES))
    source.seek(start)
    if kind != "jsonl":
        yield from _rows(source, filename)
        return
    decode, force, n, index = _decoder.decode, msgspec.structs.force_setattr, 0, 0
    while line := source.readline(LINE_BYTES + 1):
        n += 1
        try:
            # Looking for one byte is ten times faster than for six, and most lines have none.
            if (b"\\" in line and b"\\u0000" in line) or len(line) > LINE_BYTES:
                raise ValueError  # noqa: TRY301 - to the careful way below
            trace = decode(line)
            if trace.passages and len({p.id for p in trace.passages}) != len(trace.passages):
                raise ValueError  # noqa: TRY301
        except (msgspec.DecodeError, ValueError, RecursionError):
            yield from _carefully(source, line, Row(f"{filename}:{n}", index, None))
            index += 1
            continue
        index += 1
        if not trace.origin:
            force(trace, "origin", f"{filename}:{n}")  # nobody else has seen this record yet; a changed copy would cost a fifth of the time
        yield trace


def _carefully(source: BinaryIO, line: bytes, row: Row) -> Iterator[Trace | LoadIssue]:
    """A line that is no plain Trace."""
    if len(line) > LINE_BYTES and not line.endswith(b"\n"):
        while (rest := source.readline(1 << 20)) and not rest.endswith(b"\n"):
            continue
        yield LoadIssue(where=row.where, message=f"a line of more than {LINE_BYTES >> 20} MiB", fix="split the record, or write one JSON object per line")
        return
    if not line.strip():
        return
    try:
        value = parse(line)
    except InputError as exc:
        cut = not line.endswith(b"\n")
        yield LoadIssue(
            where=row.where, message=f"the line is cut off ({exc.message})" if cut else exc.message, fix="export or copy the file again" if cut else exc.fix
        )
        return
    yield from guarded(row._replace(value=value), _trace)


def _rows(source: BinaryIO, filename: str) -> Iterator[Trace | LoadIssue]:
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
        else:
            yield from guarded(row, _trace)


def _trace(row: Row) -> Iterator[Trace | LoadIssue]:
    if not isinstance(row.value, dict):
        yield LoadIssue(where=row.where, message="a JSON object is expected", fix="one trace per line")
        return
    value = row.value
    if value.keys() == _PARQUET:
        value = parse(value["trace"]) if isinstance(value["trace"], str) else value["trace"]
    if value.keys() >= _REQUIRED and value.keys() <= _FIELDS:
        if isinstance(value.get("scores"), dict):  # by name, as most tools write them
            value = {**value, "scores": msgspec.to_builtins(scores_in(value["scores"]))}
        try:
            trace = msgspec.convert(scrub(value), Trace)
        except msgspec.ValidationError as exc:
            if _is_ours(value):
                yield LoadIssue(where=row.where, message=f"not a trace: {exc}", fix="see docs/LOADERS.md for the fields of a trace")
                return
        else:
            if len({p.id for p in trace.passages or ()}) == len(trace.passages or ()):
                yield trace if trace.origin else msgspec.structs.replace(trace, origin=row.where)
                return
    yield from trace_of_row(row._replace(value=value))


def _is_ours(value: dict[str, Any]) -> bool:
    """True when passages look like our records, so that a fault is a fault and no dialect."""
    passages = value.get("passages")
    return isinstance(passages, list) and bool(passages) and all(isinstance(p, dict) and {"id", "text", "rank"} <= p.keys() for p in passages)


def matches(look: Outline) -> bool:
    """The fields of a Trace and no others; or our Parquet."""
    if look.container == "parquet":
        return look.keys == _PARQUET
    if look.container not in ("json", "jsonl", "objects"):
        return False
    rows = [row for row in look.rows if row.keys() >= _REQUIRED]
    return bool(rows) and all(row.keys() <= _FIELDS and _plausible(row) for row in rows)


def _plausible(row: dict[str, Any]) -> bool:
    passages = row["passages"]
    return passages is None or (isinstance(passages, list) and all(isinstance(p, dict) and "id" in p and "rank" in p for p in passages))


def write_native(traces: Iterable[Trace]) -> Iterator[bytes]:
    """One line per trace; reads back equal."""
    for trace in traces:
        yield encode(trace) + b"\n"


def write_parquet(traces: Iterable[Trace], target: BinaryIO, *, batch: int = 1000) -> int:
    """The same records in a Parquet file of three columns (id, question, the trace as JSON); how many there were."""
    import pyarrow as pa  # noqa: PLC0415 - 200 ms, only here
    import pyarrow.parquet as pq  # noqa: PLC0415

    schema = pa.schema([("id", pa.string()), ("question", pa.string()), ("trace", pa.string())])
    count = 0
    with pq.ParquetWriter(target, schema, compression="zstd") as writer:
        rows: list[dict[str, str]] = []
        for trace in traces:
            rows.append({"id": trace.id, "question": trace.question, "trace": encode(trace).decode()})
            count += 1
            if len(rows) == batch:
                writer.write_table(pa.Table.from_pylist(rows, schema=schema))
                rows = []
        if rows:
            writer.write_table(pa.Table.from_pylist(rows, schema=schema))
    return count


LOADER = Format(
    name="native", label="ragviz JSON Lines or Parquet", order=0,
    recognised_by="the fields of a ragviz trace (id, question, response, passages with id and rank, …) and no others",
    matches=matches, read=read, suffixes=(".jsonl", ".parquet"),
)
