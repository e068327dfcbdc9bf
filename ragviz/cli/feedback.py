"""``ragviz feedback``: errors that users reported, onto the traces of a run."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ragviz.cli.printing import plain, print_json
from ragviz.cli.stores import api_key, opened_store, require_run
from ragviz.figures.plot_text import counted
from ragviz.loaders.opening import opened
from ragviz.pipeline import best_view
from ragviz.pipeline.feedback import import_feedback

ISSUES_SHOWN = 20


def run(args: argparse.Namespace) -> int:
    """Import and say what fits nothing; exit 2 when no row did."""
    with opened_store(args.store) as store:
        manifest = require_run(store, args.run)
        view = best_view(store, manifest.run_id, args.judge, api_key=api_key())
        with opened(args.file) as source:
            found = import_feedback(store, view, source, filename=Path(args.file).name, reporter=args.reporter, now=store.now())
    if args.json:
        print_json({"run": manifest.name, "reports": found.n_reports, "labels": found.n_labels, "known": found.n_known,
                    "issues": [{"where": i.where, "message": i.message, "fix": i.fix, "rejected": i.rejected} for i in found.issues]})
    else:
        known = f", {found.n_known:,} were read before" if found.n_known else ""
        sys.stdout.write(f"Run {manifest.name!r}: {counted(found.n_reports, 'report')}, {found.n_labels:,} of them labels on a claim{known}.\n")
        for issue in found.issues[:ISSUES_SHOWN]:
            sys.stdout.write(f"  {plain(issue.where)}: {plain(issue.message)} → {plain(issue.fix)}\n")
        if len(found.issues) > ISSUES_SHOWN:
            sys.stdout.write(f"  and {len(found.issues) - ISSUES_SHOWN:,} more; --json lists them all\n")
    return 0 if found.n_reports or found.n_known or not found.issues else 2
