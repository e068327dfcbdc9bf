"""``ragviz store delete``: runs out of the store, with everything that was said about them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ragviz.cli.printing import plain, print_json
from ragviz.cli.stores import is_there, opened_store, require_run
from ragviz.errors import InputError, SetupError, UnknownName
from ragviz.figures.plot_text import counted
from ragviz.records import RunManifest
from ragviz.store import Store

YES = ("y", "yes")


def run(args: argparse.Namespace) -> int:
    """Ask, delete, and say what is gone; exit 2 where nobody could be asked and --yes is missing."""
    if not is_there(args.store):  # opening would make one
        raise UnknownName(f"no run named {args.runs[0]!r}: there is no store", fix="name the store with --store; `ragviz runs` says which one is used")
    with opened_store(args.store) as store:
        chosen = list({one.run_id: one for one in (_meant(store, name) for name in args.runs)}.values())
        if not args.yes and not _agreed(chosen, store.address):
            sys.stderr.write("Nothing was deleted.\n")
            return 1
        for one in chosen:
            store.delete_run(one.run_id)
        place = store.address
    if args.json:
        print_json({"store": place, "deleted": [{"id": one.run_id, "name": one.name, "traces": one.n_traces} for one in chosen]})
        return 0
    sys.stdout.write(
        "".join(f"Deleted run {plain(one.name)!r}: {counted(one.n_traces, 'trace')}, all verdicts and everything people said about it.\n" for one in chosen)
    )
    return 0


def _meant(store: Store, name: str) -> RunManifest:
    """
    The run of that id, else the only one of that name: what cannot be undone takes no guess.

    Raises:
        UnknownName: None is called so.
        InputError: Several are.
    """
    found = require_run(store, name)
    same = [one.run_id for one in store.runs() if one.name == name]
    if found.run_id != name and len(same) > 1:
        raise InputError(f"{counted(len(same), 'run')} are named {name!r}", fix=f"name the id of the one that is meant: {', '.join(same[:5])}")
    return found


def _agreed(chosen: Sequence[RunManifest], place: str) -> bool:
    """
    Whether the person at the terminal says yes.

    Raises:
        SetupError: Nobody is there to ask.
    """
    what = "; ".join(f"{plain(one.name)} ({counted(one.n_traces, 'trace')})" for one in chosen)
    if sys.stdin is None or not sys.stdin.isatty():
        raise SetupError(f"deleting cannot be undone, and nobody is at a terminal to confirm it: {what}", fix="add --yes")
    sys.stderr.write(f"Store {plain(place)}: delete {what}, with all verdicts and everything people said about it? This cannot be undone. [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().casefold() in YES
