"""Runs: start, finish, list, delete without leaving text behind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace
from sqlalchemy import ColumnElement, Connection, delete, func, select, update

from ragviz.errors import UnknownName
from ragviz.records import LoadIssue, RunManifest, Side, Trace
from ragviz.records.ids import digest
from ragviz.store import schema, search
from ragviz.store.engine import Database
from ragviz.store.packing import pack, unpack

CHUNK = 500


class RunTraits(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the traces of a run bring along, counted as they arrive: decides which judges and pages make sense."""

    n_traces: int = 0
    with_passages: int = 0
    with_reference: int = 0
    with_relevance: int = 0
    """Relevance labels of any kind."""
    with_citations: int = 0
    with_facts: int = 0
    """Annotated claims or passages."""
    with_text_claims: int = 0
    """Response claims in words."""
    with_verdicts: int = 0
    """Verdicts on response claims."""
    with_answerable: int = 0
    with_time: int = 0
    with_usage: int = 0

    def plus(self, other: RunTraits) -> RunTraits:
        """Both counts together."""
        return RunTraits(**{name: getattr(self, name) + getattr(other, name) for name in self.__struct_fields__})


def traits_of(traces: Iterable[Trace]) -> RunTraits:
    """The traits of these traces."""
    counts = dict.fromkeys(RunTraits.__struct_fields__, 0)
    for t in traces:
        counts["n_traces"] += 1
        counts["with_passages"] += bool(t.passages)
        counts["with_reference"] += t.reference is not None
        counts["with_relevance"] += bool(
            t.relevant_ids or t.relevant_texts or t.relevance_grades or any(p.relevance is not None for p in t.passages or ()),
        )
        counts["with_citations"] += bool(t.citations)
        counts["with_answerable"] += t.answerable is not None
        counts["with_time"] += t.started_at is not None
        counts["with_usage"] += t.usage is not None
        if t.claims:
            counts["with_facts"] += any(c.attribute is not None for c in t.claims)
            counts["with_text_claims"] += any(c.attribute is None and c.side is Side.RESPONSE for c in t.claims)
            counts["with_verdicts"] += any(c.verdicts and c.side is Side.RESPONSE for c in t.claims)
    return RunTraits(**counts)


def create(db: Database, manifest: RunManifest) -> None:
    """Start a run; an existing one stays as it is."""
    with db.write() as conn:
        conn.execute(db.insert_new(schema.run), {
            "run_id": manifest.run_id, "name": manifest.name, "created_at": manifest.created_at.isoformat(), "finished": False,
            "manifest": pack(manifest), "n_traces": 0, "n_issues": 0, "traits": pack(RunTraits()),
        })
        touch(db, conn, run_key(conn, manifest.run_id, db.where))


def finish(db: Database, manifest: RunManifest) -> None:
    """Final counts and fingerprints."""
    with db.write() as conn:
        touch(db, conn, run_key(conn, manifest.run_id, db.where))
        conn.execute(
            update(schema.run).where(schema.run.c.run_id == manifest.run_id),
            {"name": manifest.name, "created_at": manifest.created_at.isoformat(), "finished": True, "manifest": pack(manifest)},
        )


def every(db: Database) -> list[RunManifest]:
    """All runs, newest first, with the counts reached so far."""
    r = schema.run.c
    with db.read() as conn:
        rows = conn.execute(select(r.manifest, r.n_traces, r.n_issues).order_by(r.key.desc())).all()
    manifests = [replace(unpack(row.manifest, RunManifest), n_traces=row.n_traces, n_issues=row.n_issues) for row in rows]
    return sorted(manifests, key=lambda m: m.created_at.timestamp(), reverse=True)


def find(db: Database, name_or_id: str) -> RunManifest:
    """
    The run of that id, else the newest of that name.

    Raises:
        UnknownName: With the names there are.
    """
    known = every(db)
    for manifest in known:
        if manifest.run_id == name_or_id:
            return manifest
    for manifest in known:
        if manifest.name == name_or_id:
            return manifest
    names = ", ".join(dict.fromkeys(m.name for m in known[:20])) or "none yet; load a file first"
    raise UnknownName(f"no run named {name_or_id!r}", fix=f"Known runs: {names}")


def unfinished(db: Database) -> frozenset[str]:
    """Ids of the runs that are still being made, or whose making was stopped."""
    with db.read() as conn:
        return frozenset(conn.execute(select(schema.run.c.run_id).where(schema.run.c.finished.is_(False))).scalars())


