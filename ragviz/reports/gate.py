"""A gate's report as Markdown for a pull request or a job summary."""

from __future__ import annotations

from ragviz.gate.check import GateReport
from ragviz.reports.markdown import text

MAX_LINES = 60


def gate_markdown(report: GateReport, *, name: str) -> str:
    """The verdict, then every check that does not hold."""
    failed = [line for line in report.lines if not line.passed]
    head = f"## {'✓ Pass' if report.passed else '✕ Fail'}: {text(name)}\n\n{len(report.lines) - len(failed)} of {len(report.lines)} checks hold over {report.n_cases} cases."
    if not failed:
        return head + "\n"
    rows = [
        f"| {text(line.scope, 60)} | {text(line.metric, 60)} | {'–' if line.value is None else f'{line.value:.3f}'} | {line.limit} | "
        f"{'in quarantine: ' if line.quarantined else ''}{text(line.reason)} | {text(', '.join(line.claim_ids))} |"
        for line in failed[:MAX_LINES]
    ]
    more = f"\n\n{len(failed) - MAX_LINES} more are not shown." if len(failed) > MAX_LINES else ""
    return "\n".join([head, "", "| case | metric | value | limit | reason | claims |", "|---|---|--:|---|---|---|", *rows]) + more + "\n"
