"""The connection to the database: one writer at a time, readers that never wait, and how each dialect is set up."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Table, bindparam, create_engine, event, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from ragviz.errors import SetupError, StoreError
from ragviz.store.faults import explained
from ragviz.store.schema import change

Clock = Callable[[], datetime]

BUSY_TIMEOUT_MS = 10_000
READER_CACHE_KIB = 4_000
WRITER_CACHE_KIB = 48_000
VALUES_AT_ONCE = 200
"""Values that one INSERT takes on SQLite: a hundred narrow rows by one statement take two thirds of the time of a hundred statements."""
_COUNT, _COUNT_UP = select(change.c.n).where(change.c.key == 1), update(change).where(change.c.key == 1).values(n=change.c.n + 1)
_COUNT_SQL = "SELECT n FROM change WHERE key = 1"
WRITER_LOCK = 0x72616776  # "ragv": the advisory lock that makes PostgreSQL, too, write one batch after the other


def system_clock() -> datetime:
    """Now, in UTC; the one place below the command line that looks at the clock, so that tests can bring their own."""
    return datetime.now(UTC)


class Database:
    """
    An engine, and the two ways in: ``read()`` and ``write()``.

    On SQLite readers see the state at their first statement (WAL) and never wait for the writer.
    """

    def __init__(self, address: str, *, clock: Clock = system_clock, throwaway: bool = False) -> None:
        """
        Args:
            address: Path of a SQLite file, or ``postgresql+psycopg://…``.
            clock: Gives the time that is written beside judgements.
            throwaway: Speed before safety: the file does not outlive the process.
        """
        self.clock = clock
        self.url = _url(address)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.path = Path(self.url.database) if self.is_sqlite and self.url.database else None
        self.where = str(self.path) if self.path else self.url.render_as_string(hide_password=True)
        self.read_only = self.path is not None and not _prepare_file(self.path)
        if self.read_only and self.path is not None:
            self.url = _reading_only(self.path)
        self.n_written = 0
        """Counted transactions of this process."""
        self.heard: list[Callable[[], None]] = []
        """Called after each of them, in the thread that wrote."""
        self._writing = threading.Lock()
        self._inserts: dict[tuple[str, tuple[str, ...], bool, int], str] = {}
        self._reader = self._engine(throwaway=throwaway, writer=False)
        self._writer = self._engine(throwaway=throwaway, writer=True)

    def _engine(self, *, throwaway: bool, writer: bool) -> Engine:
        sizes = {"pool_size": 1, "max_overflow": 0} if writer else {"pool_size": 8, "max_overflow": 56}
        try:
            # A server that was restarted, or a firewall, ends connections that wait in the pool: each is asked first whether it still lives.
            engine = create_engine(self.url, **sizes, pool_pre_ping=not self.is_sqlite)
        except (ModuleNotFoundError, NoSuchModuleError) as exc:
            raise SetupError(f"no driver for {self.where}", fix="pip install 'ragviz[postgres]' and write postgresql+psycopg://…") from exc
        if self.is_sqlite:
            event.listen(engine, "connect", _sqlite_setup(throwaway=throwaway, writer=writer, read_only=self.read_only))
            event.listen(engine, "begin", _begin_immediate if writer else _begin_deferred)
        return engine

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection for reading; one consistent state on SQLite."""
        with explained(self.where), self._reader.connect() as conn, conn.begin():
            yield conn

    def glance(self, sql: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """
        Rows of one short statement on SQLite, past SQLAlchemy and without a transaction around it: what pages ask a hundred times a click, a tenth of
        the time.
        """
        with self.bare() as cursor:
            rows: list[tuple[Any, ...]] = cursor.execute(sql, values).fetchall()  # to the end: what is read half keeps the log from being emptied
        return rows

    @contextmanager
    def bare(self) -> Iterator[sqlite3.Cursor]:
        """SQLite: the driver's own cursor, for reading."""
        with explained(self.where):
            raw = self._reader.raw_connection()
            try:
                cursor: Any = raw.cursor()
                yield cursor
                cursor.close()
            finally:
                raw.close()

    @contextmanager
    def write(self, *, counted: bool = True) -> Iterator[Connection]:
        """
        One transaction: all of it is kept, or nothing. Others of this process queue here, other processes at the database.

        ``counted``: False for what anybody could work out again from what is there; caches need not hear of it.

        Raises:
            StoreError: The file or its folder may only be read.
        """
        if self.read_only:
            raise StoreError(
                f"{self.where} can only be read",
                fix="give yourself write permission on the file and its folder, or copy it elsewhere and name the copy with --store",
            )
        with self._writing, explained(self.where), self._writer.begin() as conn:
            if not self.is_sqlite:
                conn.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": WRITER_LOCK})
            yield conn
            if counted:
                conn.execute(_COUNT_UP)
        self.n_written += counted
        for tell in self.heard if counted else ():
            tell()

    def data_version(self) -> str:
        """A word that changes with every transaction that writes, whoever wrote it."""
        if self.is_sqlite:
            return str(self.glance(_COUNT_SQL, ())[0][0])
        with self.read() as conn:
            return str(conn.execute(_COUNT).scalar())

    def compact(self) -> None:
        """
        Give freed pages back to the disk and empty the log, so that nothing deleted can be read in the files.

        Raises:
            StoreError: Somebody reads an older state and does not stop: the log could not be emptied.
        """
        if not self.is_sqlite:
            return
        with self._writing, explained(self.where):
            # Past SQLAlchemy: VACUUM allows no transaction, and our connections never begin one by themselves.
            raw = self._writer.raw_connection()
            try:
                cursor = raw.cursor()
                cursor.execute("VACUUM")
                waited_for, *_ = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                cursor.close()
            finally:
                raw.close()
        if waited_for:
            raise StoreError(f"what was deleted can still be read in the log of {self.where}, because another program is reading it",
                             fix="close the other program: the last one to leave empties the log")

    def now(self) -> str:
        """The time as it is stored: ISO 8601 in UTC, which sorts as text."""
        return self.clock().astimezone(UTC).isoformat(timespec="microseconds")

    def insert_new(self, table: Table) -> Any:
        """An INSERT that leaves rows alone whose key exists."""
        made = sqlite.insert(table) if self.is_sqlite else postgresql.insert(table)
        return made.on_conflict_do_nothing()

    def insert_many(self, conn: Connection, table: Table, columns: tuple[str, ...], rows: list[tuple[Any, ...]], *, new_only: bool = False) -> None:
        """Many rows at once, values in the order of ``columns``."""
        self.insert_flat(conn, table, columns, list(chain.from_iterable(rows)), new_only=new_only)

    def insert_flat(self, conn: Connection, table: Table, columns: tuple[str, ...], values: list[Any], *, new_only: bool = False) -> None:
        """
        The same of rows whose values stand one after the other. On SQLite past SQLAlchemy's handling of parameters, which would take longer than
        the insert itself.
        """
        if not values:
            return
        width = len(columns)
        if not self.is_sqlite:
            dicts = [dict(zip(columns, values[at : at + width], strict=True)) for at in range(0, len(values), width)]
            conn.execute(self.insert_new(table) if new_only else table.insert(), dicts)
            return
        step = max(VALUES_AT_ONCE // width, 1) * width
        whole = len(values) // step * step
        for first, last, by in ((0, whole, step), (whole, len(values), width)):
            if first < last:
                sql = self._insert(table, columns, new_only=new_only, n_rows=by // width)
                conn.exec_driver_sql(sql, [tuple(values[at : at + by]) for at in range(first, last, by)])

    def _insert(self, table: Table, columns: tuple[str, ...], *, new_only: bool, n_rows: int) -> str:
        """SQLite: an INSERT of so many rows."""
        sql = self._inserts.get((table.name, columns, new_only, n_rows))
        if sql is None:
            made = self.insert_new(table) if new_only else table.insert()
            rows: list[dict[str, Any]] = [{name: bindparam(f"{name}_{n}") for name in columns} for n in range(n_rows)]
            sql = self._inserts[table.name, columns, new_only, n_rows] = str(made.values(rows if n_rows > 1 else rows[0]).compile(self._writer))
        return sql

    def upsert(self, table: Table, *, key: list[str], set_: Callable[[Any], dict[str, Any]]) -> Any:
        """An INSERT that updates where the key exists; ``set_`` gets the row that was to be inserted."""
        made = sqlite.insert(table) if self.is_sqlite else postgresql.insert(table)
        return made.on_conflict_do_update(index_elements=key, set_=set_(made.excluded))

    def let_go(self) -> None:
        """Forget statements that were prepared, with the values they were first run with."""
        self._reader.clear_compiled_cache()
        self._writer.clear_compiled_cache()

    def close(self) -> None:
        """Give all connections back."""
        self._reader.dispose()
        self._writer.dispose()


def _url(address: str) -> URL:
    if not address.strip():
        raise SetupError("a store needs a place", fix="give a file or an address with --store, or leave the option out")
    if address.startswith("-"):
        raise SetupError(
            f"{address} looks like an option, not like a place for a store",
            fix=f"give the path of a database file with --store; a file of that name is ./{address}",
        )
    if "://" not in address:
        return URL.create("sqlite", database=address)
    try:
        url = make_url(address)
    except (ArgumentError, ValueError) as exc:
        raise SetupError("the address of the store cannot be read", fix="a file path, or postgresql+psycopg://user@host/database") from exc
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise SetupError(f"no store on {url.get_backend_name()}", fix="a file path, or postgresql+psycopg://user@host/database")
    return url


def _prepare_file(path: Path) -> bool:
    """
    Make the folder; refuse what cannot be a database before SQLite creates something beside it.

    Returns:
        Whether the store may be written; one that is there and may only be read is opened for reading.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        found = path.stat() if path.exists() else None
    except OSError as exc:
        raise StoreError(f"{path} cannot be opened: {exc.strerror}", fix="choose another place with --store") from exc
    if found is not None and not stat.S_ISREG(found.st_mode):
        raise StoreError(f"{path} is not a file", fix="give the path of a database file with --store")
    writable = os.access(path.parent, os.W_OK) and (found is None or os.access(path, os.W_OK))
    if not writable and (found is None or not found.st_size or not os.access(path, os.R_OK)):
        raise StoreError(f"{path} cannot be written to", fix="give yourself write permission on the file and its folder, or choose another place with --store")
    if found is None:
        # Traces are often confidential: nobody else on the machine may read them.
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    return writable


def _reading_only(path: Path) -> URL:
    """The address of a file that is only read. Where nobody writes its log either, SQLite is told so: it could not make the files it locks with."""
    log = Path(f"{path}-wal")
    still = not os.access(path.parent, os.W_OK) and not (log.exists() and log.stat().st_size)
    return URL.create("sqlite", database=path.absolute().as_uri(), query={"mode": "ro", "uri": "true", **({"immutable": "1"} if still else {})})


def _sqlite_setup(*, throwaway: bool, writer: bool, read_only: bool) -> Callable[[Any, Any], None]:
    def setup(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves, see below
        kept = () if read_only else ("journal_mode = WAL", f"synchronous = {'OFF' if throwaway else 'NORMAL'}", "foreign_keys = ON", "secure_delete = ON")
        for pragma in (
            f"busy_timeout = {BUSY_TIMEOUT_MS}",
            *kept,
            "temp_store = MEMORY",
            f"cache_size = -{WRITER_CACHE_KIB if writer else READER_CACHE_KIB}",
            "trusted_schema = OFF",
        ):
            connection.execute(f"PRAGMA {pragma}")

    return setup


def _begin_immediate(conn: Connection) -> None:
    # A writer that starts as a reader can fail half-way with "locked"; asking at once makes it queue.
    conn.exec_driver_sql("BEGIN IMMEDIATE")


def _begin_deferred(conn: Connection) -> None:
    conn.exec_driver_sql("BEGIN")
