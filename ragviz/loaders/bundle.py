"""Many files as one run: folders, globs, archives; documents, labels, scores and claims joined to their traces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any, BinaryIO

import msgspec

from ragviz.contracts import Loader
from ragviz.errors import RagvizError
from ragviz.loaders.answers import Unanswered
from ragviz.loaders.building import warning
from ragviz.loaders.companions import ROLES, Companion, Needs, issue_of
from ragviz.loaders.format import Format, unique
from ragviz.loaders.joining import Joiner
from ragviz.loaders.passages import numbered
from ragviz.loaders.sources import FileReport, Source, SourceFile, every_file, expanded
from ragviz.records import LoadIssue, Passage, Trace

__all__ = ["FileReport", "Reading", "Source", "mapping_choice", "read_files"]


class Reading(Iterator[Trace | LoadIssue]):
    """The traces and issues of several files, one after the other; ``files`` says what became of each."""

    def __init__(self, parts: Iterator[Trace | LoadIssue], files: list[FileReport], companions: list[tuple[SourceFile, Companion]]) -> None:
        """
        Args:
            parts: What is read.
            files: Filled while reading; complete when the iterator is exhausted.
            companions: The same, of the files that hold no traces.
        """
        self._parts = parts
        self.files = files
        self._companions = companions

    @property
    def documents(self) -> tuple[Passage, ...]:
        """Everything the files of documents hold, retrieved or not; known from the first trace on."""
        drafts = {name: draft for _, one in self._companions for name, draft in one.documents.items() if draft.text.strip()}
        return numbered(msgspec.structs.replace(d, doc_id=d.doc_id if d.doc_id is not None else name) for name, d in drafts.items())[0]

    def __next__(self) -> Trace | LoadIssue:
        """The next trace or issue."""
        return next(self._parts)

    @property
    def format(self) -> str:
        """Format of the trace files; "mixed" when they differ."""
        names = {f.format for f in self.files if f.role == "traces" and f.format} or {f.format for f in self.files if f.format}
        return names.pop() if len(names) == 1 else "mixed" if names else ""


def read_files(sources: Sequence[Source], *, choose: Callable[[BinaryIO, str], Loader], documents: Source | None, document_loader: Loader) -> Reading:
    """Read files that belong together. ``choose`` picks the loader of an open file or raises UnreadableFile."""
    reports: list[FileReport] = []
    companions: list[tuple[SourceFile, Companion]] = []
    parts = _read(sources, choose, documents=documents, document_loader=document_loader, reports=reports, companions=companions)
    return Reading(parts, reports, companions)


def _read(
    sources: Sequence[Source], choose: Callable[[BinaryIO, str], Loader], *, documents: Source | None, document_loader: Loader, reports: list[FileReport],
    companions: list[tuple[SourceFile, Companion]],
) -> Iterator[Trace | LoadIssue]:
    with ExitStack() as held:
        yield from _read_all(sources, choose, documents=documents, document_loader=document_loader, reports=reports, companions=companions, held=held)


def _read_all(
    sources: Sequence[Source], choose: Callable[[BinaryIO, str], Loader], *, documents: Source | None, document_loader: Loader, reports: list[FileReport],
    companions: list[tuple[SourceFile, Companion]], held: ExitStack,
) -> Iterator[Trace | LoadIssue]:
    files: list[SourceFile] = []
    for one in every_file(sources, held):
        if isinstance(one, LoadIssue):
            yield one
        else:
            files.append(one)
            reports.append(one.report)
    for file in files:
        yield from _recognised(file, choose, companions)
    if documents is not None:
        for one in expanded(documents, held):
            if isinstance(one, LoadIssue):
                yield one
                continue
            reports.append(one.report)
            yield from _as_documents(one, choose, document_loader, companions)
    yield from _traces([f for f in files if f.loader is not None and f.report.role == "traces"], companions)


def _recognised(file: SourceFile, choose: Callable[[BinaryIO, str], Loader], companions: list[tuple[SourceFile, Companion]]) -> Iterator[LoadIssue]:
    """Find the loader; read the file now if it is a companion of others."""
    report = file.report
    try:
        with file.open() as source:
            file.loader = choose(source, report.name)
            report.format, report.label = file.loader.name, file.loader.label
            if isinstance(file.loader, Format) and file.loader.companion:
                yield from _companion(file, file.loader, source, companions)
    except RagvizError as exc:
        report.role, file.loader = "unreadable", None
        report.n_issues += 1
        yield issue_of(exc, report.name, rejected=file.asked_for)


def _companion(file: SourceFile, loader: Format, source: BinaryIO, companions: list[tuple[SourceFile, Companion]]) -> Iterator[LoadIssue]:
    """Read it to the end, unless it turns out to hold traces: those are streamed later."""
    held: list[LoadIssue] = []
    source.seek(0)
    for part in loader.parts(source, filename=file.report.name):
        if isinstance(part, (Trace, Needs)):
            return
        if isinstance(part, Companion):
            file.report.role, file.report.n_rows = part.role, part.rows
            companions.append((file, part))
        else:
            held.append(part)
    if file.report.role != "traces":
        file.report.n_issues += len(held)
        yield from held


def _as_documents(
    file: SourceFile, choose: Callable[[BinaryIO, str], Loader], fallback: Loader, companions: list[tuple[SourceFile, Companion]]
) -> Iterator[LoadIssue]:
    """The file the user names as documents; read as a map of documents when its own format is no companion. A fault that both ways find is told once."""
    before, file.is_help = len(companions), True
    told = list(_recognised(file, choose, companions))
    if len(companions) == before and isinstance(fallback, Format):
        with file.open() as source:
            file.loader, file.report.format, file.report.label = fallback, fallback.name, fallback.label
            as_map = list(_companion(file, fallback, source, companions))
        told = as_map if len(companions) > before else [issue for issue in told if issue in as_map] or as_map or told
    if len(companions) == before:
        file.report.role = "unreadable"
        told = told or [LoadIssue(where=file.report.name, message="no documents with an id found", fix="write {id: text} or a list of {id, text}")]
    file.report.n_issues = len(told)
    yield from told


def _traces(files: list[SourceFile], companions: list[tuple[SourceFile, Companion]]) -> Iterator[Trace | LoadIssue]:
    """Everything of the trace files, counted in the report of its file, and which answers are missing."""
    if not files:
        names: dict[str, int] = {}
        for file, one in ((f, c) for f, c in companions if not f.is_help):
            for part in _alone(one, names):
                _count(file.report, part)
                yield part
        return
    watch, report = Unanswered(), files[-1].report
    rankings = {f.report.format for f in files if isinstance(f.loader, Format) and not f.loader.answers}
    for report, part in _streamed(files, companions):
        _count(report, part)
        yield part
        if type(part) is Trace and report.format not in rankings:
            for issue in watch.look(part):
                _count(report, issue)
                yield issue
    for issue in watch.rest(report.name):
        _count(report, issue)
        yield issue


def _streamed(files: list[SourceFile], companions: list[tuple[SourceFile, Companion]]) -> Iterator[tuple[FileReport, Trace | LoadIssue]]:
    """The trace files through the joiner, each part with the report it belongs to."""
    if len(files) == 1 and not companions:  # the usual case, kept short: nothing to join, and ids are unique within a file already
        report = files[0].report
        for part in _parts_of(files[0]):
            yield report, part.issue if isinstance(part, Needs) else part
        return
    joiner = Joiner([(f.report.format, c) for f, c in companions])
    seen: dict[str, int] = {}
    for file in files:
        fitting = [c for f, c in companions if (c.claims or c.fields) and (f.report.format == file.report.format or len(files) == 1)]
        position = 0
        for read in _parts_of(file):
            if isinstance(read, Needs):
                found: Iterator[Trace | LoadIssue] = iter([read.issue] if joiner.keeps(read) else [])
            elif isinstance(read, Trace):
                found = _joined(read, position, joiner, fitting, seen)
                position += 1
            else:
                found = iter([read])
            for result in found:
                yield file.report, result
    for late in joiner.left_over():
        owner = next((f for f, c in companions if c.where == late.where), None) if isinstance(late, LoadIssue) else None
        yield (owner.report if owner else files[-1].report), late
    for file, one in companions:
        if one.role in ("aggregate", "refused"):
            yield file.report, warning(one.where, one.issue.message, one.issue.fix)


def _alone(one: Companion, seen: dict[str, int]) -> Iterator[Trace | LoadIssue]:
    """A companion without traces to join: what can be shown of it all the same, or what it needs."""
    if not one.alone:
        yield one.issue
    elif one.fix:
        yield warning(one.where, f"the file holds {ROLES[one.role]} only; the rest of each trace is in another file", one.fix)
    for trace in one.alone:
        yield from (part for part in unique(trace, seen) if isinstance(part, Trace))


def _joined(trace: Trace, position: int, joiner: Joiner, fitting: Sequence[Companion], seen: dict[str, int]) -> Iterator[Trace | LoadIssue]:
    made_up = trace.id.startswith("row-")
    for part in joiner.complete(trace, position, by_position=fitting):
        if isinstance(part, Trace):
            # Two files without ids both start at row-1: that needs a new name, but no warning.
            yield from (u for u in unique(part, seen) if isinstance(u, Trace) or not made_up)
        else:
            yield part


def _parts_of(file: SourceFile) -> Iterator[Any]:
    try:
        with file.open() as source:
            if isinstance(file.loader, Format):
                yield from file.loader.parts(source, filename=file.report.name)
            elif file.loader is not None:
                yield from file.loader.load(source, filename=file.report.name)
    except RagvizError as exc:
        yield issue_of(exc, file.report.name)


def _count(report: FileReport, part: Trace | LoadIssue) -> None:
    if type(part) is not Trace:
        report.n_issues += 1
        return
    report.n_traces += 1
    if part.id.startswith("row-"):
        report.n_without_id += 1
    for passage in part.passages or ():
        if not passage.text:
            report.n_empty_passages += 1
        if passage.id != passage.doc_id and "#" in passage.id:
            report.n_repeated_passages += 1


def mapping_choice(loader: Loader) -> Callable[[BinaryIO, str], Loader]:
    """A ``choose`` that always takes the same loader."""

    def choose(_source: BinaryIO, _name: str) -> Loader:
        return loader

    return choose


