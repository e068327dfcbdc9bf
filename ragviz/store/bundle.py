"""
One run, one file (``.ragviz``): gzipped JSON lines, the manifest first, then the documents that came with it, then a line per trace with all that was ever said
about it.

A trace comes in whole, with its claims, verdicts, ratings and notes, in one transaction; one that is there already is left alone.
So a bundle that was read half-way is read again without harm.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec
from sqlalchemy import Connection, insert, select

from ragviz.errors import InputError
from ragviz.records import Annotation, Claim, Judgement, LoadIssue, Passage, Provenance, Rating, RunManifest, Trace
from ragviz.records.codec import check_schema_version, encode
from ragviz.store import kept, runs, schema, traces, words
from ragviz.store.engine import Database
from ragviz.store.met import Met, version_in
from ragviz.store.packed_verdicts import Texts
from ragviz.store.packing import pack, pack_claims, pack_judgements, pack_ratings, unpack, unpack_claims, unpack_judgements, unpack_ratings

BATCH = 200
LINE_BYTES = 256 * 2**20
HEAD_BYTES = 2**20
_NOT_ONE = "open a file that was exported with: ragviz export RUN OUT.ragviz"


class Event(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What was said at one time: by a judge, or (``note``) by a person."""

    claim_set: str
    at: str = ""
    provenance: Provenance | None = None
    scope: int | None = None
    said: list[Judgement] = []
    note: Annotation | None = None


class Rated(msgspec.Struct, kw_only=True):
    """Ratings of one rater given at one time."""

    at: str
    provenance: Provenance
    ratings: list[Rating]


