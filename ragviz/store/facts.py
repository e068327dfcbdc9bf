"""What trends read of a run's traces: when, which version, what was asked, how long the answer, how old its documents. No passage text is touched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec
from sqlalchemy import func, select

from ragviz.store import runs, schema
from ragviz.store.packing import unpack_squeezed
from ragviz.store.store import Store


class TraceFacts(NamedTuple):
    """One trace without its passages' texts."""

    id: str
    group: str
    """The question's group; the question itself where there is none."""
    question: str
    words: int
    """Of the answer."""
    started_at: float | None
    """Seconds since 1970, UTC."""
    tags: Mapping[str, str]
    dates: tuple[str, ...]
    """Dates the passages are effective from, as the file gives them; passages without one are left out."""


class _Dated(msgspec.Struct):
    effective_date: str | None = None
    metadata: dict[str, str] = {}


class _Bare(msgspec.Struct):
    """All that is read of a packed trace here."""

    tags: dict[str, str] = {}
    passages: list[_Dated] | None = None


CHUNK = 2_000
"""Traces read at once: the answers and packed bodies of a hundred thousand would take 400 MiB."""
_T = schema.trace.c
_ROWS = select(_T.key, _T.trace_id, func.coalesce(_T.grp, _T.question), _T.question, _T.response, _T.started_at, _T.body).order_by(_T.key).limit(CHUNK)


def trace_facts(store: Store, run_id: str) -> Iterator[TraceFacts]:
    """The facts of a run's traces, in file order."""
    db = store._db  # noqa: SLF001 - the same room
    last = 0
    while True:
        with db.read() as conn:
            rows = conn.execute(_ROWS.where(_T.run == runs.run_key(conn, run_id, db.where), _T.key > last)).all()
        for last, trace_id, group, question, response, started_at, body in rows:  # noqa: B007 - the key of the last row
            bare = unpack_squeezed(body, _Bare, "trace")
            dates = tuple(date for p in bare.passages or () if (date := p.effective_date or p.metadata.get("effective_date")))
            yield TraceFacts(trace_id, group, question, len(response.split()), started_at, bare.tags, dates)
        if len(rows) < CHUNK:
            return


def reports_by_run(store: Store, claim_set: str) -> dict[str, list[str]]:
    """Run ids to the ids of their traces that somebody reported, one entry a report."""
    db = store._db  # noqa: SLF001 - the same room
    a, t, r = schema.annotation.c, schema.trace.c, schema.run.c
    with db.read() as conn:
        rows = conn.execute(
            select(r.run_id, t.trace_id).select_from(schema.annotation.join(schema.trace, t.key == a.trace).join(schema.run, r.key == t.run))
            .where(a.claim_set == claim_set).order_by(a.key),
        ).all()
    found: dict[str, list[str]] = {}
    for run_id, trace_id in rows:
        found.setdefault(run_id, []).append(trace_id)
    return found
