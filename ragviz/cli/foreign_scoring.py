"""``ragviz ragas``: another tool's metrics on a run of the store."""

from __future__ import annotations

import argparse
import os
import sys

from ragviz.cli.interrupting import stop_on_interrupt
from ragviz.cli.printing import Progress, number, plain, print_json, table
from ragviz.cli.stores import opened_store, require_run
from ragviz.errors import InputError, JudgeUnavailable
from ragviz.figures.plot_text import counted

KEYS = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}


def run(args: argparse.Namespace) -> int:
    """Score what has no score yet; exit 1 when nothing could be scored at all."""
    from ragviz.backends.ragas_scorer import PIN, RagasSettings, installed_version  # noqa: PLC0415 - only this command needs it
    from ragviz.pipeline.foreign_scores import score_with_ragas  # noqa: PLC0415

    # What takes longest to mend is said first.
    if installed_version() is None:
        raise JudgeUnavailable("ragas is not installed", fix=PIN)
    if args.model is None:
        raise InputError("--model is missing: which model shall Ragas ask?", fix="--model NAME, as the provider calls it")
    settings = RagasSettings(
        provider=args.provider, model=args.model, api_key=os.environ.get(KEYS[args.provider]) or None, base_url=args.base_url, embeddings=args.embeddings,
    )
    progress = Progress("traces scored")
    with opened_store(args.store) as store:
        manifest = require_run(store, args.run)
        if sys.stderr.isatty():
            sys.stderr.write("Loading Ragas, which takes some seconds …\n")
        try:
            with stop_on_interrupt() as cancel:
                report = score_with_ragas(store, manifest.run_id, args.metrics, settings, limit=args.limit, on_progress=progress, cancel=cancel)
        finally:
            progress.end()
    if args.json:
        print_json({
            "run": manifest.name, "traces": report.n_traces, "asked": report.n_asked, "already_scored": report.n_known, "made_with": dict(report.made_with),
            "metrics": {m.name: {"mean": m.mean, "n": m.n, "missing": dict(m.missing)} for m in report.metrics},
        })
    else:
        rows = [[m.name, number(m.mean), str(m.n), str(sum(m.missing.values()))] for m in report.metrics]
        sys.stdout.write(table(rows, heading=["metric", "mean", "n", "missing"], right=range(1, 4)) + "\n\n")
        for m in report.metrics:
            for reason, n in m.missing.items():
                sys.stdout.write(f"{m.name}: {n:,} without a value, {plain(reason, 200)}\n")
        with_ = ", ".join(f"{word} {value}" if word not in ("library", "model") else value for word, value in report.made_with.items())
        known = f", {report.n_known:,} known from before" if report.n_known else ""
        sys.stdout.write(f"Run {plain(manifest.name)}: {counted(report.n_traces, 'trace')}, {report.n_asked:,} scores asked for{known}, by {plain(with_)}. "
                         "They are kept as imported scores; the Inspector shows them.\n")
    return 0 if any(m.n for m in report.metrics) or not report.n_traces else 1
