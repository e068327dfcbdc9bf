"""``ragviz retrieval``: trec_eval's numbers from a run and its judgements."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ragviz.cli.printing import number, plain, print_json, table
from ragviz.errors import InputError
from ragviz.records import LoadIssue

ISSUES_SHOWN = 10


def run(args: argparse.Namespace) -> int:
    """Evaluate the run and print means, or everything as JSON."""
    from ragviz.loaders.opening import opened  # noqa: PLC0415
    from ragviz.loaders.utf8 import in_utf8  # noqa: PLC0415
    from ragviz.metrics.trec import evaluate_run  # noqa: PLC0415
    from ragviz.text.trec_files import QRELS_FORM, RUN_FORM, read_qrels, read_trec_run  # noqa: PLC0415

    issues: list[LoadIssue] = []
    with opened(args.trec_run) as raw, in_utf8(raw, told=issues, filename=args.trec_run) as source:
        trec_run = read_trec_run(source, filename=args.trec_run, issues=issues)
    with opened(args.qrels) as raw, in_utf8(raw, told=issues, filename=args.qrels) as source:
        qrels = read_qrels(source, filename=args.qrels, issues=issues)
    for name, found, form in ((args.trec_run, trec_run, RUN_FORM), (args.qrels, qrels, QRELS_FORM)):
        if not found:
            raise InputError(f"{name} is empty", fix=f"one line each: {form}")
    result = evaluate_run(trec_run, qrels, ks=args.k, relevance_level=args.relevance_level)
    _remark(issues)
    if not result["queries"]["retrieved"]:
        sys.stderr.write("Note: no judged query is in the run, so every figure is 0: check that both files use the same query ids.\n")
    if args.json:
        print_json(result)
        return 0
    families = list(dict.fromkeys(name.partition("@")[0] for name in result["mean"]))
    rows = [[str(k), *(number(result["mean"][f"{family}@{k}"], 4) for family in families)] for k in result["k"]]
    sys.stdout.write(table(rows, heading=["k", *families], right=range(len(families) + 1)) + "\n")
    q = result["queries"]
    sys.stdout.write(f"{q['judged']} queries judged, {q['retrieved']} of them in the run, {q['missing']} without results (counted as 0).\n")
    return 0


def _remark(issues: Sequence[LoadIssue]) -> None:
    """Repeated documents and changed levels, on stderr: the figures stand on stdout alone."""
    for issue in issues[:ISSUES_SHOWN]:
        sys.stderr.write(f"Note: {plain(issue.where)}: {plain(issue.message)}; {issue.fix}.\n")
    if len(issues) > ISSUES_SHOWN:
        sys.stderr.write(f"Note: {len(issues) - ISSUES_SHOWN:,} more of the kind.\n")
