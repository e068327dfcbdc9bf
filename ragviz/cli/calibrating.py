"""``ragviz calibrate``: a judge against people's labels. Answers are kept as they come, so a run that was stopped goes on from there."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ragviz.cli.looking import measured, user
from ragviz.cli.printing import Progress, number, plain, print_json, table
from ragviz.cli.stores import api_key, known_standing, opened_store
from ragviz.errors import InputError, StoreError
from ragviz.figures.plot_text import counted
from ragviz.judges import fingerprint
from ragviz.pipeline.calibrate import Answer, answer_rows, report
from ragviz.pipeline.choices import working_judge
from ragviz.pipeline.fitting import fit, part_rows
from ragviz.pipeline.label_files import LabelRow, read_labels
from ragviz.pipeline.label_slices import per_dataset, per_slice
from ragviz.pipeline.remembered import RememberedJudge
from ragviz.pipeline.standing import Standing, worth
from ragviz.pipeline.standing import as_json as standing_json
from ragviz.pipeline.trust import agreement, as_json
from ragviz.records import LabelSplit, Split
from ragviz.store import Store, default_store_path, open_store
from ragviz.store.calibrations import add_calibration
from ragviz.store.opening import MEMORY

CACHE_NAME = "calibration.sqlite"
LINE_EVERY_S = 15.0
"""Where stderr is no terminal: a line of progress at most this often."""
HALF = 0.5


def run(args: argparse.Namespace) -> int:
    """Judge every label row that was not judged before, and compare."""
    if not args.fit and (args.split is not None or args.seed is not None):
        raise InputError("--split and --seed say how to part the labels for --fit", fix="add --fit, or leave them out")
    rows = _rows(args.labels)[: args.limit]
    if not rows:
        raise InputError("there are no labelled rows", fix="give a JSONL file with at least one row")
    parts = _parts(args, rows) if args.fit else None
    chosen = working_judge(args.judge or "local", api_key=api_key())
    store = answers_store(args.store)
    judge = RememberedJudge(chosen, store)
    progress = Progress("claims judged")
    try:
        answers = answer_rows(rows, judge, on_progress=both(progress, lines("claims judged")))
    finally:
        progress.end()
        store.close()
    result = _report(args, rows, answers, judge, parts)
    if judge.n_known:
        sys.stderr.write(
            f"{judge.n_known:,} of {counted(judge.n_pairs, 'pair')} were judged before and not asked again; what could not be judged is tried again.\n"
        )
    if args.json:
        print_json(result)
    else:
        _print(result)
    return 0


Parts = tuple[list[LabelRow], list[LabelRow], LabelSplit]


def _parts(args: argparse.Namespace, rows: Sequence[LabelRow]) -> Parts:
    """Rows to fit on and rows to report on, before anything is judged."""
    word, seed = args.split, args.seed or 0
    try:
        fraction = HALF if word is None else float(word)
    except ValueError:
        return part_rows(rows, split=word)
    if not 0 < fraction < 1:
        raise InputError(f"--split {word} leaves nothing on one side", fix="give a fraction between 0 and 1, or the name of a split the rows have")
    return part_rows(rows, fraction=fraction, seed=seed)


def _report(args: argparse.Namespace, rows: Sequence[LabelRow], answers: list[Answer], judge: RememberedJudge, parts: Parts | None) -> dict[str, Any]:
    """All figures; with ``--fit`` those of the part nothing was fitted on."""
    shown = answers
    if parts is not None:
        train, test, split = parts
        by_row = dict(zip(map(id, rows), answers, strict=True))
        shown = [by_row[id(row)] for row in test]
        with opened_store(args.store) as store:
            found = fit(
                [by_row[id(row)] for row in train],
                shown,
                judge=judge.info.name,
                fingerprint=fingerprint(judge),
                split=split,
                now=store.now(),
                by=user(),
                files=[Path(name).name for name in args.labels],
            )
            add_calibration(store, found)
        stands = Standing(calibration=found)
        sys.stderr.write(
            f"Stored: confidences of this version of judge {judge.info.name} are corrected from now on. The figures are those of the {counted(split.n_reported, 'label')} nothing was fitted on.\n"
        )
    else:
        stands = known_standing(args.store, fingerprint(judge))
    held = measured([row.claim for row in rows if Split.of(row.split) is Split.HELD_OUT], command="ragviz calibrate", address=args.store)
    result = report(shown, judge=judge.info.name, seconds=0.0)
    # Answers out of the cache take no time: speed is that of the claims that were judged now.
    result["claims_per_second"] = round(judge.n_claims / judge.seconds, 2) if judge.n_claims and judge.seconds > 0 else None
    result |= {"per_dataset": per_dataset(shown), "per_slice": per_slice(shown)}
    result |= as_json(agreement(shown), calibrated=judge.calibrated)
    return result | {"calibration": standing_json(stands), "calibration_note": stands.words, "held_out": held.to_json() if held else None}


def _rows(names: list[str]) -> list[LabelRow]:
    rows: list[LabelRow] = []
    for name in names:
        with Path(name).open("rb") as source:
            rows += list(read_labels(source, filename=name))
    return rows


def cache_path(env: Mapping[str, str], address: str | None = None) -> Path:
    """
    Beside the store at ``address``, else at RAGVIZ_STORE, else the user's own: ``calibration.sqlite`` in its folder; beside the user's own where
    it is a server.
    """
    place = address or default_store_path(env)
    if "://" in place:
        place = default_store_path({name: value for name, value in env.items() if name != "RAGVIZ_STORE"})
    return Path(place).with_name(CACHE_NAME)


def answers_store(address: str | None) -> Store:
    """
    Where answers are kept between runs of a command; a throw-away store where that cannot be written, and it is said.

    ``address``: the store of ``--store``; None without one.
    """
    if address == MEMORY:
        return open_store(MEMORY)
    place = cache_path(os.environ, address)
    try:
        store = open_store(place)
    except StoreError as exc:
        sys.stderr.write(f"Answers cannot be kept ({exc.message}): if this is stopped, it starts anew.\n")
        return open_store(MEMORY)
    sys.stderr.write(f"Answers are kept in {place}: if this is stopped, the same command goes on from there.\n")
    return store


def both(*each: Callable[[int, int], None]) -> Callable[[int, int], None]:
    """One progress for several listeners."""
    def tell(done: int, total: int) -> None:
        for one in each:
            one(done, total)

    return tell


def lines(noun: str) -> Callable[[int, int], None]:
    """Progress for logs: silent on a terminal, where the counter moves."""
    last = time.monotonic()

    def tell(done: int, total: int) -> None:
        nonlocal last
        if not sys.stderr.isatty() and time.monotonic() - last >= LINE_EVERY_S:
            last = time.monotonic()
            sys.stderr.write(f"{done:,} of {total:,} {noun}\n")
            sys.stderr.flush()

    return tell


COLUMNS = ("n", "coverage", "balanced_accuracy", "precision_unsupported", "recall_unsupported", "f1_unsupported", "kappa", "base_rate")


def _print(result: dict[str, Any]) -> None:
    rows = [
        [
            plain(name, 40),
            *(_shown(found.get(column)) for column in COLUMNS),
            *(_shown((found.get("contradiction") or {}).get(part)) for part in ("precision", "recall")),
        ]
        for name, found in {"all": result, **result["per_dataset"]}.items()
    ]
    heading = ["data set", *(c.replace("_", " ") for c in COLUMNS), "precision contradicted", "recall contradicted"]
    sys.stdout.write(table(rows, heading=heading, right=range(1, len(heading))) + "\n")
    slices = [
        [
            f"{name}: {value}",
            str(found["n"]),
            _shown(found["balanced_accuracy"]),
            _interval(found["balanced_accuracy_ci95"]),
            _shown(found["kappa"]),
            _interval(found["kappa_ci95"]),
            _shown(found["base_rate"]),
        ]
        for name, values in result["per_slice"].items()
        for value, found in values.items()
    ]
    if slices:
        sys.stdout.write(
            "\n" + table(slices, heading=["slice", "n", "balanced accuracy", "95 % interval", "kappa", "95 % interval", "base rate"], right=range(1, 7)) + "\n"
        )
    kappa, curve = result["kappa_ci95"], result["reliability"]
    if isinstance(kappa, list):
        sys.stdout.write(f"\nkappa 95 % interval {_interval(kappa)}, rows of one group drawn together.\n")
    if isinstance(curve, dict):
        note = str(result["calibration_note"])
        said = note if result["calibration"] else worth(note, by_makers=curve["calibrated_share"] or 0.0)
        sys.stdout.write(f"Confidence is {said}; calibration error {number(curve['ece'])} over {counted(int(curve['n']), 'claim')} ({curve['rule']}).\n")
    _print_calibration(result)


def _print_calibration(result: dict[str, Any]) -> None:
    found = result["calibration"]
    if found and found["before"] and found["after"]:
        before, after, split = found["before"], found["after"], found["split"]
        sys.stdout.write(
            f"On {counted(int(after['n']), 'label')} nothing was fitted on: calibration error {number(before['ece'])} as told, "
            f"{number(after['ece'])} corrected; "
            f"Brier score {number(before['brier'])} as told, {number(after['brier'])} corrected.\n"
            f"Parted by {plain(split['rule'], 200)}: {split['groups_fit']:,} groups to fit on ({split['fit_hash'][:12]}), {split['groups_reported']:,} to report on ({split['reported_hash'][:12]}).\n"
        )


def _interval(ends: list[float] | None) -> str:
    return "–" if ends is None else f"{number(ends[0])} to {number(ends[1])}"


def _shown(value: object) -> str:
    return number(value) if value is None or isinstance(value, float) else str(value)
