"""Small charts over versions: gaps, names under the axis, what is sent."""

from __future__ import annotations

import json

import pytest

from ragviz.figures.theme import DARK, LIGHT, Palette
from ragviz.figures.trend import MixBar, TrendPoint, labels_of, mix_line, trend_line


def a_point(value: float | None, *, label: str = "v") -> TrendPoint:
    """A version with its interval; None: without a value."""
    known = value is not None
    return TrendPoint(label=label, value=value, lo=value - 0.01 if known else None, hi=value + 0.01 if known else None, hover=f"told {value}")


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_a_version_without_a_value_leaves_a_gap(colours: Palette) -> None:
    """Line and band stop before it and go on behind it."""
    figure = trend_line([a_point(0.5), a_point(0.6), a_point(None), a_point(0.7), a_point(0.8)], colours=colours)
    *bands, line = figure.data

    assert list(line.y) == [0.5, 0.6, None, 0.7, 0.8]
    assert line.connectgaps is False
    assert [(band.x0, len(band.y)) for band in bands] == [(0, 2), (0, 2), (3, 2), (3, 2)]


def test_names_are_not_cut_to_what_they_share() -> None:
    """Where not all are named, those that are stand whole; few short ones are all named."""
    places, names = labels_of([f"nightly-{n:03d}" for n in range(200)])

    assert names == [f"nightly-{n:03d}" for n in places]
    assert 3 <= len(names) <= 6
    assert labels_of(["v1", "v2", "v3"]) == ([0, 1, 2], ["v1", "v2", "v3"])
    assert labels_of([]) == ([], [])


def test_hundreds_of_versions_are_little_to_send() -> None:
    """No more than 80 bytes a version beside what the pointer is told."""
    points = [a_point(0.7 + n / 3_000, label=f"nightly-{n:03d}") for n in range(200)]
    told = sum(len(point.hover) for point in points)

    assert len(json.dumps(trend_line(points, colours=LIGHT).to_plotly_json(), default=list)) - told < 80 * len(points)


def test_sticks_end_at_their_distance() -> None:
    """One line with a gap after each stick, in the colour of what it says."""
    bars = [MixBar(label=f"v{n}", distance=d, noise=0.1, changed=changed, hover="") for n, (d, changed) in enumerate([(None, False), (0.2, True), (0.05, False), (0.3, True)])]
    _, within, beyond, dots = mix_line(bars, colours=LIGHT).data

    assert (list(within.x), list(within.y)) == ([2, 2, None], [0, 0.05, None])
    assert (list(beyond.x), list(beyond.y)) == ([1, 1, None, 3, 3, None], [0, 0.2, None, 0, 0.3, None])
    assert list(dots.y) == [0.2, 0.05, 0.3]
