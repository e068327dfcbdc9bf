"""Failures that are alike, told once: the first few, then how many more and which."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ragviz.gate.check import GateLine

SHOWN = 5
"""Lines of a group that are shown in full."""
NAMED = 10
"""Further cases of a group that are named."""
_NUMBER = re.compile(r"\d[\d.,]*")


class Alike(NamedTuple):
    """Lines that fail the same rule for the same reason."""

    shown: tuple[GateLine, ...]
    rest: tuple[GateLine, ...]

    @property
    def more(self) -> str:
        """"and 12 more: case-6, case-7, … and 2 others"; empty when all are shown."""
        if not self.rest:
            return ""
        names = ", ".join(line.scope for line in self.rest[:NAMED])
        others = len(self.rest) - NAMED
        return f"and {len(self.rest):,} more: {names}" + (f" and {others:,} others" if others > 0 else "")


def alike(lines: Iterable[GateLine], *, shown: int = SHOWN) -> list[Alike]:
    """Lines by rule and kind of reason (numbers in it do not count), in the order of their first one."""
    groups: dict[tuple[str, str, str, bool], list[GateLine]] = {}
    for line in lines:
        groups.setdefault((line.metric, line.limit, _NUMBER.sub("#", line.reason), line.quarantined), []).append(line)
    # A group of one more than is shown takes no more room when it is told whole.
    return [Alike(tuple(g), ()) if len(g) <= shown + 1 else Alike(tuple(g[:shown]), tuple(g[shown:])) for g in groups.values()]
