"""Batches that were sent to a service and whose answers are still out: noted before anybody waits, so that a killed program finds them again."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import delete, select

from ragviz.records import PairKey
from ragviz.store import runs, schema
from ragviz.store.engine import Database
from ragviz.store.packing import pack, unpack


class PendingBatch(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is needed to ask the very same questions again, and so to recognise the answers."""

    batch_id: str
    """The service's."""
    fingerprint: str
    """The judge's (Provenance.fingerprint)."""
    claim_set: str
    k: int | None = None
    trace_ids: tuple[str, ...]
    left_out: tuple[PairKey, ...] = ()
    """Pairs of these traces that were known when the batch was sent, and so are not in it."""
    fence: str
    """The boundary word of its messages; secret."""
    n_requests: int
    sent_at: str
    """ISO 8601, UTC."""
    max_tokens: int = 0
    """What it can take at most, as counted before it was sent."""
    max_usd: float = 0.0


def add(db: Database, run_id: str, batch: PendingBatch) -> None:
    """Note a batch."""
    with db.write() as conn:
        run = runs.run_key(conn, run_id, db.where)
        conn.execute(db.insert_new(schema.pending_batch), {"batch_id": batch.batch_id, "run": run, "fingerprint": batch.fingerprint, "body": pack(batch)})


def every(db: Database, run_id: str, fingerprint: str) -> list[PendingBatch]:
    """Batches of a run that a judge waits for, oldest first."""
    p = schema.pending_batch.c
    with db.read() as conn:
        run = runs.run_key(conn, run_id, db.where)
        found: Sequence[bytes] = conn.execute(select(p.body).where(p.run == run, p.fingerprint == fingerprint)).scalars().all()
    return sorted((unpack(raw, PendingBatch) for raw in found), key=lambda b: (b.sent_at, b.batch_id))


def remove(db: Database, batch_id: str) -> None:
    """Forget a batch: its answers are stored, or will never come."""
    with db.write() as conn:
        conn.execute(delete(schema.pending_batch).where(schema.pending_batch.c.batch_id == batch_id))
