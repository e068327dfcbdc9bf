"""The traces before and after one, wherever it stands in a filtered, sorted list."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select, tuple_

from ragviz.contracts import View
from ragviz.store import schema
from ragviz.store.engine import Database
from ragviz.store.filters import Neighbours, TraceFilter
from ragviz.store.queries import passing_keys, valued_keys, way
from ragviz.store.selecting import Keys, Scope, is_empty, scope_of, sort_column, total

_T = schema.trace.c


def neighbours(db: Database, view: View, where: TraceFilter, sort: str, trace_id: str, *, descending: bool) -> Neighbours:
    """The traces before and after one in a filtered, sorted list."""
    column = sort_column(sort, view)
    with db.read() as conn:
        scope = scope_of(conn, view, db.where)
        passing = passing_keys(conn, scope, where, column)
        n = total(conn, scope, where)
        key = conn.execute(select(_T.key).where(_T.run == scope.run, _T.trace_id == trace_id)).scalar()
        here = None if key is None else conn.execute(passing.also(passing.key == key).select(passing.key, *([] if column is None else [column]))).one_or_none()
        if here is None:
            return Neighbours(previous=None, next=None, position=None, total=n)
        value = here[1] if column is not None else None
        before, after, n_before = _around(conn, scope, where, passing, column, key=here[0], value=value, descending=descending)
        ids = dict(conn.execute(select(_T.key, _T.trace_id).where(_T.key.in_([k for k in (before, after) if k is not None]))).all())
    return Neighbours(previous=ids.get(before), next=ids.get(after), position=n_before + 1, total=n)


def _around(
    conn: Connection, scope: Scope, where: TraceFilter, passing: Keys, column: ColumnElement[Any] | None, *, key: int, value: Any, descending: bool,
) -> tuple[int | None, int | None, int]:
    """Key before, key after, number of those before: first come the traces with a value, then the others in file order."""
    if column is None and is_empty(where):
        position = int(conn.execute(select(_T.position).where(_T.key == key)).scalar_one())
        beside = dict(conn.execute(select(_T.position, _T.key).where(_T.run == scope.run, _T.position.in_((position - 1, position + 1)))).all())
        one, other = beside.get(position - 1), beside.get(position + 1)
        return (other, one, scope.n_traces - 1 - position) if descending else (one, other, position)
    if column is None:
        before, after = _beside(conn, passing, [passing.key], [key], descending=descending)
        return before, after, _n_before(conn, passing, [passing.key], [key], descending=descending)
    valued, rest = valued_keys(scope, where, passing, column), passing.also(column.is_(None))
    if value is None:
        before, after = _beside(conn, rest, [rest.key], [key], descending=False)
        n_before = int(conn.execute(valued.select(func.count())).scalar_one()) + _n_before(conn, rest, [rest.key], [key], descending=False)
        if before is None:
            before = conn.execute(valued.select().order_by(way(column, not descending), way(valued.key, not descending)).limit(1)).scalar()
        return before, after, n_before
    order = [column, valued.key]
    before, after = _beside(conn, valued, order, [value, key], descending=descending)
    if after is None:
        after = conn.execute(rest.select().order_by(rest.key).limit(1)).scalar()
    return before, after, _n_before(conn, valued, order, [value, key], descending=descending)


def _beside(
    conn: Connection, found: Keys, order: list[ColumnElement[Any]], at: list[Any], *, descending: bool,
) -> tuple[int | None, int | None]:
    row, here = tuple_(*order), tuple_(*at)
    smaller = conn.execute(found.also(row < here).select().order_by(*(c.desc() for c in order)).limit(1)).scalar()
    larger = conn.execute(found.also(row > here).select().order_by(*(c.asc() for c in order)).limit(1)).scalar()
    return (larger, smaller) if descending else (smaller, larger)


def _n_before(conn: Connection, found: Keys, order: list[ColumnElement[Any]], at: list[Any], *, descending: bool) -> int:
    row, here = tuple_(*order), tuple_(*at)
    return int(conn.execute(found.also(row > here if descending else row < here).select(func.count())).scalar_one())
