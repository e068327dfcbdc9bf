"""The JSON object a reply consists of, or holds somewhere: fenced, after prose. Text is never repaired."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec

from ragviz.records.codec import scrubbed

MAX_REPLY_CHARS = 2_000_000
MAX_STARTS = 400
"""Opening braces that are tried: a reply full of braces must not cost quadratic time."""
BROKEN = object()
"""In place of a value: what begins here is no JSON, or breaks off."""


def decoded(text: str, at: int, decoder: json.JSONDecoder) -> tuple[Any, int]:
    """
    The JSON value at ``at`` and where it ends.

    A model can write any escape: lone surrogates and NUL, which no store takes, become U+FFFD, and NaN becomes None.

    Raises:
        ValueError: There is none.
        RecursionError: It is nested too deeply.
    """
    if at == 0 and r"\u0000" not in text:
        # The usual reply is one object and nothing else. What the strict decoder takes has no lone surrogate and no NaN, so it needs no second walk.
        with suppress(msgspec.DecodeError, ValueError):
            return msgspec.json.decode(text), len(text)
    value, end = decoder.raw_decode(text, at)
    return scrubbed(value), end


def values(text: str) -> Iterator[tuple[int, Any]]:
    """
    Every JSON value of the text that begins with a brace, outermost first, with the place where it begins; ``BROKEN`` for a brace that begins none.

    At most ``MAX_STARTS`` braces are looked at.
    """
    decoder = json.JSONDecoder()
    at, tries = text.find("{"), 0
    while at >= 0 and tries < MAX_STARTS:
        tries += 1
        try:
            value, end = decoded(text, at, decoder)
        except (ValueError, RecursionError):
            value, end = BROKEN, at + 1
        yield at, value
        at = text.find("{", end)


def read_object(text: str, key: str) -> dict[str, Any] | None:
    """
    The first whole JSON object of the text that has ``key``; None when there is none.

    A reply that was cut off holds no whole object, so it is never read as if it were complete.
    """
    if len(text) > MAX_REPLY_CHARS:
        return None
    return next((value for _, value in values(text) if isinstance(value, dict) and key in value), None)


def rows_of(found: dict[str, Any] | None, key: str) -> list[dict[str, Any]] | None:
    """The objects in the list under ``key``; None when there is no such list."""
    rows = (found or {}).get(key)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else None
