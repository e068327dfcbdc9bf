"""A premise cut into units that can be pointed at, indexed once for all claims asked about it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from ragviz.records import Span
from ragviz.text.lexical import stem_weight
from ragviz.text.normalize import fold
from ragviz.text.sentences import sentence_spans
from ragviz.text.tokens import content_stem_list, content_stems_of

MAX_UNIT_CHARS = 400
"""A longer sentence (a table, a page without full stops) is cut: evidence must stay small enough to read."""
_WORD_UNITS = 5
"""A single word (a key) is kept whole up to so many times the limit: half a word supports nothing."""
_CUTS = ("\n", "; ", ", ", " ")


class Unit(NamedTuple):
    """One sentence, or a piece of a very long one."""

    span: Span
    order: tuple[str, ...]
    """Stems of its content words in text order, repeats included."""
    stems: frozenset[str]


@dataclass(frozen=True, slots=True)
class IndexedPremise:
    """A premise with its units and where each stem occurs."""

    text: str
    units: tuple[Unit, ...]
    postings: dict[str, tuple[int, ...]]
    """Stem to the indices of the units that have it, ascending."""
    _weights: dict[str, float] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def stems(self) -> frozenset[str]:
        """All stems of the premise."""
        return frozenset(self.postings)

    def weight(self, stem: str) -> float:
        """
        What finding the stem in one unit tells: its weight in English, lowered by up to a half where most units have it.

            weight(stem) · (1/2 + 1/2 · ln(1 + N / n) / ln(1 + N)),  N units, n of them with the stem
        """
        return self.weights((stem,))[stem]

    def weights(self, stems: Iterable[str]) -> dict[str, float]:
        """``weight`` of each stem, in their order."""
        known, postings, n_units = self._weights, self.postings, len(self.units)
        out: dict[str, float] = {}
        for stem in stems:
            if stem in known:
                out[stem] = known[stem]
                continue
            out[stem] = found = stem_weight(stem)
            if stem in postings:
                if n_units > 1:
                    out[stem] = found = found * (0.5 + 0.5 * math.log(1 + n_units / len(postings[stem])) / math.log(1 + n_units))
                known[stem] = found
        return out


def windows(text: str, *, max_chars: int = MAX_UNIT_CHARS) -> list[Span]:
    """
    Sentence spans, hardly any longer than ``max_chars``, together covering everything but white space.

    A longer sentence is cut at the last line break, semicolon, comma or space in the second half before the limit, or at the limit itself;
    only a single word (a key) may reach over it, up to five times as far.
    """
    if max_chars < 1:
        raise ValueError(f"max_chars must be at least 1, got {max_chars}")
    spans: list[Span] = []
    for sentence in sentence_spans(text):
        if sentence.end - sentence.start > max_chars:
            spans += _cut(text, sentence, max_chars)
        else:
            spans.append(sentence)
    return spans


def plain(text: str) -> str:
    """The text without markdown emphasis and invisible characters, which would hide words; unchanged where it has neither."""
    return text if _is_plain(text) else fold(text).text


def _is_plain(text: str) -> bool:
    return text.isascii() and "*" not in text and "_" not in text and "`" not in text


def _cut(text: str, sentence: Span, max_chars: int) -> list[Span]:
    pieces: list[Span] = []
    start = sentence.start
    while start < sentence.end:
        end = sentence.end
        if end - start > max_chars:
            end = start + max_chars
            for cut in _CUTS:
                at = text.rfind(cut, start + max_chars // 2, end)
                if at > start:
                    end = at + len(cut)
                    break
            else:
                end = _end_of_word(text, start, end, min(sentence.end, start + _WORD_UNITS * max_chars))
        piece = text[start:end]
        left = len(piece) - len(piece.lstrip())
        right = len(piece.rstrip())
        if right > left:
            pieces.append(Span(start + left, start + right))
        start = end
    return pieces


def _end_of_word(text: str, start: int, end: int, limit: int) -> int:
    """Where the word of ASCII letters and digits that reaches over ``end`` stops; ``end`` where it goes beyond ``limit`` or began before ``start``."""

    def inside(at: int) -> bool:
        return text[at - 1 : at + 1].isascii() and text[at - 1 : at + 1].isalnum()

    if start and inside(start):
        return end
    at = end
    while at < limit and inside(at):
        at += 1
    return end if at == limit < len(text) and inside(at) else at


@lru_cache(maxsize=4096)
def index_premise(text: str) -> IndexedPremise:
    """The premise as units; remembered, because the same passage is asked about again and again."""
    units: list[Unit] = []
    postings: dict[str, tuple[int, ...]] = {}
    again: dict[str, list[int]] = {}
    """Stems of several units, which are few: the others share one tuple a unit."""
    spans = windows(text)
    said = content_stems_of(text, spans) if _is_plain(text) else [content_stem_list(plain(span.of(text))) for span in spans]
    for i, (span, words) in enumerate(zip(spans, said, strict=True)):
        order, stems = tuple(words), frozenset(words)
        units.append(Unit(span, order, stems))
        here = (i,)
        for stem in stems:
            if stem not in postings:
                postings[stem] = here
            elif stem in again:
                again[stem].append(i)
            else:
                again[stem] = [*postings[stem], i]
    for stem, where in again.items():
        postings[stem] = tuple(where)
    return IndexedPremise(text, tuple(units), postings)
