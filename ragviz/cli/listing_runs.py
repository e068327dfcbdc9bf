"""``ragviz runs``: where the store is, and what it holds."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from ragviz.cli.printing import plain, print_json, table
from ragviz.cli.stores import is_there, opened_store
from ragviz.figures.plot_text import counted
from ragviz.store import Store, default_store_path


def run(args: argparse.Namespace) -> int:
    """Print the store's place and its runs, newest first; asking makes no store."""
    if not is_there(args.store):
        place = str(Path(args.store or default_store_path(dict(os.environ))))
        if args.json:
            print_json({"store": place, "runs": []})
        else:
            sys.stdout.write(f"Store: {place} (not made yet)\nIt holds no run: `ragviz import FILE` makes one.\n")
        return 0
    with opened_store(args.store) as store:
        found, place = _rows(store), store.address if "://" in store.address else str(Path(store.address).resolve())
    if args.json:
        print_json({"store": place, "runs": found})
        return 0
    sys.stdout.write(f"Store: {plain(place)}\n" + _words(found))
    return 0


def _rows(store: Store) -> list[dict[str, object]]:
    unfinished = store.unfinished_runs()
    return [
        {
            "id": run.run_id,
            "name": run.name,
            "traces": run.n_traces,
            "created": run.created_at.isoformat(timespec="seconds"),
            "format": run.format,
            "finished": run.run_id not in unfinished,
            "judges": [{"fingerprint": view.judge, "claims": view.claim_set, "traces": n} for view, n in store.views(run.run_id)],
        }
        for run in store.runs()
    ]


def _words(runs: list[dict[str, object]]) -> str:
    if not runs:
        return "It holds no run: `ragviz import FILE` makes one.\n"
    cells = [
        [plain(str(r["name"]), 48) + ("" if r["finished"] else " (not finished)"), f"{r['traces']:,}", _judged(r), str(r["created"])[:10], str(r["id"])]
        for r in runs
    ]
    return (table(cells, heading=["run", "traces", "judged", "imported", "id"], right=(1, 2)) + f"\n{counted(len(runs), 'run')}. "
            "Commands take the name or, where several share it, the id. `ragviz store delete RUN` deletes one.\n")


def _judged(run: dict[str, object]) -> str:
    """How many traces the judge has judged that judged most of them."""
    return f"{max((j['traces'] for j in run['judges']), default=0):,}"  # type: ignore[attr-defined]
