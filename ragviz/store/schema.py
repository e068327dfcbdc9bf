"""
Tables in SQLAlchemy Core: one schema for SQLite and PostgreSQL. What is worked out from them has tables too (``computed_tables``).

Keys of traces are given in the order of the file under the one writer's lock, so within a run "in order" means "by key".
What is only ever read whole (a trace's passages, a judge's words on one trace) is one packed value; what pages filter,
sort or count on has its own column.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from ragviz.store.computed_tables import SORTABLE_SCORES, block, detail, has_some, result, tally, view
from ragviz.store.table_types import Key, Ordered, metadata

__all__ = [
    "ORDERED", "SCHEMA", "SCHEMA_ON_POSTGRES", "SORTABLE_SCORES", "Key", "annotation", "block", "cached", "change", "claim", "coverage", "detail", "has_some", "issue", "judge",
    "judgement", "kept", "mark", "metadata", "migration", "passage", "pending_batch", "ranking", "rating", "result", "run", "tally", "term", "trace", "view",
]

SCHEMA = 6
"""Raised with each migration; a database says which one it has."""
SCHEMA_ON_POSTGRES = 7
"""Where it is higher, its last migrations are about PostgreSQL only: a SQLite file is as new as it was, and older programs can still read it."""

ORDERED = (("trace", "trace_id"), ("term", "name"), ("term", "value"), ("result", "quadrant"), ("result", "cause"), ("kept", "name"))

migration = Table(
    "migration", metadata,
    Column("version", Integer, primary_key=True),
    Column("applied_at", String, nullable=False),
)

# Row 1 is counted up by every transaction that writes, row 1 + key of a run by those that write to that run: tells everybody whether anything is new.
change = Table(
    "change", metadata,
    Column("key", Integer, primary_key=True, autoincrement=False),
    Column("n", BigInteger, nullable=False),
)

run = Table(
    "run", metadata,
    Column("key", Key, primary_key=True),
    Column("run_id", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("created_at", String, nullable=False),
    Column("finished", Boolean, nullable=False),
    Column("manifest", LargeBinary, nullable=False),
    Column("n_traces", Integer, nullable=False),
    Column("n_issues", Integer, nullable=False),
    Column("traits", LargeBinary, nullable=False),
)

passage = Table(
    "passage", metadata,
    Column("key", Key, primary_key=True),
    Column("hash", LargeBinary, nullable=False, unique=True),
    Column("text", LargeBinary, nullable=False),  # squeezed; on SQLite those of before schema 6 are text still
)

trace = Table(
    "trace", metadata,
    Column("key", Key, primary_key=True, autoincrement=False),
    Column("run", ForeignKey("run.key"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("trace_id", Ordered, nullable=False),
    Column("grp", Text),
    Column("started_at", Float),  # seconds since 1970, UTC
    Column("latency_ms", Float),
    Column("cost_usd", Float),
    Column("hashes", LargeBinary),  # 16 bytes a passage, in rank order; NULL: the file cannot say what was retrieved
    Column("question", Text, nullable=False),
    Column("response", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
    UniqueConstraint("run", "position"),
    UniqueConstraint("run", "trace_id"),
    Index("trace_by_time", "run", "started_at"),
)

# What a trace's labels make of its ranking, apart from the trace so that a whole run is read at once. Empty body: no labels.
ranking = Table(
    "ranking", metadata,
    Column("run", ForeignKey("run.key"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("grp", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
    PrimaryKeyConstraint("run", "position"),
    sqlite_with_rowid=False,
)

# What a trace can be filtered by besides its scores: its tags, and the sources it retrieved.
# ``term`` is a hash of run, kind, name and value; the words stand once in ``term``.
term = Table(
    "term", metadata,
    Column("run", ForeignKey("run.key"), nullable=False),
    Column("kind", String, nullable=False),
    Column("name", Ordered, nullable=False),
    Column("value", Ordered, nullable=False),
    Column("term", BigInteger, nullable=False),
    PrimaryKeyConstraint("run", "term"),
)

mark = Table(
    "mark", metadata,
    Column("term", BigInteger, nullable=False),
    Column("trace", BigInteger, nullable=False),
    PrimaryKeyConstraint("term", "trace"),
    sqlite_with_rowid=False,
)

issue = Table(
    "issue", metadata,
    Column("key", Key, primary_key=True),
    Column("run", ForeignKey("run.key"), nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("rejected", Boolean, nullable=False),
    Column("body", LargeBinary, nullable=False),
    UniqueConstraint("run", "hash"),
)

claim = Table(
    "claim", metadata,
    Column("trace", ForeignKey("trace.key"), nullable=False),
    Column("claim_set", String, nullable=False),
    Column("n", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    PrimaryKeyConstraint("trace", "claim_set"),
)

judge = Table(
    "judge", metadata,
    Column("key", Key, primary_key=True),
    Column("fingerprint", Text, nullable=False, unique=True),
    Column("provenance", LargeBinary, nullable=False),
)

# One row: all a judge said of one trace at one time. Only ever appended.
judgement = Table(
    "judgement", metadata,
    Column("key", Key, primary_key=True),
    Column("trace", ForeignKey("trace.key"), nullable=False),
    Column("judge", ForeignKey("judge.key"), nullable=False),
    Column("claim_set", String, nullable=False),
    Column("scope", Integer),  # 0: complete on all passages; k: complete on the first k; NULL: some pairs
    Column("at", String, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Index("judgement_by_trace", "trace", "judge", "claim_set"),
)

coverage = Table(
    "coverage", metadata,
    Column("run", ForeignKey("run.key"), nullable=False),
    Column("judge", ForeignKey("judge.key"), nullable=False),
    Column("claim_set", String, nullable=False),
    Column("n_traces", Integer, nullable=False),
    PrimaryKeyConstraint("run", "judge", "claim_set"),
)

rating = Table(
    "rating", metadata,
    Column("key", Key, primary_key=True),
    Column("trace", ForeignKey("trace.key"), nullable=False),
    Column("judge", ForeignKey("judge.key"), nullable=False),
    Column("at", String, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Index("rating_by_trace", "trace"),
)

annotation = Table(
    "annotation", metadata,
    Column("key", Key, primary_key=True),
    Column("trace", ForeignKey("trace.key"), nullable=False),
    Column("claim_set", String, nullable=False),
    Column("claim_id", Text, nullable=False),
    Column("after_judgement", BigInteger, nullable=False),  # orders people's and judges' words without trusting the clock
    Column("body", LargeBinary, nullable=False),
    Index("annotation_by_trace", "trace", "claim_set"),
)

cached = Table(
    "judgement_cache", metadata,
    Column("key", LargeBinary, nullable=False),
    Column("kind", String, nullable=False),
    Column("judge", ForeignKey("judge.key"), nullable=False),
    Column("run", BigInteger),  # the run it was first asked for: deleted with it
    Column("body", LargeBinary, nullable=False),
    PrimaryKeyConstraint("key", "kind"),
    Index("judgement_cache_by_run", "run"),
)

# Since schema 2. Batches sent to a service and not yet answered.
pending_batch = Table(
    "pending_batch", metadata,
    Column("batch_id", Text, primary_key=True),
    Column("run", ForeignKey("run.key"), nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
)

# Since schema 3. What people set in the pages for all runs: saved views, authority of sources.
kept = Table(
    "kept", metadata,
    Column("kind", String, nullable=False),
    Column("name", Ordered, nullable=False),
    Column("body", LargeBinary, nullable=False),
    PrimaryKeyConstraint("kind", "name"),
)
