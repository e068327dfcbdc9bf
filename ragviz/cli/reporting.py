"""``ragviz report``: a run for people who do not read traces."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path

from ragviz.cli.comparing import seen
from ragviz.cli.looking import measured
from ragviz.errors import InputError
from ragviz.figures.plot_text import counted
from ragviz.pipeline.briefing import brief
from ragviz.pipeline.exporting import whole_file
from ragviz.records import Split
from ragviz.store import open_store
from ragviz.store.splits import questions_of

ENDINGS = (".html", ".md")


def run(args: argparse.Namespace) -> int:
    """Judge what is not judged yet, sum up, write; the file's ending decides the form."""
    out = Path(args.out)
    if out.suffix.lower() not in ENDINGS:
        raise InputError(f"{out.name}: the ending says nothing", fix=f"use one of {', '.join(ENDINGS)}")
    with ExitStack() as stack:
        files = open_store(":memory:")
        stack.callback(files.close)
        shown = seen(args.run, args, files, stack)
        base = seen(args.since, args, files, stack) if args.since else None
        questions = dict.fromkeys(q for side in (shown, base) if side is not None for q in questions_of(side.store, side.view.run_id, Split.HELD_OUT))
        measured(list(questions), command="ragviz report", address=args.store)
        found = brief(shown, base=base)
        if out.suffix.lower() == ".html":
            from ragviz.reports.briefing import briefing_html as written  # noqa: PLC0415 - only the form that is asked for
        else:
            from ragviz.reports.briefing_markdown import briefing_markdown as written  # noqa: PLC0415
        with whole_file(out) as target:
            target.write(written(found).encode("utf-8", "replace"))
    sys.stdout.write(f"Report on {counted(found.n_traces, 'answer')} of {found.run!r} written to {out}.\n")
    return 0
