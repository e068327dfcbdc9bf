"""Computed scores of a view, with the counts over the whole view kept up to date as results come and go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from sqlalchemy import Connection, bindparam, delete, select, update

from ragviz.contracts import View
from ragviz.records import TraceResult
from ragviz.records.ids import digest
from ragviz.store import blocks, runs, schema, traces
from ragviz.store.engine import Database
from ragviz.store.packing import Squeezer, pack, typical, unpack, verdict_counts

CHUNK = 500
VERDICT_COLUMNS = blocks.VERDICT_COLUMNS
MAX_CLAIM = 300
_COUNTED = ("quadrant", "cause", *VERDICT_COLUMNS)


def view_hash(view: View) -> bytes:
    """Identity of a view in the database."""
    return bytes.fromhex(digest((view.run_id, view.judge, view.claim_set, view.policy, str(view.k), str(view.retrieval_k))))


def find_view(conn: Connection, view: View) -> Any:
    """Key, names and dictionary of a view; None when nothing was computed for it yet."""
    v = schema.view.c
    return conn.execute(select(v.key, v.names, v.dictionary).where(v.hash == view_hash(view))).one_or_none()


def column_of(metric: str, retrieval_k: int) -> str:
    """The column (or its name in pages) of a metric: ``recall_at_5`` is ``recall_at_k`` where the view's k is 5."""
    suffix = f"_at_{retrieval_k}"
    return metric.removesuffix(suffix) + "_at_k" if metric.endswith(suffix) else metric


def put(db: Database, view: View, found: Sequence[TraceResult]) -> None:
    """Store results, in place of earlier ones of the same view; those of unknown traces are ignored."""
    if not found:
        return
    with db.read() as conn:
        run = runs.run_key(conn, view.run_id, db.where)
        keys = traces.keys_in(conn, run, [r.trace_id for r in found])
    latest = {keys[r.trace_id]: r for r in found if r.trace_id in keys}
    with db.write() as conn:
        view_key, names, squeezer = _view(conn, run, view, list(latest.values()))
        slots = {name: n for n, name in enumerate(names)}
        counts: Counter[tuple[str, str]] = Counter()
        for start in range(0, len(latest), CHUNK):
            some = dict(list(latest.items())[start : start + CHUNK])
            _forget(conn, view_key, list(some), counts)
            rows = [_row(view_key, key, r, slots, view.retrieval_k) for key, r in some.items()]
            for row in rows:
                _count(row, counts, +1)
            db.insert_many(conn, schema.result, tuple(rows[0]), [tuple(row.values()) for row in rows])
            db.insert_many(conn, schema.detail, ("view", "trace", "worst_verdict", "worst_claim", "body"), [
                (view_key, key, r.worst_verdict, _short(r.worst_claim), squeezer.pack(r)) for key, r in some.items()
            ])
            blocks.outdate(conn, run, list(some), view=view_key)
        _tally(db, conn, view_key, counts)
        runs.touch(db, conn, run)


def _short(claim: str) -> str:
    """For a line of a table; what is cut says so. The whole claim is in the result."""
    return claim if len(claim) <= MAX_CLAIM else claim[: MAX_CLAIM - 1] + "…"


def _view(conn: Connection, run: int, view: View, found: list[TraceResult]) -> tuple[int, list[str], Squeezer]:
    """The view's key, its metric names (longer if results bring new ones) and its packer."""
    row = find_view(conn, view)
    if row is None:
        conn.execute(schema.view.insert(), {
            "run": run, "hash": view_hash(view), "fingerprint": view.judge, "claim_set": view.claim_set, "body": pack(view), "names": pack([]),
            "dictionary": typical(found),
        })
        row = find_view(conn, view)
        assert row is not None
    names = unpack(row.names, list[str])
    known = set(names)
    fresh = list(dict.fromkeys(name for r in found for name in r.scores if name not in known))
    if fresh:
        names = [*names, *fresh]
        conn.execute(update(schema.view).where(schema.view.c.key == row.key), {"names": pack(names)})
    return int(row.key), names, Squeezer(row.dictionary)


def _row(view_key: int, key: int, r: TraceResult, slots: dict[str, int], retrieval_k: int) -> dict[str, Any]:
    values = np.full(len(slots), np.nan)
    columns: dict[str, float | None] = dict.fromkeys(schema.SORTABLE_SCORES)
    for name, score in r.scores.items():
        if score.value is not None:
            values[slots[name]] = score.value
            column = column_of(name, retrieval_k)
            if column in columns:
                columns[column] = float(score.value)
    return {
        "view": view_key, "trace": key, "quadrant": str(r.quadrant), "cause": str(r.cause), **columns, **verdict_counts(r.verdicts), "scores": values.tobytes(),
    }


def _count(row: Any, counts: Counter[tuple[str, str]], sign: int) -> None:
    counts["total", ""] += sign
    counts["quadrant", row["quadrant"]] += sign
    counts["cause", row["cause"]] += sign
    for name in VERDICT_COLUMNS:
        counts["claims", name] += sign * row[name]


