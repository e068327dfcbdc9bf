"""Files into a run. Killed half-way and started again, nothing is lost and nothing is doubled."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, BinaryIO

import msgspec
from msgspec.structs import replace

from ragviz import __version__
from ragviz.backends.parquet_folder import Folder
from ragviz.errors import Cancelled, InputError
from ragviz.loaders import read_many
from ragviz.loaders.bundle import FileReport, Source
from ragviz.pipeline.bundles import opened_bundle, read_bundle
from ragviz.pipeline.corpora import MAX_DOCUMENTS, keep_documents, left_out
from ragviz.pipeline.judged_rows import as_bundle, judged_files
from ragviz.pipeline.rankings import pack_ranking
from ragviz.pipeline.redacting import redacted, redacted_bundle, redacted_documents, redactor
from ragviz.pipeline.run_names import file_name, name_of, run_id_of
from ragviz.pipeline.scoring import Progress
from ragviz.pipeline.splitting import Splitter
from ragviz.records import LoadIssue, RunManifest, Split, Trace
from ragviz.records.ids import digest
from ragviz.store import Met, Store
from ragviz.store.packing import is_storable
from ragviz.text.citation_marks import resolve_citations
from ragviz.text.redaction import Redactor

BATCH = 2_000
"""Traces stored at once. Each transaction writes every page of the database that it touches, so a larger one writes less."""
MAX_ISSUES_REPORTED = 1_000
MAX_CORPUS = 1_000_000
"""Distinct passages up to which a corpus gets a fingerprint."""


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
    """Of the first trace; None where the file cannot say."""
    first_passages: int | None
    """Passages of the first trace; None where the file cannot say."""
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """The object that ``ragviz import --json`` prints."""
        return {
            "run": self.run, "format": self.format,
            "files": [{"file": f.name, "format": f.format, "traces": f.n_traces, "issues": f.n_issues} for f in self.files],
            "traces": self.n_traces, "issues": [{"where": i.where, "message": i.message, "fix": i.fix} for i in self.issues],
            "first": {"question": self.first_question, "passages": self.first_passages} if self.n_traces else None,
        }


def import_files(
    store: Store, paths: Sequence[Source], *, run_name: str | None = None, format: str | None = None,  # noqa: A002 - the word of the command line
    documents: Source | None = None, field_map: Mapping[str, str] | None = None, on_progress: Progress | None = None,
    on_issue: Callable[[LoadIssue], None] | None = None, cancel: threading.Event | None = None, redact: Sequence[str] = (), split: Split | None = None,
    split_column: str | None = None,
) -> ImportReport:
    """
    Read files into one run, batch by batch. A bundle (``.ragviz``, known by its content) comes back as the run it was, verdicts and all.

    Args:
        store: Where they go.
        paths: Files (folders, globs, archives, "-", a name with a stream) that belong together.
        run_name: What the run is called; None = the first file's name.
        format: Name of a loader; None = recognised by content.
        documents: A file with the passages' texts.
        field_map: Where our fields are in an unknown shape.
        on_progress: Told how many traces are stored; the total is not known.
        on_issue: Told every issue; the report keeps the first thousand.
        cancel: Stops between batches.
        redact: Details to hide before anything is stored: words for ``text.redaction.rules_of``.
        split: What all these traces are kept for.
        split_column: Column (tag) that says so of each trace, in our words or those of training sets (train, dev, test).

    Raises:
        InputError: No file was named.
        Cancelled: Stopped; starting again goes on from there.
    """
    if not paths:
        raise InputError("no file to read", fix="name one or several files")
    if any(isinstance(path, str) and not path.strip() for path in paths):
        raise InputError("an empty file name", fix="check the variable that should hold it")  # Path("") would be the current folder
    started = time.monotonic()
    by, splitter = redactor(store, redact), Splitter(split, split_column)
    whole = _whole_run(store, paths, by, splitter, run_name=run_name)
    if whole is not None:
        return whole
    name = run_name or name_of(paths)
    sources = [*paths, *([documents] if documents else [])]
    work = _Import(store, name=name, run_id=run_id_of(name, sources, format, field_map, store.now().isoformat(), hides=by.fingerprint if by else ""))
    reading = read_many(paths, format=format, documents=documents, field_map=field_map)
    for read in splitter.through(_batches(reading)):
        batch = [redacted(row, by) for row in read] if by else read
        if cancel is not None and cancel.is_set():
            raise Cancelled("the import was stopped", fix="start it again to go on from here")
        work.add(batch)
        for issue in batch:
            if on_issue is not None and isinstance(issue, LoadIssue):
                on_issue(issue)
        if on_progress is not None:
            on_progress(work.n_traces, None)
    if work.created:
        unkept = left_out(file_name(documents) if documents else name, len(reading.documents))
        if unkept is not None:
            work.add([unkept])
            if on_issue is not None:
                on_issue(unkept)
        keep_documents(store, work.manifest.run_id, redacted_documents(reading.documents[:MAX_DOCUMENTS], by) if by else reading.documents)
    splitter.settle(store, work.manifest.run_id, n_known=work.n_traces - work.n_new)
    return work.finish(reading.files, reading.format, seconds=time.monotonic() - started)


def _whole_run(store: Store, paths: Sequence[Source], by: Redactor | None, splitter: Splitter, *, run_name: str | None) -> ImportReport | None:
    """What was exported as a run, or judged into a folder, and needs no reading of unknown shapes; None for other files."""
    judged = judged_files(paths)
    if judged is not None:
        paths = [_judged_stream(store, paths, *judged, run_name=run_name)]
    with opened_bundle(paths) as bundle:
        if bundle is None:
            return None
        with redacted_bundle(bundle, by, name=file_name(paths[0])) if by is not None else nullcontext(bundle) as told:
            report = _of_bundle(store, told, paths[0], run_name=run_name)
    splitter.whole_run(store, report.run_id)
    return report


def _judged_stream(store: Store, paths: Sequence[Source], folder: Folder, files: Sequence[str], *, run_name: str | None) -> Source:
    """Judged Parquet files as the bundle they could be."""
    name = run_name or name_of(paths)
    run_id = run_id_of(name, paths, None, None, store.now().isoformat(), hides="")
    manifest = RunManifest(run_id=run_id, name=name, created_at=store.now(), ragviz_version=__version__, format="native")
    return file_name(paths[0]), as_bundle(folder, files, manifest)


def _of_bundle(store: Store, bundle: BinaryIO, path: Source, *, run_name: str | None) -> ImportReport:
    """A run that was exported: nothing to recognise, to map or to join."""
    run, file, n_new, seconds = read_bundle(store, bundle, path, run_name=run_name)
    issues = store.issues(run.run_id)
    first = next(store.traces(run.run_id), None)
    return ImportReport(
        run_id=run.run_id,
        run=run.name,
        format=file.format,
        files=(file,),
        n_traces=run.n_traces,
        n_new=n_new,
        n_issues=len(issues),
        issues=tuple(issues[:MAX_ISSUES_REPORTED]),
        first_question=(first.question or None) if first else None,
        first_passages=len(first.passages) if first and first.passages is not None else None,
        seconds=seconds,
    )


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

    def __init__(self, store: Store, *, name: str, run_id: str) -> None:
        self.store = store
        self.manifest = RunManifest(run_id=run_id, name=name, created_at=store.now(), ragviz_version=__version__, format="")
        self.created = False
        self.waiting: list[Trace | LoadIssue] = []
        self.n_traces = self.n_new = self.n_issues = 0
        self.issues: list[LoadIssue] = []
        self.first: Trace | None = None
        self.all_hash, self.question_hash = hashlib.sha256(), hashlib.sha256()
        self.corpus: set[bytes] = set()
        self.met = Met()

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
            # An import that goes on, or is repeated, does not make the run newer than it is.
            self.manifest = replace(self.manifest, created_at=self.store.run(self.manifest.run_id).created_at)
            self.created = True
        ready, self.waiting = self.waiting, []
        try:
            self._store(ready)
        except OverflowError:  # one record of thousands: its batch was undone, and only now is each looked at
            bad = [row for row in ready if isinstance(row, Trace) and not is_storable(row)]
            told = [
                LoadIssue(where=row.origin, message="a whole number in this record is too large to be kept", fix="correct that number, or leave it out")
                for row in bad
            ]
            self.n_traces -= len(bad)
            for issue in told:
                self._note(issue)
            self._store([*(row for row in ready if row not in bad), *told])

    def _store(self, ready: list[Trace | LoadIssue]) -> None:
        packed = {row.id: pack_ranking(row) for row in ready if isinstance(row, Trace)}
        self.n_new += self.store.add_traces(self.manifest.run_id, ready, packed=packed, met=self.met)

    def _note(self, issue: LoadIssue) -> None:
        self.n_issues += 1
        if len(self.issues) < MAX_ISSUES_REPORTED:
            self.issues.append(issue)

    def _saw(self, trace: Trace) -> None:
        self.n_traces += 1
        self.first = self.first or trace
        hashes = self.met.hashes_of(trace)
        if len(self.corpus) <= MAX_CORPUS:
            self.corpus.update(hashes)
        question = f"{trace.question}\x1e".encode("utf-8", "surrogatepass")
        self.question_hash.update(question)
        self.all_hash.update(b"".join((question, f"{trace.response}\x1e".encode("utf-8", "surrogatepass"), *hashes)))

    def finish(self, files: Sequence[FileReport], format: str, *, seconds: float) -> ImportReport:  # noqa: A002
        """Close the run and say what came of it."""
        if self.created:
            self.store.finish_run(replace(
                self.manifest, format=format, files=tuple(f.name for f in files), traces_hash=self.all_hash.hexdigest()[:32],
                questions_hash=self.question_hash.hexdigest()[:32],
                corpus_hash=digest(h.hex() for h in sorted(self.corpus)) if len(self.corpus) <= MAX_CORPUS else "",
                n_traces=self.n_traces, n_issues=self.n_issues,
            ))
        return ImportReport(
            run_id=self.manifest.run_id if self.created else "", run=self.manifest.name, format=format, files=tuple(files), n_traces=self.n_traces,
            n_new=self.n_new, n_issues=self.n_issues, issues=tuple(self.issues), seconds=seconds,
            first_question=(self.first.question or None) if self.first else None,
            first_passages=len(self.first.passages) if self.first and self.first.passages is not None else None,
        )
