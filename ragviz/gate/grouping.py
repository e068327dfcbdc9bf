"""Failures that are alike, told once: the first few, then how many more and which."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ragviz.gate.check import GateLine
from ragviz.text.unmarked import unmarked

SHOWN = 5
"""Lines of a group that are shown in full."""
NAMED = 10
"""Further cases of a group that are named."""
_NUMBER = re.compile(r"\d[\d.,]*")


CLAIMS = 3
"""Claims of a line that are told in words."""
MOST_CHARACTERS = 100
"""Of a claim and of a reason in a line."""


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


def blamed(line: GateLine) -> list[str]:
    """
    What lowered a line's value, one text each: ``c2 contradicted: “Label rolls can be returned” (the passage says cannot, the claim says can)``.

    Claim and reason are shortened, and come from a trace: whoever writes them escapes them. What is no claim (a document that was missed) goes by its id.
    """
    told = [
        f"{claim.id}{f' {claim.verdict}' if claim.verdict else ''}: “{_short(unmarked(claim.text))}”" + (f" ({_short(claim.reason)})" if claim.reason else "")
        for claim in line.claims[:CLAIMS]
    ]
    known = {claim.id for claim in line.claims[:CLAIMS]}
    rest = list(dict.fromkeys(i for i in line.claim_ids if i not in known))
    if not rest:
        return told
    names = ", ".join(rest[:NAMED]) + (f" and {len(rest) - NAMED:,} others" if len(rest) > NAMED else "")
    return [*told, f"and {names}" if told else names]


def _short(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"
