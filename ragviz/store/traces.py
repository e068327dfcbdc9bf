"""Traces in and out: passages once by content, words into the index, tags and sources as marks to filter by."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from datetime import UTC
from typing import Any

import msgspec
from sqlalchemy import Connection, func, select, update

from ragviz.records import LoadIssue, Passage, Trace
from ragviz.records.codec import clean
from ragviz.records.ids import text_hash
from ragviz.store import runs, schema, search
from ragviz.store.engine import Database
from ragviz.store.packing import pack, pack_trace, unpack, unpack_trace

CHUNK = 500
_HASH = 16  # bytes
_TRACE = schema.trace.c
_ROWS = select(_TRACE.key, _TRACE.trace_id, _TRACE.hashes, _TRACE.question, _TRACE.response, _TRACE.body)


def add(db: Database, run_id: str, rows: Sequence[Trace | LoadIssue]) -> int:
    """One batch, all or nothing. Traces whose id the run has already are left alone. Says how many were new."""
    issues = [row for row in rows if isinstance(row, LoadIssue)]
    unique: dict[str, Trace] = {}
    for row in rows:
        if isinstance(row, Trace):
            unique.setdefault(row.id, row)
    packed = [_packed(trace) for trace in unique.values()]
    with db.write() as conn:
        run = runs.run_key(conn, run_id, db.where)
        known = _known(conn, run, [trace.id for trace, _ in packed])
        fresh = [(trace, body) for trace, body in packed if trace.id not in known]
        if fresh:
            _insert(db, conn, run, fresh)
        n_issues = runs.add_issues(db, conn, run, issues)
        if fresh or n_issues:
            _count(conn, run, [trace for trace, _ in fresh], n_issues)
    return len(fresh)


def _known(conn: Connection, run: int, ids: Sequence[str]) -> set[str]:
    if not ids:
        return set()
    return set(conn.execute(select(_TRACE.trace_id).where(_TRACE.run == run, _TRACE.trace_id.in_(ids))).scalars())


def _insert(db: Database, conn: Connection, run: int, fresh: list[tuple[Trace, bytes]]) -> None:
    key = int(conn.execute(select(func.coalesce(func.max(_TRACE.key), 0))).scalar_one()) + 1
    position = int(conn.execute(select(schema.run.c.n_traces).where(schema.run.c.key == run)).scalar_one())
    passages: dict[bytes, str] = {}
    terms: dict[tuple[str, str, str], int] = {}
    marks: list[dict[str, int]] = []
    rows: list[dict[str, Any]] = []
    for offset, (trace, body) in enumerate(fresh):
        hashes = _hashes(trace.passages, passages)
        for kind, name, value in _terms(trace):
            term = terms.get((kind, name, value))
            if term is None:
                term = terms[kind, name, value] = term_of(run, kind, name, value)
            marks.append({"term": term, "trace": key + offset})
        rows.append({
            "key": key + offset, "run": run, "position": position + offset, "trace_id": trace.id, "grp": trace.group, "hashes": hashes,
            "started_at": _timestamp(trace), "latency_ms": trace.usage.latency_ms if trace.usage else None,
            "cost_usd": trace.usage.cost_usd if trace.usage else None, "question": trace.question, "response": trace.response, "body": body,
        })
    if passages:
        conn.execute(db.insert_new(schema.passage), [{"hash": h, "text": text} for h, text in passages.items()])
    conn.execute(schema.trace.insert(), rows)
    if terms:
        conn.execute(db.insert_new(schema.term), [
            {"run": run, "kind": kind, "name": name, "value": value, "term": term} for (kind, name, value), term in terms.items()
        ])
        conn.execute(db.insert_new(schema.mark), marks)
    search.add(conn, key, key + len(rows) - 1)


def _hashes(passages: Sequence[Passage] | None, seen: dict[bytes, str]) -> bytes | None:
    if passages is None:
        return None
    packed = b""
    for passage in passages:
        h = bytes.fromhex(text_hash(passage.text))
        seen.setdefault(h, passage.text)
        packed += h
    return packed


def _terms(trace: Trace) -> set[tuple[str, str, str]]:
    """What the trace can be filtered by: ("tag", name, value) and ("source", "", document or source)."""
    found = {("tag", name, value) for name, value in trace.tags.items()}
    for passage in trace.passages or ():
        if passage.source is not None:
            found.add(("source", "", passage.source))
        if passage.doc_id is not None:
            found.add(("source", "", passage.doc_id))
    return found


def term_of(run: int, kind: str, name: str, value: str) -> int:
    """A 63-bit hash, so that marks need no look-up; its words stand in ``term``."""
    raw = "\x1f".join((str(run), kind, name, value)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(raw, digest_size=8).digest(), "big") >> 1


def _timestamp(trace: Trace) -> float | None:
    at = trace.started_at
    if at is None:
        return None
    return (at if at.tzinfo is not None else at.replace(tzinfo=UTC)).timestamp()


def _packed(trace: Trace) -> tuple[Trace, bytes]:
    """The trace and its bytes. Lone surrogates and NUL, which databases refuse, are replaced; hardly any trace has them."""
    try:
        texts = [trace.id, trace.question, trace.response, trace.group or "", *trace.tags, *trace.tags.values()]
        for p in trace.passages or ():
            texts += (p.text, p.source or "", p.doc_id or "")
        if b"\x00" not in "".join(texts).encode():
            return trace, pack_trace(trace)
    except UnicodeEncodeError:
        pass
    trace = msgspec.convert(_scrub(msgspec.to_builtins(trace)), Trace)
    return trace, pack_trace(trace)


def _scrub(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list | tuple | set | frozenset):
        return [_scrub(v) for v in value]
    if isinstance(value, dict):
        return {_scrub(k): _scrub(v) for k, v in value.items()}
    return value


def _count(conn: Connection, run: int, fresh: list[Trace], n_issues: int) -> None:
    r = schema.run.c
    had = unpack(conn.execute(select(r.traits).where(r.key == run)).scalar_one(), runs.RunTraits)
    conn.execute(update(schema.run).where(r.key == run).values(
        n_traces=r.n_traces + len(fresh), n_issues=r.n_issues + n_issues, traits=pack(had.plus(runs.traits_of(fresh))),
    ))


def stream(db: Database, run_id: str, ids: Sequence[str] | None = None) -> Iterator[tuple[int, Trace]]:
    """Key and trace in file order. Reads in chunks, so that a slow reader keeps no old state alive."""
    for chunk in chunks(db, run_id, ids):
        yield from chunk


def chunks(db: Database, run_id: str, ids: Sequence[str] | None = None) -> Iterator[list[tuple[int, Trace]]]:
    """The same in lists of up to 500."""
    with db.read() as conn:
        run = runs.run_key(conn, run_id, db.where)
    if ids is None:
        last = 0
        while True:
            with db.read() as conn:
                rows = conn.execute(_ROWS.where(_TRACE.run == run, _TRACE.key > last).order_by(_TRACE.key).limit(CHUNK)).all()
                found = _traces(conn, rows)
            if not rows:
                return
            yield found
            last = rows[-1].key
    else:
        keys = sorted(keys_of(db, run, ids).values())
        for start in range(0, len(keys), CHUNK):
            with db.read() as conn:
                rows = conn.execute(_ROWS.where(_TRACE.key.in_(keys[start : start + CHUNK])).order_by(_TRACE.key)).all()
                found = _traces(conn, rows)
            yield found


def ids(db: Database, run_id: str) -> list[str]:
    """Ids of all traces in file order."""
    with db.read() as conn:
        run = runs.run_key(conn, run_id, db.where)
        return list(conn.execute(select(_TRACE.trace_id).where(_TRACE.run == run).order_by(_TRACE.key)).scalars())


def keys_of(db: Database, run: int, ids: Sequence[str]) -> dict[str, int]:
    """Keys of those traces that exist."""
    keys: dict[str, int] = {}
    with db.read() as conn:
        for start in range(0, len(ids), CHUNK):
            some = _TRACE.trace_id.in_(ids[start : start + CHUNK])
            keys.update((row.trace_id, row.key) for row in conn.execute(select(_TRACE.trace_id, _TRACE.key).where(_TRACE.run == run, some)))
    return keys


def _traces(conn: Connection, rows: Sequence[Any]) -> list[tuple[int, Trace]]:
    wanted = {row.hashes[at : at + _HASH] for row in rows if row.hashes for at in range(0, len(row.hashes), _HASH)}
    texts: dict[bytes, str] = {}
    hashes = list(wanted)
    for start in range(0, len(hashes), CHUNK):
        p = schema.passage.c
        texts.update(conn.execute(select(p.hash, p.text).where(p.hash.in_(hashes[start : start + CHUNK]))).tuples().all())
    return [
        (row.key, unpack_trace(
            row.body, trace_id=row.trace_id, question=row.question, response=row.response,
            texts=[texts[row.hashes[at : at + _HASH]] for at in range(0, len(row.hashes or b""), _HASH)],
        ))
        for row in rows
    ]
