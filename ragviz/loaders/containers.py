"""What kind of container a file is, by its first bytes."""

from __future__ import annotations

from itertools import pairwise

from ragviz.loaders.jsontext import try_parse, values

_BINARY = {
    b"%PDF-": "a PDF document", b"\x89PNG": "a picture", b"\xff\xd8\xff": "a picture", b"GIF8": "a picture", b"\x7fELF": "a program", b"\xd0\xcf\x11\xe0": "an old office document",
    b"\x80\x04\x95": "a Python pickle", b"\x80\x05\x95": "a Python pickle", b"\x93NUMPY": "a NumPy array", b"\x89HDF": "an HDF5 file", b"Obj\x01": "an Avro file", b"ORC": "an ORC file",
    b"7z\xbc\xaf": "a 7z archive", b"Rar!": "a RAR archive", b"FEA1": "a Feather file of version 1 (write_feather of pyarrow writes version 2)", b"OggS": "a sound", b"ID3": "a sound",
}
"""First bytes of what is no text, though much of it may look like some."""


def binary_kind(head: bytes) -> str:
    """What a binary file is, by its first bytes: "a PDF document"; "" where they tell nothing."""
    return next((kind for magic, kind in _BINARY.items() if head.startswith(magic)), "")


def _are_lines(first: list[bytes]) -> bool:
    """
    True for JSON Lines, also when the first line is damaged; not for one JSON value with a record per line, whose lines end with commas and open
    brackets.
    """
    if isinstance(try_parse(first[0]), dict):
        return True
    if any(isinstance(try_parse(line), dict) and isinstance(try_parse(before), dict) for before, line in pairwise(first[1:9])) or (
        first[0] == b"{" and isinstance(try_parse(first[1]), dict)
    ):
        return True  # within one JSON value a comma stands between two objects, and none opens an object before its first name
    if first[0][-1:] in b"[{:" or any(line.endswith(b",") for line in first[1:-1]) or not first[-1].strip(b"]} "):
        return False
    return any(isinstance(try_parse(line), dict) for line in first[:8] if line[:1] == b"{")


def container_of(head: bytes) -> str:
    """empty, binary, json, jsonl, objects or text, by the first bytes."""
    stripped = head.strip()
    if not stripped:
        return "empty"
    if binary_kind(head) or head[:4096].count(0) * 100 > len(head[:4096]) or sum(0 < byte < 9 or (13 < byte < 32 and byte != 27) for byte in head[:2048]) > 20:
        return "binary"
    first = [line.strip() for line in head.split(b"\n", 40)[:40] if line.strip()]
    looks_json = stripped[:1] in (b"{", b"[")
    if len(first) > 1 and _are_lines(first):
        return "jsonl"
    if not looks_json:
        return "text"
    if stripped[:1] == b"{" and first[0] == b"{":
        found = list(zip(range(2), values(stripped.decode("utf-8", "replace")), strict=False))
        if found[0][1][1] is not None and len(found) > 1:
            return "objects"
    return "json"
