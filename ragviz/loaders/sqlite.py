"""SQLite files, read-only: a loader must never change or lock the database of a running tool."""

from __future__ import annotations

import io
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

_MAGIC = b"SQLite format 3\x00"


@contextmanager
def database(source: BinaryIO) -> Iterator[sqlite3.Connection]:
    """
    A read-only connection to the file behind the stream (to a copy when it is no file).

    Raises:
        sqlite3.DatabaseError: Damaged or cut off; often only at the first SELECT.
    """
    # Only a file that was really opened from disk: an uploaded stream may bear the name of another file that lies there.
    path = Path(source.name) if isinstance(source, io.BufferedReader) and isinstance(source.name, str) else None
    # A write-ahead log beside the file holds committed rows that immutable=1 would not see; reading through it needs a lock file.
    if path is not None and path.is_file() and not Path(f"{path}-wal").exists():
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as found:
            found.row_factory = sqlite3.Row
            yield found
        return
    with tempfile.TemporaryDirectory(prefix="ragviz-") as folder:
        copy = Path(folder) / "copy.sqlite"
        source.seek(0)
        with copy.open("wb") as target:
            shutil.copyfileobj(source, target)
        if path is not None and Path(f"{path}-wal").exists():
            shutil.copyfile(f"{path}-wal", f"{copy}-wal")
        with closing(sqlite3.connect(copy)) as found:
            found.row_factory = sqlite3.Row
            found.execute("PRAGMA query_only = 1")
            yield found


def excerpt(source: BinaryIO) -> bytes:
    """The magic word and every CREATE TABLE of the database: its head for ``Loader.sniff``."""
    try:
        with database(source) as found:
            statements = [row[0] for row in found.execute("SELECT sql FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL")]
    except (sqlite3.Error, OSError):
        source.seek(0)
        return source.read(64 * 1024)
    finally:
        source.seek(0)
    return _MAGIC + "\n".join(statements).encode("utf-8", "replace")


def rows_of(found: sqlite3.Connection, query: str, *values: Any) -> Iterator[dict[str, Any]]:
    """Rows of a query as dicts."""
    for row in found.execute(query, values):
        yield dict(row)


def tables_of(found: sqlite3.Connection) -> list[str]:
    """Names of all tables."""
    return [row[0] for row in found.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
