"""What judges and people said: claims, judgements, ratings, annotations. Appended, never replaced."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, or_, select, update

from ragviz.errors import UnknownName
from ragviz.grounding import ANSWERS
from ragviz.records import Annotation, Claim, Judgement, PairKey, Provenance, Rating
from ragviz.store import quoted, results, runs, schema, traces
from ragviz.store.engine import Database
from ragviz.store.packed_verdicts import Texts
from ragviz.store.packing import pack, pack_claims, pack_judgements, pack_ratings, unpack, unpack_claims, unpack_judgements, unpack_ratings

CHUNK = 500


def judge_key(db: Database, conn: Connection, provenance: Provenance) -> int:
    """The judge's key; made known on first sight."""
    j = schema.judge.c
    found = conn.execute(select(j.key).where(j.fingerprint == provenance.fingerprint)).scalar()
    if found is None:
        conn.execute(db.insert_new(schema.judge), {"fingerprint": provenance.fingerprint, "provenance": pack(provenance)})
        found = conn.execute(select(j.key).where(j.fingerprint == provenance.fingerprint)).scalar_one()
    return int(found)


def keys_of(db: Database, run_id: str, ids: Iterable[str]) -> tuple[int, dict[str, int]]:
    """Key of the run, and keys of its traces by id; UnknownName for one that is not there."""
    wanted = list(dict.fromkeys(ids))
    with db.read() as conn:
        run = runs.run_key(conn, run_id, db.where)
        keys = traces.keys_in(conn, run, wanted)
    missing = [i for i in wanted if i not in keys]
    if missing:
        raise UnknownName(f"run {run_id!r} has no trace {missing[0]!r}", fix="import the trace first")
    return run, keys


def add_claim_sets(db: Database, run_id: str, sets: Mapping[tuple[str, str], Sequence[Claim]]) -> None:
    """Claims by (trace id, claim set). An empty set says "looked, found none". Claims whose id is known stay as they are."""
    run, keys = keys_of(db, run_id, (trace_id for trace_id, _ in sets))
    c = schema.claim.c
    with db.write() as conn:
        had: dict[tuple[int, str], bytes] = {}
        for some in _in_chunks(list(keys.values())):
            had.update(((row.trace, row.claim_set), row.body) for row in conn.execute(select(c.trace, c.claim_set, c.body).where(c.trace.in_(some))))
        fresh: list[tuple[int, str, int, bytes]] = []
        told = quoted.texts_of(conn, list(keys.values()), with_passages=False)
        for (trace_id, claim_set), claims in sets.items():
            raw, texts = had.get((keys[trace_id], claim_set)), told[keys[trace_id]]
            known = unpack_claims(raw, texts, trace_id=trace_id, claim_set=claim_set) if raw is not None else []
            merged = {claim.id: claim for claim in known}
            for claim in claims:
                merged.setdefault(claim.id, claim)
            body = pack_claims(list(merged.values()), texts)
            if raw is None:
                fresh.append((keys[trace_id], claim_set, len(merged), body))
            elif len(merged) > len(known):
                conn.execute(update(schema.claim).where(c.trace == keys[trace_id], c.claim_set == claim_set), {"n": len(merged), "body": body})
        db.insert_many(conn, schema.claim, ("trace", "claim_set", "n", "body"), fresh)
        runs.touch(db, conn, run)


def claim_sets(db: Database, run_id: str, claim_set: str, ids: Sequence[str]) -> dict[str, list[Claim]]:
    """Claims of one set by trace; traces that were never looked at are missing."""
    _, keys = keys_of(db, run_id, ids)
    c = schema.claim.c
    found: dict[int, bytes] = {}
    with db.read() as conn:
        for some in _in_chunks(list(keys.values())):
            found.update(conn.execute(select(c.trace, c.body).where(c.trace.in_(some), c.claim_set == claim_set)).all())
        texts = quoted.texts_of(conn, list(found), with_passages=False)
    return {i: unpack_claims(found[key], texts[key], trace_id=i, claim_set=claim_set) for i, key in keys.items() if key in found}


