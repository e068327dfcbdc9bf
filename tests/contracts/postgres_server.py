"""Starts a PostgreSQL server for the tests, in a folder of its own, on a Unix socket only."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ragviz.store import open_store

UNPRIVILEGED = ("postgres", "nobody")


class Server:
    """A running server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._n = 0
        self._empty_store: str | None = None

    def url(self, database: str) -> str:
        return f"postgresql+psycopg://tester@/{database}?host={self.folder}"

    def new_database(self) -> str:
        """Address of an empty database."""
        # In the order of a language, as most servers have it: a store must not depend on it.
        return self._created("template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en-US'")

    def new_store(self) -> str:
        """Address of an empty store in a database of its own: the tables are made once, and from then on copied by the server."""
        if self._empty_store is None:
            address = self.new_database()
            open_store(address).close()
            self._empty_store = f"test_{self._n}"
        return self._created(self._empty_store)

    def _created(self, template: str) -> str:
        import psycopg

        self._n += 1
        with psycopg.connect(f"dbname=postgres user=tester host={self.folder}", autocommit=True) as conn:
            conn.execute(f"CREATE DATABASE test_{self._n} TEMPLATE {template}")
        return self.url(f"test_{self._n}")

    def end_connections(self) -> int:
        """End all connections of others, as a restart or a firewall does; how many there were."""
        import psycopg

        with psycopg.connect(f"dbname=postgres user=tester host={self.folder}", autocommit=True) as conn:
            found = conn.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname LIKE 'test_%' AND pid <> pg_backend_pid()").fetchall()
        return len(found)


@contextmanager
def running_server(folder: Path) -> Iterator[Server]:
    """A server until the end of the block."""
    postgres, initdb = shutil.which("postgres"), shutil.which("initdb")
    if not postgres or not initdb or importlib.util.find_spec("psycopg") is None:
        pytest.skip("needs PostgreSQL's programs on the path and the package psycopg")
    # Socket paths may have 107 characters at most, and the server refuses to run as root.
    home = Path(subprocess.run(["mktemp", "-d", "/tmp/ragviz-pg-XXXXXX"], check=True, capture_output=True, text=True).stdout.strip())
    user = None
    if os.geteuid() == 0:
        user = next((name for name in UNPRIVILEGED if _exists(name)), None)
        if user is None:
            pytest.skip("PostgreSQL refuses to run as root, and there is no other user")
        shutil.chown(home, user)
    data = home / "data"
    options = {"user": user} if user else {}
    subprocess.run(
        [initdb, "-D", data, "-U", "tester", "--auth=trust", "-E", "UTF8", "--no-sync", "--locale=C.UTF-8"],
        check=True,
        capture_output=True,
        cwd=home,
        **options,
    )  # type: ignore[call-overload]
    log = (folder / "server.log").open("wb")
    process = subprocess.Popen(  # type: ignore[call-overload]
        [postgres, "-D", data, "-k", home, "-c", "listen_addresses=", "-c", "fsync=off"], stdout=log, stderr=log, cwd=home, **options,
    )
    try:
        _wait(home, process)
        yield Server(home)
    finally:
        process.terminate()
        process.wait(timeout=300)
        log.close()
        shutil.rmtree(home, ignore_errors=True)


def _exists(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def _wait(home: Path, process: subprocess.Popen[bytes]) -> None:
    import psycopg

    for _ in range(1_500):
        if process.poll() is not None:
            pytest.skip("PostgreSQL did not start here")
        try:
            psycopg.connect(f"dbname=postgres user=tester host={home}").close()
        except psycopg.OperationalError:
            time.sleep(0.2)
        else:
            return
    pytest.fail("PostgreSQL took longer than five minutes to start")
