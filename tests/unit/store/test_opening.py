"""Opening a store: where it is, and one clear sentence when it cannot be used, with the file left as it was."""

from __future__ import annotations

import inspect
import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection

from ragviz.errors import SetupError, StoreError
from ragviz.records import Verdict
from ragviz.store import default_store_path, engine, migrations, open_store, schema
from ragviz.store.engine import Database
from tests.contracts.store_laws import NOW, VIEW, judgement, manifest, plain, with_traces


@pytest.mark.parametrize(("env", "expected"), [
    ({"RAGVIZ_STORE": "/srv/team.sqlite", "HOME": "/home/ada"}, "/srv/team.sqlite"),
    ({"XDG_DATA_HOME": "/data", "HOME": "/home/ada"}, "/data/ragviz/ragviz.sqlite"),
    ({"HOME": "/home/ada"}, "/home/ada/.local/share/ragviz/ragviz.sqlite"),
])
def test_the_environment_names_the_store(env: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """RAGVIZ_STORE first, then the user's data folder."""
    monkeypatch.setattr("sys.platform", "linux")

    assert expected == default_store_path(env)


def test_nobody_else_may_read_the_file(tmp_path: Path) -> None:
    """Traces are confidential: the file is made for its owner only."""
    open_store(tmp_path / "s.sqlite").close()

    assert stat.S_IMODE((tmp_path / "s.sqlite").stat().st_mode) == 0o600


def test_a_throwaway_store_leaves_nothing_behind() -> None:
    """Its folder goes with it."""
    store = open_store(":memory:")
    folder = Path(store.address).parent
    store.create_run(manifest())
    assert folder.is_dir()
    store.close()
    del store

    assert not folder.exists()


def test_a_newer_database_is_refused_unchanged(tmp_path: Path) -> None:
    """A version this program does not know is not touched."""
    path = tmp_path / "s.sqlite"
    open_store(path).close()
    with sqlite3.connect(path) as conn:
        conn.execute("INSERT INTO migration VALUES (99, 'tomorrow')")
    conn.close()

    with pytest.raises(StoreError, match="newer ragviz") as caught:
        open_store(path)
    assert "upgrade" in caught.value.fix


@pytest.mark.parametrize("content", [b"id,question\n1,hello\n" * 50, b"\x00" * 5000, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_other_files_are_refused_unchanged(content: bytes, tmp_path: Path) -> None:
    """A CSV file, zeros, a damaged header: refused, and the bytes are as before."""
    path = tmp_path / "s.sqlite"
    path.write_bytes(content)

    with pytest.raises(StoreError) as caught:
        open_store(path)
    assert str(path) in caught.value.message
    assert content == path.read_bytes()


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    """A database with other tables is not ours to fill."""
    path = tmp_path / "s.sqlite"
    with sqlite3.connect(path) as conn:
        conn.execute("CREATE TABLE invoices (n)")
    conn.close()

    with pytest.raises(StoreError, match="another program"):
        open_store(path)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    """A folder is no database."""
    with pytest.raises(StoreError, match="not a file"):
        open_store(tmp_path)


def test_a_folder_without_permission_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Said before SQLite tries and fails half-way."""
    monkeypatch.setattr("os.access", lambda *_: False)

    with pytest.raises(StoreError, match="cannot be written") as caught:
        open_store(tmp_path / "s.sqlite")
    assert "permission" in caught.value.fix


def test_a_locked_database_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program writes and does not stop: after the time-out a sentence, and readers work all the while."""
    monkeypatch.setattr("ragviz.store.engine.BUSY_TIMEOUT_MS", 50)
    store = open_store(tmp_path / "s.sqlite")
    other = sqlite3.connect(tmp_path / "s.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(StoreError, match="in use by another program"):
        store.create_run(manifest())
    assert store.runs() == []
    other.execute("ROLLBACK")
    store.create_run(manifest())
    other.close()
    store.close()


def test_a_full_disk_is_told_and_the_store_stays_whole(tmp_path: Path) -> None:
    """The batch that does not fit is not there at all; what was there before is."""
    store = open_store(tmp_path / "s.sqlite")
    store.create_run(manifest())
    with store._db._writer.connect() as conn:
        pages = conn.exec_driver_sql("PRAGMA page_count").scalar()
        conn.exec_driver_sql(f"PRAGMA max_page_count = {pages + 2}")

    with pytest.raises(StoreError, match="no space left") as caught:
        for n in range(50):
            store.create_run(manifest(f"run-{n}", name="x" * 3000))
    assert "space" in caught.value.fix
    assert store.runs()
    store.close()


@pytest.mark.parametrize(("address", "words"), [("mysql://host/db", "no store on mysql"), ("postgres ql://x", "cannot be read")])
def test_unknown_addresses_are_explained(address: str, words: str) -> None:
    """Only files and PostgreSQL."""
    with pytest.raises(SetupError, match=words):
        Database(address)


def test_a_password_is_never_shown() -> None:
    """The address in messages has no password."""
    pytest.importorskip("psycopg")
    database = Database("postgresql+psycopg://ada:secret@localhost:1/db")

    assert "secret" not in database.where
    with pytest.raises(StoreError, match="cannot be reached") as caught:
        database.data_version()
    assert "secret" not in caught.value.message
    database.close()


def test_a_backup_is_a_whole_store(tmp_path: Path) -> None:
    """It opens, and holds what was there."""
    store = open_store(tmp_path / "s.sqlite")
    store.create_run(manifest())
    store.back_up(tmp_path / "copy.sqlite")
    copy = open_store(tmp_path / "copy.sqlite")

    assert store.runs() == copy.runs()
    store.close()
    copy.close()


def test_an_older_database_is_backed_up_and_lifted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A later program adds a table: the old file lies beside as a copy, and nothing of the run is lost."""
    path = tmp_path / "s.sqlite"
    store = open_store(path)
    with_traces(store, plain("a"))
    store.close()
    monkeypatch.setattr(schema, "SCHEMA", schema.SCHEMA + 1)
    monkeypatch.setitem(migrations.MIGRATIONS, schema.SCHEMA, lambda conn: conn.exec_driver_sql("CREATE TABLE extra (n)"))
    lifted = open_store(path)

    assert ["a"] == lifted.trace_ids("run")
    assert ["s.sqlite", f"s.sqlite.schema-{schema.SCHEMA - 1}.backup"] == sorted(p.name for p in tmp_path.iterdir() if not p.name.endswith(("-wal", "-shm")))
    with sqlite3.connect(path) as conn:
        assert schema.SCHEMA == conn.execute("SELECT max(version) FROM migration").fetchone()[0]
    conn.close()
    lifted.close()


def test_a_failed_lift_leaves_the_database_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a migration is none: the old program still opens it."""
    path = tmp_path / "s.sqlite"
    store = open_store(path)
    with_traces(store, plain("a"))
    store.close()

    def fail(conn: Connection) -> None:
        conn.exec_driver_sql("CREATE TABLE half (n)")
        conn.exec_driver_sql("CREATE TABLE half (n)")

    with monkeypatch.context() as later:
        later.setattr(schema, "SCHEMA", schema.SCHEMA + 1)
        later.setitem(migrations.MIGRATIONS, schema.SCHEMA, fail)
        with pytest.raises(StoreError):
            open_store(path)
    again = open_store(path)
    assert ["a"] == again.trace_ids("run")
    with sqlite3.connect(path) as conn:
        assert [] == conn.execute("SELECT name FROM sqlite_master WHERE name = 'half'").fetchall()
    conn.close()
    again.close()


def test_a_clock_that_jumps_back_changes_no_order() -> None:
    """History follows the order in which things were stored, not what the clock said."""
    times = iter(NOW - timedelta(days=n) for n in range(99))
    store = open_store(":memory:", clock=lambda: next(times))
    with_traces(store, plain("a"))
    said = [judgement("a"), judgement("a", verdict=Verdict.NEUTRAL), judgement("a", verdict=Verdict.CONTRADICTED)]
    for one in said:
        store.add_judgements("run", [one], claim_set="rules")

    assert said[::-1] == store.history("run", "a", "c1", "rules")
    case = store.one(VIEW, "a")
    assert case is not None
    assert (said[-1],) == case.judgements
    store.close()


def test_many_open_a_new_store_at_once(tmp_path: Path) -> None:
    """Eight threads, one file that does not exist yet: one makes it, all use it."""
    def use(n: int) -> None:
        store = open_store(tmp_path / "s.sqlite")
        store.create_run(manifest(f"run-{n}"))
        store.close()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(use, range(8)))
    store = open_store(tmp_path / "s.sqlite")
    assert 8 == len(store.runs())
    store.close()


@pytest.mark.parametrize(("throwaway", "waits"), [(False, 1), (True, 0)])
def test_only_a_throwaway_store_does_not_wait_for_the_disk(tmp_path: Path, throwaway: bool, waits: int) -> None:
    """As shipped, past what ``tests/conftest.py`` does to stores of tests."""
    conn = sqlite3.connect(tmp_path / "s.sqlite")
    inspect.unwrap(engine._sqlite_setup)(throwaway=throwaway, writer=True, read_only=False)(conn, None)

    assert ("wal",) == conn.execute("PRAGMA journal_mode").fetchone()
    assert (waits,) == conn.execute("PRAGMA synchronous").fetchone()
    conn.close()
