"""Confidence against outcome."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragviz.stats.calibration import fit_isotonic, reliability, risk_coverage


class TestReliability:
    def test_by_hand(self) -> None:
        """0.9 four times with three right, 0.6 four times with two right: ECE = (0.15 + 0.1) / 2, two bins."""
        found = reliability([0.9] * 4 + [0.6] * 4, [1, 1, 1, 0, 1, 1, 0, 0], n_bins=2)

        assert found is not None
        assert [(b.n, b.accuracy) for b in found.bins] == [(4, 0.5), (4, 0.75)]
        assert found.ece == pytest.approx((0.1 + 0.15) / 2)
        assert found.brier == pytest.approx((3 * 0.01 + 0.81 + 2 * 0.16 + 2 * 0.36) / 8)

    def test_equal_confidences_stay_together(self) -> None:
        """Ten bins asked, two values: two bins."""
        found = reliability([0.5] * 90 + [0.7] * 10, [1] * 100, n_bins=10)

        assert found is not None
        assert [b.n for b in found.bins] == [90, 10]

    @given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60), st.integers(1, 12))
    def test_bins_hold_everybody(self, rows: list[tuple[float, bool]], n_bins: int) -> None:
        """Sizes add up, borders ascend, ECE lies in [0, 1]."""
        found = reliability([p for p, _ in rows], [y for _, y in rows], n_bins=n_bins)

        assert found is not None
        assert sum(b.n for b in found.bins) == len(rows)
        assert all(a.hi < b.lo for a, b in zip(found.bins, found.bins[1:], strict=False))
        assert 0 <= found.ece <= 1

    def test_nothing(self) -> None:
        """No answers, no curve; a confidence beyond 1 is refused."""
        assert reliability([], []) is None
        with pytest.raises(ValueError, match="between 0 and 1"):
            reliability([1.2], [1])


class TestIsotonic:
    def test_equals_scikit_learn(self) -> None:
        """Noisy rising outcomes, with ties, at and between the points that were seen."""
        # In here: every process that runs tests collects all of them, and one of them needs it.
        from sklearn.isotonic import IsotonicRegression

        rng = np.random.default_rng(0)
        x = rng.integers(0, 40, 300) / 40
        y = (rng.random(300) < x).astype(float)
        theirs = IsotonicRegression(out_of_bounds="clip").fit(x, y)

        ours = fit_isotonic(x, y)

        at = np.linspace(-0.1, 1.1, 97)
        assert [ours(float(v)) for v in at] == pytest.approx(theirs.predict(at).tolist())

    def test_one_point(self) -> None:
        """Flat everywhere."""
        assert fit_isotonic([0.5], [1])(0.1) == 1.0

    def test_nothing(self) -> None:
        """No data is refused."""
        with pytest.raises(ValueError, match="at least one"):
            fit_isotonic([], [])


class TestRiskCoverage:
    def test_by_hand(self) -> None:
        """Right, wrong, right from sure to unsure: risk 0, 1/2, 1/3 at coverage 1/3, 2/3, 1."""
        found = risk_coverage([0.9, 0.8, 0.7], [1, 0, 1])

        assert found is not None
        assert found.risk == pytest.approx((0, 1 / 2, 1 / 3))
        assert found.coverage == pytest.approx((1 / 3, 2 / 3, 1))
        assert found.aurc == pytest.approx((0 + 1 / 2 + 1 / 3) / 3)

    def test_equal_confidences_come_in_together(self) -> None:
        """One step for both, whatever their order."""
        found = risk_coverage([0.8, 0.8], [0, 1])

        assert found is not None
        assert (found.coverage, found.risk, found.aurc) == ((1.0,), (0.5,), 0.5)
