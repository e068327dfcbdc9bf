"""Records to JSON and back. Unknown fields are ignored; files of older schema versions are lifted first."""

from __future__ import annotations

import json
from typing import Any, TypeVar

import msgspec

from ragviz.errors import InputError
from ragviz.records.run import SCHEMA_VERSION

T = TypeVar("T")

_encoder = msgspec.json.Encoder(order="deterministic")
_decoders: dict[type, msgspec.json.Decoder[Any]] = {}


def clean(text: str) -> str:
    """Text without what JSON and SQLite cannot carry: lone surrogates become U+FFFD, and so does NUL."""
    if "\x00" in text:
        text = text.replace("\x00", "\ufffd")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def encode(record: object) -> bytes:
    """One record as compact UTF-8 JSON with sorted keys, so equal records give equal bytes."""
    return _encoder.encode(record)


def decode(raw: bytes | str, kind: type[T]) -> T:
    """
    JSON to a record.

    Raises:
        InputError: Not JSON, or not of that shape; the message names the field.
    """
    decoder = _decoders.get(kind)
    if decoder is None:
        decoder = _decoders[kind] = msgspec.json.Decoder(kind)
    try:
        return decoder.decode(raw)  # type: ignore[no-any-return]
    except msgspec.DecodeError:
        pass
    except UnicodeDecodeError as exc:
        raise InputError(f"not UTF-8: {exc.reason} at byte {exc.start}", fix="save the file as UTF-8") from exc
    # msgspec refuses NaN and lone surrogates, which other tools write: read with the standard library, clean, convert.
    try:
        return msgspec.convert(scrubbed(json.loads(raw)), kind)
    except msgspec.ValidationError as exc:
        raise InputError(f"not a {kind.__name__}: {exc}", fix="see docs/LOADERS.md for the fields") from exc
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as exc:
        raise InputError(f"not JSON: {exc}", fix="one complete JSON value, UTF-8") from exc


def scrubbed(value: Any) -> Any:
    """NaN and infinities become None, text is cleaned, all the way down."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else None  # noqa: PLR0124 - the NaN test
    if isinstance(value, list | tuple):
        return [scrubbed(v) for v in value]
    if isinstance(value, dict):
        return {scrubbed(k): scrubbed(v) for k, v in value.items()}
    return value


def check_schema_version(version: int) -> None:
    """
    Refuse what a newer ragviz wrote.

    Raises:
        InputError: The file's schema is newer than this program's.
    """
    if version > SCHEMA_VERSION:
        raise InputError(f"written by a newer ragviz (schema {version}, this one reads up to {SCHEMA_VERSION})", fix="pip install --upgrade ragviz")
