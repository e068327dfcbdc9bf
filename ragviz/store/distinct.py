"""The different passages of a run's first traces, read without their traces: bodies are decoded for passages alone, and every text is read once."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import bindparam, select

from ragviz.records import Passage
from ragviz.store import passages, runs, schema
from ragviz.store.engine import Database
from ragviz.store.packing import unpack_squeezed

CHUNK = 500
_T = schema.trace.c
_ROWS = (
    select(_T.hashes, _T.body).where(_T.run == bindparam("run", type_=schema.Key), _T.position.between(bindparam("lo"), bindparam("hi"))).order_by(_T.position)
)


_REPEATED = ("id", "source", "title", "authority", "effective_date", "revision")
_NO_METADATA: dict[str, str] = {}


class _Retrieved(msgspec.Struct):
    """All that is read of a packed trace here."""

    passages: tuple[Passage, ...] | None


def distinct_passages(db: Database, run_id: str, *, max_traces: int, max_passages: int) -> tuple[int, list[Passage]]:
    """
    How many traces were read, and the different passages they retrieved, each as it is first met.

    Reading ends with the run, after ``max_traces``, or with the trace that brings the passages to ``max_passages``.
    """
    found: dict[bytes, Passage] = {}
    shared: dict[Any, Any] = {}
    n = 0
    while n < max_traces and len(found) < max_passages:
        with db.read() as conn:
            run = runs.run_key(conn, run_id, db.where)
            rows = conn.execute(_ROWS, {"run": run, "lo": n, "hi": min(n + CHUNK, max_traces) - 1}).all()
            fresh: list[bytes] = []
            for hashes, body in rows:
                n += 1
                of_one = passages.split(hashes)
                if any(h not in found for h in of_one):
                    for h, passage in zip(of_one, unpack_squeezed(body, _Retrieved, "trace").passages or (), strict=True):
                        if h not in found:
                            found[h] = passage
                            fresh.append(h)
                if len(found) >= max_passages:
                    break
            texts = passages.texts_of(conn, fresh)
        found.update({h: _lean(found[h], texts[h], shared) for h in fresh})
        if len(rows) < CHUNK:
            break
    return n, list(found.values())


def _lean(passage: Passage, text: str, shared: dict[Any, Any]) -> Passage:
    """The passage with its text; what many passages say alike (source, date, facts, no metadata) is in memory once."""
    words = {name: shared.setdefault(value, value) for name in _REPEATED if (value := getattr(passage, name)) is not None}
    facts = None if passage.facts is None else tuple(shared.setdefault(fact, fact) for fact in passage.facts)
    return replace(passage, text=text, facts=facts, metadata=passage.metadata or _NO_METADATA, **words)
