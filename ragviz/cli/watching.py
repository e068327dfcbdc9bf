"""``ragviz watch``: files of a folder into a run, judged as they appear."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ragviz.cli.interrupting import stop_on_interrupt
from ragviz.cli.printing import plain
from ragviz.cli.stores import api_key, opened_store
from ragviz.errors import Cancelled
from ragviz.figures.plot_text import counted
from ragviz.pipeline.watching import Watcher


def run(args: argparse.Namespace) -> int:
    """Watch until Ctrl+C (exit 0), or with ``--once`` until every file was read."""

    def say(line: str) -> None:
        sys.stdout.write(f"{plain(line)}\n")
        sys.stdout.flush()

    with opened_store(args.store) as store, stop_on_interrupt() as cancel:
        watcher = Watcher(store, Path(args.folder), run_name=args.run, judge=args.judge, api_key=api_key(), say=say, cancel=cancel)
        say(f"Watching {args.folder} for run {watcher.run.name!r}" + ("." if args.once else ". Stop with Ctrl+C."))
        try:
            if args.once:
                watcher.run_once()
            else:
                watcher.run_until_cancelled()
        except Cancelled:
            cancel.set()
        say(
            f"{counted(watcher.n_files, 'file')} read, {counted(watcher.n_traces, 'new trace')}"
            + (f", {counted(watcher.n_bad, 'file')} could not be read" if watcher.n_bad else "")
            + "."
        )
    return 0