class Line(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One line of the file: the head, an issue, some of the documents that came with the run, or a trace."""

    manifest: RunManifest | None = None
    issue: LoadIssue | None = None
    documents: list[Passage] = []
    trace: Trace | None = None
    claims: dict[str, list[Claim]] = {}
    events: list[Event] = []
    rated: list[Rated] = []


def export(db: Database, run_id: str, target: BinaryIO) -> int:
    """Write a run; says how many traces. The same content gives the same bytes."""
    n = 0
    with gzip.GzipFile(fileobj=target, mode="wb", mtime=0, filename="") as out:
        for line in _lines(db, run_id):
            out.write(encode(line) + b"\n")
            n += line.trace is not None
    return n


def _lines(db: Database, run_id: str) -> Iterator[Line]:
    yield Line(manifest=runs.find(db, run_id))
    for issue in runs.issues(db, run_id):
        yield Line(issue=issue)
    documents = kept.one(db, "corpus", run_id, list[Passage]) or []
    for start in range(0, len(documents), BATCH):
        yield Line(documents=documents[start : start + BATCH])
    reader = traces.Reader(run_id)
    while True:
        with db.read() as conn:
            chunk = reader.more(conn, db.where)
            lines = [] if chunk is None else _told(conn, chunk)
        if chunk is None:
            return
        yield from lines


def _told(conn: Connection, chunk: list[tuple[int, Trace]]) -> list[Line]:
    c, j, q, a, r = schema.claim.c, schema.judgement.c, schema.judge.c, schema.annotation.c, schema.rating.c
    keys = [key for key, _ in chunk]
    lines = {key: Line(trace=trace, claims={}, events=[], rated=[]) for key, trace in chunk}
    ids = {key: trace.id for key, trace in chunk}
    texts = {key: Texts.of(trace) for key, trace in chunk}
    for row in conn.execute(select(c.trace, c.claim_set, c.body).where(c.trace.in_(keys)).order_by(c.trace, c.claim_set)):
        lines[row.trace].claims[row.claim_set] = unpack_claims(row.body, texts[row.trace], trace_id=ids[row.trace], claim_set=row.claim_set)
    events: dict[int, list[tuple[int, int, int, Event]]] = {key: [] for key in keys}
    for told in conn.execute(select(*j, q.provenance).join_from(schema.judgement, schema.judge, q.key == j.judge).where(j.trace.in_(keys))):
        who = unpack(told.provenance, Provenance)
        said = unpack_judgements(told.body, texts[told.trace], trace_id=ids[told.trace], provenance=who)
        events[told.trace].append((told.key, 0, 0, Event(claim_set=told.claim_set, at=told.at, provenance=who, scope=told.scope, said=said)))
    for noted in conn.execute(select(*a).where(a.trace.in_(keys))):
        note = unpack(noted.body, Annotation)
        events[noted.trace].append((noted.after_judgement, 1, noted.key, Event(claim_set=noted.claim_set, note=note)))
    for rating in conn.execute(select(*r, q.provenance).join_from(schema.rating, schema.judge, q.key == r.judge).where(r.trace.in_(keys)).order_by(r.key)):
        who = unpack(rating.provenance, Provenance)
        found = unpack_ratings(rating.body, trace_id=ids[rating.trace], provenance=who)
        lines[rating.trace].rated.append(Rated(at=rating.at, provenance=who, ratings=found))
    for key, happened in events.items():
        lines[key].events = [event for *_, event in sorted(happened, key=lambda e: e[:3])]
    return list(lines.values())


def is_bundle(source: BinaryIO) -> bool:
    """True when the stream, at its beginning, is gzip whose first line is the head of a bundle. Reads no more than that line."""
    try:
        with gzip.GzipFile(fileobj=source, mode="rb") as lines:
            head = msgspec.json.decode(lines.readline(HEAD_BYTES), type=Line)
    except (OSError, EOFError, zlib.error, msgspec.DecodeError, UnicodeDecodeError):
        return False
    return head.manifest is not None


def read(db: Database, source: BinaryIO, *, name: str) -> RunManifest:
    """
    Read a bundle into the store, under the run id it had.

    Raises:
        InputError: Not a bundle, cut off, or written by a newer ragviz. What was read until then is stored, and reading again goes on.
    """
    lines = bundle_lines(source, name)
    head = next(lines, None)
    if head is None or head.manifest is None:
        raise InputError(f"{name} is not a ragviz bundle", fix=_NOT_ONE)
    manifest = head.manifest
    check_schema_version(manifest.schema_version)
    runs.create(db, manifest)
    met = Met()
    batch: list[Line] = []
    documents: list[Passage] = []
    for line in lines:
        documents += line.documents
        batch.append(line)
        if len(batch) >= BATCH:
            _store(db, manifest.run_id, batch, met)
            batch = []
    _store(db, manifest.run_id, batch, met)
    if documents:
        kept.put(db, "corpus", manifest.run_id, documents)
    runs.finish(db, manifest)
    return manifest


def bundle_lines(source: BinaryIO, name: str) -> Iterator[Line]:
    """
    What a bundle says, line by line.

    Raises:
        InputError: Not a bundle, damaged or cut off.
    """
    decoder = msgspec.json.Decoder(Line)
    try:
        with gzip.GzipFile(fileobj=source, mode="rb") as lines:
            while raw := lines.readline(LINE_BYTES):
                yield decoder.decode(raw)
    except (OSError, EOFError, zlib.error, msgspec.DecodeError, UnicodeDecodeError) as exc:
        raise InputError(f"{name} is damaged, cut off, or not a ragviz bundle", fix=_NOT_ONE) from exc


def _store(db: Database, run_id: str, batch: list[Line], met: Met) -> None:
    if not batch:
        return
    fresh = [traces.packed(line.trace) for line in batch if line.trace is not None]
    told = {line.trace.id: line for line in batch if line.trace is not None}
    stored = {trace.id: trace for trace, _ in fresh}
    with db.write() as conn:
        run = runs.run_key(conn, run_id, db.where)
        known = set(traces.keys_in(conn, run, list(told)))
        fresh = [(trace, body) for trace, body in fresh if trace.id not in known]
        if fresh:
            traces.insert(db, conn, run, fresh, met)
        n_issues = runs.add_issues(db, conn, run, [line.issue for line in batch if line.issue is not None])
        traces.count(conn, run, [trace for trace, _ in fresh], n_issues)
        keys = traces.keys_in(conn, run, [trace.id for trace, _ in fresh])
        covered: set[tuple[int, int, str]] = set()
        for trace_id, key in keys.items():
            _say(db, conn, key, told[trace_id], texts=Texts.of(stored[trace_id]), covered=covered)
        for judge, claim_set in {(judge, claim_set) for _, judge, claim_set in covered}:
            n = sum(1 for _, j, s in covered if (j, s) == (judge, claim_set))
            words.covered(db, conn, run=run, judge=judge, claim_set=claim_set, n=n)
        version = version_in(conn, run) if fresh else None
    met.stored(version)


def _say(db: Database, conn: Connection, key: int, line: Line, *, texts: Texts, covered: set[tuple[int, int, str]]) -> None:
    """All that was said about one new trace, in its order."""
    for claim_set, claims in line.claims.items():
        conn.execute(insert(schema.claim), {"trace": key, "claim_set": claim_set, "n": len(claims), "body": pack_claims(claims, texts)})
    for event in line.events:
        row: dict[str, Any] = {"trace": key, "claim_set": event.claim_set}
        if event.note is not None:
            after = words.last_judgement(conn)
            conn.execute(insert(schema.annotation), {**row, "claim_id": event.note.claim_id, "after_judgement": after, "body": pack(event.note)})
        elif event.provenance is not None:
            judge = words.judge_key(db, conn, event.provenance)
            conn.execute(insert(schema.judgement), {**row, "judge": judge, "scope": event.scope, "at": event.at, "body": pack_judgements(event.said, texts)})
            covered.add((key, judge, event.claim_set))
    for rated in line.rated:
        judge = words.judge_key(db, conn, rated.provenance)
        conn.execute(insert(schema.rating), {"trace": key, "judge": judge, "at": rated.at, "body": pack_ratings(rated.ratings)})
