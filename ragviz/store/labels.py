"""What people said of a run's claims, all of it at once: for agreement, the label queue and its export."""

from __future__ import annotations

from sqlalchemy import func, select

from ragviz.records import Annotation, Provenance
from ragviz.store import runs, schema
from ragviz.store.packing import unpack
from ragviz.store.store import Store

REPORTS = "reports"
"""Claim set of what users reported, about a claim or (claim id "") about the answer as a whole."""


def people_said(store: Store, run_id: str, claim_set: str) -> list[Annotation]:
    """People's words on one claim set of a run, in the order they were stored."""
    db = store._db  # noqa: SLF001 - the same room
    a, t = schema.annotation.c, schema.trace.c
    with db.read() as conn:
        run = runs.run_key(conn, run_id, db.where)
        rows = conn.execute(select(a.body).join(schema.trace, t.key == a.trace).where(t.run == run, a.claim_set == claim_set).order_by(a.key)).scalars()
        return [unpack(raw, Annotation) for raw in rows]


def said_of_trace(store: Store, run_id: str, trace_id: str, claim_set: str) -> list[Annotation]:
    """People's words of one claim set on one trace, in the order they were stored."""
    db = store._db  # noqa: SLF001 - the same room
    a, t = schema.annotation.c, schema.trace.c
    with db.read() as conn:
        run = runs.run_key(conn, run_id, db.where)
        rows = conn.execute(
            select(a.body).join(schema.trace, t.key == a.trace).where(t.run == run, t.trace_id == trace_id, a.claim_set == claim_set).order_by(a.key),
        ).scalars()
        return [unpack(raw, Annotation) for raw in rows]


def judged_mark(store: Store) -> int:
    """A number that grows whenever any judge said anything; people's words leave it as it is."""
    db = store._db  # noqa: SLF001 - the same room
    with db.read() as conn:
        return int(conn.execute(select(func.max(schema.judgement.c.key))).scalar() or 0)


def judged_between(store: Store, run_id: str, fingerprint: str, claim_set: str) -> tuple[Provenance | None, str | None, str | None]:
    """Who the judge of that fingerprint is, and when it first and last spoke about the run (ISO 8601, UTC); None where it never did."""
    db, j, t = store._db, schema.judgement.c, schema.trace.c  # noqa: SLF001 - the same room
    with db.read() as conn:
        run = runs.run_key(conn, run_id, db.where)
        judge = conn.execute(select(schema.judge.c.key, schema.judge.c.provenance).where(schema.judge.c.fingerprint == fingerprint)).one_or_none()
        if judge is None:
            return None, None, None
        spoke = select(func.min(j.at), func.max(j.at)).join(schema.trace, t.key == j.trace).where(t.run == run, j.judge == judge.key, j.claim_set == claim_set)
        first, last = conn.execute(spoke).one()
    return unpack(judge.provenance, Provenance), first, last
