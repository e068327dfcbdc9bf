"""Text that is not UTF-8: read as what it most likely is, and told as the guess that it is."""

from __future__ import annotations

import codecs
import re
import tempfile
from collections.abc import Iterable
from typing import BinaryIO, NamedTuple, cast

from ragviz.loaders.arrow import is_arrow
from ragviz.loaders.containers import container_of
from ragviz.loaders.limits import HEAD_BYTES, SPOOL_BYTES
from ragviz.records import LoadIssue
from ragviz.text.counts import counted

_HIGH = bytes(range(128, 256))
_PIECE, _BLOCK = 1 << 20, 1 << 16
"""Bytes looked at together: a line, or so much of a longer one; and so many where lines do not matter, since they fit into the processor's cache."""
_HALF = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")
"""Half of a pair of UTF-16, as Java writes it: three bytes that are one damaged letter."""
_OTHER_KINDS = (b"PAR1", b"SQLite")
_GUESS_FIX = "if letters look wrong, convert the file from its real encoding: iconv -f ENCODING -t UTF-8 FILE"


class _Count(NamedTuple):
    """Bytes of a text that are no UTF-8, against characters beyond ASCII that are."""

    bad: int
    good: int

    @property
    def is_western(self) -> bool:
        """True where hardly anything beyond ASCII is UTF-8. Two letters of Windows-1252 can look like one of UTF-8 by chance (ß before a quote)."""
        return self.bad > self.good


_NONE = _Count(0, 0)


def readable(head: bytes) -> bytes:
    """The head of a text as UTF-8, to recognise it; binary data as they are."""
    count = _counted([head])
    return head if not count.bad or container_of(head) == "binary" else b"".join(_mended(line, count)[0] for line in head.splitlines(keepends=True))


def mended(source: BinaryIO, *, told: list[LoadIssue], filename: str) -> BinaryIO:
    """
    The stream itself where it holds UTF-8 from here on (or no text), else a copy in UTF-8.

    A text without any UTF-8 beyond ASCII is taken for Windows-1252, of which Latin-1 is a part. In one that holds both, each line is what most of it is:
    single bytes that are nothing become U+FFFD. What was done is told once, in ``told``, at the first such line.
    """
    start = source.tell()
    head = source.read(HEAD_BYTES)
    source.seek(start)
    if head.startswith(_OTHER_KINDS) or is_arrow(head) or container_of(head) == "binary":
        return source
    count = _NONE if _is_utf8(iter(lambda: source.read(_BLOCK), b"")) else _counted_again(source, start)
    source.seek(start)
    if not count.bad:
        return source
    target = tempfile.SpooledTemporaryFile(max_size=SPOOL_BYTES)  # noqa: SIM115 - lives as long as its reader
    line, rest = 1, b""
    lines: dict[str, dict[int, None]] = {"western": {}, "damaged": {}}
    while piece := source.readline(_PIECE):
        text, rest = _split(rest + piece)
        made, kind = _mended(text, count)
        if kind:
            lines[kind][line] = None
        target.write(made)
        line += piece.endswith(b"\n")
    target.write(rest)
    target.seek(0)
    if western := lines["western"]:
        told.append(
            LoadIssue(
                where=f"{filename}:{next(iter(western))}", fix=_GUESS_FIX, rejected=False,
                message=f"the text is not UTF-8 ({counted(len(western), 'line')}, the first one here); it was read as Windows-1252, which is a guess",
            )
        )
    if damaged := lines["damaged"]:
        told.append(
            LoadIssue(
                where=f"{filename}:{next(iter(damaged))}", fix="export or copy the file again", rejected=False,
                message=f"letters are damaged ({counted(len(damaged), 'line')}, the first one here): bytes that are no UTF-8 stand as \ufffd",
            )
        )
    return cast("BinaryIO", target)


def _is_utf8(pieces: Iterable[bytes]) -> bool:
    """The way of nearly all files: four times as fast as counting."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for piece in pieces:
            decoder.decode(piece)
    except UnicodeDecodeError:
        return False
    return True


def _counted_again(source: BinaryIO, start: int) -> _Count:
    source.seek(start)
    return _counted(iter(lambda: source.read(_BLOCK), b""))


def _counted(pieces: Iterable[bytes]) -> _Count:
    """Over all pieces of a text; a letter that the end cuts through does not count."""
    decoder = codecs.getincrementaldecoder("utf-8")("ignore")
    bad = good = waiting = 0
    for piece in pieces:
        if not waiting and piece.isascii():
            continue
        text = decoder.decode(piece)
        known = text.encode()
        before, waiting = waiting, len(decoder.getstate()[0])
        bad += before + len(piece) - waiting - len(known)
        good += len(text) - len(known.translate(None, _HIGH))
        halves = len(_HALF.findall(piece)) if b"\xed" in piece else 0
        bad, good = bad - 2 * halves, good + halves
    return _Count(bad, good)


def _split(text: bytes) -> tuple[bytes, bytes]:
    """The text, and the beginning of a letter at its end; a piece that ends with its line has none."""
    if text.endswith(b"\n") or text.isascii():
        return text, b""
    decoder = codecs.getincrementaldecoder("utf-8")("ignore")
    decoder.decode(text)
    waiting = len(decoder.getstate()[0])
    return (text[:-waiting], text[-waiting:]) if waiting else (text, b"")


def _mended(text: bytes, whole: _Count) -> tuple[bytes, str]:
    """One line in UTF-8 and what had to be done: nothing (""), read as "western", or "damaged" bytes replaced."""
    if text.isascii():
        return text, ""
    if whole.is_western or (count := _counted([text])).is_western:
        return text.decode("cp1252", "replace").encode(), "western"
    return (text.decode("utf-8", "replace").encode(), "damaged") if count.bad else (text, "")
