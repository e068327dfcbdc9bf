"""Reading what was said: traces seen through a judge, and the history of a claim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import BindParameter, Connection, String, Text, bindparam, select

from ragviz.contracts import View
from ragviz.records import Annotation, JudgedTrace, Judgement, PairKey, Provenance, Rating, Trace
from ragviz.store import schema, traces
from ragviz.store.engine import Database
from ragviz.store.packing import unpack, unpack_claims, unpack_judgements, unpack_ratings
from ragviz.store.words import keys_of


class Word(msgspec.Struct, frozen=True, kw_only=True):
    """Something a judge or a person said of a claim, and when it was stored."""

    at: datetime
    said: Judgement | Annotation


def judged(db: Database, view: View, ids: Sequence[str] | None = None) -> Iterator[JudgedTrace]:
    """Traces seen through a judge, in file order."""
    reader = traces.Reader(view.run_id, ids)
    while True:
        with db.read() as conn:
            chunk = reader.more(conn, db.where)
            cases = [] if chunk is None else _seen_through(conn, view, chunk)
        if chunk is None:
            return
        yield from cases


_C, _J, _Q, _A, _RT = schema.claim.c, schema.judgement.c, schema.judge.c, schema.annotation.c, schema.rating.c
# Built once, since putting statements together takes longer than answering them.
_KEYS: BindParameter[Any] = bindparam("keys", expanding=True)
_SET = bindparam("claim_set", type_=String)
_CLAIMS = select(_C.trace, _C.body).where(_C.trace.in_(_KEYS), _C.claim_set == _SET)
_JUDGE = select(_Q.key, _Q.provenance).where(_Q.fingerprint == bindparam("fingerprint", type_=Text))
_SAID = select(_J.trace, _J.body).where(
    _J.trace.in_(_KEYS), _J.judge == bindparam("judge", type_=schema.Key), _J.claim_set == _SET,
).order_by(_J.trace, _J.key)
_NOTES = select(_A.trace, _A.body).where(_A.trace.in_(_KEYS), _A.claim_set == _SET).order_by(_A.trace, _A.key)
_RATED = (
    select(_RT.trace, _RT.body, _Q.provenance).join_from(schema.rating, schema.judge, _Q.key == _RT.judge).where(_RT.trace.in_(_KEYS))
    .order_by(_RT.trace, _RT.key)
)


def _seen_through(conn: Connection, view: View, chunk: list[tuple[int, Trace]]) -> list[JudgedTrace]:
    asked = {"keys": [key for key, _ in chunk], "claim_set": view.claim_set}
    judge = conn.execute(_JUDGE, {"fingerprint": view.judge}).one_or_none()
    claims: dict[int, bytes] = dict(conn.execute(_CLAIMS, asked).all())
    said = _by_trace(conn, _SAID, {**asked, "judge": judge.key}) if judge else {}
    provenance = unpack(judge.provenance, Provenance) if judge else None
    notes = _by_trace(conn, _NOTES, asked)
    rated = _ratings(conn, {key: trace.id for key, trace in chunk})
    cases = []
    for key, trace in chunk:
        last: dict[PairKey, Judgement] = {}
        for raw in said.get(key, ()):
            assert provenance is not None
            last.update((x.key, x) for x in unpack_judgements(raw, trace_id=trace.id, provenance=provenance))
        body = claims.get(key)
        cases.append(JudgedTrace(
            trace=trace, judgements=tuple(last.values()), ratings=tuple(rated.get(key, ())),
            claims=tuple(unpack_claims(body, trace_id=trace.id, claim_set=view.claim_set)) if body else (),
            annotations=tuple(unpack(raw, Annotation) for raw in notes.get(key, ())),
            k=view.k, retrieval_k=view.retrieval_k, policy=view.policy, claim_set=view.claim_set,
        ))
    return cases


def _by_trace(conn: Connection, query: Any, asked: Mapping[str, Any]) -> dict[int, list[bytes]]:
    found: dict[int, list[bytes]] = {}
    for trace, body in conn.execute(query, asked):
        found.setdefault(trace, []).append(body)
    return found


def _ratings(conn: Connection, ids: Mapping[int, str]) -> dict[int, list[Rating]]:
    """The latest rating per kind and target, whoever gave it."""
    rows = conn.execute(_RATED, {"keys": list(ids)}).all()
    found: dict[int, dict[Any, Rating]] = {}
    for row in rows:
        ratings = unpack_ratings(row.body, trace_id=ids[row.trace], provenance=unpack(row.provenance, Provenance))
        found.setdefault(row.trace, {}).update(((x.kind, x.target_id), x) for x in ratings)
    return {key: list(latest.values()) for key, latest in found.items()}


def history(db: Database, run_id: str, trace_id: str, claim_id: str, claim_set: str) -> list[Word]:
    """Everything ever said about one claim, newest first, in the order it was stored whatever the clock said."""
    _, keys = keys_of(db, run_id, [trace_id])
    key = keys[trace_id]
    j, q, a = schema.judgement.c, schema.judge.c, schema.annotation.c
    words: list[tuple[int, int, int, Word]] = []
    with db.read() as conn:
        judged_rows = conn.execute(
            select(j.key, j.at, j.body, q.provenance).join(schema.judge, q.key == j.judge).where(j.trace == key, j.claim_set == claim_set),
        ).all()
        notes = conn.execute(
            select(a.key, a.after_judgement, a.body).where(a.trace == key, a.claim_set == claim_set, a.claim_id == claim_id),
        ).all()
    for row in judged_rows:
        said = unpack_judgements(row.body, trace_id=trace_id, provenance=unpack(row.provenance, Provenance))
        words += [
            (row.key, 0, n, Word(at=datetime.fromisoformat(row.at), said=judgement))
            for n, judgement in enumerate(said) if judgement.key.claim_id == claim_id
        ]
    for n, after, raw in notes:
        note = unpack(raw, Annotation)
        words.append((after, 1, n, Word(at=note.at, said=note)))
    return [word for *_, word in sorted(words, key=lambda w: w[:3], reverse=True)]
