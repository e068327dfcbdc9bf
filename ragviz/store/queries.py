"""What pages ask. First the keys (from narrow, indexed rows), then the fifty rows that are shown."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Integer, Select, and_, bindparam, func, select

from ragviz.contracts import View
from ragviz.records import Grounding
from ragviz.store import runs, schema
from ragviz.store.blocks import UNKNOWN
from ragviz.store.engine import Database
from ragviz.store.filters import TraceFilter, TraceRow
from ragviz.store.packing import pack, unpack, unpack_squeezed
from ragviz.store.plain import Plain, Source, looking
from ragviz.store.results import VERDICT_COLUMNS, view_hash
from ragviz.store.selecting import Keys, Scope, is_empty, is_rare, keys, scope_of, sort_column, total

PREVIEW_CHARS = 240
CHUNK = 500
_T, _R, _D = schema.trace.c, schema.result.c, schema.detail.c


def rows(db: Database, view: View, found: Sequence[int]) -> list[TraceRow]:
    """The rows of these keys, in their order."""
    with looking(db) as conn:
        return _rows(conn, scope_of(conn, view, db.where), found)


def page(db: Database, view: View, where: TraceFilter, *, sort: str, descending: bool, limit: int, offset: int) -> list[TraceRow]:
    """One page of rows. Traces without a value for the sort column come last, both ways."""
    if sort_column(sort, view) is None and is_empty(where):
        with looking(db) as at_once:
            return _by_position(at_once, scope_of(at_once, view, db.where), descending=descending, limit=limit, offset=offset)
    with db.read() as conn:
        scope = scope_of(conn, view, db.where)
        return _rows(conn, scope, _by_order(conn, scope, where, sort, descending=descending, limit=limit, offset=offset))


def _by_position(conn: Source, scope: Scope, *, descending: bool, limit: int, offset: int) -> list[TraceRow]:
    """Positions have no gaps: jump."""
    lo, hi = (scope.n_traces - offset - limit, scope.n_traces - offset - 1) if descending else (offset, offset + limit - 1)
    names = unpack(scope.names, list[str])
    found = [_row(row, names) for row in _PAGE_BETWEEN.ask(conn, {"view": scope.view_key, "run": scope.run, "lo": lo, "hi": hi})]
    return found[::-1] if descending else found


def _by_order(conn: Connection, scope: Scope, where: TraceFilter, sort: str, *, descending: bool, limit: int, offset: int) -> list[int]:
    by_mark = sort in ("order", "") or is_rare(conn, scope, where)
    first, count_first, rest = _ordered(scope, pack(where), sort, descending, by_mark)
    found = list(conn.execute(first, {"limit": limit, "offset": offset}).scalars())
    if rest is not None and len(found) < limit:
        skipped = 0 if found else max(0, offset - int(conn.execute(count_first).scalar_one()))
        found += conn.execute(rest, {"limit": limit - len(found), "offset": skipped}).scalars()
    return found


@lru_cache(maxsize=256)
def _ordered(scope: Scope, packed: bytes, sort: str, descending: bool, by_mark: bool) -> tuple[Select[Any], Select[Any], Select[Any] | None]:
    """
    The keys in order: those with a value, how many these are, and those without. Remembered, since people turn pages of one list, and
    putting the statements together takes longer than answering them.
    """
    where, column = unpack(packed, TraceFilter), sort_column(sort, scope.view)
    passing = keys(scope, where, sort=column, by_mark=by_mark)
    limit, offset = bindparam("limit", type_=Integer), bindparam("offset", type_=Integer)
    if column is None:
        return passing.select().order_by(way(passing.key, descending)).limit(limit).offset(offset), passing.select(func.count()), None
    valued, rest = valued_keys(scope, where, passing, column), passing.also(column.is_(None))
    first = valued.select().order_by(way(column, descending), way(valued.key, descending))
    return first.limit(limit).offset(offset), valued.select(func.count()), rest.select().order_by(rest.key).limit(limit).offset(offset)


def passing_keys(conn: Connection, scope: Scope, where: TraceFilter, column: ColumnElement[Any] | None) -> Keys:
    """Keys of the traces that a filter lets through, found the quicker way."""
    return keys(scope, where, sort=column, by_mark=column is None or is_rare(conn, scope, where))


def valued_keys(scope: Scope, where: TraceFilter, passing: Keys, column: ColumnElement[Any]) -> Keys:
    """Those with a value. Without other conditions on traces, the results alone can say, from their index."""
    if column.table is schema.result and where == TraceFilter():
        return Keys(_R.trace, schema.result, (_R.view == scope.view_key, column.is_not(None)))
    return passing.also(column.is_not(None))


def way(column: ColumnElement[Any], descending: bool) -> ColumnElement[Any]:
    """A column in that direction."""
    return column.desc() if descending else column.asc()


class _Tagged(msgspec.Struct):
    """All that is read of a packed trace here."""

    tags: dict[str, str] = {}


# Built once, since putting them together takes longer than answering them.
_VIEW_KEY = bindparam("view", type_=schema.Key)
_ROWS = (
    select(
        _T.key, _T.trace_id, _T.question, func.substr(_T.response, 1, PREVIEW_CHARS), _R.quadrant, _R.cause, _D.worst_claim, _D.worst_verdict,
        *(_R[name] for name in VERDICT_COLUMNS), _R.scores, _T.started_at, _T.latency_ms, _T.cost_usd, _T.body,
    )
    .select_from(schema.trace.outerjoin(schema.result, and_(_R.view == _VIEW_KEY, _R.trace == _T.key))
                 .outerjoin(schema.detail, and_(_D.view == _VIEW_KEY, _D.trace == _T.key)))
)
_PAGE_ROWS = Plain(_ROWS.where(_T.key.in_(bindparam("keys", expanding=True))))
_PAGE_BETWEEN = Plain(
    _ROWS.where(_T.run == bindparam("run", type_=schema.Key), _T.position.between(bindparam("lo"), bindparam("hi"))).order_by(_T.position)
)


def _rows(conn: Source, scope: Scope, found: Sequence[int]) -> list[TraceRow]:
    if not found:
        return []
    names = unpack(scope.names, list[str])
    rows = {row[0]: row for row in _PAGE_ROWS.ask(conn, {"view": scope.view_key, "keys": list(found)})}
    return [_row(rows[key], names) for key in found]


def _row(row: Any, names: list[str]) -> TraceRow:
    (_, trace_id, question, preview, quadrant, cause, claim, verdict, n, supported, not_supported, contradicted, conflicted, unjudged,
     packed, started_at, latency_ms, cost_usd, body) = row
    values = struct.unpack(f"{len(packed) // 8}d", packed) if packed else ()
    return TraceRow(
        id=trace_id, question=question, response_preview=preview, quadrant=quadrant or UNKNOWN, cause=cause or "", worst_claim=claim or "",
        worst_verdict=verdict, n_claims=n or 0, n_supported=supported or 0, n_not_supported=not_supported or 0, n_contradicted=contradicted or 0,
        n_conflicted=conflicted or 0, n_unjudged=unjudged or 0,
        scores={name: value if value == value else None for name, value in zip(names, values, strict=False)},  # noqa: PLR0124 - the NaN test
        started_at=datetime.fromtimestamp(started_at, UTC) if started_at is not None else None,
        latency_ms=latency_ms, cost_usd=cost_usd, tags=unpack_squeezed(body, _Tagged, "trace").tags,
    )


def count(db: Database, view: View, where: TraceFilter) -> int:
    """How many traces pass."""
    with db.read() as conn:
        return total(conn, scope_of(conn, view, db.where), where)


def n_missing(db: Database, view: View) -> int:
    """How many traces have no result in this view, from the kept counts."""
    t = schema.tally.c
    with db.read() as conn:
        scope = scope_of(conn, view, db.where)
        return scope.n_traces - int(conn.execute(select(t.n).where(t.view == scope.view_key, t.kind == "total")).scalar() or 0)


def lacking(db: Database, views: Sequence[View]) -> list[View]:
    """Those views in which traces have no result, from the kept counts; of a year of runs in as many statements as there are hundreds."""
    r, v, t = schema.run.c, schema.view.c, schema.tally.c
    sizes: dict[str, int] = {}
    found: dict[bytes, int] = {}
    hashes = [view_hash(view) for view in views]
    with db.read() as conn:
        for start in range(0, len(views), CHUNK):
            sizes.update(conn.execute(select(r.run_id, r.n_traces).where(r.run_id.in_([view.run_id for view in views[start : start + CHUNK]]))).all())
            counted = select(v.hash, t.n).join_from(schema.view, schema.tally, and_(t.view == v.key, t.kind == "total"))
            found.update(conn.execute(counted.where(v.hash.in_(hashes[start : start + CHUNK]))).all())
    return [view for view, name in zip(views, hashes, strict=True) if found.get(name, 0) < sizes.get(view.run_id, 0)]


def passing(db: Database, view: View, where: TraceFilter) -> list[str]:
    """Ids of all traces that pass, in file order."""
    with db.read() as conn:
        found = keys(scope_of(conn, view, db.where), where).select().subquery()
        return list(conn.execute(select(_T.trace_id).where(_T.key.in_(select(found.c[0]))).order_by(_T.key)).scalars())


def ids_at(db: Database, run_id: str, positions: Sequence[int]) -> list[str]:
    """Ids of the traces at these places of the run, from 0, in the order asked for; places beyond its end are passed over."""
    found: dict[int, str] = {}
    with db.read() as conn:
        run = runs.run_key(conn, run_id, db.where)
        for start in range(0, len(positions), CHUNK):
            some = list(positions[start : start + CHUNK])
            found.update(conn.execute(select(_T.position, _T.trace_id).where(_T.run == run, _T.position.in_(some))).all())
    return [found[at] for at in positions if at in found]


def counts_by(db: Database, view: View, column: str, where: TraceFilter) -> dict[str, int]:
    """Traces by quadrant or cause. Traces without a result count as ``unknown``."""
    col, t = _R[column], schema.tally.c
    if column not in ("quadrant", "cause"):
        raise ValueError(f"not a column to count by: {column}")
    with db.read() as conn:
        scope = scope_of(conn, view, db.where)
        if is_empty(where):
            counts = {row.name: int(row.n) for row in conn.execute(select(t.name, t.n).where(t.view == scope.view_key, t.kind == column))}
            rest = scope.n_traces - sum(counts.values())
        else:
            found = keys(scope, where, with_result=True)
            counts = {row[0]: row[1] for row in conn.execute(found.select(col, func.count()).group_by(col))}
            rest = counts.pop(None, 0)
    if rest:
        counts[UNKNOWN] = counts.get(UNKNOWN, 0) + rest
    return counts


def claim_counts(db: Database, view: View, where: TraceFilter) -> dict[Grounding, int]:
    """Response claims by what became of them."""
    t = schema.tally.c
    with db.read() as conn:
        scope = scope_of(conn, view, db.where)
        if is_empty(where):
            kept = {row.name: row.n for row in conn.execute(select(t.name, t.n).where(t.view == scope.view_key, t.kind == "claims"))}
        else:
            sums = [func.coalesce(func.sum(_R[name]), 0).label(name) for name in VERDICT_COLUMNS]
            kept = dict(conn.execute(keys(scope, where, with_result=True).select(*sums)).mappings().one())
    return {verdict: int(kept.get(f"n_{verdict}", 0)) for verdict in Grounding}


def labels(db: Database, run_id: str, kind: str, *, limit: int) -> Mapping[str, list[str]]:
    """Names and values traces can be filtered by: kind ``tag`` by tag name, kind ``source`` under ""."""
    t = schema.term.c
    with db.read() as conn:
        run = runs.run_key(conn, run_id, db.where)
        rows = conn.execute(select(t.name, t.value).where(t.run == run, t.kind == kind).order_by(t.name, t.value).limit(limit)).all()
    found: dict[str, list[str]] = {}
    for name, value in rows:
        found.setdefault(name, []).append(value)
    return found
