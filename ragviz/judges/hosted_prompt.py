"""What a hosted judge is asked: all claims of one answer against its passages, fenced so that no passage can speak for us."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from ragviz.backends.anthropic_client import Prompt
from ragviz.backends.fences import boundary, fenced
from ragviz.records import Pair
from ragviz.records.codec import clean

PROMPT_VERSION = "judge.v1"
MAX_CLAIMS = 30
"""More claims than this are asked in several calls: long replies are cut off."""
TOKENS_PER_CLAIM = 400
MAX_PREMISE_CHARS = 400_000
"""All passages of one call together; more than this no model reads in one go."""

SCHEMA: dict[str, Any] = {
    "type": "object", "additionalProperties": False, "required": ["claims"],
    "properties": {"claims": {"type": "array", "items": {
        "type": "object", "additionalProperties": False, "required": ["id", "reasoning", "verdict", "evidence", "confidence"],
        "properties": {
            "id": {"type": "string"},
            "reasoning": {"type": "string"},
            "verdict": {"type": "string", "enum": ["supported", "not_supported", "contradicted", "conflicted"]},
            "evidence": {"type": "array", "items": {
                "type": "object", "additionalProperties": False, "required": ["passage", "relation", "quote"],
                "properties": {"passage": {"type": "string"}, "relation": {"type": "string", "enum": ["supports", "contradicts"]}, "quote": {"type": "string"}},
            }},
            "confidence": {"type": "number"},
        },
    }}},
}


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """One call: its pairs, and what the labels in it stand for. Texts are the identity: equal passages travel once."""

    pairs: tuple[tuple[int, Pair], ...]
    """With their place among all pairs asked."""
    claims: dict[str, str]
    """Claim text to label c1, c2, …"""
    passages: dict[str, str]
    """Passage text to label P1, P2, …"""

    @property
    def too_long(self) -> bool:
        """True when no model would read all of it."""
        return sum(map(len, self.passages)) > MAX_PREMISE_CHARS


def sheets(pairs: Sequence[Pair]) -> list[Sheet]:
    """Pairs grouped into calls: one per answer and table, cut into chunks of claims; order of first appearance."""
    groups: dict[tuple[str, str, str, str], list[tuple[int, Pair]]] = {}
    for i, pair in enumerate(pairs):
        groups.setdefault((pair.key.trace_id, pair.key.table, pair.question, pair.context), []).append((i, pair))
    return [sheet for group in groups.values() for sheet in _chunks(group)]


def _chunks(group: list[tuple[int, Pair]]) -> list[Sheet]:
    claims = list(dict.fromkeys(pair.hypothesis for _, pair in group))
    made = []
    for at in range(0, len(claims), MAX_CLAIMS):
        chosen = {claim: f"c{n}" for n, claim in enumerate(claims[at : at + MAX_CLAIMS], start=1)}
        rows = tuple((i, pair) for i, pair in group if pair.hypothesis in chosen)
        passages = {premise: f"P{n}" for n, premise in enumerate(dict.fromkeys(pair.premise for _, pair in rows), start=1)}
        made.append(Sheet(pairs=rows, claims=chosen, passages=passages))
    return made


def prompt(sheet: Sheet, *, token: Callable[[], str]) -> Prompt:
    """
    The call for a sheet.

    Args:
        sheet: What to ask.
        token: Gives an unguessable word: a passage cannot close a fence that it cannot name.
    """
    fence = token()
    first = sheet.pairs[0][1]
    parts = [boundary(fence)]
    if first.question:
        parts.append(fenced("QUESTION", first.question, fence))
    if first.context:
        parts.append(fenced("ANSWER the claims were taken from (for what pronouns mean; it proves nothing)", first.context, fence))
    parts += [fenced(f"PASSAGE {label}", premise, fence) for premise, label in sheet.passages.items()]
    parts.append(fenced("CLAIMS", "\n".join(f"{label}: {_line(claim)}" for claim, label in sheet.claims.items()), fence))
    parts.append(f"Judge the {len(sheet.claims)} claims.")
    # What JSON cannot carry would lose the whole call; quotes are looked for in the original text all the same.
    return Prompt(system=instructions(), user=clean("\n\n".join(parts)), max_tokens=500 + TOKENS_PER_CLAIM * len(sheet.claims))


@cache
def instructions() -> str:
    """The versioned instruction text."""
    return files("ragviz.judges").joinpath("prompts", f"{PROMPT_VERSION}.txt").read_text(encoding="utf-8").strip()


def _line(text: str) -> str:
    return " ".join(text.split())
