"""From a path, a stream or standard input to a seekable UTF-8 stream: unpacked, without BOM, within limits."""

from __future__ import annotations

import codecs
import gzip
import io
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, cast

import zstandard

from ragviz.errors import UnreadableFile
from ragviz.loaders.limits import HEAD_BYTES, LINE_BYTES, RATIO, RATIO_FREE_BYTES, SPOOL_BYTES, UNPACKED_BYTES

_GZIP, _ZSTD, _ZIP = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04"
_ZSTD_PIECE = 2048
"""Packed bytes unpacked in one step: a block of 4 bytes can stand for 128 KiB."""
_WIDE = ((codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


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
        with _lent(seekable(stream), stream) as source:
            yield source
        return
    try:
        with Path(path_or_stream).open("rb") as raw, _lent(unpacked(raw, name=Path(path_or_stream).name), raw) as source:
            yield source
    except FileNotFoundError as exc:
        raise UnreadableFile(f"{path_or_stream}: no such file", fix="check the path") from exc
    except IsADirectoryError as exc:
        raise UnreadableFile(f"{path_or_stream}: is a folder", fix="open the files in it") from exc
    except PermissionError as exc:
        raise UnreadableFile(f"{path_or_stream}: no permission to read it", fix="change the file's permissions") from exc


@contextmanager
def _lent(copy: BinaryIO, original: BinaryIO) -> Iterator[BinaryIO]:
    """The copy, closed afterwards; a stream that is no copy belongs to the caller and stays open."""
    try:
        yield copy
    finally:
        if copy is not original:
            copy.close()


def seekable(source: BinaryIO) -> BinaryIO:
    """The stream itself, or a copy that can be read twice."""
    if not source.seekable():
        return unpacked(rewindable(source), name="input")
    source.seek(0)
    return unpacked(source, name=str(getattr(source, "name", "input")))


def rewindable(source: BinaryIO) -> BinaryIO:
    """A copy of a pipe in a temporary file."""
    return _copied(source, name="input", packed=None)


def unpacked(source: BinaryIO, *, name: str) -> BinaryIO:
    """
    One level of gzip, zstd or zip (with one file in it) removed.

    Raises:
        UnreadableFile: Damaged, several files inside, or it would grow beyond all measure.
    """
    magic = source.read(4)
    packed = source.seek(0, io.SEEK_END)
    source.seek(0)
    try:
        if magic.startswith(_GZIP):
            return _copied(cast("IO[bytes]", gzip.GzipFile(fileobj=source)), name=name, packed=packed)
        if magic == _ZSTD:
            return _copied(cast("IO[bytes]", _Zstd(source)), name=name, packed=packed)
        if magic == _ZIP:
            return _copied(_only_member(source, name), name=name, packed=packed)
    except (EOFError, OSError, zipfile.BadZipFile, zstandard.ZstdError, NotImplementedError, RuntimeError, ValueError) as exc:
        raise UnreadableFile(f"{name}: the compressed file is damaged or cut off", fix="download or pack it again") from exc
    except Exception as exc:  # zlib.error is no OSError and has no public base
        if type(exc).__name__ != "error":
            raise
        raise UnreadableFile(f"{name}: the compressed file is damaged or cut off", fix="download or pack it again") from exc
    return source


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
        return _copied(packed, name=f"{path.name}/{inside}", packed=max(1, archive.getinfo(inside).compress_size))


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
        raise UnreadableFile(f"{name}: the archive holds {len(files)} files", fix="unpack it and open the folder")
    return archive.open(files[0])


def _copied(source: IO[bytes], *, name: str, packed: int | None) -> BinaryIO:
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


@contextmanager
def in_utf8(source: BinaryIO) -> Iterator[BinaryIO]:
    """The stream at its first character: a UTF-8 BOM skipped; a rewritten copy of UTF-16 and UTF-32, closed afterwards."""
    with _lent(as_utf8(source), source) as text:
        yield text


def as_utf8(source: BinaryIO) -> BinaryIO:
    """The stream at its first character: a UTF-8 BOM skipped, UTF-16 and UTF-32 rewritten."""
    source.seek(0)
    start = source.read(4)
    for bom, encoding in (*_WIDE, *_without_mark(source)):
        if start.startswith(bom):
            source.seek(0)
            target = tempfile.SpooledTemporaryFile(max_size=SPOOL_BYTES)  # noqa: SIM115 - lives as long as its reader
            decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
            while block := source.read(1 << 20):
                target.write(decoder.decode(block).encode("utf-8", "replace"))
            target.write(decoder.decode(b"", final=True).encode("utf-8", "replace"))
            target.seek(0)
            return cast("BinaryIO", target)
    skip = 3 if start.startswith(codecs.BOM_UTF8) else 0
    source.seek(skip)
    head = source.read(64 * 1024)
    source.seek(skip)
    if b"\r" in head and b"\n" not in head and b"\x00" not in head:  # "CSV (Macintosh)"
        target = tempfile.SpooledTemporaryFile(max_size=SPOOL_BYTES)  # noqa: SIM115 - lives as long as its reader
        while block := source.read(1 << 20):
            target.write(block.replace(b"\r", b"\n"))
        target.seek(0)
        return cast("BinaryIO", target)
    return source


def _without_mark(source: BinaryIO) -> list[tuple[bytes, str]]:
    """UTF-16 without a byte order mark: every other byte of Latin text is 0, and none of the others."""
    source.seek(0)
    head = source.read(512)
    if len(head) < 8 or head.startswith((b"PAR1", b"SQLite")):
        return []
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if even == 0 and odd * 4 > len(head):
        return [(b"", "utf-16-le")]
    return [(b"", "utf-16-be")] if odd == 0 and even * 4 > len(head) else []


def lines(source: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    r"""Line number from 1 and the line (split at ``\n`` only: U+2028 belongs to the text); None for a line over the limit."""
    n = 0
    while line := source.readline(LINE_BYTES + 1):
        n += 1
        if len(line) <= LINE_BYTES or line.endswith(b"\n"):
            yield n, line
            continue
        del line
        while (rest := source.readline(1 << 20)) and not rest.endswith(b"\n"):
            continue
        yield n, None


def head_of(source: BinaryIO) -> bytes:
    """The first bytes, without BOM, in UTF-8, for ``Loader.sniff``; containers with their index at the end are summed up."""
    source.seek(0)
    magic = source.read(16)
    if magic.startswith(b"PAR1"):
        from ragviz.loaders.parquet import excerpt  # noqa: PLC0415 - pyarrow costs 200 ms, only for parquet

        return excerpt(source)
    if magic.startswith(b"SQLite format 3"):
        from ragviz.loaders.sqlite import excerpt as tables  # noqa: PLC0415

        return tables(source)
    with _lent(as_utf8(source), source) as text:
        head = text.read(HEAD_BYTES)
    source.seek(0)
    return head
