"""Traces in and out: passages once by content, words into the index, tags and sources as marks to filter by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from sqlalchemy import BindParameter, Connection, Integer, Text, bindparam, func, select, update

from ragviz.records import ImportedScore, LoadIssue, Trace
from ragviz.records.codec import clean
from ragviz.store import blocks, passages, rankings, runs, schema, search
from ragviz.store.engine import Database
from ragviz.store.met import Met, version_in
from ragviz.store.packing import pack, pack_trace, unpack, unpack_squeezed, unpack_trace
from ragviz.store.plain import Plain, Source
from ragviz.store.terms import Terms

CHUNK = 500
_TRACE = schema.trace.c
_COLUMNS = (
    "key", "run", "position", "trace_id", "grp", "started_at", "latency_ms", "cost_usd", "hashes", "question", "response", "body",
)
# Built once, since putting statements together takes longer than answering them.
_RUN: BindParameter[Any] = bindparam("run", type_=schema.Key)
_IDS: BindParameter[Any] = bindparam("ids", expanding=True)
_ROWS = select(_TRACE.key, _TRACE.trace_id, _TRACE.hashes, _TRACE.question, _TRACE.response, _TRACE.body).order_by(_TRACE.key)
# By position, which has an index with the run: by key, SQLite would go through the whole run for every some hundred traces.
_NEXT = (
    _ROWS.add_columns(_TRACE.position).order_by(None).order_by(_TRACE.position)
    .where(_TRACE.run == _RUN, _TRACE.position > bindparam("last", type_=schema.Key)).limit(bindparam("limit", type_=Integer))
)
_NAMED = Plain(_ROWS.join_from(schema.trace, schema.run, schema.run.c.key == _TRACE.run).where(
    schema.run.c.run_id == bindparam("run_id", type_=Text), _TRACE.trace_id.in_(_IDS)
))
_KEYED = _ROWS.where(_TRACE.key.in_(bindparam("keys", expanding=True)))
_KEYS = select(_TRACE.trace_id, _TRACE.key).where(_TRACE.run == _RUN, _TRACE.trace_id.in_(_IDS))
_PLACES = select(_TRACE.trace_id, _TRACE.position).where(_TRACE.run == _RUN, _TRACE.trace_id.in_(_IDS))


def add(db: Database, run_id: str, rows: Sequence[Trace | LoadIssue], found: Mapping[str, rankings.Packed], met: Met) -> int:
    """
    One batch, all or nothing. Traces whose id the run has already are left alone. Says how many were new.

    ``found``: rankings by trace id, where they were worked out. ``met``: that of the batches before.
    """
    issues = [row for row in rows if isinstance(row, LoadIssue)]
    unique: dict[str, Trace] = {}
    for row in rows:
        if isinstance(row, Trace):
            unique.setdefault(row.id, row)
    made = [packed(trace) for trace in unique.values()]
    with db.write() as conn:
        run = runs.run_key(conn, run_id, db.where)
        known = _known(conn, run, [trace.id for trace, _ in made])
        fresh = [(trace, body) for trace, body in made if trace.id not in known]
        if fresh:
            position = insert(db, conn, run, fresh, met)
            rankings.add(db, conn, run, {n: found[t.id] for n, (t, _) in enumerate(fresh, start=position) if t.id in found})
        n_issues = runs.add_issues(db, conn, run, issues)
        if fresh or n_issues:
            count(conn, run, [trace for trace, _ in fresh], n_issues)
        version = version_in(conn, run) if fresh else None
    met.stored(version)
    return len(fresh)


def add_scores(db: Database, run_id: str, found: Mapping[str, Sequence[ImportedScore]]) -> None:
    """Scores of other tools, all or nothing; traces the run does not have are passed over."""
    with db.write() as conn:
        run = runs.run_key(conn, run_id, db.where)
        for trace_id, key in keys_in(conn, run, list(found)).items():
            bare = unpack_squeezed(conn.execute(select(_TRACE.body).where(_TRACE.key == key)).scalar_one(), Trace, "trace")
            fresh = {(score.name, *sorted(score.made_with.items())): score for score in found[trace_id]}
            kept = [score for score in bare.scores if (score.name, *sorted(score.made_with.items())) not in fresh]
            body = pack_trace(msgspec.convert(_scrub(msgspec.to_builtins(msgspec.structs.replace(bare, scores=(*kept, *fresh.values())))), Trace))
            conn.execute(update(schema.trace).where(_TRACE.key == key).values(body=body))
        runs.touch(db, conn, run)


def _known(conn: Connection, run: int, ids: Sequence[str]) -> set[str]:
    if not ids:
        return set()
    return set(keys_in(conn, run, ids))


def insert(db: Database, conn: Connection, run: int, fresh: list[tuple[Trace, bytes]], met: Met) -> int:
    """Traces that the run does not have yet; the position of the first one."""
    met.begin(conn, run)
    position = int(conn.execute(select(schema.run.c.n_traces).where(schema.run.c.key == run)).scalar_one())
    key = int(conn.execute(select(func.coalesce(func.max(_TRACE.key), 0))).scalar_one()) + 1
    texts: dict[bytes, str] = {}
    marks: list[int] = []
    n_marks: list[int] = []
    rows: list[Any] = []
    for n, (trace, body) in enumerate(fresh):
        hashes = met.hashes_of(trace)
        for h, passage in zip(hashes, trace.passages or (), strict=True):
            if h not in met.passages:
                met.passages.add(h)
                texts[h] = passage.text
        terms = met.terms.of(trace)
        marks += terms
        n_marks.append(len(terms))
        usage = trace.usage
        rows += (
            key + n, run, position + n, trace.id, trace.group, _timestamp(trace), usage.latency_ms if usage else None, usage.cost_usd if usage else None,
            None if trace.passages is None else b"".join(hashes), trace.question, trace.response, body,
        )
    passages.add(db, conn, texts)
    db.insert_flat(conn, schema.trace, _COLUMNS, rows)
    db.insert_many(conn, schema.term, ("run", "kind", "name", "value", "term"), met.terms.fresh(), new_only=True)
    db.insert_flat(conn, schema.mark, ("term", "trace"), _in_order(marks, np.repeat(np.arange(key, key + len(fresh)), n_marks)), new_only=True)
    search.add(conn, key, key + len(fresh) - 1)
    blocks.outdate_from(conn, run, position)
    runs.touch(db, conn, run)
    return position


def _in_order(marks: list[int], keys: NDArray[np.int64]) -> list[int]:
    """Terms and keys of traces by turns: neighbours in the table one after the other."""
    terms = np.array(marks, dtype=np.int64)
    order = np.argsort(terms, kind="stable")
    pairs: list[int] = np.column_stack((terms[order], keys[order])).ravel().tolist()
    return pairs


def rewrite(db: Database, conn: Connection, run: int, key: int, told: tuple[Trace, bytes]) -> None:
    """Other words in the row of a trace, whose old marks and index entry are gone already. It keeps its key, and so its place in the file."""
    trace, body = told
    texts: dict[bytes, str] = {}
    usage = trace.usage
    conn.execute(update(schema.trace).where(_TRACE.key == key).values(
        grp=trace.group, started_at=_timestamp(trace), latency_ms=usage.latency_ms if usage else None, cost_usd=usage.cost_usd if usage else None,
        hashes=passages.hashes_of(trace.passages, texts), question=trace.question, response=trace.response, body=body,
    ))
    terms = Terms(run)
    marks = [(term, key) for term in terms.of(trace)]
    passages.add(db, conn, texts)
    db.insert_many(conn, schema.term, ("run", "kind", "name", "value", "term"), terms.fresh(), new_only=True)
    db.insert_many(conn, schema.mark, ("term", "trace"), marks, new_only=True)
    search.add(conn, key, key)


def _timestamp(trace: Trace) -> float | None:
    at = trace.started_at
    if at is None:
        return None
    return (at if at.tzinfo is not None else at.replace(tzinfo=UTC)).timestamp()


def packed(trace: Trace) -> tuple[Trace, bytes]:
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


def count(conn: Connection, run: int, fresh: list[Trace], n_issues: int) -> None:
    """Count them in the run."""
    r = schema.run.c
    had = unpack(conn.execute(select(r.traits).where(r.key == run)).scalar_one(), runs.RunTraits)
    conn.execute(update(schema.run).where(r.key == run).values(
        n_traces=r.n_traces + len(fresh), n_issues=r.n_issues + n_issues, traits=pack(had.plus(runs.traits_of(fresh))),
    ))


class Reader:
    """
    Reads traces of a run in file order, some hundred at a time, each time from the state of the connection it is given: so a slow reader
    keeps no old state alive, and whoever asks can read along what belongs to the same traces.
    """

    def __init__(self, run_id: str, ids: Sequence[str] | None = None, *, at_once: int = CHUNK) -> None:
        """``ids``: only these, whatever their order; unknown ones are passed over. ``at_once``: so many at a time, at most ``CHUNK``."""
        self._at_once = at_once
        self._run_id = run_id
        self._ids = None if ids is None else list(dict.fromkeys(ids))
        self._keys: list[int] | None = None
        self._run: int | None = None
        self._last = -1

    def more(self, conn: Connection, where: str) -> list[tuple[int, Trace]] | None:
        """Key and trace of the next ones; None at the end."""
        if self._keys is not None and not self._keys:
            return None
        if self._ids is not None and len(self._ids) <= self._at_once and self._keys is None:
            found = named(conn, self._run_id, self._ids)
            self._keys = []
            if not found:
                runs.run_key(conn, self._run_id, where)
            return found or None
        if self._run is None:
            self._run = runs.run_key(conn, self._run_id, where)
        if self._ids is None:
            rows = conn.execute(_NEXT, {"run": self._run, "last": self._last, "limit": self._at_once}).all()
            self._last = rows[-1].position if rows else -1
        else:
            if self._keys is None:
                self._keys = sorted(keys_in(conn, self._run, self._ids).values(), reverse=True)
            some = [self._keys.pop() for _ in range(min(self._at_once, len(self._keys)))]
            rows = conn.execute(_KEYED, {"keys": some}).all() if some else []
        return _traces(conn, rows) if rows else None


def named(conn: Source, run_id: str, ids: list[str]) -> list[tuple[int, Trace]]:
    """Key and trace of some hundred different ids at most, in file order; unknown ones, and those of an unknown run, are passed over."""
    return _traces(conn, _NAMED.ask(conn, {"run_id": run_id, "ids": ids})) if ids else []


def stream(db: Database, run_id: str, ids: Sequence[str] | None = None) -> Iterator[Trace]:
    """Traces in file order."""
    reader = Reader(run_id, ids)
    while True:
        with db.read() as conn:
            found = reader.more(conn, db.where)
        if found is None:
            return
        yield from (trace for _, trace in found)


def ids(db: Database, run_id: str) -> list[str]:
    """Ids of all traces in file order."""
    with db.read() as conn:
        run = runs.run_key(conn, run_id, db.where)
        return list(conn.execute(select(_TRACE.trace_id).where(_TRACE.run == run).order_by(_TRACE.key)).scalars())


def keys_in(conn: Connection, run: int, ids: Sequence[str]) -> dict[str, int]:
    """Keys of those traces that exist."""
    keys: dict[str, int] = {}
    for start in range(0, len(ids), CHUNK):
        keys.update(conn.execute(_KEYS, {"run": run, "ids": ids[start : start + CHUNK]}).all())
    return keys


def positions_in(conn: Connection, run: int, ids: Sequence[str]) -> dict[str, int]:
    """Places in the run, from 0, of those traces that exist."""
    found: dict[str, int] = {}
    for start in range(0, len(ids), CHUNK):
        found.update(conn.execute(_PLACES, {"run": run, "ids": list(ids[start : start + CHUNK])}).all())
    return found


def _traces(conn: Source, rows: Sequence[Any]) -> list[tuple[int, Trace]]:
    texts = passages.texts_of(conn, list({h for row in rows for h in passages.split(row[2])}))
    return [
        (key, unpack_trace(body, trace_id=trace_id, question=question, response=response, texts=[texts[h] for h in passages.split(hashes)]))
        for key, trace_id, hashes, question, response, body, *_ in rows
    ]