def is_finished(db: Database, run_id: str) -> bool:
    """Whether its import reached the end."""
    with db.read() as conn:
        return bool(conn.execute(select(schema.run.c.finished).where(schema.run.c.run_id == run_id)).scalar())


def run_key(conn: Connection, run_id: str, where: str) -> int:
    """The key of a run inside the database."""
    key = conn.execute(select(schema.run.c.key).where(schema.run.c.run_id == run_id)).scalar()
    if key is None:
        raise UnknownName(f"no run {run_id!r} in {where}", fix="see the runs with: ragviz open, page Data")
    return int(key)


def touch(db: Database, conn: Connection, run: int) -> None:
    """Something was written to that run: its version moves."""
    n = schema.change.c.n
    conn.execute(db.upsert(schema.change, key=["key"], set_=lambda _: {"n": n + 1}), {"key": run + 1, "n": 1})


def traits(db: Database, run_id: str) -> RunTraits:
    """What its traces bring along."""
    with db.read() as conn:
        raw = conn.execute(select(schema.run.c.traits).where(schema.run.c.run_id == run_id)).scalar()
    return unpack(raw, RunTraits) if raw is not None else RunTraits()


def add_issues(db: Database, conn: Connection, run: int, issues: Sequence[LoadIssue]) -> int:
    """Store those that are not there yet; says how many."""
    if not issues:
        return 0
    rows = [
        {"run": run, "hash": bytes.fromhex(digest((i.where, i.message, str(i.rejected)))), "rejected": i.rejected, "body": pack(i)} for i in issues
    ]
    before = conn.execute(select(func.count()).where(schema.issue.c.run == run)).scalar_one()
    conn.execute(db.insert_new(schema.issue), rows)
    return int(conn.execute(select(func.count()).where(schema.issue.c.run == run)).scalar_one() - before)


def issues(db: Database, run_id: str) -> list[LoadIssue]:
    """Rejected and doubtful rows, in the order they were met."""
    with db.read() as conn:
        key = run_key(conn, run_id, db.where)
        rows = conn.execute(select(schema.issue.c.body).where(schema.issue.c.run == key).order_by(schema.issue.c.key)).scalars()
        return [unpack(raw, LoadIssue) for raw in rows]


def remove(db: Database, run_id: str) -> None:
    """Delete a run with everything said about it, and the passages no other run uses; no text stays in file, index or caches."""
    with db.write() as conn:
        run = conn.execute(select(schema.run.c.key).where(schema.run.c.run_id == run_id)).scalar()
        if run is None:
            return
        touch(db, conn, run)  # the number stays: a run that takes this key later must not repeat a version
        orphans = _orphans(conn, run)
        search.remove_run(conn, run)
        traces = select(schema.trace.c.key).where(schema.trace.c.run == run)
        views = select(schema.view.c.key).where(schema.view.c.run == run)
        terms = select(schema.term.c.term).where(schema.term.c.run == run)
        for made in (
            delete(schema.mark).where(schema.mark.c.term.in_(terms)),
            *(delete(t).where(t.c.view.in_(views)) for t in (schema.result, schema.detail, schema.tally)),
            *(delete(t).where(t.c.trace.in_(traces)) for t in (schema.claim, schema.judgement, schema.rating, schema.annotation)),
            delete(schema.cached).where(schema.cached.c.run == run),
            *(
                delete(t).where(t.c.run == run)
                for t in (schema.block, schema.view, schema.term, schema.ranking, schema.issue, schema.coverage, schema.pending_batch, schema.trace)
            ),
            delete(schema.kept).where(schema.kept.c.kind == "stability", schema.kept.c.name.startswith(f"{run_id}\x1f", autoescape=True)),
            delete(schema.kept).where(schema.kept.c.kind == "corpus", schema.kept.c.name == run_id),
            delete(schema.run).where(schema.run.c.key == run),
        ):
            conn.execute(made)
        for start in range(0, len(orphans), CHUNK):
            conn.execute(delete(schema.passage).where(schema.passage.c.hash.in_(orphans[start : start + CHUNK])))
    db.compact()


def _orphans(conn: Connection, run: int) -> list[bytes]:
    """Hashes of the passages that only this run uses."""
    t = schema.trace.c

    def used(condition: ColumnElement[bool]) -> set[bytes]:
        rows = conn.execute(select(t.hashes).where(t.hashes.is_not(None), condition).execution_options(yield_per=2_000)).scalars()
        return {packed[at : at + 16] for packed in rows for at in range(0, len(packed), 16)}

    return sorted(used(t.run == run) - used(t.run != run))
