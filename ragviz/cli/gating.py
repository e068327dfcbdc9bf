"""``ragviz gate``: does a candidate pass known cases? Exit 0 pass, 1 fail, 2 unusable input."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

import msgspec

from ragviz import __version__
from ragviz.cli.interrupting import stop_on_interrupt
from ragviz.cli.main import EXIT_FAILED, EXIT_OK
from ragviz.cli.printing import Progress, number, plain, print_json, table
from ragviz.cli.stores import api_key
from ragviz.contracts import View
from ragviz.errors import InputError
from ragviz.gate.candidate import join_candidate
from ragviz.gate.check import GateCase, GateClaim, GateLine, GateReport, check
from ragviz.gate.rules import Rules, default_rules, read_rules
from ragviz.loaders import read_many
from ragviz.metrics.aggregate import summarise
from ragviz.pipeline import judge_run
from ragviz.pipeline.evaluating import evaluation
from ragviz.pipeline.exporting import whole_file
from ragviz.records import Grounding, LoadIssue, Provenance, RunManifest, Summary, Trace
from ragviz.store import Store, open_store

DEFAULT_K = 5


def run(args: argparse.Namespace) -> int:
    """Join, judge, check, tell."""
    rules = rules_of(args.rules) if args.rules else default_rules(args.k or DEFAULT_K)
    gold = traces_of(args.against, what="known cases")
    traces = join_candidate(gold, traces_of(args.candidate, what="candidate rows", documents=args.against))
    cases, summary, slices = judged(traces, args, rules)
    report = check(cases, summary, rules, slices=slices)
    if args.expect_failures:
        report = still_detected(report)
    if args.junit:
        from ragviz.reports.junit import junit  # noqa: PLC0415 - only this output needs it

        with whole_file(Path(args.junit)) as target:
            target.write(junit(report, name=Path(args.candidate).name))
    if args.markdown:
        from ragviz.reports.gate import gate_markdown  # noqa: PLC0415

        with whole_file(Path(args.markdown)) as target:
            target.write(gate_markdown(report, name=Path(args.candidate).name).encode("utf-8", "replace"))
    if args.json:
        print_json({"passed": report.passed, "cases": report.n_cases, "failures": msgspec.to_builtins(report.failures), "lines": msgspec.to_builtins(report.lines)})
    else:
        sys.stdout.write(words(report))
    return EXIT_OK if report.passed else EXIT_FAILED


def rules_of(path: str) -> Rules:
    """
    The rules in a file.

    Raises:
        InputError: Not UTF-8, no good rules, or rules about a baseline, which this command is not given.
    """
    try:
        rules = read_rules(Path(path).read_text(encoding="utf-8"), filename=path)
    except UnicodeDecodeError as exc:
        raise InputError(f"{path}: not UTF-8 text", fix="save the file as UTF-8") from exc
    if rules.no_regression or rules.allow:
        raise InputError(f"{path}: no_regression and allow are about a baseline run, and the gate is given none",
                         fix="take them out here; `ragviz compare BASE CANDIDATE` tests the difference")
    return rules


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
        more = f" (and {len(rejected) - 1} more rows)" if len(rejected) > 1 else ""
        raise InputError(f"{message}{more}", fix=first.fix)
    traces = [row for row in rows if isinstance(row, Trace)]
    if not traces:
        raise InputError(f"{path} holds no {what}", fix="`ragviz formats` lists what can be read")
    return traces


Slices = dict[tuple[str, str], Mapping[str, Summary]]


def judged(traces: list[Trace], args: argparse.Namespace, rules: Rules) -> tuple[list[GateCase], Mapping[str, Summary], Slices]:
    """Judge the joined traces in a store that is thrown away."""
    store = open_store(":memory:")
    progress = Progress("cases judged")
    try:
        manifest = RunManifest(run_id="gate", name="gate", created_at=store.now(), ragviz_version=__version__, format="gate", n_traces=len(traces))
        store.create_run(manifest)
        store.add_traces("gate", traces)
        store.finish_run(manifest)
        with stop_on_interrupt() as cancel:
            report = judge_run(store, "gate", args.judge, k=args.k, api_key=api_key(), on_progress=progress, cancel=cancel)
        progress.end()
        return cases_of(store, report.view, report.judge, traces, rules)
    finally:
        progress.end()
        store.close()


def cases_of(store: Store, view: View, judge: Provenance, traces: list[Trace], rules: Rules) -> tuple[list[GateCase], Mapping[str, Summary], Slices]:
    """What the rules look at: scores and claims by case, means over all and over each slice that a rule names."""
    lines = {line.id: line for line in evaluation(store, view, judge).traces}
    results = {result.trace_id: result for result in store.results(view)}
    cases = [
        GateCase(id=t.id, scores=results[t.id].scores, tags=t.tags,
                 claims=tuple(GateClaim(id=c.id, text=c.text, grounding=Grounding(c.verdict)) for c in lines[t.id].claims))
        for t in traces
    ]
    wanted = {(s.tag, s.value) for s in rules.slices}
    return cases, _summary(cases), {(tag, value): _summary([c for c in cases if c.tags.get(tag) == value]) for tag, value in wanted}


def _summary(cases: list[GateCase]) -> dict[str, Summary]:
    names = list(dict.fromkeys(name for case in cases for name in case.scores))
    return {name: summarise(name, [case.scores[name] for case in cases if name in case.scores]) for name in names}


def still_detected(report: GateReport) -> GateReport:
    """Known failures: a case passes when at least one rule fails for it, that is, when it is still detected."""
    by_case: dict[str, list[GateLine]] = {}
    for line in report.lines:
        by_case.setdefault(line.scope, []).append(line)
    lines = [
        GateLine(scope=scope, metric=", ".join(line.metric for line in found if not line.passed) or "every rule", value=None, limit="must fail a rule",
                 passed=any(not line.passed for line in found), reason="" if any(not line.passed for line in found) else "no rule fails any more: the failure is no longer detected")
        for scope, found in by_case.items() if scope != "mean"
    ]
    return GateReport(lines=tuple(sorted(lines, key=lambda line: line.passed)), n_cases=report.n_cases)


def words(report: GateReport) -> str:
    """Failures with case, metric, value and limit, then one closing line."""
    failed = [line for line in report.lines if not line.passed]
    rows = [[plain(line.scope, 40), plain(line.metric, 40), number(line.value), line.limit, ("in quarantine: " if line.quarantined else "") + plain(line.reason, 80),
             ", ".join(line.claim_ids)] for line in failed]
    shown = table(rows, heading=["case", "metric", "value", "limit", "reason", "claims"], right=[2]) + "\n\n" if rows else ""
    verdict = "PASS" if report.passed else "FAIL"
    return f"{shown}{verdict}: {len(report.lines) - len(failed)} of {len(report.lines)} checks hold over {report.n_cases} cases.\n"
