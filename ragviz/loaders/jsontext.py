"""JSON as tools really write it: NaN, lone surrogates, cut-off files, several values back to back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from ragviz.errors import InputError
from ragviz.records.codec import clean

_fast = msgspec.json.Decoder()
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:,]|[^\s\[\]{}:,"]+', re.DOTALL)
_COMMA = re.compile(r"\s*,\s*[\]}][\s\]}]*")
_MAX_DEPTH = 200
TOO_DEEP, FLATTER = "nested too deeply", f"at most {_MAX_DEPTH} levels of lists and objects are read: flatten the record, or leave what lies deeper out"


def scrub(value: Any, depth: int = 0) -> Any:
    """NaN and infinities become None, text loses NUL and lone surrogates, all the way down."""
    if depth > _MAX_DEPTH:
        raise InputError(TOO_DEEP, fix=FLATTER)
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, list):
        return [scrub(v, depth + 1) for v in value]
    if isinstance(value, dict):
        return {clean(str(k)): scrub(v, depth + 1) for k, v in value.items()}
    return value


def parse(raw: bytes | str) -> Any:
    """
    One complete JSON value.

    Raises:
        InputError: It is not JSON, not UTF-8, or nested too deeply.
    """
    # msgspec is several times faster but refuses NaN and lone surrogates, and keeps NUL.
    backslash_nul = b"\\u0000" in raw if isinstance(raw, bytes) else "\\u0000" in raw
    if not backslash_nul:
        try:
            return _fast.decode(raw)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            pass
    try:
        return scrub(json.loads(raw))
    except UnicodeDecodeError as exc:
        raise InputError(f"not UTF-8 (byte {exc.start} of the line or file)", fix="save the file as UTF-8") from exc
    except json.JSONDecodeError as exc:
        raise InputError(f"not JSON: {exc.msg.removesuffix(' at')} at character {exc.pos}", fix="one complete JSON value is expected here") from exc
    except RecursionError as exc:
        raise InputError(TOO_DEEP, fix=FLATTER) from exc
    except ValueError as exc:
        raise InputError(f"not JSON: {str(exc)[:100]}", fix="one complete JSON value is expected here") from exc


def try_parse(raw: bytes | str) -> Any:
    """The JSON value, or None when it is none (the value null gives None too)."""
    try:
        return parse(raw)
    except InputError:
        return None


def salvage(text: str, *, whole_records: bool) -> tuple[Any, int]:
    """
    What can be read of JSON that is cut off.

    Args:
        text: Begins with a JSON value that may end too early.
        whole_records: Drop the element of the outermost list that the cut goes through, since half a record misleads;
            False keeps every complete piece of it (to recognise a format by its first bytes).

    Returns:
        The value (None when nothing complete was found) and the offset up to which the text was used.
    """
    stack: list[str] = []
    cut: tuple[int, str] | None = None
    expecting_key = False
    outer: int | None = None
    before = ""
    for token in _tokens(text):
        mark, end = token.group(), token.end()
        if mark in "]}" and before == ",":
            break  # no JSON from here on: someone's last comma
        before = mark
        if mark in "[{":
            stack.append(mark)
            if len(stack) > _MAX_DEPTH:
                break
            if mark == "[" and outer is None:
                outer = len(stack)
            expecting_key = mark == "{"
            if not whole_records or outer is None or len(stack) <= outer:
                cut = (end, _closers(stack))
        elif mark in "]}":
            if not stack:
                break
            stack.pop()
            if outer is not None and len(stack) < outer:
                outer = None
            if not whole_records or outer is None or len(stack) <= outer:
                cut = (end, _closers(stack))
            if not stack:
                break
        elif mark == ",":
            expecting_key = bool(stack) and stack[-1] == "{"
        elif mark == ":":
            expecting_key = False
        elif not expecting_key and stack and (not whole_records or outer is None or len(stack) <= outer) and (mark[0] == '"' or end < len(text)):
            cut = (end, _closers(stack))
    if cut is None:
        return None, 0
    return try_parse(text[: cut[0]] + cut[1]), cut[0]


def ends_with_a_comma(rest: str) -> bool:
    """True where nothing is lost: behind what was read stands a comma too many, and then the brackets that close."""
    return _COMMA.fullmatch(rest) is not None


def shallow(text: str) -> str:
    """JSON text with ``null`` in place of every list or object that lies deeper than is read."""
    parts: list[str] = []
    kept_from = depth = 0
    for token in _tokens(text):
        mark = token.group()
        if mark in "[{":
            depth += 1
            if depth == _MAX_DEPTH:
                parts += [text[kept_from : token.start()], "null"]
        elif mark in "]}":
            depth -= 1
            if depth == _MAX_DEPTH - 1:
                kept_from = token.end()
    return "".join(parts) + text[kept_from:] if depth < _MAX_DEPTH else text


def _tokens(text: str) -> Iterator[re.Match[str]]:
    """JSON tokens up to the first place that is none (an unfinished string)."""
    at = 0
    for match in _TOKEN.finditer(text):
        if match.start() > at and text[at : match.start()].strip():
            return
        yield match
        at = match.end()


def _closers(stack: list[str]) -> str:
    """The brackets that close what is open."""
    return "".join("]" if mark == "[" else "}" for mark in reversed(stack))


def values(text: str) -> Iterator[tuple[int, Any]]:
    """Values written back to back, each with its offset; ends at the first place that is no JSON, with that offset and None. A comma may stand behind each."""
    decoder = json.JSONDecoder()
    at = 0
    while True:
        behind = at > 0
        while at < len(text) and (text[at].isspace() or text[at] == "\x1e" or (behind and text[at] == ",")):
            behind = behind and text[at] != ","
            at += 1
        if at >= len(text):
            return
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            yield at, None
            return
        yield at, scrub(value)
        at = end
