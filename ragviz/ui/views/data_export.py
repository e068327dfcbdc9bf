"""A run, or the traces that pass a filter, as a file: JSON Lines, CSV that spreadsheets cannot run, Parquet. No Streamlit: runs on its own thread."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence

from ragviz.contracts import View
from ragviz.loaders import write_native
from ragviz.pipeline.held_out import look_at
from ragviz.pipeline.redacting import hidden
from ragviz.records import SPLIT_TAG, LookKind, Split
from ragviz.store import Store, TraceFilter, TraceRow
from ragviz.store.splits import split_counts
from ragviz.ui import marks, tables, vocabulary

BATCH = 1_000
FORMATS = {"jsonl": "JSON Lines", "csv": "CSV", "parquet": "Parquet"}
MIME = {"jsonl": "application/x-ndjson", "csv": "text/csv", "parquet": "application/vnd.apache.parquet"}


def write(store: Store, view: View, where: TraceFilter, kind: str, *, hide: Sequence[str] = ()) -> bytes:
    """
    The file's content.

    JSON Lines holds whole traces and reads back equal; CSV and Parquet hold one row a trace with its scores, quadrant, cause and worst claim.
    ``hide``: private details to hide in the file (``text.redaction.rules_of``).
    """
    _note_held_out(store, view, where)
    with hidden(store, view, hide) as (shown, seen):
        return _content(shown, seen, where, kind)


def _content(store: Store, view: View, where: TraceFilter, kind: str) -> bytes:
    if kind == "jsonl":
        return b"".join(write_native(store.traces(view.run_id, _ids(store, view, where))))
    rows = [flat(row) for row in _rows(store, view, where)]
    if kind == "parquet":
        return _parquet(rows)
    names = list(dict.fromkeys(name for row in rows for name in row))
    # The mark tells spreadsheets that this is UTF-8.
    return b"\xef\xbb\xbf" + tables.as_csv(names, ([row.get(name) for name in names] for row in rows)).encode()


def _parquet(rows: Sequence[Mapping[str, object]]) -> bytes:
    import pyarrow.parquet as pq  # noqa: PLC0415 - 13 MiB, only here

    out = io.BytesIO()
    pq.write_table(tables.of_rows(rows), out)
    return out.getvalue()


def _note_held_out(store: Store, view: View, where: TraceFilter) -> None:
    """A download holds the words of held-out traces: a look like another."""
    if Split.HELD_OUT in split_counts(store, view.run_id):
        questions = [row.question for row in _rows(store, view, where) if Split.of(row.tags.get(SPLIT_TAG)) is Split.HELD_OUT]
        look_at(store, questions, who="somebody", kind=LookKind.OPENED, place="download")


def _ids(store: Store, view: View, where: TraceFilter) -> list[str] | None:
    return None if where == TraceFilter() else [row.id for row in _rows(store, view, where)]


def _rows(store: Store, view: View, where: TraceFilter) -> Iterator[TraceRow]:
    offset = 0
    while rows := store.page(view, where, limit=BATCH, offset=offset):
        yield from rows
        offset += len(rows)


def flat(row: TraceRow) -> dict[str, object]:
    """One row as named cells."""
    return {
        "id": row.id,
        "question": row.question,
        "response": row.response_preview,
        "quadrant": vocabulary.quadrant(row.quadrant),
        "cause": vocabulary.cause(row.cause),
        "worst claim": row.worst_claim,
        "worst verdict": marks.GROUNDING_LABEL.get(row.worst_verdict or "", ""),  # type: ignore[call-overload]
        "claims": row.n_claims,
        "supported": row.n_supported,
        "not supported": row.n_not_supported,
        "contradicted": row.n_contradicted,
        "conflicted": row.n_conflicted,
        "unjudged": row.n_unjudged,
        **row.scores,
        "started at": row.started_at.isoformat() if row.started_at else None,
        "latency ms": row.latency_ms,
        "cost usd": row.cost_usd,
        **{f"tag {name}": value for name, value in row.tags.items()},
    }
