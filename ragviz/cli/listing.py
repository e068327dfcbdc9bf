"""``ragviz formats | judges | metrics``."""

from __future__ import annotations

import argparse
import math
import os
import re
import sys
import textwrap

from ragviz.cli.printing import print_json, room, table


def run(args: argparse.Namespace) -> int:
    """Print the list that ``args.kind`` names."""
    if getattr(args, "name", None):
        return _explain(args.name, as_json=args.json)
    rows = {"formats": _formats, "judges": _judges, "metrics": _metrics}[args.kind]()
    if args.json:
        print_json({args.kind: rows})
        return 0
    shown = {"formats": ("name", "label", "recognised_by"), "judges": ("name", "available", "summary", "fix"), "metrics": ("name", "better", "summary")}[
        args.kind
    ]
    cells = [[("yes" if v is True else "no" if v is False else str(v or "")) for v in (row[c] for c in shown)] for row in rows]
    sys.stdout.write(table(cells, heading=[c.replace("_", " ") for c in shown]) + "\n")
    return 0


def _explain(name: str, *, as_json: bool) -> int:
    """One metric in full; ``recall_at_5`` is found under ``recall_at_k``."""
    from ragviz.metrics import metric_info  # noqa: PLC0415 - only the list that is asked for is loaded

    metric_info(name)  # an unknown name is told with the names that are near
    row = next(r for r in _metrics() if r["name"] in (name, re.sub(r"_at_\d+$", "_at_k", name)))
    if as_json:
        print_json(row)
        return 0
    needs = ", ".join(str(n).replace("_x_", " × ").replace("_", " ") for n in row["needs"]) or "nothing but the traces"  # type: ignore[attr-defined]
    lo, hi = ("∞" if limit is None else f"{limit:g}" for limit in row["range"])  # type: ignore[attr-defined]
    parts = [
        ("", f"{row['label']} ({row['name']}, version {row['version']})"),
        ("", row["summary"]),
        ("formula", row["formula"]),
        ("range", f"{lo} to {hi}, {row['better']} is better" if row["better"] != "neither" else f"{lo} to {hi}, neither way is better"),
        ("edge cases", row["edge_cases"]),
        ("needs", needs),
        ("source", row["source"]),
    ]
    for title, text in parts:
        lines = textwrap.wrap(str(text), width=max(40, (room() or 100) - 12)) or [""]
        sys.stdout.write((f"{title:<12}" if title else "") + ("\n" + " " * 12 if title else "\n").join(lines) + "\n")
    return 0


def _formats() -> list[dict[str, object]]:
    from ragviz.loaders import loaders  # noqa: PLC0415 - only the list that is asked for is loaded

    loaders.load_plugins()
    made = [loaders.make(name) for name in loaders.names()]
    return [{"name": x.name, "label": x.label, "recognised_by": x.recognised_by, "suffixes": list(x.suffixes)} for x in made]


def _judges() -> list[dict[str, object]]:
    from ragviz.pipeline import judges_here  # noqa: PLC0415

    return [
        {
            "name": c.name,
            "summary": c.summary,
            "available": c.availability.ok,
            "reason": c.availability.reason or c.availability.degraded,
            "fix": c.availability.fix,
        }
        for c in judges_here(api_key=os.environ.get("ANTHROPIC_API_KEY"))
    ]


def _metrics() -> list[dict[str, object]]:
    from ragviz.metrics import metrics  # noqa: PLC0415

    metrics.load_plugins()
    infos = [metrics.make(name).info for name in metrics.names()]
    return [
        {
            "name": i.name,
            "version": i.version,
            "label": i.label,
            "summary": i.summary,
            "formula": i.formula,
            "edge_cases": i.edge_cases,
            "range": [limit if math.isfinite(limit) else None for limit in i.range],
            "better": i.better.value,
            "needs": sorted(t.value for t in i.needs) + sorted(r.value for r in i.needs_ratings),
            "group": i.group,
            "source": i.source,
        }
        for i in infos
    ]
