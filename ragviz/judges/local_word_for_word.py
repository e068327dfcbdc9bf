"""A claim that is a sentence of its premise, several that follow each other, or all of it, word for word."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ragviz.evidence.windows import plain
from ragviz.judges.local_view import view_premise
from ragviz.records import Evidence, Pair, Span, Verdict

SURE = 0.98
"""Probability of support where the premise says the very words."""
MAX_CHARS = 4_000
"""Characters of a claim that is looked for."""


def by_word(pair: Pair, said: dict[str, Any]) -> dict[str, Any]:
    """What was said, or that the claim is entailed: no rule and no question makes a text deny what it says in the same words."""
    if said["verdict"] is Verdict.ENTAILED or (span := quoted_at(pair.hypothesis, pair.premise)) is None:
        return said
    shown = (Evidence(span=span, quote=span.of(pair.premise)),)
    return said | {
        "verdict": Verdict.ENTAILED,
        "confidence": SURE,
        "calibrated": True,
        "evidence": shown,
        "clashes": (),
        "rationale": "the passage says it word for word",
    }


def quoted_at(claim: str, premise: str) -> Span | None:
    """
    The sentences of ``premise`` that are ``claim``; None where there are none.

    Case, white space, markdown and the last full stop aside. Sentences that address the judge are none.
    """
    ours = _letters(claim) if len(claim) <= MAX_CHARS else ""
    if not any(map(str.isalnum, ours)) or ours not in _letters(premise):
        return None
    view = view_premise(premise)
    spans = [unit.span for unit in view.indexed.units]
    for first, begin in enumerate(spans):
        for last in range(first, len(spans)):
            if last in view.excluded:
                break
            run = Span(begin.start, spans[last].end)
            theirs = _letters(run.of(premise))
            if theirs == ours:
                return run
            if not ours.startswith(theirs):
                break
    return None


@lru_cache(maxsize=4096)
def _letters(text: str) -> str:
    return " ".join(plain(text).casefold().split()).rstrip(".! ")
