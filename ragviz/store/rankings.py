"""Rankings of a run's traces, packed by the pipeline, side by side so that all of them are read at once."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, select

from ragviz.store import blocks, runs, schema
from ragviz.store.engine import Database

_K, _T = schema.ranking.c, schema.trace.c
COLUMNS = ("run", "position", "grp", "body")
Packed = tuple[int, bytes]
"""Which question the trace belongs to, and its ranking; no bytes = nothing is labelled."""


def add(db: Database, conn: Connection, run: int, found: Mapping[int, Packed]) -> None:
    """Rankings by the trace's position in the run; known ones stay."""
    db.insert_many(conn, schema.ranking, COLUMNS, [(run, position, group, body) for position, (group, body) in found.items()], new_only=True)


def put(db: Database, run_id: str, found: Mapping[str, Packed]) -> None:
    """Rankings by trace id."""
    with db.write() as conn:
        run = runs.run_key(conn, run_id, db.where)
        rows = conn.execute(select(_T.trace_id, _T.position).where(_T.run == run, _T.trace_id.in_(list(found)))).all()
        add(db, conn, run, {position: found[trace_id] for trace_id, position in rows})
        blocks.outdate_rankings(conn, run, [position for _, position in rows])
        runs.touch(db, conn, run)


def missing(db: Database, run_id: str) -> list[str]:
    """Ids of traces without a ranking."""
    with db.read() as conn:
        run = runs.run_key(conn, run_id, db.where)
        query = select(_T.trace_id).where(_T.run == run).order_by(_T.key)
        return list(conn.execute(query.where(~select(_K.run).where(_K.run == run, _K.position == _T.position).exists())).scalars())
