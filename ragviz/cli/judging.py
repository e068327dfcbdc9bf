"""``ragviz judge``: verdicts for a run of the store."""

from __future__ import annotations

import argparse
import os
import secrets
import shlex
import sys
import threading
from contextlib import redirect_stdout

from ragviz.backends.processes import most, processors
from ragviz.cli.interrupting import stop_on_interrupt
from ragviz.cli.printing import Progress, print_json
from ragviz.cli.stores import api_key, budget_of, opened_store, require_run
from ragviz.errors import SetupError
from ragviz.figures.plot_text import counted
from ragviz.pipeline import JudgeReport, judge_in_batches, judge_run
from ragviz.pipeline.choices import refuse_what_is_not_there
from ragviz.store import Store
from ragviz.text.sums import dollars


def run(args: argparse.Namespace) -> int:
    """Judge what that judge has not judged yet."""
    _check_engine(args)
    if args.out:
        return _folder(args)
    progress = Progress("traces judged")
    with opened_store(args.store) as store:
        manifest = require_run(store, args.run)
        if not args.claims:
            refuse_what_is_not_there(args.judge, store.traits(manifest.run_id))
        try:
            with stop_on_interrupt() as cancel:
                report = _judged(store, manifest.run_id, args, progress, cancel)
        finally:
            progress.end()
    if args.json:
        print_json({
            "run": manifest.name, "judge": report.judge.judge, "fingerprint": report.judge.fingerprint, "traces": report.n_traces, "already_judged": report.n_already,
            "pairs": report.n_pairs, "cached": report.n_cached, "unjudged": report.n_unjudged, "cost_usd": report.cost_usd, "batches": list(report.batches), "by_step": dict(report.by_step), "seconds": round(report.seconds, 3),
        })
        return 0
    already = f" ({report.n_already:,} were judged before)" if report.n_already else ""
    batches = f", in {len(report.batches)} batches at half the price" if report.batches else ""
    steps = "; decided " + ", ".join(f"{n:,} by {name}" for name, n in report.by_step.items()) if report.by_step else ""
    sys.stdout.write(f"Run {manifest.name!r}, judge {report.judge.judge}: {counted(report.n_traces, 'trace')}{already}, {counted(report.n_pairs, 'pair')}, "
                     f"{report.n_cached:,} of them from the cache, {report.n_unjudged:,} unjudged, {report.seconds:.1f} s, {dollars(report.cost_usd)}{batches}{steps}.\n")
    sys.stdout.write(f"{_next_step(manifest.name, args.judge, args.store)}\n")
    return 0


def _next_step(run: str, judge: str | None, store: str | None) -> str:
    """Which commands show the verdicts. The address of a database server may hold a password, and is not repeated."""
    where = f" --store {'URL' if '://' in store else shlex.quote(store)}" if store else ""
    by = f" --judge {shlex.quote(judge)}" if judge else ""
    return f"What it found: `ragviz evaluate {shlex.quote(run)}{by}{where}`, or on pages: `ragviz open{where}`."


def _folder(args: argparse.Namespace) -> int:
    from ragviz.pipeline.parquet_runs import judge_folder  # noqa: PLC0415 - only who asks for it

    if args.limit or args.raters or args.batch:
        raise SetupError("--out judges a whole folder by a model that runs here", fix="leave --limit, --raters and --batch out")
    progress = Progress("traces judged")
    try:
        with stop_on_interrupt() as cancel, redirect_stdout(sys.stderr):
            report = judge_folder(args.run, args.out, args.judge, engine=args.engine, address=args.address, n_workers=args.workers, claims=args.claims, on_progress=progress,
                                  cancel=cancel)
    finally:
        progress.end()
    if args.json:
        print_json({
            "folder": args.out, "judge": report.judge, "fingerprint": report.fingerprint, "traces": report.n_traces, "already_judged": report.n_already,
            "pairs": report.n_pairs, "unjudged": report.n_unjudged, "files": report.n_files, "seconds": round(report.seconds, 3),
        })
        return 0
    already = f" ({report.n_already:,} were judged before)" if report.n_already else ""
    sys.stdout.write(f"Folder {args.out}, judge {report.judge}: {counted(report.n_traces, 'trace')}{already}, {counted(report.n_pairs, 'pair')}, {report.n_unjudged:,} unjudged, "
                     f"{counted(report.n_files, 'file')}, {report.seconds:.1f} s.\n")
    return 0


def _check_engine(args: argparse.Namespace) -> None:
    if args.engine != "ray" and args.address:
        raise SetupError("--address speaks of a Ray cluster", fix="add --engine ray, or leave it out")
    if args.engine != "ray" and args.workers and args.out:
        raise SetupError("a folder is judged by this process or on Ray", fix="add --engine ray, or leave --workers out")
    if args.engine != "ray" and args.workers and (args.batch or args.max_usd or args.max_tokens):
        raise SetupError("--batch, --max-usd and --max-tokens are for judges that ask a service, which further processes do not run", fix="leave them out, or leave --workers out")
    if args.engine == "ray" and (args.batch or args.max_usd or args.max_tokens):
        raise SetupError("--batch, --max-usd and --max-tokens are for judges that ask a service, which the ray engine does not run", fix="leave them out, or leave --engine out")
    if args.engine != "ray" and args.workers and processors() < args.workers <= most():
        sys.stderr.write(f"{args.workers} processes for {counted(processors(), 'processor')}: more than one for each only takes memory.\n")
    if args.engine == "ray":  # read by Ray's servers when they start; what they write would come between the lines of this command
        os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
        if args.address is None and "RAY_AUTH_MODE" not in os.environ:  # its servers listen on the network; who has no token cannot use them
            os.environ.update({"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)})


def _judged(store: Store, run_id: str, args: argparse.Namespace, progress: Progress, cancel: threading.Event) -> JudgeReport:
    if args.engine == "ray":
        from ragviz.pipeline.engines import judge_on_ray  # noqa: PLC0415 - only who asks for it

        with redirect_stdout(sys.stderr):  # Ray tells of lost workers by itself; standard output is for the answer
            return judge_on_ray(store, run_id, args.judge, address=args.address, n_workers=args.workers, limit=args.limit, claims=args.claims, rater_names=args.raters,
                                on_progress=progress, cancel=cancel)
    if args.workers:
        from ragviz.pipeline.engines import judge_in_processes  # noqa: PLC0415 - only who asks for it

        return judge_in_processes(store, run_id, args.judge, n_workers=args.workers, limit=args.limit, claims=args.claims, rater_names=args.raters, on_progress=progress, cancel=cancel)
    if not args.batch:
        return judge_run(store, run_id, args.judge, limit=args.limit, claims=args.claims, rater_names=args.raters, api_key=api_key(), on_progress=progress, cancel=cancel,
                         budget=budget_of(args))

    def say(words: str) -> None:
        progress.end()
        sys.stderr.write(f"{words}\n")
        sys.stderr.flush()

    return judge_in_batches(store, run_id, args.judge, limit=args.limit, claims=args.claims, rater_names=args.raters, api_key=api_key(), on_progress=progress, say=say, cancel=cancel,
                            budget=budget_of(args))
