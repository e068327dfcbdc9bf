"""What the gate's rules look at: candidate and baseline joined to the known cases, and judged in a store that is thrown away."""

from __future__ import annotations

import argparse
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ragviz import __version__
from ragviz.cli.interrupting import stop_on_interrupt
from ragviz.cli.printing import Progress
from ragviz.cli.stores import api_key, find_run, is_there, opened_store
from ragviz.compare.fairness import Unfairness
from ragviz.compare.moods import moods_of
from ragviz.compare.noise import JudgeNoise
from ragviz.errors import InputError
from ragviz.gate.baseline import against_baseline
from ragviz.gate.candidate import join_baseline, named_as_cases
from ragviz.gate.cases import GateCase, case_of
from ragviz.gate.check import GateLine
from ragviz.gate.rules import Rules
from ragviz.loaders import read_many
from ragviz.metrics.aggregate import summarise
from ragviz.pipeline import JudgeReport, judge_run
from ragviz.pipeline.choices import refuse_what_is_not_there
from ragviz.pipeline.comparing import Seen, compare_with_scores
from ragviz.pipeline.noise import askings, measure_noise
from ragviz.pipeline.verdict_cache import carry_over
from ragviz.records import LoadIssue, RunManifest, Summary, Trace
from ragviz.store import Store
from ragviz.text.polarity import is_refusal

CANDIDATE, BASELINE = "gate", "baseline"
Slices = dict[tuple[str, str], Mapping[str, Summary]]


class AgainstBaseline(NamedTuple):
    """What the baseline says of the candidate."""

    name: str
    lines: list[GateLine]
    unfair: list[Unfairness]
    noise: JudgeNoise
    n_pairs: int
    by_question: bool = False
    """Its ids were none of the cases', so that the questions decided."""


class JudgedBaseline(NamedTuple):
    """The baseline's answers to the known cases."""

    name: str
    report: JudgeReport
    unfair: list[Unfairness]
    by_question: bool


def traces_of(path: str, *, what: str, documents: str | None = None) -> list[Trace]:
    """
    Every trace of a file; a gate does not go on with half of them.

    Raises:
        InputError: A row was rejected, or there is none.
    """
    rows = list(read_many([path], documents=documents))
    rejected = [row for row in rows if isinstance(row, LoadIssue) and row.rejected]
    if rejected:
        first = rejected[0]
        message = first.message if first.message.startswith(first.where) else f"{first.where}: {first.message}"
        more = f" (and {len(rejected) - 1:,} more)" if len(rejected) > 1 else ""
        raise InputError(f"{message}{more}", fix=first.fix)
    traces = [row for row in rows if isinstance(row, Trace)]
    if not traces:
        raise InputError(f"{path} holds no {what}", fix="`ragviz formats` lists what can be read")
    return traces


def judge(store: Store, name: str, traces: list[Trace], args: argparse.Namespace) -> JudgeReport:
    """Store and judge joined traces. What the judge has said of the same texts before is not asked again."""
    manifest = RunManifest(run_id=name, name=name, created_at=store.now(), ragviz_version=__version__, format="gate", n_traces=len(traces))
    store.create_run(manifest)
    store.add_traces(name, traces)
    store.finish_run(manifest)
    # Answers that all decline bring no verdicts, and need none.
    if not all(is_refusal(trace.response) for trace in traces):
        refuse_what_is_not_there(args.judge, store.traits(name), Path(args.baseline if name == BASELINE else args.candidate).name)
    with _watched("baseline cases judged" if name == BASELINE else "cases judged") as (progress, cancel):
        return judge_run(store, name, args.judge, k=args.k, api_key=api_key(), on_progress=progress, cancel=cancel)


@contextmanager
def _watched(noun: str) -> Iterator[tuple[Progress, threading.Event]]:
    progress = Progress(noun)
    try:
        with stop_on_interrupt() as cancel:
            yield progress, cancel
    finally:
        progress.end()


