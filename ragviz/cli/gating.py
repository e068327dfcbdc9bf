"""``ragviz gate``: does a candidate pass known cases? Exit 0 pass, 1 fail, 2 unusable input."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec

from ragviz.cli import gate_judging
from ragviz.cli.gate_judging import AgainstBaseline, cases_of, documents_of, judge, judged_baseline, rows_of
from ragviz.cli.looking import measured
from ragviz.cli.main import EXIT_FAILED, EXIT_OK
from ragviz.cli.printing import measure, plain, print_json, table
from ragviz.errors import InputError
from ragviz.figures.plot_text import counted
from ragviz.gate.baseline import BOTH, LIMIT
from ragviz.gate.candidate import BY_QUESTION, has_references, has_relevance, join_candidate, named_as_cases
from ragviz.gate.cases import rest_on_facets
from ragviz.gate.check import GateLine, GateReport, check
from ragviz.gate.grouping import alike, blamed
from ragviz.gate.rules import ESTIMATED, Rules, default_rules, read_rules, unlabelled
from ragviz.pipeline.exporting import whole_file
from ragviz.pipeline.held_out import held_out_questions
from ragviz.store import open_store

DEFAULT_K = 5
EASED = f"Relevance is asked from {ESTIMATED.min:g} only: here it is an estimate, as it does not rest on what the known cases say that their questions ask for (facets)."


def run(args: argparse.Namespace) -> int:
    """Join, judge, check, tell."""
    rules = rules_of(args)
    with ExitStack() as stack:
        store = open_store(":memory:")
        stack.callback(store.close)
        _, gold = rows_of(store, args.against, args, what="known cases")
        _, answers = rows_of(store, args.candidate, args, what="candidate rows", documents=documents_of(args))
        named = named_as_cases(gold, answers, what="candidate")
        traces = join_candidate(gold, named.rows)
        k = args.k or DEFAULT_K
        ungated = {} if args.rules else unlabelled(k, references=has_references(gold), relevance=has_relevance(gold))
        baseline = judged_baseline(store, gold, args) if args.baseline else None
        judged = judge(store, gate_judging.CANDIDATE, traces, args)
        facets = rest_on_facets(result.scores for result in store.results(judged.view))
        rules = rules or default_rules(k, with_baseline=bool(args.baseline), without=ungated, facets=facets)
        seen = gate_judging.against(store, baseline, judged, rules, args, facets=facets) if baseline else None
        cases, summary, slices = cases_of(store, judged, traces, rules)
    report = check(cases, summary, rules, slices=slices, extra=seen.lines if seen else ())
    report = still_detected(report) if args.expect_failures else report
    said = [*([f"Candidate {BY_QUESTION}."] if named.by_question else []), *remarks(report, seen, ungated), *([] if facets or args.rules else [EASED])]
    _write(report, said, args)
    held = measured(held_out_questions(traces), command="ragviz gate")
    if args.json:
        print_json(
            as_object(report, seen)
            | ({"not_gated": ungated} if ungated else {})
            | ({"paired": BY_QUESTION} if named.by_question else {})
            | ({"held_out": held.to_json()} if held else {})
        )
    else:
        sys.stdout.write(words(report, said))
    return EXIT_OK if report.passed else EXIT_FAILED


def rules_of(args: argparse.Namespace) -> Rules | None:
    """
    The rules in the file; None without one, where they depend on what the known cases hold.

    Raises:
        InputError: Not UTF-8, no good rules, rules about a baseline without one, or a baseline for known failures.
    """
    if args.expect_failures and args.baseline:
        raise InputError("--expect-failures checks known failures, which have no baseline", fix="leave one of the two out")
    if not args.rules:
        return None
    try:
        rules = read_rules(Path(args.rules).read_text(encoding="utf-8"), filename=args.rules)
    except UnicodeDecodeError as exc:
        raise InputError(f"{args.rules}: not UTF-8 text", fix="save the file as UTF-8") from exc
    if rules.about_baseline and not args.baseline:
        raise InputError(f"{args.rules}: no_regression is about a baseline, and none is given", fix="add --baseline RUN or FILE, or take the rule out")
    return rules


def still_detected(report: GateReport) -> GateReport:
    """Known failures: a case passes when at least one rule fails for it, that is, when it is still detected."""
    by_case: dict[str, list[GateLine]] = {}
    for line in report.lines:
        by_case.setdefault(line.scope, []).append(line)
    lines = [
        GateLine(
            scope=scope,
            metric=", ".join(line.metric for line in found if not line.passed) or "every rule",
            value=None,
            limit="must fail a rule",
            passed=any(not line.passed for line in found),
            reason="" if any(not line.passed for line in found) else "no rule fails any more: the failure is no longer detected",
        )
        for scope, found in by_case.items()
        if scope != "mean"
    ]
    return GateReport(lines=tuple(sorted(lines, key=lambda line: line.passed)), n_cases=report.n_cases)


def _write(report: GateReport, said: Sequence[str], args: argparse.Namespace) -> None:
    name = Path(args.candidate).name
    if args.junit:
        from ragviz.reports.junit import junit  # noqa: PLC0415 - only this output needs it

        with whole_file(Path(args.junit)) as target:
            target.write(junit(report, name=name))
    if args.markdown:
        from ragviz.reports.gate import gate_markdown  # noqa: PLC0415

        with whole_file(Path(args.markdown)) as target:
            target.write(gate_markdown(report, name=name, remarks=said).encode("utf-8", "replace"))


def as_object(report: GateReport, seen: AgainstBaseline | None) -> dict[str, object]:
    """Every line, and what is known of the baseline; null without one."""
    known = (
        None
        if seen is None
        else ({"paired": BY_QUESTION} if seen.by_question else {})
        | {
            "name": seen.name,
            "pairs": seen.n_pairs,
            "differences": msgspec.to_builtins(seen.unfair),
            "noise": {
                "traces": seen.noise.n_traces,
                "claims": seen.noise.floor.n,
                "flips": seen.noise.floor.flips,
                "rate": seen.noise.floor.rate,
                "source": seen.noise.source,
            },
        }
    )
    return {
        "passed": report.passed,
        "cases": report.n_cases,
        "failures": msgspec.to_builtins(report.failures),
        "lines": msgspec.to_builtins(report.lines),
        "baseline": known,
    }


def remarks(report: GateReport, seen: AgainstBaseline | None, ungated: Mapping[str, str] | None = None) -> list[str]:
    """
    What the default rules left out; what no case can be measured by; then against what it was compared, what was allowed to differ, and the
    judge's own noise.
    """
    said = [
        f'{plain(name)} has no value in any case: give the cases what it needs, or leave it out in a file for --rules; missing = "skip" there passes what has no value.'
        for name in unmeasured(report)
    ]
    if ungated:
        said.insert(
            0,
            f"Not gated: {'; '.join(f'{name} ({why})' for name, why in ungated.items())}. Add these to the known cases, or say with --rules what "
            f"to ask (`ragviz gate --example` prints rules to start with).",
        )
    if seen is None:
        return said
    said += [f"Compared with {plain(seen.name, 60)} over {counted(seen.n_pairs, 'case')}{f', {BY_QUESTION}' if seen.by_question else ''}."]
    said += [f"{plain(line.metric)}: {plain(line.reason)}." for line in report.lines if line.limit == "the same in both" and line.passed]
    said += [
        f"{plain(line.metric)}{'' if line.scope == BOTH else f' ({plain(line.scope, 60)})'} is no regression: {plain(line.reason)}."
        for line in report.lines
        if line.limit == LIMIT and line.passed and line.reason
    ]
    floor = seen.noise.floor
    said.append(
        f"Judge noise: {floor.flips:,} of {counted(floor.n, 'claim')} got another verdict ({plain(seen.noise.source)})."
        if floor.n
        else f"Judge noise {plain(seen.noise.source)}."
    )
    return said


def unmeasured(report: GateReport) -> list[str]:
    """Metrics that fail only because no case has them, as recall in a file without relevance labels."""
    values: dict[str, list[float | None]] = {}
    for line in report.lines:
        if not line.limit.startswith("must be") and (not line.passed or line.value is not None):
            values.setdefault(line.metric, []).append(line.value)
    return [name for name, found in values.items() if len(found) > 1 and all(v is None for v in found)]


def words(report: GateReport, remarks: Sequence[str] = ()) -> str:
    """Failures with case, metric, value and limit, those that are alike together; then one closing line."""
    failed = [line for line in report.lines if not line.passed]
    rows = []
    for group in alike(failed):
        for line in group.shown:
            rows.append(
                [
                    plain(line.scope, 40),
                    plain(line.metric, 40),
                    measure(line.metric, line.value),
                    line.limit,
                    ("in quarantine: " if line.quarantined else "") + plain(line.reason, 160),
                ]
            )
            rows += [["", "", "", "", plain(claim, 240)] for claim in blamed(line)]
        if group.rest:
            rows.append(["…", plain(group.shown[0].metric, 40), "", "", plain(group.more, 160)])
    shown = table(rows, heading=["case", "metric", "value", "limit", "reason"], right=[2]) + "\n\n" if rows else ""
    verdict = "PASS" if report.passed else "FAIL"
    said = "".join(f"{line}\n" for line in remarks)
    return f"{shown}{said}{verdict}: {len(report.lines) - len(failed):,} of {len(report.lines):,} checks hold over {counted(report.n_cases, 'case')}.\n"
