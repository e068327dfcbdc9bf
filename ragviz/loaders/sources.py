"""What a user names (paths, folders, globs, archives, streams, a pipe) as files to open."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO

import msgspec

from ragviz.contracts import Loader
from ragviz.errors import UnreadableFile
from ragviz.loaders.opening import opened, rewindable, unopened
from ragviz.loaders.saved_datasets import data_files
from ragviz.loaders.tarballs import Tarball, is_tar
from ragviz.loaders.unpacking import is_clutter, member, members
from ragviz.records import LoadIssue
from ragviz.text.counts import counted

Source = str | Path | tuple[str, BinaryIO]
"""A path, a folder, a glob, "-", or a name with a stream."""


class FileReport(msgspec.Struct, kw_only=True):
    """What became of one file."""

    name: str
    format: str = ""
    """Loader; "" when none fits."""
    label: str = ""
    role: str = "traces"
    """traces; or documents, queries, qrels, claims, scores, passages, sources, answers, aggregate, refused, unreadable."""
    n_traces: int = 0
    n_issues: int = 0
    n_rows: int = 0
    """Rows of a companion file."""
    n_without_id: int = 0
    """Traces that got a made-up id."""
    n_repeated_passages: int = 0
    """Passages that their trace retrieved before."""
    n_empty_passages: int = 0
    """Passages without text."""


class SourceFile(msgspec.Struct, kw_only=True):
    """A file that can be opened as often as needed."""

    report: FileReport
    open: Callable[[], AbstractContextManager[BinaryIO]]
    loader: Loader | None = None
    asked_for: bool = True
    """False for files that merely lay in a folder."""
    is_help: bool = False
    """True for the file named as documents: that it holds no traces is no fault of it."""
    place: str = ""
    """Where it lies, the same however it is written; "" for a stream of the caller's."""


def every_file(sources: Iterable[Source], held: ExitStack) -> Iterator[SourceFile | LoadIssue]:
    """The files of all sources, each once: one that is named again, by itself, in a folder or by a pattern, is no second set of traces."""
    seen: set[str] = set()
    for source in sources:
        for one in expanded(source, held):
            if isinstance(one, SourceFile) and one.place and one.place in seen:
                yield LoadIssue(where=one.report.name, message="the file was named more than once; it is read once", fix="name each file once", rejected=False)
                continue
            if isinstance(one, SourceFile):
                seen.add(one.place)
            yield one


def place_of(source: Source) -> str:
    """Where a path leads, the same however it is written; "-" for standard input, "" for a stream."""
    return "" if isinstance(source, tuple) else "-" if str(source) == "-" else os.path.realpath(source)  # which raises for no loop of links


def files_in(folder: Path) -> list[Path]:
    """The files in a folder and its folders, in order of their names; what desktops leave there is left out, and what describes a saved data set."""
    return data_files(folder, _every_file(folder))[0]


