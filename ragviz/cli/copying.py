"""``ragviz store copy``: everything of one store into another."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec

from ragviz.cli.interrupting import stop_on_interrupt
from ragviz.cli.printing import Progress, print_json, table
from ragviz.cli.stores import opened_store, require_run
from ragviz.errors import InputError
from ragviz.pipeline.copying import CopyReport, copy_store
from ragviz.store import Store
from ragviz.text.counts import counted

KINDS = ("traces", "claim_sets", "judgements", "ratings", "annotations")


def run(args: argparse.Namespace) -> int:
    """Copy, count on both sides, and say what the target holds now."""
    if "://" not in args.source and not Path(args.source).is_file():
        raise InputError(f"there is no store {args.source}", fix="name a file or a URL that holds one; `ragviz doctor` says which one is used by default")
    progress = Progress("runs copied")
    with opened_store(args.source) as source, opened_store(args.target) as target:
        if _same(source, target):
            raise InputError("source and target are the same store", fix="name another target")
        wanted = [require_run(source, name).run_id for name in args.run] if args.run else None
        names = {manifest.run_id: manifest.name for manifest in source.runs()}
        try:
            with stop_on_interrupt() as cancel:
                report = copy_store(source, target, wanted, on_progress=progress, cancel=cancel)
        finally:
            progress.end()
    if args.json:
        print_json({"runs": {run_id: msgspec.structs.asdict(counts) for run_id, counts in report.runs.items()}, **msgspec.structs.asdict(report.carried)})
        return 0
    sys.stdout.write(_words(report, names))
    return 0


def _same(source: Store, target: Store) -> bool:
    return source.full_address == target.full_address or (
        "://" not in source.full_address and Path(source.full_address).resolve() == Path(target.full_address).resolve()
    )


def _words(report: CopyReport, names: dict[str, str]) -> str:
    rows = [[names[run_id], *(f"{getattr(counts, kind):,}" for kind in KINDS)] for run_id, counts in report.runs.items()]
    heading = ["run", "traces", "claim sets", "judgements", "ratings", "labels"]
    new = report.carried
    return (table(rows, heading=heading, right=range(1, len(heading))) + "\n" if rows else "") + (
        f"{counted(len(rows), 'run')} {'is' if len(rows) == 1 else 'are'} the same in both stores. New in the target beside them: "
        f"{counted(new.n_calibrations, 'calibration')}, {counted(new.n_looks, 'look')} at held-out traces, "
        f"{new.n_settings:,} settings.\n"
    )
