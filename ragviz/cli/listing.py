"""``ragviz formats | judges | metrics``."""

from __future__ import annotations

import argparse
import math
import os
import sys

from ragviz.cli.printing import print_json, table


def run(args: argparse.Namespace) -> int:
    """Print the list that ``args.kind`` names."""
    rows = {"formats": _formats, "judges": _judges, "metrics": _metrics}[args.kind]()
    if args.json:
        print_json({args.kind: rows})
        return 0
    shown = {"formats": ("name", "label", "recognised_by"), "judges": ("name", "available", "summary", "fix"), "metrics": ("name", "better", "summary")}[args.kind]
    cells = [[("yes" if v is True else "no" if v is False else str(v or "")) for v in (row[c] for c in shown)] for row in rows]
    sys.stdout.write(table(cells, heading=[c.replace("_", " ") for c in shown]) + "\n")
    return 0


def _formats() -> list[dict[str, object]]:
    from ragviz.loaders import loaders  # noqa: PLC0415 - only the list that is asked for is loaded

    loaders.load_plugins()
    made = [loaders.make(name) for name in loaders.names()]
    return [{"name": x.name, "label": x.label, "recognised_by": x.recognised_by, "suffixes": list(x.suffixes)} for x in made]


def _judges() -> list[dict[str, object]]:
    from ragviz.pipeline import judges_here  # noqa: PLC0415

    return [
        {"name": c.name, "summary": c.summary, "available": c.availability.ok, "reason": c.availability.reason or c.availability.degraded, "fix": c.availability.fix}
        for c in judges_here(api_key=os.environ.get("ANTHROPIC_API_KEY"))
    ]


def _metrics() -> list[dict[str, object]]:
    from ragviz.metrics import metrics  # noqa: PLC0415

    metrics.load_plugins()
    infos = [metrics.make(name).info for name in metrics.names()]
    return [
        {"name": i.name, "version": i.version, "label": i.label, "summary": i.summary, "formula": i.formula, "edge_cases": i.edge_cases, "range": [limit if math.isfinite(limit) else None for limit in i.range],
         "better": i.better.value, "needs": sorted(t.value for t in i.needs) + sorted(r.value for r in i.needs_ratings), "group": i.group, "source": i.source}
        for i in infos
    ]
