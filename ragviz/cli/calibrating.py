"""``ragviz calibrate``: a judge against people's labels. Answers are kept as they come, so a run that was stopped goes on from there."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from ragviz.cli.printing import Progress, number, print_json, table
from ragviz.cli.stores import api_key
from ragviz.errors import InputError, StoreError
from ragviz.pipeline.calibrate import LabelRow, answer_rows, read_labels, report
from ragviz.pipeline.choices import working_judge
from ragviz.pipeline.remembered import RememberedJudge
from ragviz.pipeline.trust import agreement, as_json
from ragviz.store import Store, default_store_path, open_store

CACHE_NAME = "calibration.sqlite"
LINE_EVERY_S = 15.0
"""Where stderr is no terminal: a line of progress at most this often."""


def run(args: argparse.Namespace) -> int:
    """Judge every label row that was not judged before, and compare."""
    rows = _rows(args.labels)[: args.limit]
    if not rows:
        raise InputError("there are no labelled rows", fix="give a JSONL file with at least one row")
    chosen = working_judge(args.judge or "local", api_key=api_key())
    store = _cache()
    judge = RememberedJudge(chosen, store)
    progress = Progress("claims judged")
    try:
        answers = answer_rows(rows, judge, on_progress=_both(progress, _lines()))
    finally:
        progress.end()
        store.close()
    result = report(answers, judge=judge.info.name, seconds=0.0)
    # Answers out of the cache take no time: speed is that of the claims that were judged now.
    result["claims_per_second"] = round(judge.n_claims / judge.seconds, 2) if judge.n_claims and judge.seconds > 0 else None
    result |= as_json(agreement(answers), calibrated=judge.calibrated)
    if judge.n_known:
        sys.stderr.write(f"{judge.n_known:,} of {judge.n_pairs:,} pairs were judged before and not asked again; what could not be judged is tried again.\n")
    if args.json:
        print_json(result)
    else:
        _print(result)
    return 0


def _rows(names: list[str]) -> list[LabelRow]:
    rows: list[LabelRow] = []
    for name in names:
        with Path(name).open("rb") as source:
            rows += list(read_labels(source, filename=name))
    return rows


def cache_path(env: dict[str, str]) -> Path:
    """Beside the store: ``calibration.sqlite`` in its folder; beside the user's own where the store is a server."""
    place = default_store_path(env)
    if "://" in place:
        place = default_store_path({name: value for name, value in env.items() if name != "RAGVIZ_STORE"})
    return Path(place).with_name(CACHE_NAME)


def _cache() -> Store:
    place = cache_path(dict(os.environ))
    try:
        store = open_store(place)
    except StoreError as exc:
        sys.stderr.write(f"Answers cannot be kept ({exc.message}): if this is stopped, it starts anew.\n")
        return open_store(":memory:")
    sys.stderr.write(f"Answers are kept in {place}: if this is stopped, the same command goes on from there.\n")
    return store


def _both(*each: Callable[[int, int], None]) -> Callable[[int, int], None]:
    def tell(done: int, total: int) -> None:
        for one in each:
            one(done, total)

    return tell


def _lines() -> Callable[[int, int], None]:
    """Progress for logs: silent on a terminal, where the counter moves."""
    last = time.monotonic()

    def tell(done: int, total: int) -> None:
        nonlocal last
        if not sys.stderr.isatty() and time.monotonic() - last >= LINE_EVERY_S:
            last = time.monotonic()
            sys.stderr.write(f"{done:,} of {total:,} claims judged\n")
            sys.stderr.flush()

    return tell


def _print(result: dict[str, object]) -> None:
    names = ("n", "coverage", "balanced_accuracy", "precision_unsupported", "recall_unsupported", "f1_unsupported", "kappa", "base_rate")
    parts = result["per_dataset"]
    assert isinstance(parts, dict)
    rows = [[name, *(_shown(found.get(column)) for column in names)] for name, found in {"all": result, **parts}.items()]
    sys.stdout.write(table(rows, heading=["data set", *(c.replace("_", " ") for c in names)], right=range(1, len(names) + 1)) + "\n")
    kappa, curve = result["kappa_ci95"], result["reliability"]
    if isinstance(kappa, list):
        sys.stdout.write(f"\nkappa 95 % interval {number(kappa[0])} to {number(kappa[1])}, rows of one group drawn together.\n")
    if isinstance(curve, dict):
        share = curve["calibrated_share"]
        said = f"calibrated in {100 * share:.0f} % of the pairs" if share else "not calibrated: read it as an order, not as a probability"
        sys.stdout.write(f"Confidence is {said}; calibration error {number(curve['ece'])} over {curve['n']:,} claims ({curve['rule']}).\n")


def _shown(value: object) -> str:
    return number(value) if value is None or isinstance(value, float) else str(value)