def _forget(conn: Connection, view_key: int, keys: Sequence[int], counts: Counter[tuple[str, str]]) -> None:
    """Delete results of these traces and take them out of the counts."""
    r, d = schema.result.c, schema.detail.c
    old = conn.execute(select(*(r[name] for name in _COUNTED)).where(r.view == view_key, r.trace.in_(keys))).mappings().all()
    if not old:
        return
    for row in old:
        _count(row, counts, -1)
    conn.execute(delete(schema.result).where(r.view == view_key, r.trace.in_(keys)))
    conn.execute(delete(schema.detail).where(d.view == view_key, d.trace.in_(keys)))


def _tally(db: Database, conn: Connection, view_key: int, counts: Counter[tuple[str, str]]) -> None:
    rows = [{"view": view_key, "kind": kind, "name": name, "n": n} for (kind, name), n in counts.items() if n]
    if rows:
        n = schema.tally.c.n
        conn.execute(db.upsert(schema.tally, key=["view", "kind", "name"], set_=lambda new: {"n": n + new.n}), rows)
        conn.execute(delete(schema.tally).where(schema.tally.c.view == view_key, n == 0))


def throw_away(db: Database, conn: Connection, run: int, keys: Sequence[int], *, claim_set: str | None = None, fingerprint: str | None = None) -> None:
    """
    Results that no longer hold because something was said about these traces.

    Args:
        db: The database.
        conn: The transaction in which it was said.
        run: Key of the run.
        keys: Keys of the traces.
        claim_set: Only views on this claim set.
        fingerprint: Only views through this judge.
    """
    v = schema.view.c
    runs.touch(db, conn, run)
    query = select(v.key).where(v.run == run)
    if claim_set is not None:
        query = query.where(v.claim_set == claim_set)
    if fingerprint is not None:
        query = query.where(v.fingerprint == fingerprint)
    n = schema.tally.c.n
    for view_key in conn.execute(query).scalars().all():
        counts: Counter[tuple[str, str]] = Counter()
        for start in range(0, len(keys), CHUNK):
            _forget(conn, view_key, keys[start : start + CHUNK], counts)
            blocks.outdate(conn, run, keys[start : start + CHUNK], view=view_key)
        gone = [{"k": kind, "m": name, "by": -by} for (kind, name), by in counts.items() if by]
        if gone:
            t = schema.tally.c
            less = update(schema.tally).where(t.view == view_key, t.kind == bindparam("k"), t.name == bindparam("m")).values(n=n - bindparam("by"))
            conn.execute(less, gone)
            conn.execute(delete(schema.tally).where(t.view == view_key, n == 0))


def stream(db: Database, view: View, ids: Sequence[str] | None = None) -> Iterator[TraceResult]:
    """Stored results in file order."""
    d = schema.detail.c
    with db.read() as conn:
        run = runs.run_key(conn, view.run_id, db.where)
        row = find_view(conn, view)
        keys = sorted(traces.keys_in(conn, run, ids).values()) if ids is not None and row is not None else []
    if row is None:
        return
    squeezer = Squeezer(row.dictionary)
    if ids is not None:
        for start in range(0, len(keys), CHUNK):
            with db.read() as conn:
                bodies = conn.execute(
                    select(d.body).where(d.view == row.key, d.trace.in_(keys[start : start + CHUNK])).order_by(d.trace),
                ).scalars().all()
            yield from map(squeezer.unpack, bodies)
        return
    last = 0
    while True:
        with db.read() as conn:
            rows = conn.execute(select(d.trace, d.body).where(d.view == row.key, d.trace > last).order_by(d.trace).limit(CHUNK)).all()
        if not rows:
            return
        for detail in rows:
            yield squeezer.unpack(detail.body)
        last = rows[-1].trace


def missing(db: Database, view: View) -> list[str]:
    """Ids of the traces this view has no result for, in file order."""
    t, r = schema.trace.c, schema.result.c
    with db.read() as conn:
        run = runs.run_key(conn, view.run_id, db.where)
        row = find_view(conn, view)
        query = select(t.trace_id).where(t.run == run).order_by(t.key)
        if row is not None:
            query = query.where(~select(r.trace).where(r.view == row.key, r.trace == t.key).exists())
        return list(conn.execute(query).scalars())


def judged_runs(db: Database, fingerprint: str, claim_set: str) -> frozenset[str]:
    """Ids of the runs that can be seen through a judge."""
    c, j, r = schema.coverage.c, schema.judge.c, schema.run.c
    with db.read() as conn:
        query = select(r.run_id).join_from(schema.run, schema.coverage, c.run == r.key).join(schema.judge, j.key == c.judge)
        return frozenset(conn.execute(query.where(j.fingerprint == fingerprint, c.claim_set == claim_set)).scalars())


def views(db: Database, run_id: str) -> list[tuple[View, int]]:
    """Through which judges a run can be seen, and how many of its traces each has judged; the most complete first."""
    c, j = schema.coverage.c, schema.judge.c
    with db.read() as conn:
        run = runs.run_key(conn, run_id, db.where)
        rows = conn.execute(
            select(j.fingerprint, c.claim_set, c.n_traces).join(schema.judge, j.key == c.judge).where(c.run == run).order_by(c.n_traces.desc(), c.judge.desc()),
        ).all()
    return [(View(run_id=run_id, judge=row.fingerprint, claim_set=row.claim_set), row.n_traces) for row in rows]
