"""Corrections of judges' confidence: appended, the latest of a fingerprint counts."""

from __future__ import annotations

from sqlalchemy import select

from ragviz.records import Calibration
from ragviz.store.ledgers import calibration
from ragviz.store.packing import pack, unpack
from ragviz.store.store import Store


def add_calibration(store: Store, found: Calibration) -> None:
    """Append one; from now on it is the one in force for its judge."""
    db = store._db  # noqa: SLF001 - the same room
    with db.write() as conn:
        conn.execute(calibration.insert(), {"fingerprint": found.fingerprint, "judge": found.judge, "body": pack(found)})


def calibrations(store: Store, *, fingerprint: str | None = None, judge: str | None = None) -> list[Calibration]:
    """Those of a fingerprint, or of all versions of a judge, or all; newest first."""
    db, c = store._db, calibration.c  # noqa: SLF001 - the same room
    query = select(c.body).order_by(c.key.desc())
    if fingerprint is not None:
        query = query.where(c.fingerprint == fingerprint)
    if judge is not None:
        query = query.where(c.judge == judge)
    with db.read() as conn:
        return [unpack(raw, Calibration) for raw in conn.execute(query).scalars()]
