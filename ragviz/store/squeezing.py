"""
Stored records made small: zstd against dictionaries that are part of the program.

A trace's record is some hundred bytes of field names and phrases that stand in every other record too, so a dictionary of typical ones does most of
the work. These dictionaries came out of the sample traces (``benchmarks/train_dictionaries.py``), hold nothing of anybody's runs, and never change:
stored rows need them. A better one gets a mark of its own.

Layout: one mark byte that begins neither a packed record nor UTF-8 text, then a zstd frame without its magic number. Rows of earlier versions have no
mark and are read as they are.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from importlib.resources import files
from typing import Literal

import zstandard

from ragviz.errors import StoreError

Kind = Literal["trace", "claims", "judgements", "passage"]

_MARK = b"\xf8"
LEVEL = 4
"""With these dictionaries the next one takes twice the time for a thirtieth of the size."""
RESTORE = "put a backup back, or delete this run and import it again"


class _Tools(threading.local):
    """Compressors may not be shared between threads."""

    def __init__(self) -> None:
        self.squeeze: dict[Kind, zstandard.ZstdCompressor] = {}
        self.expand: dict[Kind, zstandard.ZstdDecompressor] = {}


_tools = _Tools()


def squeezed(raw: bytes, kind: Kind) -> bytes:
    """Bytes of a record, smaller."""
    tool = _tools.squeeze.get(kind)
    if tool is None:
        parameters = zstandard.ZstdCompressionParameters.from_level(
            LEVEL, format=zstandard.FORMAT_ZSTD1_MAGICLESS, write_content_size=True, write_checksum=False, write_dict_id=False,
        )
        tool = _tools.squeeze[kind] = zstandard.ZstdCompressor(dict_data=_dictionary(kind), compression_params=parameters)
    return _MARK + tool.compress(raw)


def expanded(raw: bytes, kind: Kind) -> bytes:
    """
    The bytes again; those of an earlier version, which are not squeezed, as they are.

    Raises:
        StoreError: They are damaged.
    """
    if not is_squeezed(raw):
        return raw
    tool = _tools.expand.get(kind)
    if tool is None:
        tool = _tools.expand[kind] = zstandard.ZstdDecompressor(dict_data=_dictionary(kind), format=zstandard.FORMAT_ZSTD1_MAGICLESS)
    try:
        return tool.decompress(memoryview(raw)[1:])
    except (zstandard.ZstdError, MemoryError) as exc:  # a damaged length may ask for more memory than there is
        raise StoreError(f"a stored record cannot be read: {exc}", fix=RESTORE) from exc


def is_squeezed(raw: bytes) -> bool:
    """False for what an earlier version stored as it was."""
    return raw[:1] == _MARK


def squeezed_text(text: str) -> bytes:
    """The text of a passage."""
    return squeezed(text.encode(), "passage")


def expanded_text(stored: str | bytes) -> str:
    """
    The text again; earlier versions stored it as it is.

    Raises:
        StoreError: It is damaged.
    """
    if isinstance(stored, str):
        return stored
    try:
        return expanded(stored, "passage").decode()
    except UnicodeDecodeError as exc:
        raise StoreError(f"a stored passage cannot be read: {exc}", fix=RESTORE) from exc


@lru_cache(maxsize=8)
def _dictionary(kind: Kind) -> zstandard.ZstdCompressionDict:
    made = zstandard.ZstdCompressionDict(files("ragviz.store").joinpath("dictionaries", f"{kind}-1.zstd").read_bytes())
    made.precompute_compress(level=LEVEL)
    return made
