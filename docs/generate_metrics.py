"""Writes METRICS.md from the registered metrics. Run by `make docs`; a test fails when the page is stale."""

from __future__ import annotations

import inspect
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from ragviz.metrics import counting, metrics
from ragviz.records import Direction, MetricInfo

PAGE = Path(__file__).with_name("METRICS.md")

INTRODUCTION = """# Metrics

Generated from the registry by `docs/generate_metrics.py`; do not edit by hand.

Every metric is a pure function of stored verdicts, ratings and labels: none calls a model, and the same verdicts give the same number.
A score is a value or a reason why there is none: *undefined* (nothing to divide by), *missing input* (the file lacks what is needed),
*failed* (the judge could not answer). Beside each value stand its support (the denominator) and how many claims are unjudged.

Over a run each metric has two means. **Macro** is the mean over traces that have a value; its 95 % interval is a percentile bootstrap,
drawn by question where several traces share one. **Micro** pools all counts (claims, passages) and exists where the metric is a ratio of counts.

## How verdicts are read

A claim is judged against each passage, and against the joined passages where no single one settles it. From that follows its grounding:
*supported* (entailed somewhere, contradicted nowhere), *contradicted* (the other way round), *conflicted* (both), *not supported* (every
passage is silent), *unjudged* (a verdict is missing and nothing else decides). A person's word replaces the judge's.

## Policies

The same verdicts under five conventions. Only these points differ:

"""

GROUPS = {
    "claims": "Claims",
    "relevance": "Relevance",
    "citations": "Citations",
    "retrieval": "Retrieval at a fixed cut-off",
    "abstention": "Abstention",
    "cost": "Time and money",
}


def page() -> str:
    """The whole page."""
    infos = [metrics.make(name).info for name in metrics.names()]
    parts = [INTRODUCTION, policy_table(), "\n"]
    for group, title in GROUPS.items():
        members = [info for info in infos if info.group == group]
        if members:
            parts.append(f"\n## {title}\n")
            parts.extend(entry(info) for info in members)
    return "".join(parts)


def policy_table() -> str:
    """The table of the module that implements the policies, as Markdown."""
    rows = [line for line in (inspect.getdoc(counting) or "").splitlines() if line and not line.startswith("=")]
    header = next(i for i, line in enumerate(rows) if line.startswith("policy "))
    cells = [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in rows[header:]]
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    return "\n".join([lines[0], "|" + "---|" * len(cells[0]), *lines[1:]])


def entry(info: MetricInfo) -> str:
    """One metric."""
    arrow = {Direction.HIGHER: "higher is better", Direction.LOWER: "lower is better", Direction.NEITHER: "neither direction is better"}[info.better]
    lo, hi = info.range
    needs = [f"`{table.value}`" for table in sorted(info.needs)] + [f"rating `{kind.value}`" for kind in sorted(info.needs_ratings)]
    lines = [
        f"\n### `{info.name}`: {info.label}\n",
        f"{info.summary} Range {lo:g} to {'any size' if math.isinf(hi) else f'{hi:g}'}, {arrow}. Version {info.version}.\n",
        f"- Formula: {info.formula}",
        f"- Edge cases: {info.edge_cases}",
        f"- Source: {info.source}",
    ]
    if needs:
        lines.append(f"- Needs: {', '.join(needs)}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