def rows_of(store: Store, name: str, args: argparse.Namespace, *, what: str, documents: str | None = None) -> tuple[str, list[Trace]]:
    """
    Traces of a file, else of a stored run of that name, whose verdicts come along so that nothing is asked twice; and how it is called.

    Args:
        store: The throw-away store that is judged in.
        name: Path of a file, or name of a run.
        args: Say which store runs are in.
        what: How its rows are called in messages.
        documents: A file of passages for a file that has ids only.

    Raises:
        InputError: A row was rejected, there is none, or it is neither a file nor a run.
    """
    if Path(name).exists():
        return Path(name).name, traces_of(name, what=what, documents=documents)
    nothing = InputError(f"{name}: neither a file nor a run of the store", fix="check the path; `ragviz import FILE` makes a run")
    if not is_there(args.store):
        raise nothing
    with opened_store(args.store) as kept:
        run = find_run(kept, name)
        if run is None:
            raise nothing
        for view, _ in kept.views(run.run_id):
            carry_over(kept, view, store)
        return run.name, list(kept.traces(run.run_id))


def judged_baseline(store: Store, gold: list[Trace], args: argparse.Namespace) -> JudgedBaseline:
    """The baseline, a file or a stored run, under the cases' ground truth and the same judge."""
    name, rows = rows_of(store, args.baseline, args, what="baseline rows", documents=documents_of(args))
    named = named_as_cases(gold, rows, what="baseline", every=False)
    joined, differ = join_baseline(gold, named.rows)
    return JudgedBaseline(name, judge(store, BASELINE, joined, args), differ, named.by_question)


def documents_of(args: argparse.Namespace) -> str | None:
    """The file of known cases, which may hold the passages that others name by id; None where the cases are a stored run."""
    return args.against if Path(args.against).exists() else None


def against(store: Store, baseline: JudgedBaseline, candidate: JudgeReport, rules: Rules, args: argparse.Namespace, *, facets: bool) -> AgainstBaseline:
    """
    Every rule about the baseline. ``facets``: whether the known cases say what their questions ask for; else relevance is an estimate.

    Raises:
        InputError: No rule is about it.
    """
    if not rules.about_baseline:
        raise InputError("a baseline is given, but no rule is about it", fix='add no_regression = ["faithfulness"] to the rules, or leave --baseline out')
    before, after = Seen(store, baseline.report.view), Seen(store, candidate.view)
    found, scores = compare_with_scores(before, after)
    unfair = [*baseline.unfair, *(u for u in found.unfair if u.name not in {d.name for d in baseline.unfair})]
    outside = [at for at, (_, c) in enumerate(found.pairing.pairs) if c not in rules.quarantine]
    scores = scores.part(outside)
    noise = _noise(store, baseline.report, candidate, askings(scores.n) if args.noise is None else args.noise, args)
    moods = moods_of(noise, BASELINE, CANDIDATE, [found.pairing.pairs[at] for at in outside])
    lines = against_baseline(rules, unfair, scores, noise, moods=moods, facets=facets)
    return AgainstBaseline(baseline.name, lines, unfair, noise, scores.n, baseline.by_question)


def _noise(store: Store, baseline: JudgeReport, candidate: JudgeReport, n: int, args: argparse.Namespace) -> JudgeNoise:
    with _watched("traces asked again") as (progress, cancel):
        return measure_noise(store, candidate.view, args.judge, beside=baseline.view, n=n, api_key=api_key(), on_progress=progress, cancel=cancel)


def cases_of(store: Store, report: JudgeReport, traces: Iterable[Trace], rules: Rules) -> tuple[list[GateCase], Mapping[str, Summary], Slices]:
    """What the rules look at: scores and claims by case; means over the cases outside quarantine, and over each slice of these that a rule names."""
    results = {result.trace_id: result for result in store.results(report.view)}
    judged = {case.trace.id: case for case in store.judged(report.view)}
    cases = [case_of(judged[t.id], results[t.id]) for t in traces]
    steady = [case for case in cases if case.id not in rules.quarantine]
    wanted = {(s.tag, s.value) for s in rules.slices}
    return cases, _summary(steady), {(tag, value): _summary([c for c in steady if c.tags.get(tag) == value]) for tag, value in wanted}


def _summary(cases: list[GateCase]) -> dict[str, Summary]:
    names = list(dict.fromkeys(name for case in cases for name in case.scores))
    return {name: summarise(name, [case.scores[name] for case in cases if name in case.scores]) for name in names}
