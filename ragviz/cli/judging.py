"""``ragviz judge``: verdicts for a run of the store."""

from __future__ import annotations

import argparse
import sys
import threading

from ragviz.cli.interrupting import stop_on_interrupt
from ragviz.cli.printing import Progress, print_json
from ragviz.cli.stores import api_key, budget_of, opened_store, require_run
from ragviz.errors import SetupError
from ragviz.pipeline import JudgeReport, judge_in_batches, judge_run
from ragviz.store import Store


def run(args: argparse.Namespace) -> int:
    """Judge what that judge has not judged yet."""
    if args.engine == "ray":
        raise SetupError("the ray engine is not part of this version", fix="leave --engine out: batches run in this process")
    progress = Progress("traces judged")
    with opened_store(args.store) as store:
        manifest = require_run(store, args.run)
        try:
            with stop_on_interrupt() as cancel:
                report = _judged(store, manifest.run_id, args, progress, cancel)
        finally:
            progress.end()
    if args.json:
        print_json({
            "run": manifest.name, "judge": report.judge.judge, "fingerprint": report.judge.fingerprint, "traces": report.n_traces, "already_judged": report.n_already,
            "pairs": report.n_pairs, "cached": report.n_cached, "unjudged": report.n_unjudged, "cost_usd": report.cost_usd, "batches": list(report.batches), "seconds": round(report.seconds, 3),
        })
        return 0
    already = f" ({report.n_already:,} were judged before)" if report.n_already else ""
    batches = f", in {len(report.batches)} batches at half the price" if report.batches else ""
    sys.stdout.write(f"Run {manifest.name!r}, judge {report.judge.judge}: {report.n_traces:,} traces{already}, {report.n_pairs:,} pairs, "
                     f"{report.n_cached:,} of them from the cache, {report.n_unjudged:,} unjudged, {report.seconds:.1f} s, ${report.cost_usd:.4f}{batches}.\n")
    return 0


def _judged(store: Store, run_id: str, args: argparse.Namespace, progress: Progress, cancel: threading.Event) -> JudgeReport:
    if not args.batch:
        return judge_run(store, run_id, args.judge, limit=args.limit, claims=args.claims, rater_names=args.raters, api_key=api_key(), on_progress=progress, cancel=cancel,
                         budget=budget_of(args))

    def say(words: str) -> None:
        progress.end()
        sys.stderr.write(f"{words}\n")
        sys.stderr.flush()

    return judge_in_batches(store, run_id, args.judge, limit=args.limit, claims=args.claims, rater_names=args.raters, api_key=api_key(), on_progress=progress, say=say, cancel=cancel,
                            budget=budget_of(args))
