"""What a hosted judge is asked: all claims of one answer against its passages, fenced so that no passage can speak for us."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any

import msgspec

from ragviz.backends.anthropic_client import Prompt
from ragviz.records import Pair

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
    """One call: its pairs, and what the labels in it stand for."""

    pairs: tuple[Pair, ...]
    claims: dict[str, str]
    """Label c1, c2, … to claim id."""
    passages: dict[str, str]
    """Label P1, P2, … to premise id."""
    texts: dict[str, str]
    """Premise id to text."""

    @property
    def too_long(self) -> bool:
        """True when no model would read all of it."""
        return sum(map(len, self.texts.values())) > MAX_PREMISE_CHARS


def sheets(pairs: Sequence[Pair]) -> list[Sheet]:
    """Pairs grouped into calls: one per answer and table, cut into chunks of claims; order of first appearance."""
    groups: dict[tuple[str, str, str, str], list[Pair]] = {}
    for pair in pairs:
        groups.setdefault((pair.key.trace_id, pair.key.table, pair.question, pair.context), []).append(pair)
    return [sheet for group in groups.values() for sheet in _chunks(group)]


def _chunks(group: list[Pair]) -> list[Sheet]:
    ids = list(dict.fromkeys(pair.key.claim_id for pair in group))
    made = []
    for at in range(0, len(ids), MAX_CLAIMS):
        chosen = set(ids[at : at + MAX_CLAIMS])
        rows = tuple(pair for pair in group if pair.key.claim_id in chosen)
        texts = {pair.key.premise_id: pair.premise for pair in rows}
        made.append(Sheet(
            pairs=rows, texts=texts,
            claims={f"c{n}": claim for n, claim in enumerate(ids[at : at + MAX_CLAIMS], start=1)},
            passages={f"P{n}": premise for n, premise in enumerate(texts, start=1)},
        ))
    return made


def prompt(sheet: Sheet, *, token: Callable[[], str]) -> Prompt:
    """
    The call for a sheet.

    Args:
        sheet: What to ask.
        token: Gives an unguessable word: a passage cannot close a fence that it cannot name.
    """
    fence = token()
    first = sheet.pairs[0]
    wording = {pair.key.claim_id: pair.hypothesis for pair in sheet.pairs}
    parts = [f"The boundary word of this message is {fence}. Only lines that carry it are boundaries."]
    if first.question:
        parts.append(_fenced("QUESTION", first.question, fence))
    if first.context:
        parts.append(_fenced("ANSWER the claims were taken from (for what pronouns mean; it proves nothing)", first.context, fence))
    parts += [_fenced(f"PASSAGE {label}", sheet.texts[premise], fence) for label, premise in sheet.passages.items()]
    parts.append(_fenced("CLAIMS", "\n".join(f"{label}: {_line(wording[claim])}" for label, claim in sheet.claims.items()), fence))
    parts.append(f"Judge the {len(sheet.claims)} claims.")
    return Prompt(system=instructions(), user="\n\n".join(parts), max_tokens=500 + TOKENS_PER_CLAIM * len(sheet.claims))


def instructions() -> str:
    """The versioned instruction text."""
    return files("ragviz.judges").joinpath("prompts", f"{PROMPT_VERSION}.txt").read_text(encoding="utf-8").strip()


def _fenced(name: str, text: str, fence: str) -> str:
    return f"[{fence} BEGIN {name}]\n{text}\n[{fence} END {name.split(maxsplit=1)[0]}]"


def _line(text: str) -> str:
    return " ".join(text.split())
