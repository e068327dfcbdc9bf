"""Who looked at held-out traces, when and how often: appended, never taken back, and known across runs by the question."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import datetime

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import select

from ragviz.records import Look, LookKind
from ragviz.store.ledgers import look, looked_at
from ragviz.store.store import Store

Subjects = NDArray[np.uint64]
MAX_WORDS = 80


def subjects_of(questions: Iterable[str]) -> Subjects:
    """Questions as numbers, ascending, each once: 8 bytes of a hash, from which no text comes back."""
    found = {hashlib.blake2b(q.encode("utf-8", "surrogatepass"), digest_size=8).digest() for q in questions}
    return np.sort(np.frombuffer(b"".join(found), dtype=">u8").astype(np.uint64))


def add_look(store: Store, questions: Iterable[str], *, who: str, kind: LookKind, place: str) -> None:
    """Note a look at the traces of these questions. Nothing is noted where there are none."""
    subjects = subjects_of(questions)
    if not len(subjects):
        return
    raw = subjects.astype(">u8").tobytes()
    name = hashlib.blake2b(raw, digest_size=16).digest()
    db = store._db  # noqa: SLF001 - the same room
    with db.write() as conn:
        conn.execute(db.insert_new(looked_at), {"hash": name, "n": len(subjects), "subjects": raw})
        key = conn.execute(select(looked_at.c.key).where(looked_at.c.hash == name)).scalar_one()
        conn.execute(look.insert(), {"at": db.now(), "who": who[:MAX_WORDS], "kind": kind.value, "place": place[:MAX_WORDS], "looked_at": key})


def looks_at(store: Store, questions: Iterable[str]) -> list[Look]:
    """Every look that touched one of these questions, in whatever run, oldest first."""
    wanted = subjects_of(questions)
    if not len(wanted):
        return []
    db = store._db  # noqa: SLF001 - the same room
    with db.read() as conn:
        sets = {row.key: row.subjects for row in conn.execute(select(looked_at.c.key, looked_at.c.subjects))}
        touched = {
            key: n for key, raw in sets.items() if (n := len(np.intersect1d(wanted, np.frombuffer(raw, dtype=">u8").astype(np.uint64), assume_unique=True)))
        }
        rows = conn.execute(select(look.c.at, look.c.who, look.c.kind, look.c.place, look.c.looked_at).order_by(look.c.key)).all()
    return [
        Look(at=datetime.fromisoformat(row.at), who=row.who, kind=LookKind(row.kind), place=row.place, n_traces=touched[row.looked_at])
        for row in rows if row.looked_at in touched
    ]
