"""One level of gzip, bzip2, xz, zstd, zip or tar (packed or not) taken off, within limits."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, cast

import zstandard

from ragviz.errors import UnreadableFile
from ragviz.loaders.limits import RATIO, RATIO_FREE_BYTES, SPOOL_BYTES, UNPACKED_BYTES, XZ_BYTES
from ragviz.text.counts import counted

_GZIP, _ZSTD, _ZIP, _BZIP2, _XZ = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b"BZh", b"\xfd7zXZ\x00"
_ZSTD_PIECE = 2048
"""Packed bytes unpacked in one step: a block of 4 bytes can stand for 128 KiB."""


def decompressed(source: BinaryIO, *, name: str) -> BinaryIO:
    """
    A copy of what one compressed stream holds; the stream itself where it is none (a zip archive is none).

    Raises:
        UnreadableFile: Damaged, or it would grow beyond all measure.
    """
    packed = source.seek(0, io.SEEK_END)
    reader = stream_in(source)
    if reader is None:
        return source
    with told_as_damaged(name):
        return copied(reader, name=name, packed=packed)


def stream_in(source: BinaryIO) -> IO[bytes] | None:
    """What reads the compressed stream that the file is; None for any other file. Nothing is read yet."""
    source.seek(0)
    magic = source.read(6)
    source.seek(0)
    if magic.startswith(_GZIP):
        return cast("IO[bytes]", gzip.GzipFile(fileobj=source))
    if magic.startswith(_ZSTD):
        return cast("IO[bytes]", _Zstd(source))
    if magic.startswith(_BZIP2) and magic[3:4].isdigit():
        return cast("IO[bytes]", bz2.BZ2File(source))
    return cast("IO[bytes]", _Xz(source)) if magic == _XZ else None


@contextmanager
def told_as_damaged(name: str) -> Iterator[None]:
    """
    What the libraries say of damaged archives, in one sentence.

    Raises:
        UnreadableFile: One of them did.
    """
    try:
        yield
    except UnreadableFile:
        raise
    except (EOFError, OSError, zipfile.BadZipFile, zstandard.ZstdError, lzma.LZMAError, NotImplementedError, RuntimeError, ValueError) as exc:
        raise UnreadableFile(f"{name}: the compressed file is damaged or cut off", fix="download or pack it again") from exc
    except Exception as exc:  # zlib.error is no OSError and has no public base
        if type(exc).__name__ != "error":
            raise
        raise UnreadableFile(f"{name}: the compressed file is damaged or cut off", fix="download or pack it again") from exc


def only_file(source: BinaryIO, *, name: str) -> BinaryIO:
    """
    The one file in a zip archive, unpacked; the stream itself where it is none.

    Raises:
        UnreadableFile: Damaged, several files inside, or it would grow beyond all measure.
    """
    packed = source.seek(0, io.SEEK_END)
    source.seek(0)
    magic = source.read(4)
    source.seek(0)
    if magic != _ZIP:
        return source
    with told_as_damaged(name):
        return copied(_only_member(source, name), name=name, packed=packed)


class _Zstd:
    """Frames one after the other. The library's own reader says nothing when the last frame is cut off."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._left = b""

    def read(self, size: int) -> bytes:  # noqa: ARG002 - the signature of a file
        """
        Some unpacked bytes, b"" at the end. ``size`` is not kept to: pieces are small enough to stay below 64 MiB.

        Raises:
            EOFError: The file ends inside a frame.
        """
        while True:
            packed = self._left or self._source.read(_ZSTD_PIECE)
            self._left = b""
            if not packed:
                if not self._frame.eof:
                    raise EOFError
                return b""
            if self._frame.eof:
                self._frame = zstandard.ZstdDecompressor().decompressobj()
            block = self._frame.decompress(packed)
            if self._frame.eof:
                self._left = self._frame.unused_data
            if block:
                return block


class _Xz:
    """Streams one after the other. The library's own reader takes as much memory as the file asks for, and a file may ask for 4 GiB."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._stream = lzma.LZMADecompressor(memlimit=XZ_BYTES)
        self._left = b""

    def read(self, size: int) -> bytes:
        """
        Up to ``size`` unpacked bytes, b"" at the end.

        Raises:
            EOFError: The file ends inside a stream.
            LZMAError: Damaged, or it asks for too much memory.
        """
        while True:
            if self._stream.eof:
                self._left = (self._stream.unused_data or self._left).lstrip(b"\0") or self._source.read(1 << 16).lstrip(b"\0")
                if not self._left:
                    return b""
                self._stream = lzma.LZMADecompressor(memlimit=XZ_BYTES)
            packed = self._left or (self._source.read(1 << 16) if self._stream.needs_input else b"")
            self._left = b""
            if not packed and self._stream.needs_input:
                raise EOFError
            if block := self._stream.decompress(packed, size):
                return block


def members(path: Path) -> list[str]:
    """Names of the files inside a zip archive; [] for anything else."""
    try:
        with zipfile.ZipFile(path) as archive:
            return [m.filename for m in _files_in(archive)]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return []


def member(path: Path, inside: str) -> BinaryIO:
    """One file of a zip archive, unpacked within limits."""
    with path.open("rb") as raw, zipfile.ZipFile(raw) as archive, archive.open(inside) as packed:
        return copied(packed, name=f"{path.name}/{inside}", packed=max(1, archive.getinfo(inside).compress_size))


def is_clutter(name: str) -> bool:
    """True for what desktops leave in folders and archives: hidden files, the forks of macOS, thumbnails."""
    parts = name.replace("\\", "/").split("/")
    return any((part.startswith(".") and part.strip(".")) or part == "__MACOSX" for part in parts) or parts[-1].lower() in ("thumbs.db", "desktop.ini")


def _files_in(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Files of an archive without clutter; all of them where there is nothing else, so that a named hidden file still opens."""
    files = [m for m in archive.infolist() if not m.is_dir()]
    return [m for m in files if not is_clutter(m.filename)] or files


def _only_member(source: BinaryIO, name: str) -> IO[bytes]:
    archive = zipfile.ZipFile(source)
    files = _files_in(archive)
    if any(m.filename == "[Content_Types].xml" for m in files):
        raise UnreadableFile(f"{name}: is an office document, not a data file", fix="save the sheet as CSV (UTF-8)")
    if len(files) != 1:
        raise UnreadableFile(f"{name}: the archive holds {counted(len(files), 'file')}", fix="unpack it and open the folder")
    return archive.open(files[0])


def copied(source: IO[bytes], *, name: str, packed: int | None) -> BinaryIO:
    """A seekable copy; refused when it grows out of proportion."""
    target = tempfile.SpooledTemporaryFile(max_size=SPOOL_BYTES)  # noqa: SIM115 - lives as long as its reader
    total = 0
    try:
        while block := source.read(1 << 20):
            total += len(block)
            bomb = packed is not None and total > RATIO_FREE_BYTES and total > RATIO * max(packed, 1)
            if bomb or total > UNPACKED_BYTES:
                raise UnreadableFile(  # noqa: TRY301 - the copy must be closed all the same
                    f"{name}: unpacks to more than {total >> 20} MiB, out of all proportion to its size",
                    fix="unpack it yourself if you trust it, and open the result",
                )
            target.write(block)
    except BaseException:
        target.close()
        raise
    target.seek(0)
    return cast("BinaryIO", target)
