"""Plain tables, JSON and progress for terminals. Control characters of traces never reach the terminal."""

from __future__ import annotations

import json
import os
import shutil
import sys
import unicodedata
from collections.abc import Sequence
from typing import TextIO

from ragviz.text.sums import decimals

NARROWEST = 8
"""Characters that a column of words keeps."""
RULE = 60
"""Characters of the line under a heading at most: in a pipe a cell may be a whole claim."""


def print_json(value: object) -> None:
    """One JSON object on stdout; text stays readable, NaN is impossible."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1) + "\n")


def plain(text: str, width: int | None = None) -> str:
    """One line without control or direction characters; cut with an ellipsis at ``width``."""
    line = " ".join(
        "".join(
            " " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else "\ufffd" if unicodedata.category(c) in ("Cf", "Cs") and c != "\u200d" else c for c in text
        ).split()
    )
    return line if width is None or len(line) <= width else line[: width - 1] + "…"


def number(value: float | None, digits: int = 3) -> str:
    """A number for people; – for none."""
    return "–" if value is None else f"{value:.{digits}f}"


def measure(metric: str, value: float | None) -> str:
    """A metric's value for people: as ``number``, and small sums of money with digits that tell them apart."""
    return "–" if value is None else number(value, decimals(metric, value))


def room() -> int | None:
    """Characters a line may have: COLUMNS where it is set, else the terminal's; None where output goes to a file or a pipe, which takes any length."""
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told) > 0:
        return int(told)
    return shutil.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else None


def table(rows: Sequence[Sequence[str]], *, heading: Sequence[str], right: Sequence[int] = ()) -> str:
    """Columns aligned by their widest cell; columns listed in ``right`` to the right. Where the line has not that room, words are cut, never numbers."""
    widths = [max(len(row[i]) for row in [heading, *rows]) for i in range(len(heading))]
    _narrow(widths, [i for i in range(len(heading)) if i not in right], room())
    lines = [
        "  ".join(
            cell.rjust(w) if i in right else (cell if len(cell) <= w else cell[: w - 1] + "…").ljust(w)
            for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in [heading, ["─" * min(w, RULE) for w in widths], *rows]
    ]
    return "\n".join(lines)


def _narrow(widths: list[int], words: Sequence[int], limit: int | None) -> None:
    """Take from the widest column of words until the line fits, or none is wide any more."""
    while limit is not None and sum(widths) + 2 * (len(widths) - 1) > limit:
        widest = max(words, key=lambda i: widths[i], default=None)
        if widest is None or widths[widest] <= NARROWEST:
            return
        widths[widest] -= 1


class Progress:
    """A counter on one line of stderr; silent when stderr is no terminal."""

    def __init__(self, noun: str, stream: TextIO | None = None) -> None:
        self.noun = noun
        self.stream = stream or sys.stderr
        self._shown = 0

    def __call__(self, done: int, total: int | None = None) -> None:
        """Show how far it is; ``total`` None = unknown."""
        if not self.stream.isatty():
            return
        line = f"{done:,} of {total:,} {self.noun}" if total else f"{done:,} {self.noun}"
        self.stream.write("\r" + line.ljust(self._shown))
        self.stream.flush()
        self._shown = len(line)

    def end(self) -> None:
        """Clear the line."""
        if self._shown:
            self.stream.write("\r" + " " * self._shown + "\r")
            self.stream.flush()
            self._shown = 0
