"""``ragviz stability``: how many verdicts change when a judge is asked again, and when the question wears another dress."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ragviz.cli.calibrating import answers_store, both, lines
from ragviz.cli.interrupting import stop_on_interrupt
from ragviz.cli.printing import Progress, number, plain, print_json, table
from ragviz.cli.stores import api_key, opened_store, require_run
from ragviz.contracts import Judge
from ragviz.errors import InputError
from ragviz.figures.plot_text import counted
from ragviz.judges import fingerprint
from ragviz.pipeline import judge_run
from ragviz.pipeline.choices import working_judge
from ragviz.pipeline.label_files import LabelRow, read_labels
from ragviz.pipeline.probing import Probe
from ragviz.pipeline.stability import Stability, asked_by, draw, draw_from, keep, measure
from ragviz.store import Store

CASES_SHOWN = 20


def run(args: argparse.Namespace) -> int:
    """Draw, ask, ask again, tell."""
    probes = _probes(args.probes)
    if Path(args.source).is_file():
        with Path(args.source).open("rb") as source:
            rows = list(read_labels(source, filename=args.source))
        store = answers_store(args.store)
        try:
            found = _measured(rows, working_judge(args.judge or "local", api_key=api_key()), store, args, probes)
        finally:
            store.close()
    else:
        with opened_store(args.store) as store:
            found = _of_run(store, args, probes)
    if args.json:
        print_json(found.to_json())
    else:
        sys.stdout.write(words(found))
    return 0


def _probes(names: Sequence[str]) -> list[Probe]:
    unknown = [name for name in names if name not in list(Probe)]
    if unknown or not names:
        raise InputError(f"no probe is called {unknown[0]!r}" if unknown else "no probe is named", fix=f"use some of {', '.join(Probe)}")
    return [Probe(name) for name in dict.fromkeys(names)]


def _of_run(store: Store, args: argparse.Namespace, probes: Sequence[Probe]) -> Stability:
    """The run's claims, as split for that judge; the result is kept for the Judges page."""
    manifest = require_run(store, args.source)
    judge = working_judge(args.judge or "local", api_key=api_key())
    if judge.info.claim_set != "text":
        raise InputError(
            f"judge {judge.info.name} repeats what the file says, so there is nothing to ask again", fix="name a judge that reads texts, such as local"
        )
    view = next((v for v, _ in store.views(manifest.run_id) if v.judge == fingerprint(judge)), None)
    if view is None:
        view = judge_run(store, manifest.run_id, judge, limit=args.sample, api_key=api_key()).view
    found = _measured(draw_from(store, view, args.sample, seed=args.seed), judge, store, args, probes, run_id=manifest.run_id)
    keep(store, view, found)
    return found


def _measured(
    rows: Sequence[LabelRow], judge: Judge, store: Store, args: argparse.Namespace, probes: Sequence[Probe], *, run_id: str | None = None
) -> Stability:
    progress = Progress("questions put")
    sample, ask = draw(rows, args.sample, seed=args.seed), asked_by(judge, store, seed=args.seed, run_id=run_id)
    try:
        with stop_on_interrupt() as cancel:
            return measure(sample, ask, fingerprint=fingerprint(judge), at=store.now().isoformat(), probes=probes, repeats=args.repeats, seed=args.seed,
                           on_progress=both(progress, lines("questions put")), stopped=cancel.is_set)
    finally:
        progress.end()


def words(found: Stability) -> str:
    """A line per probe, then the cases."""
    rows = [
        [
            p.probe.value,
            str(p.n),
            str(p.changed),
            number(p.share),
            f"{number(p.interval.lo)} to {number(p.interval.hi)}" if p.interval else "–",
            str(p.crossed),
            str(p.unjudged),
            str(p.unchanged_question),
        ]
        for p in found.probes
    ]
    heading = ["asked again", "n", "changed", "share", "95 % interval", "crossed", "unjudged", "left out"]
    text = [
        f"Judge {found.judge}, {counted(found.n_claims, 'claim')}, seed {found.seed}" + (f", asked anew {found.repeats} times" if found.repeats else ""),
        "",
        table(rows, heading=heading, right=range(1, 8)),
        "",
        "crossed: from supported to not supported or back; left out: the probe could not change the question.",
    ]
    text += [
        f"  {plain(c.trace_id, 40)} {plain(c.claim_id, 20)}: {c.before.replace('_', ' ')} → {c.after.replace('_', ' ')} ({c.probe})"
        for c in found.changes[:CASES_SHOWN]
    ]
    if len(found.changes) > CASES_SHOWN:
        text.append(f"  and {len(found.changes) - CASES_SHOWN:,} more; --json lists all")
    return "\n".join(text) + "\n"
