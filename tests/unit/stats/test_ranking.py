"""Rank measures, one ranking and many."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ragviz.stats.ranking import average_precision, curves, hit, ndcg, precision, recall, reciprocal_rank

FOUND = [False, True, True]


class TestOneRanking:
    def test_precision_divides_by_k(self) -> None:
        """One relevant in a list of one, k = 5: 1/5."""
        assert precision([True], k=5) == pytest.approx(0.2)

    def test_recall_divides_by_all_relevant(self) -> None:
        """Two of four found; at k = 2 one of four."""
        assert recall(FOUND, 4, k=3) == pytest.approx(0.5)
        assert recall(FOUND, 4, k=2) == pytest.approx(0.25)

    def test_first_relevant_decides_rr_and_hit(self) -> None:
        """Rank 2: 1/2 from k = 2 on, nothing at k = 1."""
        assert (reciprocal_rank(FOUND, k=1), reciprocal_rank(FOUND, k=2)) == (0.0, 0.5)
        assert (hit(FOUND, k=1), hit(FOUND, k=2)) == (0.0, 1.0)

    def test_average_precision(self) -> None:
        """Relevant at ranks 2 and 3 of four relevant: (1/2 + 2/3) / 4."""
        assert average_precision(FOUND, 4, k=3) == pytest.approx((1 / 2 + 2 / 3) / 4)

    def test_ideal_holds_what_was_not_retrieved(self) -> None:
        """1 of 20 relevant at rank 1: 1 / (1 + 1/log2(3) + … + 1/log2(6)) = 0.339, not 1."""
        assert ndcg([1, 0, 0, 0, 0], [1] * 20, k=5) == pytest.approx(0.3392, abs=1e-4)

    def test_gain_is_the_level(self) -> None:
        """Levels 1 then 3, ideal 3 then 1: (1 + 3/log2 3) / (3 + 1/log2 3). Negative levels are 0."""
        expected = (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))

        assert ndcg([1, 3, -1], [3, 1, -1], k=3) == pytest.approx(expected)

    def test_nothing_relevant_has_no_recall(self) -> None:
        """Nothing to divide by."""
        assert (recall([], 0, k=1), average_precision([], 0, k=1), ndcg([], [0.0], k=1)) == (None, None, None)

    def test_cut_off_starts_at_one(self) -> None:
        """k = 0 is refused."""
        with pytest.raises(ValueError, match="at least 1"):
            precision([True], k=0)


class TestManyRankings:
    def test_equal_one_by_one(self) -> None:
        """200 random graded rankings, every cut-off: the arrays say what the loops say."""
        rng = np.random.default_rng(3)
        gains = rng.integers(-1, 4, size=(200, 7))
        beyond = rng.integers(0, 4, size=(200, 3))
        ideal = -np.sort(-np.concatenate([gains, beyond], axis=1), axis=1)
        n_relevant = (ideal >= 1).sum(axis=1)

        found = curves(gains, n_relevant, ideal=ideal, dtype=np.float64)

        for row in range(200):
            relevant = [bool(g >= 1) for g in gains[row]]
            total = int(n_relevant[row])
            for k in range(1, 8):
                assert found.precision[row, k - 1] == pytest.approx(precision(relevant, k=k))
                assert found.recall[row, k - 1] == pytest.approx(recall(relevant, total, k=k) or 0)
                assert found.ndcg[row, k - 1] == pytest.approx(ndcg(gains[row].tolist(), ideal[row].tolist(), k=k) or 0)
                assert found.reciprocal_rank(k)[row] == pytest.approx(reciprocal_rank(relevant, k=k))
                assert found.hit(k)[row] == hit(relevant, k=k)
            assert found.average_precision[row] == pytest.approx(average_precision(relevant, total, k=7) or 0)

    def test_yes_or_no_labels_need_no_ideal(self) -> None:
        """Three relevant, one found at rank 1 of 2: nDCG@2 = 1 / (1 + 1/log2 3)."""
        found = curves([[1, 0]], [3])

        assert found.ndcg[0] == pytest.approx([1.0, 1 / (1 + 1 / math.log2(3))])

    def test_longer_than_a_chunk(self) -> None:
        """70,000 equal rankings give 70,000 equal rows."""
        found = curves(np.tile([1, 0, 1], (70_000, 1)), np.full(70_000, 2))

        assert np.unique(found.average_precision).tolist() == pytest.approx([(1 + 2 / 3) / 2])

    def test_no_rankings_and_no_depth(self) -> None:
        """Empty in, empty out."""
        assert curves(np.zeros((0, 5)), np.zeros(0)).precision.shape == (0, 5)
        assert curves(np.zeros((2, 0)), np.zeros(2)).hit(1).tolist() == [0, 0]

    def test_shapes_must_fit(self) -> None:
        """Two rankings need two totals."""
        with pytest.raises(ValueError, match="shapes do not fit"):
            curves([[1], [0]], [1])
