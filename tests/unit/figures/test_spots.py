"""Grouping points into spots and cells."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragviz.figures.spots import Window, bands, binned, gather, spot_of, zoomed

NAN = float("nan")


class TestGather:
    def test_equal_places_become_one_spot(self) -> None:
        """Three traces at (1, 0.5), one at (0, 0): two spots, the larger one first."""
        spots = gather(np.array([1, 0, 1, 1.0]), np.array([0.5, 0, 0.5, 0.5]), np.array([2, 1, 1, 2]), ["good", "fabrication", "good", "good"])

        assert (spots.x.tolist(), spots.y.tolist(), spots.n.tolist()) == ([1, 0], [0.5, 0], [3, 1])
        assert (spots.band.tolist(), spots.kind.tolist()) == ([2, 1], ["good", "fabrication"])

    def test_points_without_a_number_are_left_out(self) -> None:
        """A trace without correctness has no place in the plane."""
        assert len(gather(np.array([1, 0.5]), np.array([NAN, 0.5]), np.array([2, 2]), ["unknown", "good"])) == 1

    def test_nothing_gives_nothing(self) -> None:
        """An empty run has no spots."""
        assert len(gather(np.array([]), np.array([]), np.array([], dtype=int), [])) == 0

    @given(st.lists(st.tuples(st.integers(0, 7), st.integers(1, 7), st.integers(0, 7), st.integers(1, 7)), min_size=1, max_size=40))
    def test_no_trace_is_lost_and_keys_find_their_spot(self, points: list[tuple[int, int, int, int]]) -> None:
        """Counts add up to the points, whatever their fractions, and each key names the place of its spot."""
        x = np.array([min(a, b) / b for a, b, _, _ in points])
        y = np.array([min(c, d) / d for _, _, c, d in points])

        spots = gather(x, y, np.full(x.size, 1), ["good"] * x.size)

        assert spots.n.sum() == x.size
        assert [spot_of(k) for k in spots.keys()] == list(zip(spots.x, spots.y, strict=True))  # noqa: SIM118 - a method of ours


@pytest.mark.parametrize("key", ["", "1", "a|b", "2|0.5", "0.5|nan", "1|2|3", "<b>|0"])
def test_keys_from_the_browser_are_not_trusted(key: str) -> None:
    """What names no place gives None."""
    assert spot_of(key) is None


def test_bands_follow_the_threshold() -> None:
    """Below the threshold 0, up to 0.75 1, from there 2; unknown −1. A threshold above 0.75 leaves no middle band."""
    values = np.array([0.2, 0.5, 0.74, 0.75, NAN])

    assert bands(values, 0.5).tolist() == [0, 1, 1, 2, -1]
    assert bands(np.array([0.8, 0.9]), 0.85).tolist() == [0, 2]


class TestBinned:
    def test_row_zero_is_the_bottom(self) -> None:
        """Two points low on the right, one high on the left."""
        grid = binned(np.array([0.9, 0.95, 0.1]), np.array([0.1, 0.1, 0.9]), Window(), bins=2)

        assert grid.n.tolist() == [[0, 2], [1, 0]]

    def test_only_the_window_counts(self) -> None:
        """Its edges belong to it."""
        grid = binned(np.array([0.5, 0.75, 0.2]), np.array([0.5, 0.75, 0.2]), Window(0.5, 0.75, 0.5, 0.75), bins=5)

        assert grid.n.sum() == 2

    def test_zooming_stays_inside(self) -> None:
        """A click near the corner gives a window that ends at the corner."""
        assert zoomed(Window(), 0.99, 0.5) == Window(0.75, 1.0, 0.375, 0.625)
        assert not zoomed(Window(), 0.5, 0.5).is_all


def test_a_spot_is_hollow_when_half_of_it_is_in_doubt() -> None:
    """Two traces at one place, one in doubt: hollow. Three at another, one in doubt: filled."""
    x, y = np.array([0.5, 0.5, 1, 1, 1]), np.zeros(5)

    spots = gather(x, y, np.zeros(5, dtype=np.int64), ["a"] * 5, np.array([True, False, True, False, False]))

    assert spots.n.tolist() == [3, 2]
    assert spots.unsure is not None
    assert spots.unsure.tolist() == [1, 1]
    assert spots.hollow.tolist() == [False, True]
