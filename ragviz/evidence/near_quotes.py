"""A quote with a few mistyped characters, found by words first so that long passages stay cheap."""

from __future__ import annotations

import re
from collections import Counter

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA, Levenshtein

from ragviz.records import Span
from ragviz.text.polarity import negations
from ragviz.text.tokens import STOP_WORDS, word_spans

_LEAST_RATIO = 90.0
_LEAST_SHARED_WORDS = 0.5
_LONGEST_QUOTE = 4_000
_SHORTEST_QUOTE = 8
_MOST_WINDOWS = 4
_NUMBER = re.compile(r"\d[\d.,:/]*")
_LEAST_WORD_RATIO = 0.76
_WORDS_PER_SLIP = 8


def find_near(quote: str, text: str) -> Span | None:
    """
    The stretch of ``text`` that equals ``quote`` but for slips of the pen: similarity at least 0.9 with ends at words, the same
    numbers in the same order, the same number of negations, no word exchanged for another one.

    Both are folded already. Linear in the text; quotes under 8 or over 4,000 characters are not looked for.
    """
    if not _SHORTEST_QUOTE <= len(quote) <= _LONGEST_QUOTE:
        return None
    words, wanted = word_spans(text), word_spans(quote)
    if not words or not wanted:
        return None
    best: tuple[float, Span] | None = None
    for start, end in _windows(quote, text, wanted, words):
        found = fuzz.partial_ratio_alignment(quote, text[start:end], score_cutoff=_LEAST_RATIO - 10)
        if found is None:
            continue
        span = _at_words(text, start + found.dest_start, start + found.dest_end, start, end)
        if span is None:
            continue
        ratio = fuzz.ratio(quote, span.of(text))
        if ratio >= _LEAST_RATIO and (best is None or ratio > best[0]) and _says_the_same(quote, span.of(text)):
            best = (ratio, span)
    return None if best is None else best[1]


def _windows(quote: str, text: str, wanted: list[tuple[int, int]], words: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The few stretches of the text that share most words with the quote, best first."""
    need = Counter(quote[a:b] for a, b in wanted)
    width = len(wanted)
    have: Counter[str] = Counter()
    shared = 0
    scores: list[tuple[int, int]] = []
    names = [text[a:b] for a, b in words]
    for i, name in enumerate(names):
        if name in need:
            have[name] += 1
            shared += have[name] <= need[name]
        if i >= width:
            old = names[i - width]
            if old in need:
                shared -= have[old] <= need[old]
                have[old] -= 1
        if shared >= _LEAST_SHARED_WORDS * width and shared > 0:
            scores.append((shared, i))
    if width <= 2 and not scores and len(text) <= _LONGEST_QUOTE:
        return [(0, len(text))]
    scores.sort(key=lambda s: (-s[0], s[1]))
    chosen: list[int] = []
    for _, i in scores:
        if all(abs(i - other) >= width for other in chosen):
            chosen.append(i)
            if len(chosen) == _MOST_WINDOWS:
                break
        elif i - chosen[-1] > 100 * width:
            break
    margin = max(2, width // 4)
    return [(words[max(0, i - width + 1 - margin)][0], words[min(len(words) - 1, i + margin)][1]) for i in chosen]


def _at_words(text: str, start: int, end: int, low: int, high: int) -> Span | None:
    """The stretch widened to the words it cuts."""
    while start > low and text[start].isalnum() and text[start - 1].isalnum():
        start -= 1
    while end < high and text[end].isalnum() and text[end - 1].isalnum():
        end += 1
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end) if start < end else None


def _says_the_same(quote: str, found: str) -> bool:
    if [m.group().rstrip(".,:/") for m in _NUMBER.finditer(quote)] != [m.group().rstrip(".,:/") for m in _NUMBER.finditer(found)]:
        return False
    if len(negations(quote)) != len(negations(found)):
        return False
    ours, theirs = ([t[a:b] for a, b in word_spans(t)] for t in (quote, found))
    slips = 0
    for tag, a0, a1, b0, b1 in _opcodes(ours, theirs):
        if tag == "equal":
            continue
        left, right = "".join(ours[a0:a1]), "".join(theirs[b0:b1])
        if left == right or _is_slip(left, right):
            continue
        if tag == "replace":
            return False
        slips += sum(word not in STOP_WORDS for word in (*ours[a0:a1], *theirs[b0:b1]))
    return slips * _WORDS_PER_SLIP <= len(theirs)


def _opcodes(ours: list[str], theirs: list[str]) -> list[tuple[str, int, int, int, int]]:
    return [(op.tag, op.src_start, op.src_end, op.dest_start, op.dest_end) for op in Levenshtein.opcodes(ours, theirs)]


def _is_slip(left: str, right: str) -> bool:
    """"recieve" for "receive", not "decrease" for "increase" nor "billion" for "million"."""
    return left[:1] == right[:1] and OSA.normalized_similarity(left, right) >= _LEAST_WORD_RATIO
