"""A hosted judge's reply, whole, fenced, chatty or cut off, to what it says of each claim. Text is never repaired."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from ragviz.backends.reply_json import BROKEN, MAX_REPLY_CHARS, decoded, values
from ragviz.records import Grounding
from ragviz.records.codec import clean

_WORDS = {
    "supported": Grounding.SUPPORTED,
    "support": Grounding.SUPPORTED,
    "supports": Grounding.SUPPORTED,
    "entailed": Grounding.SUPPORTED,
    "entailment": Grounding.SUPPORTED,
    "entails": Grounding.SUPPORTED,
    "contradicted": Grounding.CONTRADICTED,
    "contradiction": Grounding.CONTRADICTED,
    "contradicts": Grounding.CONTRADICTED,
    "refuted": Grounding.CONTRADICTED,
    "not_supported": Grounding.NOT_SUPPORTED,
    "not supported": Grounding.NOT_SUPPORTED,
    "unsupported": Grounding.NOT_SUPPORTED,
    "neutral": Grounding.NOT_SUPPORTED,
    "conflicted": Grounding.CONFLICTED,
}
_FIRST_WORD = re.compile(r"[\s*_#>`\"']*(not[ _]supported|[A-Za-z_]+)")
_OPPOSITE = re.compile(
    r"\b(?:says the opposite|the opposite (?:is|of)|contradicts? (?:the|this) claim|does not support|do not support|is not supported|no passage (?:says|states|supports))\b",
    re.IGNORECASE,
)


class Quoted(msgspec.Struct, frozen=True, kw_only=True):
    """One quote as given."""

    passage: str
    supports: bool
    quote: str


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """What the reply says of one claim; ``grounding`` None when its verdict word is none of ours."""

    label: str
    grounding: Grounding | None
    word: str
    reasoning: str
    evidence: tuple[Quoted, ...] = ()
    confidence: float | None = None

    @property
    def doubtful(self) -> bool:
        """True when the reasoning says the opposite of the verdict: shown for review, not trusted blindly."""
        return self.grounding is Grounding.SUPPORTED and _OPPOSITE.search(self.reasoning) is not None


def read_reply(text: str, labels: tuple[str, ...]) -> dict[str, Said]:
    """
    What is said of each label.

    Reads a JSON object anywhere in the text (fenced, after prose, after thinking with braces); of a list that was cut off, every complete
    entry. Of several objects the last one counts, and those before it for the claims it leaves out. A single claim may also be answered by a
    bare verdict word at the start. A label named twice in one list keeps its first entry.

    Args:
        text: The reply.
        labels: The claims asked about, in order.

    Returns:
        By label; labels the reply does not reach are absent.
    """
    if len(text) > MAX_REPLY_CHARS:
        return {}
    entries = _entries(text)
    found: dict[str, Said] = {}
    for entry in entries:
        label = str(entry.get("id", labels[0] if len(labels) == 1 else ""))
        if label in labels and label not in found:
            found[label] = _said(label, entry)
    if not found and not entries and len(labels) == 1:
        word = _FIRST_WORD.match(text)
        grounding = _WORDS.get(word.group(1).lower()) if word else None
        if grounding is not None and word is not None:
            found[labels[0]] = Said(label=labels[0], grounding=grounding, word=word.group(1), reasoning=clean(text.strip()))
    return found


def _entries(text: str) -> list[dict[str, Any]]:
    best: list[dict[str, Any]] = []
    for at, value in values(text):
        if value is BROKEN:
            salvaged = _salvage(text, at)
            if salvaged:
                return salvaged
            continue
        rows = value.get("claims") if isinstance(value, dict) else None
        if isinstance(rows, list):
            # What comes last is the answer; a list before it speaks only for claims that the last one leaves out.
            best = [*_undecided([row for row in rows if isinstance(row, dict)]), *best]
        elif isinstance(value, dict) and "verdict" in value:
            best = [*([] if not best or "claims" in best[0] else best), value]
    return best


def _undecided(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The entries of one list; of a claim that it has under two verdicts one entry without any: no order says which is meant."""
    verdicts: dict[str, set[str]] = {}
    for row in rows:
        verdicts.setdefault(str(row.get("id", "")), set()).add(str(row.get("verdict", "")).strip().lower())
    both = {label: " and ".join(sorted(words)) for label, words in verdicts.items() if len(words) > 1}
    return [{**row, "verdict": both[label]} if (label := str(row.get("id", ""))) in both else row for row in rows] if both else rows


_CLAIMS_LIST = re.compile(r'\{\s*"claims"\s*:\s*\[')


def _salvage(text: str, at: int) -> list[dict[str, Any]]:
    """Complete entries of a list that breaks off."""
    start = _CLAIMS_LIST.match(text, at)
    if start is None:
        return []
    rows: list[dict[str, Any]] = []
    at, decoder = start.end(), json.JSONDecoder()
    while True:
        at += len(text[at : at + 1000]) - len(text[at : at + 1000].lstrip(" \t\r\n,"))
        try:
            row, at = decoded(text, at, decoder)
        except (ValueError, RecursionError):
            return rows
        if isinstance(row, dict):
            rows.append(row)


def _said(label: str, entry: dict[str, Any]) -> Said:
    word = str(entry.get("verdict", ""))
    confidence = entry.get("confidence")
    quotes = entry.get("evidence") if isinstance(entry.get("evidence"), list) else []
    return Said(
        label=label, word=word, grounding=_WORDS.get(word.strip().lower()), reasoning=str(entry.get("reasoning") or entry.get("reason") or ""),
        confidence=float(confidence) if isinstance(confidence, int | float) and not isinstance(confidence, bool) and 0 <= confidence <= 1 else None,
        evidence=tuple(
            Quoted(passage=str(q.get("passage", "")), supports=q.get("relation") != "contradicts", quote=str(q["quote"]))
            for q in quotes or [] if isinstance(q, dict) and isinstance(q.get("quote"), str)
        ),
    )
