"""Words of claims and passages, each text read once: a trace may hold a thousand claims against fifty passages."""

from __future__ import annotations

import functools

from ragviz.records import Span
from ragviz.text.lexical import overlap
from ragviz.text.sentences import sentence_spans
from ragviz.text.tokens import content_stems, content_tokens

KEPT = 1_024


@functools.lru_cache(maxsize=KEPT)
def stems_of(text: str) -> frozenset[str]:
    """Distinct stems of the words that carry meaning."""
    return frozenset(content_stems(text))


@functools.lru_cache(maxsize=KEPT)
def sentences_of(text: str) -> tuple[tuple[Span, frozenset[str]], ...]:
    """The sentences of a passage, each with its stems."""
    return tuple((span, frozenset(content_stems(span.of(text)))) for span in sentence_spans(text))


def share_of_words(claim: str, passage: str) -> float:
    """How much of a claim's words a passage holds, in [0, 1]; 0 for a claim without any."""
    return overlap(stems_of(claim), stems_of(passage)) or 0.0


def subject_share(claim: str, passage: str) -> float:
    """How much of what a claim is about a passage names: its words other than figures, in [0, 1]; 0 for a claim without any."""
    return overlap(_subject(claim), stems_of(passage)) or 0.0


@functools.lru_cache(maxsize=KEPT)
def _subject(claim: str) -> frozenset[str]:
    return frozenset(token.stem for token in content_tokens(claim) if not any(c.isdigit() for c in token.text))
