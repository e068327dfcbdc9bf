"""What people set in the pages for all runs, by kind and name: saved views of a list, how far a group of sources can be trusted, a judge's noise."""

from __future__ import annotations

from typing import Literal, TypeVar

from sqlalchemy import Connection, delete, select

from ragviz.store import runs, schema
from ragviz.store.engine import Database
from ragviz.store.packing import pack, unpack

T = TypeVar("T")
Kind = Literal["traces-view", "authority", "judge-noise", "redaction", "stability", "watched", "corpus", "tour"]
"""
``redaction``: the key that turns hidden identifiers into codes; it never leaves the store. ``corpus``: the documents that came with a run, by run id;
deleted with it.
"""


def put(db: Database, kind: Kind, name: str, value: object) -> None:
    """Keep a value under a name; what was there is replaced."""
    with db.write() as conn:
        _outdate(db, conn, kind)
        insert = db.upsert(schema.kept, key=["kind", "name"], set_=lambda new: {"body": new.body})
        conn.execute(insert, {"kind": kind, "name": name, "body": pack(value)})


def _outdate(db: Database, conn: Connection, kind: Kind) -> None:
    """Causes depend on how far sources are trusted: results are thrown away, and computed anew when they are looked at."""
    if kind == "authority":
        for table in (schema.result, schema.detail, schema.tally, schema.block):
            conn.execute(delete(table))
        for run in conn.execute(select(schema.run.c.key)).scalars().all():
            runs.touch(db, conn, run)


def every(db: Database, kind: Kind, what: type[T]) -> dict[str, T]:
    """All values of a kind by name, in the order of names."""
    k = schema.kept.c
    with db.read() as conn:
        rows = conn.execute(select(k.name, k.body).where(k.kind == kind).order_by(k.name)).all()
    return {row.name: unpack(row.body, what) for row in rows}


def one(db: Database, kind: Kind, name: str, what: type[T]) -> T | None:
    """The value of one name; None when there is none."""
    k = schema.kept.c
    with db.read() as conn:
        body = conn.execute(select(k.body).where(k.kind == kind, k.name == name)).scalar_one_or_none()
    return None if body is None else unpack(body, what)


def remove(db: Database, kind: Kind, name: str) -> None:
    """Forget a value; nothing happens when there is none."""
    with db.write() as conn:
        _outdate(db, conn, kind)
        conn.execute(delete(schema.kept).where(schema.kept.c.kind == kind, schema.kept.c.name == name))