def not_judged(db: Database, run_id: str, fingerprint: str, claim_set: str, scope: int) -> list[str]:
    """
    Ids of the traces a judge has not completed for that scope, in file order; what a person said of an answer as a whole since then opens its
    trace again.
    """
    t, j = schema.trace.c, schema.judgement.c
    with db.read() as conn:
        run = runs.run_key(conn, run_id, db.where)
        judge = conn.execute(select(schema.judge.c.key).where(schema.judge.c.fingerprint == fingerprint)).scalar()
        query = select(t.trace_id).where(t.run == run).order_by(t.key)
        if judge is not None:
            whole = (j.judge == judge) & (j.claim_set == claim_set) & (j.scope == scope)
            done = select(j.key).where(j.trace == t.key, whole).exists()
            again = _reopened(conn, run, whole)
            query = query.where(or_(~done, t.key.in_(again)) if again else ~done)
        return list(conn.execute(query).scalars())


def _reopened(conn: Connection, run: int, whole: ColumnElement[bool]) -> list[int]:
    """Keys of the run's traces whose answers a person spoke of after a judge's last complete word, which ``whole`` selects."""
    a, t, j = schema.annotation.c, schema.trace.c, schema.judgement.c
    spoken = dict(conn.execute(
        select(a.trace, func.max(a.after_judgement)).join(schema.trace, t.key == a.trace).where(t.run == run, a.claim_set == ANSWERS).group_by(a.trace),
    ).all())
    found: list[int] = []
    for some in _in_chunks(list(spoken)):
        last = conn.execute(select(j.trace, func.max(j.key)).where(j.trace.in_(some), whole).group_by(j.trace)).all()
        found += [trace for trace, key in last if key <= spoken[trace]]
    return found


def add_judged(
    db: Database, run_id: str, provenance: Provenance, said: Mapping[str, Sequence[Judgement]], *, claim_set: str, scope: int | None,
    repeats: bool = False,
) -> None:
    """
    Append one judge's words by trace, in one transaction.

    Args:
        db: The database.
        run_id: The run.
        provenance: The judge's; equal to that of the judgements.
        said: By trace id. An empty sequence with a scope says "looked at, there was nothing to judge".
        claim_set: The claims that were judged.
        scope: 0 = all pairs of these traces on all passages; k = on the first k; None = some pairs only.
        repeats: Write also what merely repeats the judge's last word on a pair: it was asked anew, and that belongs to the history.
    """
    run, keys = keys_of(db, run_id, said)
    j = schema.judgement.c
    with db.write() as conn:
        judge = judge_key(db, conn, provenance)
        had: dict[int, list[Any]] = {}
        mine = (j.judge == judge) & (j.claim_set == claim_set)
        for some in _in_chunks(list(keys.values())):
            for row in conn.execute(select(j.trace, j.key, j.scope, j.body).where(j.trace.in_(some), mine).order_by(j.key)):
                had.setdefault(row.trace, []).append(row)
        spoken = _spoken_after(conn, list(had)) if scope is not None else {}
        texts = quoted.texts_of(conn, list(keys.values()))
        rows, changed, new, at = [], [], 0, db.now()
        for trace_id, judgements in said.items():
            key = keys[trace_id]
            earlier = had.get(key, [])
            fresh = list(judgements) if repeats else _news(judgements, earlier, texts[key], trace_id, provenance)
            if not fresh and (scope is None or any(row.scope == scope and row.key > spoken.get(key, 0) for row in earlier)):
                continue
            rows.append((key, judge, claim_set, scope, at, pack_judgements(fresh, texts[key])))
            new += not earlier
            changed.append(key)
        if rows:
            db.insert_many(conn, schema.judgement, ("trace", "judge", "claim_set", "scope", "at", "body"), rows)
            covered(db, conn, run=run, judge=judge, claim_set=claim_set, n=new)
            results.throw_away(db, conn, run, changed, claim_set=claim_set, fingerprint=provenance.fingerprint)


def _spoken_after(conn: Connection, keys: Sequence[int]) -> dict[int, int]:
    """By trace, the judgement after which a person last spoke of its answer as a whole."""
    a = schema.annotation.c
    found: dict[int, int] = {}
    for some in _in_chunks(keys):
        query = select(a.trace, func.max(a.after_judgement)).where(a.trace.in_(some), a.claim_set == ANSWERS).group_by(a.trace)
        found.update(conn.execute(query).all())
    return found


