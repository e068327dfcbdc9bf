"""``ragviz compare``: two runs, what changed, and whether it is more than chance and judge noise."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path

import msgspec

from ragviz.cli.comparing_words import words
from ragviz.cli.interrupting import stop_on_interrupt
from ragviz.cli.looking import measured
from ragviz.cli.printing import Progress, print_json
from ragviz.cli.read_only import workable
from ragviz.cli.stores import api_key, opened_store, require_run
from ragviz.compare.families import judging_cost
from ragviz.compare.noise import JudgeNoise
from ragviz.compare.report import Comparison
from ragviz.errors import InputError
from ragviz.pipeline import import_files, judge_run
from ragviz.pipeline.choices import refuse_what_is_not_there
from ragviz.pipeline.comparing import Seen, compare_seen
from ragviz.pipeline.exporting import whole_file
from ragviz.pipeline.noise import measure_noise
from ragviz.records import Split
from ragviz.store import Store, open_store
from ragviz.store.splits import questions_of


def run(args: argparse.Namespace) -> int:
    """Judge both sides alike and compare."""
    with ExitStack() as stack:
        files = open_store(":memory:")
        stack.callback(files.close)
        base = seen(args.base, args, files, stack)
        candidate = seen(args.candidate, args, files, stack)
        noise = _noise(candidate, args)
        found = _compared(base, candidate, noise, args.slices)
        names = (base.manifest.name, candidate.manifest.name)
        questions = dict.fromkeys(q for side in (base, candidate) for q in questions_of(side.store, side.view.run_id, Split.HELD_OUT))
        held = measured(list(questions), command="ragviz compare", address=args.store)
        if args.json:
            known = msgspec.to_builtins(noise.floor) | {"source": noise.source, "by_change": [[*k, n] for k, n in noise.floor.by_change.items()]}
            print_json(
                {
                    "base": names[0],
                    "candidate": names[1],
                    "judge": base.view.judge,
                    "k": args.k,
                    "judge_noise": known,
                    **msgspec.to_builtins(found),
                    "judging_cost": judging_cost(found.metrics) or None,
                    "held_out": held.to_json() if held else None,
                }
            )
        elif args.markdown:
            from ragviz.reports.comparison import comparison_markdown  # noqa: PLC0415 - only this output needs it

            sys.stdout.write(comparison_markdown(found, base=names[0], candidate=names[1], noise=noise))
        elif args.html:
            from ragviz.reports.comparison_html import comparison_html  # noqa: PLC0415

            with whole_file(Path(args.html)) as target:
                target.write(comparison_html(found, base=names[0], candidate=names[1], noise=noise).encode("utf-8", "replace"))
            sys.stdout.write(f"Written to {args.html}.\n")
        else:
            sys.stdout.write(words(found, base=names[0], candidate=names[1], noise=noise))
    return 0


def seen(name: str, args: argparse.Namespace, files: Store, stack: ExitStack) -> Seen:
    """A file (in the store ``files``, which is thrown away) or a stored run, judged. Texts that both files share are judged once."""
    progress = Progress(f"traces of {Path(name).name} judged")
    if Path(name).exists():
        store = files
        from ragviz.cli.importing import nothing_read  # noqa: PLC0415

        report = import_files(store, [name], on_progress=Progress(f"traces of {Path(name).name} read"))
        if not report.n_traces:
            raise nothing_read(report, [name])
        run_id = report.run_id
    else:
        store = stack.enter_context(opened_store(args.store))
        run_id = require_run(store, name).run_id
        store = stack.enter_context(workable(store, run_id, judge=args.judge, k=args.k))
    refuse_what_is_not_there(args.judge, store.traits(run_id), Path(name).name)
    try:
        progress(0, store.run(run_id).n_traces)
        with stop_on_interrupt() as cancel:
            return Seen(store, judge_run(store, run_id, args.judge, k=args.k, api_key=api_key(), on_progress=progress, cancel=cancel).view)
    finally:
        progress.end()


def _noise(candidate: Seen, args: argparse.Namespace) -> JudgeNoise:
    """The judge's own: 0 for one that computes, measured where that is asked for."""
    progress = Progress("traces asked again")
    try:
        with stop_on_interrupt() as cancel:
            return measure_noise(candidate.store, candidate.view, args.judge, n=args.noise or 0, api_key=api_key(), on_progress=progress, cancel=cancel)
    finally:
        progress.end()


def _compared(base: Seen, candidate: Seen, noise: JudgeNoise, slices: str) -> Comparison:
    progress = Progress("steps of the comparison")
    try:
        found = compare_seen(base, candidate, floor=noise.floor, slice_metric=slices, on_progress=progress)
    finally:
        progress.end()
    if found.pairing.pairs and slices not in {m.metric for m in found.metrics}:
        raise InputError(f"--slices names {slices!r}, which the two runs do not share", fix="`ragviz metrics` lists the names")
    return found
