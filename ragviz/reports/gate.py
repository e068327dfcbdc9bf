"""A gate's report as Markdown for a pull request or a job summary."""

from __future__ import annotations

from collections.abc import Sequence

from ragviz.gate.check import GateLine, GateReport
from ragviz.gate.grouping import alike, blamed
from ragviz.reports.markdown import text
from ragviz.text.counts import counted
from ragviz.text.sums import decimals

MAX_LINES = 60


def gate_markdown(report: GateReport, *, name: str, remarks: Sequence[str] = ()) -> str:
    """The verdict, then every check that does not hold, those that are alike together. ``remarks``: one paragraph each."""
    failed = [line for line in report.lines if not line.passed]
    head = f"## {'✓ Pass' if report.passed else '✕ Fail'}: {text(name)}\n\n{len(report.lines) - len(failed)} of {len(report.lines)} checks hold over {counted(report.n_cases, 'case')}."
    head += "".join(f"\n\n{text(remark)}" for remark in remarks)
    if not failed:
        return head + "\n"
    rows: list[str] = []
    told = 0
    for group in alike(failed):
        if len(rows) >= MAX_LINES:
            break
        rows += [_row(line) for line in group.shown]
        told += len(group.shown) + len(group.rest)
        if group.rest:
            rows.append(f"| … | {text(group.shown[0].metric, 60)} | | | {text(group.more, 300)} | |")
    more = f"\n\n{len(failed) - told} more are not shown." if len(failed) > told else ""
    return "\n".join([head, "", "| case | metric | value | limit | reason | claims |", "|---|---|--:|---|---|---|", *rows]) + more + "\n"


def _row(line: GateLine) -> str:
    return (
        f"| {text(line.scope, 60)} | {text(line.metric, 60)} | "
        f"{'–' if line.value is None else f'{line.value:.{decimals(line.metric, line.value)}f}'} | {line.limit} | "
        f"{'in quarantine: ' if line.quarantined else ''}{text(line.reason)} | {'<br>'.join(text(claim, 240) for claim in blamed(line))} |"
    )
