"""``ragviz compare``: two runs, what changed, and whether it is more than chance."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path

import msgspec

from ragviz.cli.interrupting import stop_on_interrupt
from ragviz.cli.printing import Progress, number, plain, print_json, table
from ragviz.cli.stores import api_key, opened_store, require_run
from ragviz.compare.report import Comparison
from ragviz.pipeline import import_files, judge_run
from ragviz.pipeline.comparing import Seen, compare_seen
from ragviz.store import open_store

FLIPS_SHOWN = 40


def run(args: argparse.Namespace) -> int:
    """Judge both sides alike and compare."""
    with ExitStack() as stack:
        base = seen(args.base, args, stack)
        candidate = seen(args.candidate, args, stack)
        found = compare_seen(base, candidate)
        names = (base.manifest.name, candidate.manifest.name)
        if args.json:
            print_json({"base": names[0], "candidate": names[1], "judge": base.view.judge, "k": args.k, **msgspec.to_builtins(found)})
        elif args.markdown:
            from ragviz.reports.comparison import comparison_markdown  # noqa: PLC0415 - only this output needs it

            sys.stdout.write(comparison_markdown(found, base=names[0], candidate=names[1]))
        else:
            sys.stdout.write(words(found, base=names[0], candidate=names[1]))
    return 0


def seen(name: str, args: argparse.Namespace, stack: ExitStack) -> Seen:
    """A file (in a store that is thrown away) or a stored run, judged."""
    progress = Progress(f"traces of {Path(name).name} judged")
    if Path(name).exists():
        store = open_store(":memory:")
        stack.callback(store.close)
        from ragviz.cli.importing import nothing_read  # noqa: PLC0415

        report = import_files(store, [name])
        if not report.n_traces:
            raise nothing_read(report, [name])
        run_id = report.run_id
    else:
        store = stack.enter_context(opened_store(args.store))
        run_id = require_run(store, name).run_id
    try:
        with stop_on_interrupt() as cancel:
            return Seen(store, judge_run(store, run_id, args.judge, k=args.k, api_key=api_key(), on_progress=progress, cancel=cancel).view)
    finally:
        progress.end()


def words(found: Comparison, *, base: str, candidate: str) -> str:
    """Differences, then flips with their reasons."""
    pairing = found.pairing
    lines = [f"{plain(base)} → {plain(candidate)}: {len(pairing.pairs):,} pairs, {len(pairing.only_base):,} only in the first, {len(pairing.only_candidate):,} only in the second"]
    lines += [f"  ambiguous: {plain(a)}" for a in pairing.ambiguous[:10]]
    lines += [f"  not a fair comparison: {plain(u.message)}" for u in found.unfair]
    rows = [[m.metric, number(m.base), number(m.candidate), _signed(m.difference), f"{_signed(m.ci95.lo)} to {_signed(m.ci95.hi)}" if m.ci95 else "–", number(m.p_holm),
             f"{m.wins}/{m.losses}/{m.ties}", str(m.n)] for m in found.metrics if m.n]
    lines += ["", table(rows, heading=["metric", "before", "after", "difference", "95 % interval", "p (Holm)", "better/worse/same", "n"], right=range(1, 8)), ""]
    lines.append(f"{len(found.trace_flips):,} traces changed quadrant, {len(found.claim_flips):,} claims changed verdict, appeared or went")
    lines += [f"  {plain(f.candidate_trace_id, 30)}: {f.before.replace('_', ' ')} → {f.after.replace('_', ' ')} ({f.reason.value.replace('_', ' ')})" for f in found.trace_flips[:FLIPS_SHOWN]]
    if len(found.trace_flips) > FLIPS_SHOWN:
        lines.append(f"  and {len(found.trace_flips) - FLIPS_SHOWN:,} more; --json lists all")
    return "\n".join(lines) + "\n"


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.3f}".replace("-", "−")
