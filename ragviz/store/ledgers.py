"""Tables that are only ever appended to and outlive the runs they speak of: calibrations of judges, and looks at held-out traces. Since schema 4."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, LargeBinary, String, Table, Text

from ragviz.store.table_types import Key, metadata

calibration = Table(
    "calibration", metadata,
    Column("key", Key, primary_key=True),
    Column("fingerprint", Text, nullable=False),
    Column("judge", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Index("calibration_by_fingerprint", "fingerprint"),
)

# Which traces a look was at: hashes of their questions, so that the same held-out question is known in every run and no text stays behind.
looked_at = Table(
    "looked_at", metadata,
    Column("key", Key, primary_key=True),
    Column("hash", LargeBinary, nullable=False, unique=True),
    Column("n", Integer, nullable=False),
    Column("subjects", LargeBinary, nullable=False),  # 8 bytes a question, ascending
)

look = Table(
    "look", metadata,
    Column("key", Key, primary_key=True),
    Column("at", String, nullable=False),
    Column("who", Text, nullable=False),
    Column("kind", String, nullable=False),
    Column("place", Text, nullable=False),
    Column("looked_at", ForeignKey("looked_at.key"), nullable=False),
)

TABLES = (calibration, looked_at, look)
