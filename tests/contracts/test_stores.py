"""Every law, on every kind of store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ragviz.errors import StoreError
from ragviz.records import Passage
from ragviz.store import Store, TraceFilter, migrations, open_store, schema
from tests.contracts import (  # noqa: F401 - add laws
    store_column_laws,
    store_growing_laws,
    store_import_laws,
    store_ledger_laws,
    store_run_laws,
    store_search_laws,
    store_trend_laws,
    store_trust_laws,
    store_word_laws,
)
from tests.contracts.postgres_server import Server, running_server
from tests.contracts.store_laws import LAWS, VIEW, StoreLaw, manifest, plain, with_traces


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A PostgreSQL server of this test session, or a skip that says what is missing."""
    with running_server(tmp_path_factory.mktemp("postgres")) as found:
        yield found


@pytest.mark.parametrize("check", LAWS, ids=lambda check: check.__name__)
def test_throwaway_store(check: StoreLaw) -> None:
    """The store of ``evaluate`` without ``--store``."""
    store = open_store(":memory:")
    check(store)
    store.close()


@pytest.mark.parametrize("check", LAWS, ids=lambda check: check.__name__)
def test_file_store(check: StoreLaw, tmp_path: Path) -> None:
    """One SQLite file; opened again it holds the same runs."""
    store = open_store(tmp_path / "deep" / "ragviz.sqlite")
    check(store)
    kept = store.runs()
    store.close()
    again = open_store(tmp_path / "deep" / "ragviz.sqlite")

    assert kept == again.runs()
    again.close()


@pytest.mark.postgres
@pytest.mark.parametrize("check", LAWS, ids=lambda check: check.__name__)
def test_postgres_store(check: StoreLaw, server: Server) -> None:
    """The same schema on PostgreSQL; each law in a database of its own."""
    with closing(open_store(server.new_store())) as store:
        check(store)


@pytest.mark.postgres
def test_what_is_wrong_with_an_address_is_told(server: Server, tmp_path: Path) -> None:
    """A database that is not there, a user nobody knows, no server, no host: each in a sentence that says what to look at."""
    for address, told in (
        (server.url("nowhere"), "no such database"),
        (server.new_database().replace("tester@", "nobody@"), "knows no such user"),
        (server.new_database().replace(str(server.folder), str(tmp_path)), "cannot be reached"),
        ("postgresql+psycopg://u@no.such.host.invalid/x", "cannot be reached"),
    ):
        with pytest.raises(StoreError, match=told) as caught:
            open_store(address)
        assert "report" not in caught.value.fix


@pytest.mark.postgres
def test_a_postgres_store_of_schema_5_is_lifted(server: Server) -> None:
    """Passages that were text stay readable, those that come after are squeezed beside them, and equal texts are still one row."""
    address = server.new_database()
    store: Store = open_store(address)
    store.create_run(manifest())
    store.add_traces("run", [plain("a")])
    with store._db.write() as conn:
        conn.exec_driver_sql("ALTER TABLE passage ALTER COLUMN text TYPE text USING 'One text.'")
        conn.exec_driver_sql("DELETE FROM migration WHERE version > 5")
    store.close()
    store = open_store(address)

    store.add_traces("run", [plain("b"), plain("c", passages=(Passage(id="p1", text="Another text.", rank=1),))])
    assert [["One text."], ["One text."], ["Another text."]] == [[p.text for p in trace.passages or ()] for trace in store.traces("run")]
    with store._db.read() as conn:
        assert (schema.SCHEMA_ON_POSTGRES, 2) == (migrations.version(conn), conn.exec_driver_sql("SELECT count(*) FROM passage").scalar())
    store.close()


@pytest.mark.postgres
def test_a_postgres_store_of_schema_6_finds_what_a_file_finds(server: Server) -> None:
    """Its words were cut by the server's parser and its ids ordered by the server's locale: both are as on SQLite after the first opening."""
    address = server.new_database()
    store: Store = open_store(address)
    with_traces(store, plain("a", response="Über 3.14"), plain("B", response="Café, me@x.org"), plain("c"))
    with store._db.write() as conn:
        conn.exec_driver_sql("DROP TABLE trace_words")
        conn.exec_driver_sql("CREATE INDEX trace_text ON trace USING gin (to_tsvector('simple', question || ' ' || response))")
        conn.exec_driver_sql('ALTER TABLE trace ALTER COLUMN trace_id TYPE text COLLATE "default"')
        conn.exec_driver_sql("DELETE FROM migration WHERE version > 6")
    store.close()
    store = open_store(address)

    assert [["a"], ["B"], ["a"], ["a", "B", "c"]] == [
        [row.id for row in store.page(VIEW, TraceFilter(text=query))] for query in ("uber", "x.org", "3.14", "question")
    ]
    assert ["B", "a", "c"] == [row.id for row in store.page(VIEW, TraceFilter(), sort="id")]
    store.close()
