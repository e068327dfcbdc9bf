"""Claims that a model wrote, put back into the answer they are taken from: spans that ascend and never overlap, and no word it does not say."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

import msgspec

from ragviz.evidence.quotes import find_quote
from ragviz.records import Span
from ragviz.text.citation_marks import citation_marks
from ragviz.text.polarity import negations
from ragviz.text.sentences import sentence_spans
from ragviz.text.tokens import content_tokens

LEAST_KNOWN = 0.5
"""Share of a claim's content words that must occur in answer or question; below it the quote's own words are the claim."""

_NUMERAL = re.compile(r"\d[\d.,\u00a0\u202f']*\d|\d")
_NO_DIGIT = re.compile(r"\D")
_WORD = re.compile(r"[^\W_]")
_SPACES = re.compile(r"\s+")
_BEFORE_STOP = re.compile(r"\s+(?=[,;.:!?])")


class Placed(msgspec.Struct, frozen=True):
    """One claim and where the answer states it."""

    text: str
    spans: tuple[Span, ...]


def placed(rows: Sequence[tuple[str, str]], answer: str, *, question: str = "", names: Collection[str] = ()) -> list[Placed]:
    """
    The claims that the answer does state, in reading order.

    Args:
        rows: Text and quote of each claim, as the model gave them.
        answer: Where the quotes are looked for.
        question: May complete a short answer.
        names: Ids and titles that count as citations where they stand in brackets.

    A quote that is not found leaves a claim without spans if all its content words occur in the answer; otherwise the claim is dropped.
    Of two claims that quote the same characters the shorter quote has them, then the first. A text that brings in figures, negations or
    mostly words that neither answer nor question has is replaced by the words of its quote.
    """
    kept: list[tuple[str, tuple[Span, ...]]] = []
    seen: set[str] = set()
    cursor = 0
    for words, quote in rows:
        spans = _find(quote, answer, cursor)
        text = _stated(_tidy(words, names), spans, answer, question, names)
        if text is None or text.casefold() in seen:
            continue
        seen.add(text.casefold())
        cursor = spans[-1].end if spans else cursor
        kept.append((text, spans))
    own = _shared_out([spans for _, spans in kept], [mark.span for mark in citation_marks(answer, names)], answer)
    return _in_order([Placed(text, spans) for (text, _), spans in zip(kept, own, strict=True)])


def _find(quote: str, answer: str, cursor: int) -> tuple[Span, ...]:
    """Where the quote stands: after the claim before, else anywhere; () when nowhere."""
    after = find_quote(quote, answer[cursor:]) if cursor < len(answer) else None
    if after is not None:
        return tuple(span.shift(cursor) for span in after.spans)
    located = find_quote(quote, answer)
    return () if located is None else located.spans


def _tidy(words: str, names: Collection[str]) -> str:
    for mark in reversed(citation_marks(words, names)):
        words = words[: mark.span.start] + words[mark.span.end :]
    return _BEFORE_STOP.sub("", _SPACES.sub(" ", words)).strip()


def _stated(words: str, spans: tuple[Span, ...], answer: str, question: str, names: Collection[str]) -> str | None:
    """The claim's text as far as the answer says it; None when it does not."""
    if not spans:
        known = _stems(answer)
        stated = (
            bool(_WORD.search(words)) and _stems(words) <= known and _numerals(words) <= _numerals(answer) and not (negations(words) and not negations(answer))
        )
        return words if stated else None
    quoted = _tidy(" ".join(span.of(answer) for span in spans), names)
    asked = f"{answer}\n{question}"
    stems = _stems(words)
    around = " ".join(s.of(answer) for s in _sentences(answer) if any(s.overlaps(span) for span in spans))
    invented = (
        not _WORD.search(words)
        or not _numerals(words) <= _numerals(asked)
        or len(stems & _stems(asked)) < LEAST_KNOWN * len(stems)
        or (negations(words) and not negations(f"{around}\n{question}"))
        or (negations(quoted) and not negations(words))
    )
    text = quoted if invented else words
    return text if _WORD.search(text) else None


# Remembered, because every claim of an answer is compared with the same answer.
@lru_cache(maxsize=64)
def _stems(text: str) -> frozenset[str]:
    return frozenset(token.stem for token in content_tokens(text))


@lru_cache(maxsize=64)
def _numerals(text: str) -> frozenset[str]:
    return frozenset(_NO_DIGIT.sub("", found) for found in _NUMERAL.findall(text))


@lru_cache(maxsize=8)
def _sentences(text: str) -> tuple[Span, ...]:
    return tuple(sentence_spans(text))


def _shared_out(wanted: Sequence[tuple[Span, ...]], taken: list[Span], answer: str) -> list[tuple[Span, ...]]:
    """Characters to claims, each to one only; the most specific quote first."""
    own: list[tuple[Span, ...]] = [()] * len(wanted)
    for i in sorted(range(len(wanted)), key=lambda i: (sum(map(len, wanted[i])), i)):
        own[i] = tuple(piece for span in wanted[i] for piece in _left(span, taken, answer))
        taken.extend(own[i])
    return own


def _left(span: Span, taken: Iterable[Span], answer: str) -> list[Span]:
    """What is left of a span when taken characters are cut out, trimmed to words."""
    pieces = [span]
    for other in taken:
        pieces = [rest for piece in pieces for rest in (_minus(piece, other) if piece.overlaps(other) else [piece])]
    return [trimmed for piece in pieces if (trimmed := _trimmed(piece, answer)) is not None]


def _minus(piece: Span, other: Span) -> list[Span]:
    before = [Span(piece.start, other.start)] if piece.start < other.start else []
    return before + ([Span(other.end, piece.end)] if other.end < piece.end else [])


def _trimmed(piece: Span, answer: str) -> Span | None:
    start, end = piece.start, piece.end
    while start < end and (answer[start].isspace() or answer[start] in ",;"):
        start += 1
    while end > start and (answer[end - 1].isspace() or answer[end - 1] in ",;"):
        end -= 1
    return Span(start, end) if start < end and _WORD.search(answer, start, end) else None


def _in_order(found: list[Placed]) -> list[Placed]:
    """By first character; a claim without spans follows the one it came after. Pieces beyond the next claim's start are given up."""
    keyed: list[tuple[int, int, Placed]] = []
    at = -1
    for i, claim in enumerate(found):
        at = claim.spans[0].start if claim.spans else at
        keyed.append((at, i, claim))
    ordered = [claim for _, _, claim in sorted(keyed, key=lambda k: k[:2])]
    bound: int | None = None
    for i in range(len(ordered) - 1, -1, -1):
        claim = ordered[i]
        if claim.spans:
            first = claim.spans[0].start
            ordered[i] = Placed(claim.text, tuple(s for s in claim.spans if bound is None or s.end <= bound))
            bound = first
    return ordered
