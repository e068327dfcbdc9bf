"""Weights of words, overlap, BM25."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragviz.text.lexical import Bm25, overlap, shared_bigrams, shared_runs, shared_trigrams, stem_weight, total_weight


class TestStemWeight:
    def test_rarer_words_tell_more(self) -> None:
        """A function word tells next to nothing, an unlisted word everything, a figure a little more."""
        assert 0.05 == stem_weight("the")
        assert stem_weight("citi") < stem_weight("parcel") <= 1.0
        assert 1.0 == stem_weight("zyzzyva")
        assert 1.1 == stem_weight("1998")

    def test_total(self) -> None:
        """Weights add up."""
        assert 2.1 == pytest.approx(total_weight(["zyzzyva", "1998"]))


class TestOverlap:
    def test_share_is_weighted(self) -> None:
        """One unlisted word of weight 1 and one figure of weight 1.1: finding the figure is 1.1 / 2.1."""
        assert 1.1 / 2.1 == pytest.approx(overlap(["zyzzyva", "1998"], {"1998", "other"}) or 0)

    def test_no_words(self) -> None:
        """Nothing to find is undefined, not zero."""
        assert overlap([], {"a"}) is None


class TestSharedGrams:
    def test_bigrams(self) -> None:
        """Of ab, bc, cd the premise has ab and cd: two thirds."""
        assert 2 / 3 == pytest.approx(shared_bigrams(list("abcd"), list("abxcd")) or 0)

    def test_trigrams(self) -> None:
        """Of abc, bcd the premise has bcd: a half."""
        assert shared_trigrams(list("abcd"), list("abxbcd")) == 0.5

    def test_too_short(self) -> None:
        """A text shorter than n has no n-grams."""
        assert shared_bigrams(["a"], ["a"]) is None
        assert shared_trigrams(["a", "b"], ["a", "b"]) is None

    @given(st.text("abc", max_size=6), st.text("abcd", max_size=8))
    def test_both_at_once(self, ours: str, theirs: str) -> None:
        assert shared_runs(ours, theirs) == (shared_bigrams(ours, theirs), shared_trigrams(ours, theirs))


class TestBm25:
    def test_by_hand(self) -> None:
        """Two texts of one word each: idf = ln(1 + 1.5/1.5) = ln 2, and the length norm is 1."""
        scores = Bm25([["a"], ["b"]]).scores(["a"])

        assert [pytest.approx(math.log(2) * 2.2 / 2.2), 0.0] == scores

    def test_repeated_query_word_counts_once(self) -> None:
        """Asking twice changes nothing."""
        index = Bm25([["a", "b"], ["b"]])

        assert index.scores(["b"]) == index.scores(["b", "b"])

    def test_no_texts(self) -> None:
        """An empty list gives no scores."""
        assert Bm25([]).scores(["a"]) == []

    @given(texts=st.lists(st.lists(st.sampled_from("abcdef"), max_size=8), max_size=12), query=st.lists(st.sampled_from("abcdefg"), max_size=5))
    def test_as_the_formula_says(self, texts: list[list[str]], query: list[str]) -> None:
        """Each text on its own, word by word."""
        n, mean = len(texts), sum(map(len, texts)) / max(1, len(texts))

        def score(text: list[str]) -> float:
            found = 0.0
            for stem in set(query) & set(text):
                holding, often = sum(stem in other for other in texts), text.count(stem)
                found += math.log(1 + (n - holding + 0.5) / (holding + 0.5)) * often * 2.2 / (often + 1.2 * (0.25 + 0.75 * len(text) / mean))
            return found

        assert Bm25(iter(texts)).scores(query) == pytest.approx([score(text) for text in texts], rel=1e-5)
