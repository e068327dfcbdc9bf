"""Files into a run. Killed half-way and started again, nothing is lost and nothing is doubled."""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from ragviz import __version__
from ragviz.errors import Cancelled, InputError
from ragviz.loaders import detect, peek, read
from ragviz.loaders.opening import opened
from ragviz.pipeline.scoring import Progress
from ragviz.records import LoadIssue, RunManifest, Trace
from ragviz.records.ids import digest
from ragviz.store import Store, content_hash
from ragviz.text.citation_marks import resolve_citations

BATCH = 500
MAX_ISSUES_REPORTED = 1_000
MAX_CORPUS = 1_000_000
"""Distinct passages up to which a corpus gets a fingerprint."""


class FileReport(msgspec.Struct, frozen=True, kw_only=True):
    """What one file brought."""

    file: str
    format: str
    """Loader that recognised it; "" where none did."""
    traces: int
    issues: int


class ImportReport(msgspec.Struct, frozen=True, kw_only=True):
    """What an import came to."""

    run_id: str
    """"" when no trace could be read: then no run was made."""
    run: str
    """Its name."""
    format: str
    """The loader; "mixed" for several."""
    files: tuple[FileReport, ...]
    n_traces: int
    n_new: int
    """Of these, not in the run before."""
    n_issues: int
    issues: tuple[LoadIssue, ...]
    """The first thousand."""
    first_question: str | None
    first_passages: int | None
    """Passages of the first trace; None where the file cannot say."""
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """The object that ``ragviz import --json`` prints."""
        return {
            "run": self.run, "format": self.format,
            "files": [{"file": f.file, "format": f.format, "traces": f.traces, "issues": f.issues} for f in self.files],
            "traces": self.n_traces, "issues": [{"where": i.where, "message": i.message, "fix": i.fix} for i in self.issues],
            "first": {"question": self.first_question, "passages": self.first_passages} if self.first_question is not None else None,
        }


def import_files(
    store: Store, paths: Sequence[str | Path], *, run_name: str | None = None, format: str | None = None,  # noqa: A002 - the word of the command line
    documents: str | Path | None = None, field_map: Mapping[str, str] | None = None, on_progress: Progress | None = None,
    cancel: threading.Event | None = None,
) -> ImportReport:
    """
    Read files into one run, batch by batch.

    Args:
        store: Where they go.
        paths: Files (folders, globs, "-") that belong together.
        run_name: What the run is called; None = the first file's name.
        format: Name of a loader; None = recognised by content.
        documents: A file with the passages' texts.
        field_map: Where our fields are in an unknown shape.
        on_progress: Told how many traces are stored; the total is not known.
        cancel: Stops between batches.

    Raises:
        InputError: No file was named.
        Cancelled: Stopped; starting again goes on from there.
    """
    if not paths:
        raise InputError("no file to read", fix="name one or several files")
    started = time.monotonic()
    name = run_name or _name_of(paths)
    work = _Import(store, name=name, run_id=_run_id(name, [*paths, *([documents] if documents else [])], format, field_map), names=[Path(p).name for p in paths])
    rows = (row for path in paths for row in read(path, format=format, field_map=field_map))
    for batch in _batches(rows):
        if cancel is not None and cancel.is_set():
            raise Cancelled("the import was stopped", fix="start it again to go on from here")
        work.add(batch)
        if on_progress is not None:
            on_progress(work.n_traces, None)
    formats = [format or _format_of(path) for path in paths]
    return work.finish(formats, seconds=time.monotonic() - started)


def _batches(rows: Iterator[Trace | LoadIssue]) -> Iterator[list[Trace | LoadIssue]]:
    batch: list[Trace | LoadIssue] = []
    for row in rows:
        batch.append(row if isinstance(row, LoadIssue) or row.citations is not None else replace(row, citations=resolve_citations(row)))
        if len(batch) >= BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


