"""Bundles (``.ragviz``) among the files to import: a whole run with all that was said about it, known by its content."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from msgspec.structs import replace

from ragviz.errors import InputError, UnknownName
from ragviz.loaders.sources import FileReport, Source
from ragviz.records import RunManifest
from ragviz.store import Store, is_bundle

FORMAT = "bundle"
LABEL = "a run that ragviz exported"


@contextmanager
def opened_bundle(paths: Sequence[Source]) -> Iterator[BinaryIO | None]:
    """
    The bundle, open at its beginning, when that is what the user names; else None.

    Raises:
        InputError: A bundle beside other files: each is a run of its own.
    """
    named = [path for path in paths if _holds_bundle(path)]
    if not named:
        yield None
        return
    if len(paths) > 1:
        raise InputError(f"{_name(named[0])} holds a whole run, so it cannot be read together with other files", fix="import it by itself")
    if isinstance(named[0], tuple):
        yield named[0][1]
        return
    with Path(named[0]).open("rb") as source:
        yield source


def read_bundle(store: Store, source: BinaryIO, path: Source, *, run_name: str | None) -> tuple[RunManifest, FileReport, int, float]:
    """
    The run in the store, under the id it had; ``run_name`` renames it. Reading it again changes nothing.

    Returns:
        The run, what became of the file, how many traces are new, seconds taken.

    Raises:
        InputError: Cut off, damaged, or written by a newer ragviz.
    """
    began = time.monotonic()
    known = {run.run_id: run.n_traces for run in store.runs()}
    manifest = store.import_bundle(source, name=_name(path))
    if run_name is not None and run_name != manifest.name:
        store.finish_run(replace(manifest, name=run_name))
    try:
        stored = next(run for run in store.runs() if run.run_id == manifest.run_id)
    except StopIteration as exc:
        raise UnknownName(f"the run of {_name(path)} was deleted while it was read", fix="import it again") from exc
    report = FileReport(name=_name(path), format=FORMAT, label=LABEL, n_traces=stored.n_traces, n_issues=stored.n_issues)
    return stored, report, stored.n_traces - known.get(manifest.run_id, 0), time.monotonic() - began


def _holds_bundle(path: Source) -> bool:
    """By its first bytes, whatever it is called."""
    if isinstance(path, tuple):
        stream = path[1]
        if not stream.seekable():
            return False
        stream.seek(0)
        found = is_bundle(stream)
        stream.seek(0)
        return found
    if str(path) == "-" or not Path(path).is_file():
        return False
    try:
        with Path(path).open("rb") as source:
            return is_bundle(source)
    except OSError:
        return False


def _name(path: Source) -> str:
    return path[0] if isinstance(path, tuple) else Path(path).name
