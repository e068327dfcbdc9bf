"""Databases of earlier versions are lifted step by step; a copy is put beside them first."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Connection, Text, inspect, select, text

from ragviz.errors import StoreError
from ragviz.store import ledgers, schema, search
from ragviz.store.engine import Database
from ragviz.store.faults import explained


def m001_first(conn: Connection) -> None:
    """All tables of the first release, and the word index."""
    schema.metadata.create_all(conn)
    search.create(conn)
    conn.execute(schema.change.insert(), {"key": 1, "n": 0})


def m002_pending_batches(conn: Connection) -> None:
    """Batches sent to a service; a new database has the table already."""
    schema.pending_batch.create(conn, checkfirst=True)


def m003_kept_settings(conn: Connection) -> None:
    """What people set in the pages; a new database has the table already."""
    schema.kept.create(conn, checkfirst=True)


def m004_trust(conn: Connection) -> None:
    """Calibrations of judges, and looks at held-out traces; a new database has the tables already."""
    for table in ledgers.TABLES:
        table.create(conn, checkfirst=True)


def m005_blocks(conn: Connection) -> None:
    """Whole columns of runs; a new database has the table already."""
    schema.block.create(conn, checkfirst=True)


def m006_squeezed(conn: Connection) -> None:
    """
    Texts of passages as bytes. What is stored stays as it is and is read as it is; what comes from now on is squeezed.

    SQLite keeps bytes in the column as it is declared; PostgreSQL has to be told.
    """
    if conn.dialect.name != "sqlite" and isinstance(next(c["type"] for c in inspect(conn).get_columns("passage") if c["name"] == "text"), Text):
        conn.execute(text("ALTER TABLE passage ALTER COLUMN text TYPE bytea USING convert_to(text, 'UTF8')"))


def m007_found_and_ordered_as_on_sqlite(conn: Connection) -> None:
    """PostgreSQL only: the word index holds the words that SQLite's has, and lists are ordered by code points instead of the server's locale."""
    if conn.dialect.name != "sqlite":
        for table, column in schema.ORDERED:
            conn.execute(text(f'ALTER TABLE "{table}" ALTER COLUMN "{column}" TYPE text COLLATE "C"'))
        search.lift(conn)


MIGRATIONS: dict[int, Callable[[Connection], None]] = {
    1: m001_first, 2: m002_pending_batches, 3: m003_kept_settings, 4: m004_trust, 5: m005_blocks, 6: m006_squeezed,
    7: m007_found_and_ordered_as_on_sqlite,
}


def version(conn: Connection) -> int | None:
    """The schema's version; None for an empty database."""
    tables = inspect(conn).get_table_names()
    if "migration" not in tables:
        if tables:
            raise StoreError("this database belongs to another program", fix="choose another file or database with --store; this one was left as it is")
        return None
    return max(conn.execute(select(schema.migration.c.version)).scalars(), default=None)


def newest(db: Database) -> int:
    """The schema that this program gives a database of that kind."""
    return schema.SCHEMA if db.is_sqlite else max(schema.SCHEMA, schema.SCHEMA_ON_POSTGRES)


def migrate(db: Database) -> None:
    """
    Create or lift the schema; nothing to do costs one look.

    Raises:
        StoreError: The database is newer than this program, is another program's, or cannot be written.
    """
    with db.read() as conn:
        found = version(conn)
    if found is not None and found > newest(db):
        raise StoreError(
            f"{db.where} was written by a newer ragviz (schema {found}, this one knows up to {newest(db)})", fix="pip install --upgrade ragviz",
        )
    if found == newest(db):
        return
    if found is not None and db.path is not None and not db.read_only:
        back_up(db, db.path.with_name(f"{db.path.name}.schema-{found}.backup"))
    with db.write() as conn:
        found = version(conn) or 0  # another process may have been faster
        for step in range(found + 1, newest(db) + 1):
            MIGRATIONS[step](conn)
            conn.execute(schema.migration.insert(), {"version": step, "applied_at": db.now()})


def back_up(db: Database, target: Path) -> None:
    """A whole, consistent copy of a SQLite store, even while others write."""
    if db.path is None:
        raise StoreError(f"{db.where} is not a file", fix="back a PostgreSQL store up with pg_dump")
    # Under another name until it is whole: a stop half-way must not leave half a copy that looks like one.
    made = target.with_name(f"{target.name}.unfinished")
    with explained(str(target)):
        made.unlink(missing_ok=True)
        os.close(os.open(made, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        source, copy = sqlite3.connect(db.path), sqlite3.connect(made)
        try:
            source.backup(copy)
        finally:
            copy.close()
            source.close()
        made.replace(target)
