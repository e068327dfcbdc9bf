"""Any text encoding as a UTF-8 stream at its first character; its lines, and its head for whoever must recognise it."""

from __future__ import annotations

import codecs
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

from ragviz.loaders import arrow
from ragviz.loaders.encodings import mended, readable
from ragviz.loaders.limits import HEAD_BYTES, LINE_BYTES, SPOOL_BYTES
from ragviz.records import LoadIssue

_WIDE = ((codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_JSON_LE, _JSON_BE = re.compile(rb"[\[{]\0[\t-~]\0"), re.compile(rb"\0[\[{]\0[\t-~]")


@contextmanager
def lent(copy: BinaryIO, original: BinaryIO) -> Iterator[BinaryIO]:
    """The copy, closed afterwards; a stream that is no copy belongs to the caller and stays open."""
    try:
        yield copy
    finally:
        if copy is not original:
            copy.close()


@contextmanager
def in_utf8(source: BinaryIO, *, told: list[LoadIssue], filename: str) -> Iterator[BinaryIO]:
    """
    The stream at its first character: a UTF-8 BOM skipped; a rewritten copy of any other encoding, closed afterwards.

    Args:
        source: A seekable stream.
        told: Gets what had to be guessed.
        filename: For messages.
    """
    with lent(as_utf8(source), source) as known, lent(mended(known, told=told, filename=filename), known) as text:
        yield text


def as_utf8(source: BinaryIO) -> BinaryIO:
    """The stream at its first character: a UTF-8 BOM skipped, UTF-16 and UTF-32 rewritten; other encodings as they are."""
    source.seek(0)
    if arrow.is_arrow(source.read(16)):
        source.seek(0)
        return source
    source.seek(0)
    start = source.read(4)
    wide = () if is_damaged_mark(start + source.read(512)) else _WIDE
    for bom, encoding in (*wide, *_without_mark(source)):
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


def is_damaged_mark(head: bytes) -> bool:
    """
    True where the mark of UTF-16 stands before what is plain ASCII: two damaged bytes, since tables and JSON in UTF-16 have a zero in nearly
    every other byte.
    """
    return head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and len(head) > 8 and head[2:].isascii() and 0 not in head[2:]


def _without_mark(source: BinaryIO) -> list[tuple[bytes, str]]:
    """UTF-16 without a byte order mark: every other byte of Latin text is 0, and none of the others; JSON begins with two characters of ASCII."""
    source.seek(0)
    head = source.read(512)
    if len(head) < 8 or head.startswith((b"PAR1", b"SQLite")):
        return []
    if begins := _JSON_LE.match(head) or _JSON_BE.match(head):
        return [(b"", "utf-16-be" if begins[0].startswith(b"\0") else "utf-16-le")]
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
    if arrow.is_arrow(magic):
        return arrow.excerpt(source)
    if magic.startswith(b"SQLite format 3"):
        from ragviz.loaders.sqlite import excerpt as tables  # noqa: PLC0415

        return tables(source)
    with lent(as_utf8(source), source) as text:
        head = readable(text.read(HEAD_BYTES))
    source.seek(0)
    return head
