"""Advice that is written for the command line, as advice for a call in Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from ragviz.errors import RagvizError
from ragviz.library.rows import NAME

_PAIR = r"--map '?(?P<{0}>\w+)=(?P<{1}>[^\s,':]+)'?"
_PAIRS = re.compile(rf"{_PAIR.format('a', 'b')}(?:,? --map '?\w+=[^\s,':]+'?)*")
_ONE = re.compile(_PAIR.format("field", "path"))
_OTHERS = (
    (re.compile(r"--map\b"), "fields"), (re.compile(r"--format (?!out\b)([a-z][a-z0-9_]*)"), r'format="\1"'), (re.compile(r"--format(?: NAME)?"), "format"),
    (re.compile(r"--documents(?: FILE)?"), "documents=…"), (re.compile(r"--store(?: PATH)?"), "store=…"), (re.compile(r"--judge(?: NAME)?"), "judge=…"),
)

_ROWS = (
    (re.compile(rf"^{re.escape(NAME)}: no format fits; names found: "), "no format fits the rows; column names found: "),
    (re.compile(rf"\b{re.escape(NAME)}:(?=\d)"), "row "), (re.compile(rf"\b{re.escape(NAME)}\b"), "the rows"),
)


def in_python(text: str) -> str:
    """
    The same sentence with arguments instead of options.

    Example:
        >>> in_python("name the columns with --map question=…, --map response=…")
        'name the columns with fields={"question": "…", "response": "…"}'
    """
    text = _PAIRS.sub(lambda found: "fields={" + ", ".join(f'"{one["field"]}": "{one["path"]}"' for one in _ONE.finditer(found.group())) + "}", text)
    for pattern, words in _OTHERS:
        text = pattern.sub(words, text)
    return text


def of_rows(text: str) -> str:
    """
    A sentence about the file that rows in memory are read as, as one about the rows.

    Example:
        >>> of_rows("rows.jsonl: no format fits; names found: a, b")
        'no format fits the rows; column names found: a, b'
    """
    for pattern, words in _ROWS:
        text = pattern.sub(words, text)
    return text


@contextmanager
def told_in_python() -> Iterator[None]:
    """Faults raised inside say which argument helps, not which option."""
    try:
        yield
    except RagvizError as exc:
        exc.message, exc.fix = in_python(exc.message), in_python(exc.fix)
        exc.args = (exc.message, *exc.args[1:])
        raise
