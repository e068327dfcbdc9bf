"""Files inside a tar archive, packed or not: read where they lie, never written under their names, links never followed."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator
from typing import IO, BinaryIO, cast

from ragviz.errors import UnreadableFile
from ragviz.loaders.limits import MEMBERS
from ragviz.loaders.unpacking import copied, decompressed, is_clutter, only_file, stream_in, told_as_damaged
from ragviz.text.counts import counted

_BLOCK = 512
_LONGEST_NAME = 4096
_MOST_AT_ONCE = 4 << 20
"""Bytes that are read in one step: the headers of an archive may say any length, and the library would hold it in memory."""


class Tarball:
    """A tar archive, unpacked once, whose files can be opened as often as needed."""

    def __init__(self, source: BinaryIO, *, name: str) -> None:
        """
        Args:
            source: At any place; a compressed one is unpacked to a copy.
            name: For messages.

        Raises:
            UnreadableFile: The packing is damaged, too many files, or it would grow beyond all measure.
        """
        self.name = name
        self._tar = decompressed(source, name=name)
        self._is_copy = self._tar is not source
        self._tar.seek(0)
        self.n_left_out = 0
        """Links, devices, pipes and sparse files (which may be nothing but holes)."""
        self.is_damaged = False
        found: dict[str, tuple[int, int]] = {}
        try:
            with tarfile.open(fileobj=_careful(self._tar), mode="r:") as archive:
                for info in _entries(archive):
                    if info.isreg() and not info.issparse() and len(info.name) <= _LONGEST_NAME:
                        found[info.name] = (info.offset_data, info.size)  # of two versions of a file the later one counts, as unpacking would leave it
                    elif not info.isdir():
                        self.n_left_out += 1
                    if len(found) > MEMBERS:
                        raise UnreadableFile(f"{name}: the archive holds more than {MEMBERS:,} files", fix="unpack it and open the folder")  # noqa: TRY301 - closes the copy
                self._tar.seek(archive.offset)  # where the library stopped: at the end stand zeros, or nothing
                self.is_damaged = bool(self._tar.read(_BLOCK).strip(b"\0"))
        except (tarfile.TarError, OSError, ValueError, EOFError):
            self.is_damaged = True
        except BaseException:
            self.close()
            raise
        self._places = {inside: place for inside, place in found.items() if not is_clutter(inside)} or found

    @property
    def files(self) -> list[str]:
        """Names of the files in order, without what desktops leave there."""
        return list(self._places)

    def member(self, inside: str) -> BinaryIO:
        """
        A copy of one file; of one that the archive is cut off in, what there is.

        Raises:
            UnreadableFile: It would grow beyond all measure.
        """
        start, size = self._places[inside]
        self._tar.seek(start)
        return copied(cast("IO[bytes]", _Part(self._tar, size)), name=f"{self.name}/{inside}", packed=None)

    def close(self) -> None:
        """Give the copy back; a stream that is no copy belongs to the caller."""
        if self._is_copy:
            self._tar.close()


def _entries(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """Entry by entry. The library keeps all that it has seen, and what headers for all entries say; here both are forgotten."""
    while (info := archive.next()) is not None:
        yield info
        archive.members.clear()  # type: ignore[attr-defined]
        archive.pax_headers = {}


class _Part:
    """So many bytes of a stream from where it stands."""

    def __init__(self, source: BinaryIO, size: int) -> None:
        self._source = source
        self._left = size

    def read(self, size: int) -> bytes:
        """Up to ``size`` bytes; b"" at the end of the part or of the stream."""
        block = self._source.read(min(size, self._left))
        self._left -= len(block)
        return block


class _Careful(io.RawIOBase):
    """A stream that refuses to be read in one giant step."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source

    def read(self, size: int | None = -1) -> bytes:
        if size is None or size < 0 or size > _MOST_AT_ONCE:
            raise ValueError(f"{size} bytes at once")
        return self._source.read(size)

    def seek(self, at: int, whence: int = 0) -> int:
        return self._source.seek(at, whence)

    def tell(self) -> int:
        return self._source.tell()


def _careful(source: BinaryIO) -> IO[bytes]:
    return cast("IO[bytes]", _Careful(source))


def is_tar(source: BinaryIO) -> bool:
    """True for a tar archive, packed or not, by its first header."""
    reader = stream_in(source)
    try:
        with told_as_damaged(""):
            head = b""
            while len(head) < _BLOCK and (more := (reader or source).read(_BLOCK - len(head))):
                head += more
        tarfile.TarInfo.frombuf(head[:_BLOCK], "utf-8", "surrogateescape")
    except (UnreadableFile, tarfile.TarError, ValueError):
        return False
    finally:
        source.seek(0)
    return True


def unpacked(source: BinaryIO, *, name: str) -> BinaryIO:
    """
    One level of gzip, bzip2, xz, zstd, zip or tar (with one file in it, packed or not) removed.

    Raises:
        UnreadableFile: Damaged, several files inside, or it would grow beyond all measure.
    """
    if not is_tar(source):
        plain = decompressed(source, name=name)
        return plain if plain is not source else only_file(source, name=name)
    archive = Tarball(source, name=name)
    try:
        if not archive.files:
            raise UnreadableFile(f"{name}: the archive holds no files", fix="check what was packed" if not archive.is_damaged else "download or pack it again")
        if len(archive.files) > 1:
            raise UnreadableFile(f"{name}: the archive holds {counted(len(archive.files), 'file')}", fix="unpack it and open the folder")
        return archive.member(archive.files[0])
    finally:
        archive.close()
