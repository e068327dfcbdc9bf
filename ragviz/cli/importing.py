"""``ragviz import``: files into the store."""

from __future__ import annotations

import argparse
import csv
import glob
import re
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path

from ragviz.cli.argument_types import one_path_each
from ragviz.cli.printing import Progress, plain, print_json
from ragviz.cli.stores import opened_store
from ragviz.errors import InputError
from ragviz.figures.plot_text import counted
from ragviz.loaders import role_of
from ragviz.loaders.bundle import FileReport
from ragviz.loaders.sources import files_in, place_of
from ragviz.pipeline import ImportReport, import_files
from ragviz.records import LoadIssue, Split
from ragviz.text.cells import safe_cell
from ragviz.text.redaction import BUILT_IN

ISSUES_SHOWN = 10
_VARYING = re.compile(r"\d+|'[^']*'|\"[^\"]*\"|“[^”]*”")
"""What differs between issues of one kind."""
FILES_SHOWN = 5
FOR_ALL = ("documents", "queries", "qrels")
"""Roles of files that hold for every version of a system."""


def run(args: argparse.Namespace) -> int:
    """Import and say what was understood; exit 2 when nothing could be read."""
    lying = _lying_in(args.files) if args.separate else set()
    groups = _with_companions([[file] for file in _one_by_one(args.files)], () if args.format else lying) if args.separate else [args.files]
    if len(groups) > 1 and args.run:
        raise InputError("--run names one run, and --separate makes several", fix="leave one of them out: each run is named after its file")
    names = _apart(groups) if args.separate and not args.run else [args.run]
    reports: list[ImportReport] = []
    faults: list[InputError] = []
    skipped: list[InputError] = []
    with rejects_file(Path(args.rejects)) if args.rejects else nullcontext() as on_issue:
        for files, name in zip(groups, names, strict=True):
            try:
                report = import_with_progress(args, files, run_name=name, on_issue=on_issue)
            except InputError as exc:  # one file that cannot be read costs no other
                faults.append(exc)
                continue
            if not report.n_traces and files[0] in lying:  # nobody asked for this very file
                skipped.append(nothing_read(report, files))
                continue
            reports.append(report)
            if not report.n_traces:
                faults.append(nothing_read(report, files))
    sys.stderr.write("".join(f"Skipped, no run of its own: {plain(str(one), 200)}\n" for one in skipped))
    if not reports and not faults:
        faults = skipped
    if not reports:
        raise faults[0]
    if args.json:
        sys.stderr.write("".join(filter(None, map(_together, reports))))
        print_json([report.to_json() for report in reports] if args.separate else reports[0].to_json())
    else:
        sys.stdout.write("".join(map(words, reports)))
    if faults:
        raise faults[0]
    return 0


def _one_by_one(files: Sequence[str]) -> list[str]:
    """Every file by itself and once; a pattern stands for the files it fits, a folder for those in it."""
    named = [one for file in files for one in (sorted(glob.glob(file, recursive=True)) or [file] if glob.has_magic(file) and not Path(file).exists() else [file])]  # noqa: PTH207
    every = [inside for one in named for inside in (_inside(one) or [one])]
    once: dict[str, str] = {}
    again = [file for file in every if once.setdefault(place_of(file), file) != file or every.count(file) > 1]
    if again:
        sys.stderr.write(f"Named more than once, read once: {', '.join(dict.fromkeys(plain(file, 60) for file in again))}.\n")
    return list(once.values())


def _inside(folder: str) -> list[str]:
    """The files in a folder, hidden ones left out; [] for anything else."""
    found = Path(folder) if folder.strip() else None
    return [str(path) for path in files_in(found)] if found is not None and found.is_dir() else []


def _lying_in(files: Sequence[str]) -> set[str]:
    """Those that merely lie in a folder: one that holds no traces is passed over."""
    return {inside for file in files for inside in _inside(file)} - set(files)


def _with_companions(groups: list[list[str]], lying: Collection[str]) -> list[list[str]]:
    """
    Documents, questions and relevance labels that merely lie in a folder go with each file of traces beside them: they hold for every version of a system.

    Scores and claims are of one version's answers, and which one no folder says.
    """
    shared = [file for (file,) in groups if file in lying and role_of(file) in FOR_ALL]
    beside = {file: [one for one in shared if Path(one).parent == Path(file).parent] for (file,) in groups if file not in shared}
    alone = [one for one in shared if not any(one in those for those in beside.values())]
    return [[file, *those] for file, those in beside.items()] + [[one] for one in alone]


def _apart(groups: Sequence[Sequence[str]]) -> list[str | None]:
    """A run's name for each file of traces that another shares its name with: with its folder. None: named after the one file."""
    stems = [Path(first).name.split(".")[0] for first, *_ in groups]
    return [
        f"{Path(first).resolve().parent.name}/{stem}" if stems.count(stem) > 1 else stem if beside else None
        for (first, *beside), stem in zip(groups, stems, strict=True)
    ]