def _news(judgements: Sequence[Judgement], earlier: Sequence[Any], texts: Texts, trace_id: str, provenance: Provenance) -> list[Judgement]:
    last: dict[PairKey, Judgement] = {}
    for row in earlier:
        last.update((j.key, j) for j in unpack_judgements(row.body, texts, trace_id=trace_id, provenance=provenance))
    fresh = []
    for judgement in judgements:
        if last.get(judgement.key) != judgement:
            last[judgement.key] = judgement
            fresh.append(judgement)
    return fresh


def covered(db: Database, conn: Connection, *, run: int, judge: int, claim_set: str, n: int) -> None:
    """So many more traces of the run were judged by that judge."""
    c = schema.coverage.c
    conn.execute(
        db.upsert(schema.coverage, key=["run", "judge", "claim_set"], set_=lambda new: {"n_traces": c.n_traces + new.n_traces}),
        {"run": run, "judge": judge, "claim_set": claim_set, "n_traces": n},
    )


def add_judgements(db: Database, run_id: str, judgements: Sequence[Judgement], *, claim_set: str) -> None:
    """Append verdicts of any judges on any traces."""
    by_judge: dict[Provenance, dict[str, list[Judgement]]] = {}
    for judgement in judgements:
        by_judge.setdefault(judgement.provenance, {}).setdefault(judgement.key.trace_id, []).append(judgement)
    for provenance, said in by_judge.items():
        add_judged(db, run_id, provenance, said, claim_set=claim_set, scope=None)


def add_ratings(db: Database, run_id: str, ratings: Sequence[Rating]) -> None:
    """Append ratings; what repeats the rater's last word is not written again."""
    run, keys = keys_of(db, run_id, (rating.trace_id for rating in ratings))
    r = schema.rating.c
    grouped: dict[tuple[Provenance, str], list[Rating]] = {}
    for rating in ratings:
        grouped.setdefault((rating.provenance, rating.trace_id), []).append(rating)
    with db.write() as conn:
        had: dict[tuple[int, int], list[bytes]] = {}
        for some in _in_chunks(list(keys.values())):
            for row in conn.execute(select(r.trace, r.judge, r.body).where(r.trace.in_(some)).order_by(r.key)):
                had.setdefault((row.trace, row.judge), []).append(row.body)
        rows: list[dict[str, Any]] = []
        for (provenance, trace_id), some_ratings in grouped.items():
            judge = judge_key(db, conn, provenance)
            last: dict[Any, Rating] = {}
            for raw in had.get((keys[trace_id], judge), []):
                last.update(((x.kind, x.target_id), x) for x in unpack_ratings(raw, trace_id=trace_id, provenance=provenance))
            fresh = [x for x in some_ratings if last.get((x.kind, x.target_id)) != x]
            if fresh:
                rows.append({"trace": keys[trace_id], "judge": judge, "at": db.now(), "body": pack_ratings(fresh)})
        if rows:
            conn.execute(schema.rating.insert(), rows)
            results.throw_away(db, conn, run, [row["trace"] for row in rows])


def last_judgement(conn: Connection) -> int:
    """Key of the newest judgement: what a person says now comes after it."""
    return int(conn.execute(select(func.coalesce(func.max(schema.judgement.c.key), 0))).scalar_one())


def annotate(db: Database, run_id: str, note: Annotation) -> None:
    """Append a person's word; saying exactly the same twice changes nothing."""
    run, keys = keys_of(db, run_id, [note.trace_id])
    a = schema.annotation.c
    with db.write() as conn:
        key = keys[note.trace_id]
        said = conn.execute(select(a.body).where(a.trace == key, a.claim_set == note.claim_set, a.claim_id == note.claim_id)).scalars()
        if any(unpack(raw, Annotation) == note for raw in said):
            return
        after = last_judgement(conn)
        conn.execute(schema.annotation.insert(), {
            "trace": key, "claim_set": note.claim_set, "claim_id": note.claim_id, "after_judgement": after, "body": pack(note),
        })
        # A word on the answer as a whole holds in every claim set.
        results.throw_away(db, conn, run, [key], claim_set=None if note.claim_set == ANSWERS else note.claim_set)


def _in_chunks(keys: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(keys), CHUNK):
        yield keys[start : start + CHUNK]
