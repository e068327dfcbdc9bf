"""A file whose first record is longer than what is looked at, in short: the same names with long texts and lists cut."""

from __future__ import annotations

import json
from typing import Any, BinaryIO

from ragviz.loaders.jsontext import salvage, try_parse
from ragviz.loaders.limits import HEAD_BYTES, WHOLE_BYTES
from ragviz.loaders.outline import Outline
from ragviz.loaders.rows import head_after_damage
from ragviz.loaders.utf8 import in_utf8, lines

_CHARS, _ELEMENTS, _NAMES = 500, 8, 200
_SALVAGED_BYTES = 64 * 1024 * 1024
"""Of a file that is cut off so much is looked through, token by token."""
_ENOUGH = 2
"""Complete records in the head from which on it tells enough."""


def tells_too_little(head: bytes, look: Outline) -> bool:
    """True for one JSON value of which the head may hold nothing but the beginning of a long text."""
    return len(head) >= HEAD_BYTES and look.container == "json" and len(look.rows) < _ENOUGH


def after_damage(source: BinaryIO) -> bytes:
    """See ``head_after_damage``, of a file in any encoding."""
    with in_utf8(source, told=[], filename="") as text:
        found = head_after_damage(text)
    source.seek(0)
    return found


def shortened(source: BinaryIO) -> bytes:
    """The first line where it is a whole record, else the whole file as one JSON value, with long texts and lists cut; b"" for anything else."""
    with in_utf8(source, told=[], filename="") as text:
        start = text.tell()
        value = try_parse(next(lines(text), (0, b""))[1] or b"")
        if not isinstance(value, (dict, list)):
            text.seek(start)
            raw = text.read(WHOLE_BYTES + 1)
            value = _whole(raw) if len(raw) <= WHOLE_BYTES else None
    source.seek(0)
    return json.dumps(_cut(value), ensure_ascii=False).encode("utf-8", "replace") if isinstance(value, (dict, list)) else b""


def _whole(raw: bytes) -> Any:
    value = try_parse(raw)
    if value is None and len(raw) <= _SALVAGED_BYTES:
        value, _ = salvage(raw.decode("utf-8", "replace").lstrip(), whole_records=False)
    return value


def _cut(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _cut(one) for name, one in list(value.items())[:_NAMES]}
    if isinstance(value, list):
        return [_cut(one) for one in value[:_ELEMENTS]]
    return value[:_CHARS] if isinstance(value, str) else value
