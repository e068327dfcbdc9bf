"""How far a run is: a version that moves with everything that is written to it, asked for before anything else is read."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Text, bindparam, select

from ragviz.errors import UnknownName
from ragviz.store import schema
from ragviz.store.engine import Database

Moment = tuple[int, int, int]
"""Key of a run, its traces, its version. A run that takes the id of one that is gone has another key."""
_VERSION = select(schema.run.c.key, schema.run.c.n_traces, schema.change.c.n).select_from(
    schema.run.outerjoin(schema.change, schema.change.c.key == schema.run.c.key + 1),
).where(schema.run.c.run_id == bindparam("run_id", type_=Text))


_VERSION_SQL = "SELECT run.key, run.n_traces, change.n FROM run LEFT JOIN change ON change.key = run.key + 1 WHERE run.run_id = ?"


def version(conn: Connection, run_id: str, where: str) -> Moment:
    """Key of a run, how many traces it has, and its version: a number that moves with everything that is written to it."""
    return _moment(conn.execute(_VERSION, {"run_id": run_id}).one_or_none(), run_id, where)


def moment(db: Database, run_id: str) -> Moment:
    """The same of now."""
    if db.is_sqlite:
        return _moment(next(iter(db.glance(_VERSION_SQL, (run_id,))), None), run_id, db.where)
    with db.read() as conn:
        return version(conn, run_id, db.where)


def _moment(row: Any, run_id: str, where: str) -> Moment:
    if row is None:
        raise UnknownName(f"no run {run_id!r} in {where}", fix="see the runs with: ragviz open, page Data")
    return int(row[0]), int(row[1]), int(row[2] or 0)
