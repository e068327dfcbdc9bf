"""From a path, a stream or standard input to a seekable stream of the file's own bytes, unpacked."""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ragviz.errors import UnreadableFile
from ragviz.loaders.limits import BUFFER_BYTES
from ragviz.loaders.tarballs import unpacked
from ragviz.loaders.unpacking import copied
from ragviz.loaders.utf8 import lent


@contextmanager
def opened(path_or_stream: str | Path | BinaryIO) -> Iterator[BinaryIO]:
    """
    A seekable stream of the file's own bytes; "-" is standard input.

    Raises:
        UnreadableFile: No such file, a folder, no permission, or a compressed file beyond the limits.
    """
    if not isinstance(path_or_stream, (str, Path)) or str(path_or_stream) == "-":
        if isinstance(path_or_stream, (str, Path)) and sys.stdin is None:
            raise UnreadableFile("standard input: it is closed", fix="pipe a file into the command, or name one")
        stream = sys.stdin.buffer if isinstance(path_or_stream, (str, Path)) else path_or_stream
        with lent(seekable(stream), stream) as source:
            yield source
        return
    with unopened(path_or_stream), Path(path_or_stream).open("rb", BUFFER_BYTES) as raw, lent(_again(raw, Path(path_or_stream).name), raw) as source:
        yield source


@contextmanager
def unopened(path: str | Path) -> Iterator[None]:
    """
    What the system says of a path, in words.

    Raises:
        UnreadableFile: No such file, a folder, no permission, a loop of links, a device or disk that fails.
    """
    try:
        yield
    except FileNotFoundError as exc:
        raise UnreadableFile(f"{path}: no such file", fix="check the path") from exc
    except IsADirectoryError as exc:
        raise UnreadableFile(f"{path}: is a folder", fix="open the files in it") from exc
    except PermissionError as exc:
        raise UnreadableFile(f"{path}: no permission to read it", fix="change the file's permissions") from exc
    except OSError as exc:
        if exc.errno not in _OF_THE_PATH:
            raise
        raise UnreadableFile(f"{path}: {(exc.strerror or 'cannot be read').lower()}", fix="check the path, and that it leads to a file") from exc


_OF_THE_PATH = (errno.ELOOP, errno.EIO, errno.ENXIO, errno.ENODEV)


def _again(raw: BinaryIO, name: str) -> BinaryIO:
    """The file's own bytes, unpacked; of a pipe a copy that can be read twice."""
    return unpacked(raw, name=name) if raw.seekable() else seekable(raw)


def seekable(source: BinaryIO) -> BinaryIO:
    """The stream itself, or a copy that can be read twice."""
    if not source.seekable():
        return unpacked(rewindable(source), name="input")
    source.seek(0)
    return unpacked(source, name=str(getattr(source, "name", "input")))


def rewindable(source: BinaryIO) -> BinaryIO:
    """A copy of a pipe in a temporary file."""
    return copied(source, name="input", packed=None)