def import_with_progress(args: argparse.Namespace, files: Sequence[str], *, run_name: str | None = None, on_issue: Callable[[LoadIssue], None] | None = None) -> ImportReport:
    """Import as the options say, with a counter on stderr. ``run_name``: what the run is called; None = as its file."""
    progress = Progress("traces read")
    with opened_store(args.store) as store:
        try:
            return import_files(store, files, run_name=run_name, format=args.format, documents=args.documents, field_map=one_path_each(args.field_map),
                                on_progress=progress, on_issue=on_issue, redact=redaction_rules(args.redact), split=Split(args.split) if getattr(args, "split", None) else None,
                                split_column=getattr(args, "split_column", None))
        finally:
            progress.end()


def redaction_rules(words: list[str]) -> list[str]:
    """
    The words of ``--redact``, files among them replaced by what they say.

    Raises:
        InputError: Neither a built-in kind nor a file.
    """
    rules = []
    for word in words:
        if word in BUILT_IN:
            rules.append(word)
            continue
        try:
            rules.append(Path(word).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as exc:
            raise InputError(f"--redact {word}: no built-in kind, and no file that can be read", fix=f"use {', '.join(BUILT_IN)}, or the path of a TOML file with patterns") from exc
    return rules


def nothing_read(report: ImportReport, files: Sequence[str]) -> InputError:
    """What to say of an import without a single trace."""
    if not report.issues:
        return InputError(f"no trace could be read from {', '.join(files)}", fix="`ragviz formats` lists what can be read")
    first = next((issue for issue in report.issues if issue.rejected), report.issues[0])
    message = first.message if first.message.startswith(first.where) else f"{first.where}: {first.message}"
    return InputError(message, fix=first.fix or "`ragviz formats` lists what can be read")


def words(report: ImportReport) -> str:
    """A few lines for people."""
    lines = [f"{plain(f.name, 120)}: {f.label or f.format or 'not recognised'}, {_brought(f)}" for f in report.files]
    if report.n_traces:
        known = report.n_traces - report.n_new
        lines.append(f"Run {report.run!r}: {counted(report.n_traces, 'trace')}" + (f", {known:,} of them were there before" if known else ""))
    merged = _together(report)
    lines += [f"  {merged.rstrip()}"] if merged else []
    if report.n_traces and report.first_passages is None:
        lines.append("  The first trace names no passages: without them no claim can be checked. If the file holds them, name the column with --map passages=…")
    kinds = _kinds(report.issues)
    lines += [
        f"  {plain(first.where)}: {plain(first.message)}" + (f" → {plain(first.fix)}" if first.fix else "") + (f" ({n - 1:,} more of this kind)" if n > 1 else "")
        for first, n in kinds[:ISSUES_SHOWN]
    ]
    more = report.n_issues - sum(n for _, n in kinds[:ISSUES_SHOWN])
    if more > 0:
        lines.append(f"  and {more:,} more; --rejects FILE saves the list")
    elif report.n_issues > len(kinds):
        lines.append("  --rejects FILE saves the list")
    return "\n".join(lines) + "\n"


def _kinds(issues: Sequence[LoadIssue]) -> list[tuple[LoadIssue, int]]:
    """The first issue of each kind and how many are like it: the same words but for numbers and what stands in quotes. In the order they were met."""
    found: dict[tuple[str, str, bool], list[LoadIssue]] = {}
    for issue in issues:
        message = issue.message.removeprefix(issue.where)
        found.setdefault((_VARYING.sub("", message), issue.fix, issue.rejected), []).append(issue)
    return [(like[0], len(like)) for like in found.values()]


def _together(report: ImportReport) -> str:
    """That several files became one run, and the way to one run each; "" for one file."""
    together = [f.name for f in report.files if f.role == "traces" and f.n_traces]
    if len(together) < 2:
        return ""
    named = ", ".join(plain(name, 60) for name in together[:FILES_SHOWN]) + (", …" if len(together) > FILES_SHOWN else "")
    return f"The traces of {counted(len(together), 'file')} are one run: {named}. Two versions of a system are two runs: `ragviz import --separate FILE...` makes one of each file.\n"


def _brought(file: FileReport) -> str:
    what = counted(file.n_traces, "trace") if file.role == "traces" else f"{file.role}" + (f", {counted(file.n_rows, 'row')}" if file.n_rows else "")
    return what + (f", {counted(file.n_issues, 'issue')}" if file.n_issues else "")


@contextmanager
def rejects_file(out: Path) -> Iterator[Callable[[LoadIssue], None]]:
    """A CSV that takes every issue as it is met, however many there are; no cell is one that a spreadsheet would run."""
    with out.open("w", encoding="utf-8-sig", errors="replace", newline="") as target:
        writer = csv.writer(target)
        writer.writerow(["where", "problem", "fix", "row"])

        def write(issue: LoadIssue) -> None:
            writer.writerow([safe_cell(issue.where), safe_cell(issue.message), safe_cell(issue.fix), "rejected" if issue.rejected else "loaded with a doubt"])

        yield write
