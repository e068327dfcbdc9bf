"""Sentences that decline to answer, and sentences that state nothing beside one that does."""

from __future__ import annotations

import re

from ragviz.records import Span
from ragviz.text.sentences import sentence_spans


def refusal_sentences(text: str) -> tuple[list[Span], list[Span]]:
    """The parts of the text that decline, and the parts that state something."""
    refused, stated = [], []
    for sentence in sentence_spans(text):
        for part in _parts(text, sentence):
            words = part.of(text)
            if _REFUSAL.search(words):
                refused.append(part)
            elif not _IDLE.search(words):
                stated.append(part)
    return refused, stated


_REFUSAL = re.compile(r"\bI don't know\b", re.IGNORECASE)
_IDLE = re.compile(r"^\W*$")


def _parts(text: str, sentence: Span) -> list[Span]:
    return [sentence]