class _Import:
    """A run in the making."""

    def __init__(self, store: Store, *, name: str, run_id: str, names: Sequence[str]) -> None:
        self.store = store
        self.manifest = RunManifest(run_id=run_id, name=name, created_at=store.now(), ragviz_version=__version__, format="", files=tuple(names))
        self.created = False
        self.waiting: list[Trace | LoadIssue] = []
        self.n_traces = self.n_new = self.n_issues = 0
        self.issues: list[LoadIssue] = []
        self.first: Trace | None = None
        self.by_file: Counter[str] = Counter()
        self.issues_by_file: Counter[str] = Counter()
        self.all_hash, self.question_hash = hashlib.sha256(), hashlib.sha256()
        self.corpus: set[bytes] = set()

    def add(self, batch: list[Trace | LoadIssue]) -> None:
        """Store one batch. A run is made with the first trace, so that a file without any leaves none behind."""
        for row in batch:
            if isinstance(row, Trace):
                self._saw(row)
            else:
                self._note(row)
        self.waiting += batch
        if self.first is None:
            return
        if not self.created:
            self.store.create_run(self.manifest)
            self.created = True
        ready, self.waiting = self._told_apart(self.waiting), []
        self.n_new += self.store.add_traces(self.manifest.run_id, ready)

    def _note(self, issue: LoadIssue) -> None:
        self.n_issues += 1
        self.issues_by_file[_file_in(issue.where, self.manifest.files)] += 1
        if len(self.issues) < MAX_ISSUES_REPORTED:
            self.issues.append(issue)

    def _saw(self, trace: Trace) -> None:
        self.n_traces += 1
        self.first = self.first or trace
        self.by_file[_file_in(trace.origin, self.manifest.files)] += 1
        hashes = [content_hash(p.text) for p in trace.passages or ()]
        if len(self.corpus) <= MAX_CORPUS:
            self.corpus.update(hashes)
        question = f"{trace.question}\x1e".encode("utf-8", "surrogatepass")
        self.question_hash.update(question)
        self.all_hash.update(b"".join((question, f"{trace.response}\x1e".encode("utf-8", "surrogatepass"), *hashes)))

    def _told_apart(self, batch: list[Trace | LoadIssue]) -> list[Trace | LoadIssue]:
        """Two files may both have a trace "1": the later one gets its file's name behind the id, or it would count as the first."""
        if len(self.manifest.files) < 2:
            return batch
        there = self.store.origins(self.manifest.run_id, [row.id for row in batch if isinstance(row, Trace)])
        made: list[Trace | LoadIssue] = []
        for row in batch:
            if isinstance(row, Trace):
                mine, theirs = (_file_in(origin, self.manifest.files) for origin in (row.origin, there.get(row.id, row.origin)))
                if mine != theirs:
                    issue = LoadIssue(where=row.origin, message=f"the id {row.id!r} is taken by {theirs}; it became {row.id}@{mine}", rejected=False)
                    self._note(issue)
                    made.append(issue)
                    row = replace(row, id=f"{row.id}@{mine}")  # noqa: PLW2901 - the row under its new name
                there.setdefault(row.id, row.origin)
            made.append(row)
        return made

    def finish(self, formats: Sequence[str], *, seconds: float) -> ImportReport:
        """Close the run and say what came of it."""
        found = sorted({f for f in formats if f})
        one = found[0] if len(found) == 1 else "mixed" if found else ""
        if self.created:
            corpus = digest(h.hex() for h in sorted(self.corpus)) if len(self.corpus) <= MAX_CORPUS else ""
            self.store.finish_run(replace(
                self.manifest, format=one, traces_hash=self.all_hash.hexdigest()[:32], questions_hash=self.question_hash.hexdigest()[:32],
                corpus_hash=corpus, n_traces=self.n_traces, n_issues=self.n_issues,
            ))
        files = tuple(
            FileReport(file=name, format=kind, traces=self.by_file[name], issues=self.issues_by_file[name])
            for name, kind in zip(self.manifest.files, formats, strict=True)
        )
        return ImportReport(
            run_id=self.manifest.run_id if self.created else "", run=self.manifest.name, format=one, files=files, n_traces=self.n_traces,
            n_new=self.n_new, n_issues=self.n_issues, issues=tuple(self.issues), seconds=seconds,
            first_question=self.first.question if self.first else None,
            first_passages=len(self.first.passages) if self.first and self.first.passages is not None else None,
        )


def _file_in(where: str, names: Sequence[str]) -> str:
    """The file a place such as ``a.jsonl:17`` lies in."""
    return next((name for name in names if where == name or where.startswith((f"{name}:", f"{name}#", f"{name}/"))), names[0] if len(names) == 1 else where)


def _name_of(paths: Sequence[str | Path]) -> str:
    first = Path(paths[0])
    stem = first.name.split(".")[0] or first.name
    return stem if len(paths) == 1 else f"{stem} and {len(paths) - 1} more"


def _format_of(path: str | Path) -> str:
    """The loader that a file is read by."""
    try:
        with opened(path) as source:
            found = detect(peek(source), Path(path).name)
    except InputError:
        return ""
    return found[0][0].name if found else ""


def _run_id(name: str, paths: Sequence[str | Path], format: str | None, field_map: Mapping[str, str] | None) -> str:  # noqa: A002
    """From name and content: the same import started again finds its run; a changed file makes a new one."""
    parts = [name, format or "", *(f"{k}={v}" for k, v in sorted((field_map or {}).items()))]
    for path in paths:
        parts.append(Path(path).name)
        parts += _content(Path(path))
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "run"
    return f"{slug}-{digest(parts, length=8)}"


def _content(path: Path) -> Iterator[str]:
    files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
    for file in files:
        try:
            with file.open("rb") as source:
                yield hashlib.file_digest(source, "sha256").hexdigest()
        except OSError:
            yield "unreadable"
