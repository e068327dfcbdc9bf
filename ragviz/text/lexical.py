"""Word overlap that knows how common a word is: weights, shares, BM25, shared n-grams."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ragviz.text.tokens import STEMS

RARE_RANK = 7000
"""Rank given to a word outside the frequency list."""
_FIRST_RANK = 25


@cache
def _ranks() -> Mapping[str, int]:
    """Stem to frequency rank, 1 = most frequent; read once from the word list beside this file."""
    listed = resources.files("ragviz.text").joinpath("frequent_words.txt").read_text("utf-8")
    words = [word for line in listed.splitlines() if not line.startswith("#") for word in line.split()]
    ranks: dict[str, int] = {}
    for rank, word in enumerate(words, start=1):
        ranks.setdefault(STEMS[word], rank)
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


def shared_bigrams(hypothesis: Sequence[str], premise: Sequence[str]) -> float | None:
    """Share of the hypothesis's bigrams that occur in the premise; None when it has none. Both are words or stems in text order."""
    grams = set(pairwise(hypothesis))
    return len(grams.intersection(pairwise(premise))) / len(grams) if grams else None


def shared_trigrams(hypothesis: Sequence[str], premise: Sequence[str]) -> float | None:
    """The same of three words in a row."""
    grams = set(zip(hypothesis, hypothesis[1:], hypothesis[2:], strict=False))
    return len(grams.intersection(zip(premise, premise[1:], premise[2:], strict=False))) / len(grams) if grams else None


def shared_runs(hypothesis: Sequence[str], premise: Sequence[str]) -> tuple[float | None, float | None]:
    """``shared_bigrams`` and ``shared_trigrams``, in two thirds of the time."""
    grams = set(pairwise(hypothesis))
    if not grams:
        return None, None
    shared = grams.intersection(pairwise(premise))
    # A shared trigram is two shared bigrams, or one of the same word twice.
    long = len(shared) > 1 or any(first == second for first, second in shared)
    return len(shared) / len(grams), shared_trigrams(hypothesis, premise) if long else 0.0 if len(hypothesis) > 2 else None


class Bm25:
    """
    Okapi BM25 over a fixed list of short texts.

        score(q, d) = sum over stems t of q of idf(t) · f(t, d) · (k1 + 1) / (f(t, d) + k1 · (1 - b + b · |d| / mean |d|))
        idf(t) = ln(1 + (N - n(t) + 0.5) / (n(t) + 0.5))

    Source: Robertson & Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009, eq. 3.15; idf as in Lucene.
    """

    def __init__(self, texts: Iterable[Sequence[str]], *, k1: float = 1.2, b: float = 0.75) -> None:
        """
        Args:
            texts: Each text as its stems, repeats included. Read once, none is kept.
            k1: How fast repeats stop counting, >= 0.
            b: How much long texts are held back, in [0, 1].
        """
        self._stems: dict[str, int] = {}
        """Each stem's number."""
        said, sizes = array("i"), array("i")
        for text in texts:
            said.extend([self._stems.setdefault(stem, len(self._stems)) for stem in text])
            sizes.append(len(text))
        self._n = len(sizes)
        lengths = np.array(sizes, dtype=np.float32)
        mean = float(lengths.mean()) if self._n else 0.0
        norms = k1 * (1 - b + b * lengths / mean) if mean else lengths
        # One number for each word of a text: equal ones are the same stem in the same text, and in order they are the postings of one stem after the other.
        pairs, often = np.unique(
            np.array(said, dtype=np.int64) * max(1, self._n) + np.repeat(np.arange(self._n), np.array(sizes, dtype=np.int64)), return_counts=True
        )
        stems, at = np.divmod(pairs, max(1, self._n))
        counts = often.astype(np.float32)
        self._at = at.astype(np.int32)
        self._often = counts * (k1 + 1) / (counts + norms[self._at])
        self._ends = np.searchsorted(stems, np.arange(len(self._stems) + 1))
        """Where the postings of each stem begin, and where the last ones end."""

    def weights(self, query: Iterable[str]) -> NDArray[np.float64]:
        """One score per text, shape (n_texts,); 0 where no stem of the query occurs. A repeated query stem counts once."""
        scores = np.zeros(self._n)
        for stem in dict.fromkeys(query):
            number = self._stems.get(stem)
            if number is not None:
                some = slice(self._ends[number], self._ends[number + 1])
                at, often = self._at[some], self._often[some]
                scores[at] += math.log(1 + (self._n - len(at) + 0.5) / (len(at) + 0.5)) * often
        return scores

    def scores(self, query: Iterable[str]) -> list[float]:
        """The same as a list."""
        return [float(score) for score in self.weights(query)]
