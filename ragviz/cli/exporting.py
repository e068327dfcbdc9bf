"""``ragviz export``: a run as a file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ragviz.cli.importing import redaction_rules
from ragviz.cli.looking import measured
from ragviz.cli.stores import api_key, opened_store, require_run
from ragviz.errors import InputError
from ragviz.figures.plot_text import counted
from ragviz.pipeline.evaluating import evaluate_run
from ragviz.pipeline.exporting import WRITERS, export_run, whole_file
from ragviz.pipeline.judging import best_view
from ragviz.pipeline.redacting import hidden
from ragviz.records import Split
from ragviz.store import Store
from ragviz.store.splits import questions_of

PROVENANCE = (".provenance.html", ".provenance.md")


def run(args: argparse.Namespace) -> int:
    """Write; the file's ending decides what."""
    out = Path(args.out)
    with opened_store(args.store) as store:
        manifest = require_run(store, args.run)
        measured(questions_of(store, manifest.run_id, Split.HELD_OUT), command="ragviz export", store=store)
        ending = out.suffix.lower()
        if out.name.lower().endswith(PROVENANCE):
            n = _provenance(store, manifest.run_id, args, out)
            sys.stdout.write(f"Provenance of run {manifest.name!r}, {n} sections, written to {out}.\n")
            return 0
        if ending not in (".html", ".md") and not out.name.lower().endswith(tuple(WRITERS)):
            raise InputError(f"{out.name}: the ending says nothing", fix=f"use one of {', '.join((*WRITERS, '.html', '.md', *PROVENANCE))}")
        judged = bool(store.views(manifest.run_id))
        view = best_view(store, manifest.run_id, args.judge, api_key=api_key())
        with hidden(store, view, redaction_rules(args.redact)) as (shown, seen):
            n = _report(shown, seen.run_id, out, judge=args.judge) if ending in (".html", ".md") else export_run(shown, seen, out)
    bare = (
        "" if judged or ending in (".html", ".md") else f" Nobody has judged it yet, so it holds no verdicts: `ragviz judge {manifest.name}` first for those."
    )
    sys.stdout.write(f"{counted(n, 'row')} of run {manifest.name!r} written to {out}.{bare}\n")
    return 0


def _report(store: Store, run_id: str, out: Path, *, judge: str | None) -> int:
    found = evaluate_run(store, run_id, judge=judge, api_key=api_key())
    if out.suffix.lower() == ".html":
        from ragviz.reports.html import evaluation_html as written  # noqa: PLC0415 - only the report that is asked for
    else:
        from ragviz.reports.markdown import evaluation_markdown as written  # noqa: PLC0415
    with whole_file(out) as target:
        target.write(written(found).encode("utf-8", "replace"))
    return len(found.traces)


def _provenance(store: Store, run_id: str, args: argparse.Namespace, out: Path) -> int:
    from ragviz.pipeline.provenance import provenance_report  # noqa: PLC0415 - only this output needs them
    from ragviz.reports.provenance import provenance_html, provenance_markdown  # noqa: PLC0415

    found = provenance_report(store, best_view(store, run_id, args.judge, api_key=api_key()))
    written = provenance_html(found) if out.suffix.lower() == ".html" else provenance_markdown(found)
    with whole_file(out) as target:
        target.write(written.encode("utf-8", "replace"))
    return len(found.sections)
