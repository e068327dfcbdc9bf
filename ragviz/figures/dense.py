"""Charts of hundreds of points: numbers go in four bytes, and the browser puts together what the pointer is told, out of the numbers that it draws."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragviz.figures.plot_text import plain

_SAFE = re.compile(r"[A-Za-z0-9 _.:/-]*")
"""Signs that mean nothing in a template of plotly's."""
LONGEST = 40


class Form(NamedTuple):
    """How numbers of a chart are written."""

    before: str
    digits: int
    after: str

    def place(self, name: str) -> str:
        """A place of a template, with its number."""
        return f"{self.before}%{{{name}:,.{self.digits}f}}"


def packed(values: Sequence[float | None], *, scale: float = 1.0) -> NDArray[np.float32]:
    """Numbers as they are sent; a missing one leaves a gap."""
    return np.array([np.nan if value is None else value * scale for value in values], dtype=np.float32)


def labels(names: Sequence[str]) -> tuple[str, list[str]]:
    """What all names begin with, and what is left of each; both harmless in a template."""
    shown = [plain(name, limit=LONGEST, inside=True) for name in names]
    shared = takewhile(lambda signs: len(set(signs)) == 1, zip(*shown, strict=False))
    match = _SAFE.match("".join(signs[0] for signs in shared))
    lead = match[0] if match else ""
    return lead, [name[len(lead) :] for name in shown]


def pointed(names: Sequence[str], sentence: str, columns: Sequence[NDArray[np.float32]], ns: Sequence[int]) -> dict[str, Any]:
    """
    Keywords of a trace whose points are told by one sentence.

    Args:
        names: Of the points.
        sentence: A template; its places may be ``y`` and ``customdata[0]`` and so on. The name goes before it, the count after it.
        columns: What is sent as ``customdata``, one after the other.
        ns: How many traces each point rests on.
    """
    lead, text = labels(names)
    alike = len(set(ns)) <= 1
    n = f"{ns[0]:,}" if alike and ns else f"%{{customdata[{len(columns)}]:,.0f}}"
    rows = [*columns, *([] if alike else [np.array(ns, dtype=np.float32)])]
    more = {"customdata": np.column_stack(rows)} if rows else {}
    return {"text": text, "hovertemplate": f"{lead}%{{text}}: {sentence}, n {n}<extra></extra>", **more}
