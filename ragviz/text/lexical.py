"""Word overlap that knows how common a word is: weights, shares, BM25, n-gram containment."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources

import snowballstemmer

RARE_RANK = 7000
"""Rank given to a word outside the frequency list."""
_FIRST_RANK = 25


@cache
def _ranks() -> Mapping[str, int]:
    """Stem to frequency rank, 1 = most frequent; read once from the word list beside this file."""
    listed = resources.files("ragviz.text").joinpath("frequent_words.txt").read_text("utf-8")
    words = [word for line in listed.splitlines() if not line.startswith("#") for word in line.split()]
    ranks: dict[str, int] = {}
    for rank, stem in enumerate(snowballstemmer.stemmer("english").stemWords(words), start=1):
        ranks.setdefault(stem, rank)
    return ranks


@cache
def _log_span() -> float:
    return math.log(RARE_RANK / _FIRST_RANK)


@lru_cache(maxsize=100_000)
def stem_weight(stem: str) -> float:
    """
    How much a stem tells, in [0.05, 1.1].

        weight = log(rank / 25) / log(7000 / 25), at least 0.05; 1 for a word outside the list, 1.1 for one with a digit

    By Zipf's law the logarithm of the rank is the inverse frequency up to a constant, so this is an IDF that needs no corpus and
    gives a word the same weight in a short passage as in a long one.
    """
    rank = _ranks().get(stem)
    if rank is None:
        return 1.1 if any(c.isdigit() for c in stem) else 1.0
    return max(0.05, math.log(max(rank, _FIRST_RANK) / _FIRST_RANK) / _log_span())


def total_weight(stems: Iterable[str]) -> float:
    """Sum of the weights of the stems."""
    return sum(map(stem_weight, stems))


def overlap(hypothesis: Iterable[str], premise: frozenset[str] | set[str]) -> float | None:
    """
    Share of the hypothesis's weight whose stems occur in the premise.

    Args:
        hypothesis: Distinct stems of the content words.
        premise: Stems of the premise.

    Returns:
        A number in [0, 1]; None when the hypothesis has no content word.
    """
    found = total = 0.0
    for stem in hypothesis:
        weight = stem_weight(stem)
        total += weight
        if stem in premise:
            found += weight
    return found / total if total else None


def containment(hypothesis: Sequence[str], premise: Sequence[str], *, n: int) -> float | None:
    """Share of the hypothesis's n-grams that occur in the premise; None when it is shorter than n. Both are stems in text order."""
    if n < 1:
        raise ValueError(f"n must be at least 1, got {n}")
    grams = {tuple(hypothesis[i : i + n]) for i in range(len(hypothesis) - n + 1)}
    if not grams:
        return None
    there = {tuple(premise[i : i + n]) for i in range(len(premise) - n + 1)}
    return len(grams & there) / len(grams)


class Bm25:
    """
    Okapi BM25 over a fixed list of short texts.

        score(q, d) = sum over stems t of q of idf(t) · f(t, d) · (k1 + 1) / (f(t, d) + k1 · (1 - b + b · |d| / mean |d|))
        idf(t) = ln(1 + (N - n(t) + 0.5) / (n(t) + 0.5))

    Source: Robertson & Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009, eq. 3.15; idf as in Lucene.
    """

    def __init__(self, texts: Sequence[Sequence[str]], *, k1: float = 1.2, b: float = 0.75) -> None:
        """
        Args:
            texts: Each text as its stems, repeats included.
            k1: How fast repeats stop counting, >= 0.
            b: How much long texts are held back, in [0, 1].
        """
        self.k1 = k1
        self.b = b
        self._lengths = [len(text) for text in texts]
        self._mean = sum(self._lengths) / len(texts) if texts else 0.0
        self._postings: dict[str, dict[int, int]] = {}
        for i, text in enumerate(texts):
            for stem, count in Counter(text).items():
                self._postings.setdefault(stem, {})[i] = count

    def scores(self, query: Iterable[str]) -> list[float]:
        """One score per text, in order; 0 where no stem of the query occurs. A repeated query stem counts once."""
        scores = [0.0] * len(self._lengths)
        for stem in dict.fromkeys(query):
            postings = self._postings.get(stem)
            if not postings:
                continue
            idf = math.log(1 + (len(scores) - len(postings) + 0.5) / (len(postings) + 0.5))
            for i, count in postings.items():
                norm = self.k1 * (1 - self.b + self.b * self._lengths[i] / self._mean)
                scores[i] += idf * count * (self.k1 + 1) / (count + norm)
        return scores
