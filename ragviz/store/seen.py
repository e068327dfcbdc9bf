"""Reading what was said: traces seen through a judge, and the history of a claim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import msgspec
from sqlalchemy import BindParameter, LargeBinary, String, Text, bindparam, cast, literal, null, or_, select, union_all

from ragviz.contracts import View
from ragviz.grounding import ANSWERS, that_count
from ragviz.records import Annotation, JudgedTrace, Judgement, PairKey, Provenance, Rating, Trace
from ragviz.store import quoted, schema, traces
from ragviz.store.engine import Database
from ragviz.store.packed_verdicts import Texts
from ragviz.store.packing import unpack, unpack_claims, unpack_judgements, unpack_ratings
from ragviz.store.plain import Plain, Source, looking
from ragviz.store.words import keys_of

AT_ONCE = 100
"""Traces read together with all that was said of them: some 35 kB each, which five hundred would keep from others long after they were read."""


class Word(msgspec.Struct, frozen=True, kw_only=True):
    """Something a judge or a person said of a claim, and when it was stored."""

    at: datetime
    said: Judgement | Annotation


def judged(db: Database, view: View, ids: Sequence[str] | None = None) -> Iterator[JudgedTrace]:
    """Traces seen through a judge, in file order."""
    few = None if ids is None else list(dict.fromkeys(ids))
    if few is not None and len(few) <= AT_ONCE:
        with looking(db) as at_once:
            found = traces.named(at_once, view.run_id, few)
            cases = _seen_through(at_once, view, found) if found else []
        if cases:
            yield from cases
            return  # of none, the way below tells an unknown run
    reader = traces.Reader(view.run_id, ids, at_once=AT_ONCE)
    while True:
        with db.read() as conn:
            chunk = reader.more(conn, db.where)
            cases = [] if chunk is None else _seen_through(conn, view, chunk)
        if chunk is None:
            return
        yield from cases


_C, _J, _Q, _A, _RT = schema.claim.c, schema.judgement.c, schema.judge.c, schema.annotation.c, schema.rating.c
# Built once, since putting statements together takes longer than answering them; and all in one, since each takes as long to send off.
_KEYS: BindParameter[Any] = bindparam("keys", expanding=True)
_SET = bindparam("claim_set", type_=String)
_NOBODY = cast(null(), LargeBinary)
_CLAIMS, _SAID, _NOTES, _RATED = "claims", "said", "notes", "rated"
_TOLD = Plain(union_all(
    select(literal(_CLAIMS).label("what"), _C.trace, literal(0).label("key"), _C.body, _NOBODY.label("provenance")).where(
        _C.trace.in_(_KEYS), _C.claim_set == _SET
    ),
    select(literal(_SAID), _J.trace, _J.key, _J.body, _Q.provenance)
    .join_from(schema.judgement, schema.judge, _Q.key == _J.judge)
    .where(
        _J.trace.in_(_KEYS),
        _J.claim_set == _SET,
        _Q.fingerprint == bindparam("fingerprint", type_=Text),
    ),
    select(literal(_NOTES), _A.trace, _A.key, _A.body, _NOBODY).where(_A.trace.in_(_KEYS), or_(_A.claim_set == _SET, _A.claim_set == ANSWERS)),
    select(literal(_RATED), _RT.trace, _RT.key, _RT.body, _Q.provenance)
    .join_from(schema.rating, schema.judge, _Q.key == _RT.judge)
    .where(_RT.trace.in_(_KEYS)),
))
_provenance = lru_cache(maxsize=64)(lambda raw: unpack(raw, Provenance))


def _seen_through(conn: Source, view: View, chunk: list[tuple[int, Trace]]) -> list[JudgedTrace]:
    rows = _TOLD.ask(conn, {"keys": [key for key, _ in chunk], "claim_set": view.claim_set, "fingerprint": view.judge})
    told: dict[tuple[str, int], list[tuple[bytes, bytes | None]]] = {}
    for what, trace, _, body, provenance in sorted(rows, key=lambda row: row[2]):
        told.setdefault((what, trace), []).append((body, provenance))
    return [_case(view, trace, {what: told.get((what, key), []) for what in (_CLAIMS, _SAID, _NOTES, _RATED)}) for key, trace in chunk]


def _case(view: View, trace: Trace, told: Mapping[str, list[tuple[bytes, bytes | None]]]) -> JudgedTrace:
    texts = Texts.of(trace)
    last: dict[PairKey, Judgement] = {}
    for body, provenance in told[_SAID]:
        last.update((x.key, x) for x in unpack_judgements(body, texts, trace_id=trace.id, provenance=_provenance(provenance)))
    rated: dict[Any, Rating] = {}  # the latest per kind and target, whoever gave it
    for body, provenance in told[_RATED]:
        rated.update(((x.kind, x.target_id), x) for x in unpack_ratings(body, trace_id=trace.id, provenance=_provenance(provenance)))
    notes = tuple(unpack(body, Annotation) for body, _ in told[_NOTES])
    claims = [claim for body, _ in told[_CLAIMS] for claim in unpack_claims(body, texts, trace_id=trace.id, claim_set=view.claim_set)]
    return JudgedTrace(
        trace=trace, judgements=tuple(last.values()), ratings=tuple(rated.values()), claims=that_count(claims, trace, notes), annotations=notes,
        k=view.k, retrieval_k=view.retrieval_k, policy=view.policy, claim_set=view.claim_set,
    )


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
        texts = quoted.texts_of(conn, [key])[key]
    for row in judged_rows:
        said = unpack_judgements(row.body, texts, trace_id=trace_id, provenance=unpack(row.provenance, Provenance))
        words += [
            (row.key, 0, n, Word(at=datetime.fromisoformat(row.at), said=judgement))
            for n, judgement in enumerate(said) if judgement.key.claim_id == claim_id
        ]
    for n, after, raw in notes:
        note = unpack(raw, Annotation)
        words.append((after, 1, n, Word(at=note.at, said=note)))
    return [word for *_, word in sorted(words, key=lambda w: w[:3], reverse=True)]
