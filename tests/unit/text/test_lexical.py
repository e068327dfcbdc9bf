"""Weights of words, overlap, BM25."""

from __future__ import annotations

import math

import pytest

from ragviz.text.lexical import Bm25, containment, overlap, stem_weight, total_weight


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


class TestContainment:
    def test_bigrams(self) -> None:
        """Of ab, bc, cd the premise has ab and cd: two thirds."""
        assert 2 / 3 == pytest.approx(containment(list("abcd"), list("abxcd"), n=2) or 0)

    def test_too_short(self) -> None:
        """A text shorter than n has no n-grams."""
        assert containment(["a"], ["a"], n=2) is None

    def test_n_must_be_positive(self) -> None:
        """Zero is a mistake of the caller."""
        with pytest.raises(ValueError, match="at least 1"):
            containment(["a"], ["a"], n=0)


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
