"""Which store, and opening it."""

from __future__ import annotations

import shutil
import sys
import tempfile
import weakref
from collections.abc import Mapping
from pathlib import Path

from ragviz.errors import StoreError
from ragviz.store.engine import Clock, Database, system_clock
from ragviz.store.migrations import migrate
from ragviz.store.store import Store

MEMORY = ":memory:"


def default_store_path(env: Mapping[str, str]) -> str:
    """
    The store of someone who names none: ``RAGVIZ_STORE``, else a file in the user's data folder.

    ``env``: the environment, handed in by the command line or the dashboard.
    """
    if env.get("RAGVIZ_STORE"):
        return env["RAGVIZ_STORE"]
    return str(data_folder(env) / "ragviz.sqlite")


def data_folder(env: Mapping[str, str]) -> Path:
    """Where this user's own store and choices are, wherever the store in use is."""
    home = Path(env.get("HOME") or env.get("USERPROFILE") or Path.home())
    if sys.platform == "win32":
        folder = Path(env.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        folder = home / "Library" / "Application Support"
    else:
        folder = Path(env.get("XDG_DATA_HOME") or home / ".local" / "share")
    return folder / "ragviz"


def open_store(url_or_path: str | Path | None = None, *, env: Mapping[str, str] | None = None, clock: Clock = system_clock) -> Store:
    """
    Open a store, making or lifting it where needed.

    Args:
        url_or_path: A file, ``postgresql+psycopg://…``, ``":memory:"`` for one that is thrown away, or None for the user's own.
        env: The environment, for None.
        clock: Gives the time written beside judgements.

    Raises:
        StoreError: Newer than this program, locked, read-only, damaged, not a database.
    """
    address = str(url_or_path) if url_or_path is not None else default_store_path(env or {})
    if address == MEMORY:
        return _throwaway(clock)
    database = Database(address, clock=clock)
    try:
        migrate(database)
    except BaseException:
        database.close()
        raise
    return Store(database)


def _throwaway(clock: Clock) -> Store:
    """A store in a private folder that goes with it. SQLite's own memory databases cannot have readers beside a writer."""
    try:
        folder = tempfile.mkdtemp(prefix="ragviz-")
    except OSError as exc:
        raise StoreError(f"no temporary folder: {exc.strerror}", fix="set TMPDIR to a folder you may write to, or name a store with --store") from exc
    database = Database(f"{folder}/store.sqlite", clock=clock, throwaway=True)
    migrate(database)
    store = Store(database)
    weakref.finalize(store, shutil.rmtree, folder, ignore_errors=True)
    return store
