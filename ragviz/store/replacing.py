"""A trace told anew: spans that came late. What judges said of the earlier words goes with them; what people said stays."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, delete, select, update

from ragviz.records import Trace
from ragviz.store import blocks, passages, rankings, results, runs, schema, search, traces
from ragviz.store.engine import Database
from ragviz.store.packing import pack, unpack, unpack_trace
from ragviz.store.rankings import Packed
from ragviz.store.squeezing import expanded
from ragviz.store.store import Store

_T = schema.trace.c


def replace_trace(store: Store, run_id: str, trace: Trace, *, ranking: Packed | None = None) -> bool:
    """
    Put a trace in the place of the one of its id; False when there is none, or nothing about it changed.

    Claims, verdicts, ratings and results of the earlier words are deleted, in the same transaction: the trace counts as not judged.
    """
    db = store._db  # noqa: SLF001 - the same room
    trace, body = traces.packed(trace)
    with db.write() as conn:
        run = runs.run_key(conn, run_id, db.where)
        old = conn.execute(
            select(_T.key, _T.position, _T.trace_id, _T.question, _T.response, _T.hashes, _T.body).where(_T.run == run, _T.trace_id == trace.id)
        ).one_or_none()
        if old is None:
            return False
        hashes = passages.hashes_of(trace.passages, {})
        if (old.question, old.response, old.hashes, expanded(old.body, "trace")) == (trace.question, trace.response, hashes, expanded(body, "trace")):
            return False
        _forget_words(db, conn, run, old.key)
        _unmark(conn, old)
        before = unpack_trace(old.body, trace_id=old.trace_id, question=old.question, response=old.response, texts=[""] * len(passages.split(old.hashes)))
        conn.execute(delete(schema.ranking).where(schema.ranking.c.run == run, schema.ranking.c.position == old.position))
        traces.rewrite(db, conn, run, old.key, (trace, body))
        blocks.outdate(conn, run, [old.key], view=0)
        m, t = schema.mark.c, schema.term.c
        conn.execute(delete(schema.term).where(t.run == run, ~select(m.trace).where(m.term == t.term).exists()))
        if ranking is not None:
            rankings.add(db, conn, run, {old.position: ranking})
        _recount(conn, run, before, trace)
        _drop_passages(conn, set(passages.split(old.hashes)) - set(passages.split(hashes)))
    return True


def _forget_words(db: Database, conn: Connection, run: int, key: int) -> None:
    j, c = schema.judgement.c, schema.coverage.c
    results.throw_away(db, conn, run, [key])
    judged = conn.execute(select(j.judge, j.claim_set).where(j.trace == key).distinct()).all()
    for judge, claim_set in judged:
        conn.execute(update(schema.coverage).where(c.run == run, c.judge == judge, c.claim_set == claim_set).values(n_traces=c.n_traces - 1))
    conn.execute(delete(schema.coverage).where(c.run == run, c.n_traces <= 0))
    for table in (schema.claim, schema.judgement, schema.rating):
        conn.execute(delete(table).where(table.c.trace == key))


def _unmark(conn: Connection, old: Any) -> None:
    conn.execute(delete(schema.mark).where(schema.mark.c.trace == old.key))
    search.remove(conn, old.key, old.question, old.response)


def _recount(conn: Connection, run: int, before: Trace, after: Trace) -> None:
    r = schema.run.c
    had = unpack(conn.execute(select(r.traits).where(r.key == run)).scalar_one(), runs.RunTraits)
    old, new = runs.traits_of([before]), runs.traits_of([after])
    counted = runs.RunTraits(**{name: getattr(had, name) + getattr(new, name) - getattr(old, name) for name in had.__struct_fields__})
    conn.execute(update(schema.run).where(r.key == run).values(traits=pack(counted)))


def _drop_passages(conn: Connection, gone: set[bytes]) -> None:
    """Texts that no trace has any more are not kept."""
    if not gone:
        return
    for packed in conn.execute(select(_T.hashes).where(_T.hashes.is_not(None)).execution_options(yield_per=2_000)).scalars():
        gone.difference_update(passages.split(packed))
    if gone:
        conn.execute(delete(schema.passage).where(schema.passage.c.hash.in_(sorted(gone))))