def _every_file(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*") if p.is_file() and not is_clutter(p.relative_to(folder).as_posix()))


def expanded(source: Source, held: ExitStack) -> Iterator[SourceFile | LoadIssue]:
    """One file or many: folders (hidden files left out), globs, archives with several files."""
    if isinstance(source, tuple):
        name, stream = source
        yield SourceFile(report=FileReport(name=name), open=_Kept(stream, held))
        return
    path = Path(source)
    if not str(source).strip():
        yield LoadIssue(where="(no name)", message="an empty file name", fix="check the variable that should hold it")  # Path("") would be the current folder
    elif str(source) == "-" and sys.stdin is None:
        yield LoadIssue(where="standard input", message="it is closed", fix="pipe a file into the command, or name one")
    elif str(source) == "-":
        yield SourceFile(report=FileReport(name="standard input"), open=_Kept(sys.stdin.buffer, held), place="-")
    elif path.is_dir():
        found, missing = data_files(path, _every_file(path))
        yield from missing
        if not found and not missing:
            yield LoadIssue(where=str(source), message="the folder holds no files", fix="check the path")
        for one in found:
            yield from _single(one, held, name=str(one.relative_to(path)), asked_for=False)
    elif not path.exists() and glob.has_magic(str(source)):
        matching = sorted(Path(p) for p in glob.glob(str(source), recursive=True) if Path(p).is_file())  # noqa: PTH207 - the pattern may be absolute
        if not matching:
            yield LoadIssue(where=str(source), message="no file matches", fix="check the pattern; put it in quotes")
        for one in matching:
            yield from _single(one, held, name=one.name, asked_for=True)
    else:
        yield from _single(path, held, name=path.name, asked_for=True)


def _single(path: Path, held: ExitStack, *, name: str, asked_for: bool) -> Iterator[SourceFile | LoadIssue]:
    if path.exists() and not path.is_file():  # <(…), /dev/stdin, a named pipe: what is read once is gone
        yield SourceFile(report=FileReport(name=name), open=_Piped(path, held), asked_for=asked_for, place=place_of(path))
        return
    inside = members(path)
    if len(inside) > 1 and "[Content_Types].xml" not in inside:
        for one in inside:
            yield SourceFile(report=FileReport(name=f"{name}/{one}"), open=partial(_member, path, one), asked_for=False, place=f"{place_of(path)}/{one}")
        return
    archive = _tarball(path, name, held)
    if archive is None or (len(archive.files) <= 1 and not archive.is_damaged and not archive.n_left_out):
        yield SourceFile(report=FileReport(name=name), open=partial(opened, path), asked_for=asked_for, place=place_of(path))
        return
    if archive.n_left_out:
        told = f"{counted(archive.n_left_out, 'link, device or sparse file', 'links, devices or sparse files')} in the archive left out: none is followed"
        yield LoadIssue(where=name, message=told, fix="pack the files that they lead to", rejected=False)
    if archive.is_damaged:
        yield LoadIssue(where=name, message="the archive is damaged or cut off; the files before that are read", fix="download or pack it again")
    for one in archive.files:
        yield SourceFile(report=FileReport(name=f"{name}/{one}"), open=partial(_tar_member, archive, one), asked_for=False, place=f"{place_of(path)}/{one}")


def _tarball(path: Path, name: str, held: ExitStack) -> Tarball | None:
    """The tar archive, held open until the end of the import; None for any other file, and for one that cannot be opened (which is told when it is read)."""
    try:
        raw = held.enter_context(path.open("rb"))
        archive = Tarball(raw, name=name) if is_tar(raw) else None
    except (OSError, UnreadableFile):
        return None
    if archive is None:
        raw.close()
    else:
        held.callback(archive.close)
    return archive


@contextmanager
def _tar_member(archive: Tarball, inside: str) -> Iterator[BinaryIO]:
    source = archive.member(inside)
    try:
        yield source
    finally:
        source.close()


class _Kept:
    """A stream that is opened twice, to recognise it and to read it: a pipe is copied the first time."""

    def __init__(self, stream: BinaryIO, held: ExitStack) -> None:
        """
        Args:
            stream: Belongs to the caller and is not closed.
            held: Closes the copy at the end of the import.
        """
        self.stream = stream
        self.held = held

    def __call__(self) -> AbstractContextManager[BinaryIO]:
        """The stream from its beginning."""
        if not self.stream.seekable():
            self.stream = rewindable(self.stream)
            self.held.callback(self.stream.close)
        return opened(self.stream)


class _Piped:
    """A pipe with a name, opened when its turn comes and kept from then on."""

    def __init__(self, path: Path, held: ExitStack) -> None:
        """
        Args:
            path: Of the pipe.
            held: Closes it, and the copy of what it gave, at the end of the import.
        """
        self.path = path
        self.held = held
        self.kept: _Kept | None = None

    def __call__(self) -> AbstractContextManager[BinaryIO]:
        """
        The stream from its beginning.

        Raises:
            UnreadableFile: It cannot be opened.
        """
        if self.kept is None:
            with unopened(self.path):
                self.kept = _Kept(self.held.enter_context(self.path.open("rb")), self.held)
        return self.kept()


@contextmanager
def _member(path: Path, inside: str) -> Iterator[BinaryIO]:
    source = member(path, inside)
    try:
        yield source
    finally:
        source.close()
