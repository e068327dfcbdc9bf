"""``ragviz calibrate``: a judge against people's labels."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ragviz.cli.printing import Progress, number, print_json, table
from ragviz.cli.stores import api_key
from ragviz.pipeline import make_judge
from ragviz.pipeline.calibrate import calibrate, read_labels


def run(args: argparse.Namespace) -> int:
    """Judge every label row and compare."""
    rows = []
    for name in args.labels:
        with Path(name).open("rb") as source:
            rows += list(read_labels(source, filename=name))
    progress = Progress("claims judged")
    try:
        result = calibrate(rows, make_judge(args.judge or "local", api_key=api_key()), limit=args.limit, on_progress=progress)
    finally:
        progress.end()
    if args.json:
        print_json(result)
        return 0
    names = ("n", "coverage", "balanced_accuracy", "precision_unsupported", "recall_unsupported", "f1_unsupported", "kappa", "base_rate")
    per = {"all": result, **result["per_dataset"]}
    rows_ = [[name, *(_shown(found.get(column)) for column in names)] for name, found in per.items()]
    sys.stdout.write(table(rows_, heading=["data set", *(c.replace("_", " ") for c in names)], right=range(1, len(names) + 1)) + "\n")
    return 0


def _shown(value: object) -> str:
    return number(value) if value is None or isinstance(value, float) else str(value)
