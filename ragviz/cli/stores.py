"""Which store a command works on, and which run of it is meant."""

from __future__ import annotations

import argparse
import difflib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ragviz.backends.budget import Budget
from ragviz.errors import RagvizError, UnknownName
from ragviz.pipeline.standing import NOT_CALIBRATED, Standing, standing
from ragviz.records import RunManifest
from ragviz.store import Store, default_store_path, open_store


@contextmanager
def opened_store(address: str | None) -> Iterator[Store]:
    """The store at ``--store``, else RAGVIZ_STORE, else in the user's data folder; closed afterwards."""
    store = open_store(address, env=os.environ)
    try:
        yield store
    finally:
        store.close()


def find_run(store: Store, name: str) -> RunManifest | None:
    """The run of that id, else the newest of that name."""
    runs = store.runs()
    return next((run for run in runs if run.run_id == name), None) or next((run for run in runs if run.name == name), None)


def require_run(store: Store, name: str) -> RunManifest:
    """
    The run of that id or name.

    Raises:
        UnknownName: With the nearest name.
    """
    run = find_run(store, name)
    if run is None:
        names = [r.name for r in store.runs()]
        near = difflib.get_close_matches(name, names, n=1)
        known = f"Known: {', '.join(names[:10])}" if names else "The store holds no run: `ragviz import FILE` makes one"
        raise UnknownName(f"no run named {name!r} in this store", fix=f"Did you mean {near[0]!r}? {known}" if near else known)
    return run


def budget_of(args: argparse.Namespace) -> Budget | None:
    """What --max-usd and --max-tokens allow; None without either."""
    usd, tokens = getattr(args, "max_usd", None), getattr(args, "max_tokens", None)
    return None if usd is None and tokens is None else Budget(max_usd=usd, max_tokens=tokens)


def is_there(address: str | None) -> bool:
    """Whether there is a store; opening one would make it."""
    place = address or default_store_path(dict(os.environ))
    return "://" in place or place.startswith("-") or Path(place).exists()  # what can be no place is told when it is opened


def known_standing(address: str | None, fingerprint: str) -> Standing:
    """What the user's store knows of a judge's confidence; no store is made for asking."""
    if not is_there(address):
        return NOT_CALIBRATED
    try:
        with opened_store(address) as store:
            return standing(store, fingerprint)
    except RagvizError:
        return NOT_CALIBRATED  # a store that cannot be read, say of a newer version, is no reason not to judge a file


def api_key() -> str | None:
    """Key of the hosted judge."""
    return os.environ.get("ANTHROPIC_API_KEY") or None
