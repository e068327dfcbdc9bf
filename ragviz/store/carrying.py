"""What belongs to a store beside its runs, carried into another store; and counts that say whether a run arrived whole."""

from __future__ import annotations

import msgspec
from sqlalchemy import Table, func, insert, select

from ragviz.store import runs, schema
from ragviz.store.ledgers import calibration, look, looked_at
from ragviz.store.store import Store

LEFT_BEHIND = ("redaction",)
"""Settings that never leave their store: the key that turns hidden identifiers into codes."""


class Carried(msgspec.Struct, frozen=True, kw_only=True):
    """How much was new to the target."""

    n_calibrations: int = 0
    n_looks: int = 0
    n_settings: int = 0


class RunCounts(msgspec.Struct, frozen=True, kw_only=True):
    """What a store holds of one run."""

    traces: int
    issues: int
    claim_sets: int
    judgements: int
    """Times a judge spoke about a trace."""
    ratings: int
    annotations: int


def run_counts(store: Store, run_id: str) -> RunCounts:
    """Counted row by row, not read from a summary."""
    db, t = store._db, schema.trace.c  # noqa: SLF001 - the same room
    with db.read() as conn:
        run = runs.run_key(conn, run_id, db.where)

        def of(table: Table) -> int:
            return int(conn.execute(select(func.count()).select_from(table).join(schema.trace, t.key == table.c.trace).where(t.run == run)).scalar_one())

        return RunCounts(
            traces=int(conn.execute(select(func.count()).select_from(schema.trace).where(t.run == run)).scalar_one()),
            issues=int(conn.execute(select(func.count()).select_from(schema.issue).where(schema.issue.c.run == run)).scalar_one()),
            claim_sets=of(schema.claim), judgements=of(schema.judgement), ratings=of(schema.rating), annotations=of(schema.annotation),
        )


def carry_ledgers(source: Store, target: Store) -> Carried:
    """
    Calibrations, looks at held-out traces and settings of the pages, each once however often this is called.

    A setting that the target has under the same name stays as the target has it.
    """
    return Carried(n_calibrations=_calibrations(source, target), n_looks=_looks(source, target), n_settings=_settings(source, target))


def _calibrations(source: Store, target: Store) -> int:
    c = calibration.c
    with source._db.read() as conn:  # noqa: SLF001
        rows = [tuple(row) for row in conn.execute(select(c.fingerprint, c.judge, c.body).order_by(c.key))]
    with target._db.write() as conn:  # noqa: SLF001
        known = {tuple(row) for row in conn.execute(select(c.fingerprint, c.judge, c.body))}
        fresh = [row for row in dict.fromkeys(rows) if row not in known]
        if fresh:
            conn.execute(insert(calibration), [{"fingerprint": fingerprint, "judge": judge, "body": body} for fingerprint, judge, body in fresh])
    return len(fresh)


def _looks(source: Store, target: Store) -> int:
    c, s = look.c, looked_at.c
    wanted = select(c.at, c.who, c.kind, c.place, s.hash, s.n, s.subjects).join(looked_at, s.key == c.looked_at).order_by(c.key)
    with source._db.read() as conn:  # noqa: SLF001
        rows = conn.execute(wanted).all()
    db = target._db  # noqa: SLF001
    with db.write() as conn:
        known = {(row.at, row.who, row.kind, row.place, row.hash) for row in conn.execute(wanted)}
        fresh = [row for row in rows if (row.at, row.who, row.kind, row.place, row.hash) not in known]
        for row in fresh:
            conn.execute(db.insert_new(looked_at), {"hash": row.hash, "n": row.n, "subjects": row.subjects})
            key = conn.execute(select(s.key).where(s.hash == row.hash)).scalar_one()
            conn.execute(insert(look), {"at": row.at, "who": row.who, "kind": row.kind, "place": row.place, "looked_at": key})
    return len(fresh)


def _settings(source: Store, target: Store) -> int:
    k = schema.kept.c
    with source._db.read() as conn:  # noqa: SLF001
        rows = [row for row in conn.execute(select(k.kind, k.name, k.body)) if row.kind not in LEFT_BEHIND]
    db = target._db  # noqa: SLF001
    with db.write() as conn:
        known = {(row.kind, row.name) for row in conn.execute(select(k.kind, k.name))}
        fresh = [row for row in rows if (row.kind, row.name) not in known]
        for row in fresh:
            conn.execute(insert(schema.kept), {"kind": row.kind, "name": row.name, "body": row.body})
    return len(fresh)
