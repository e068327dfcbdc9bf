"""Reliability and confusion: what they draw, in both themes."""

from __future__ import annotations

import pytest

from ragviz.figures.confusion import agree, confusion_grid
from ragviz.figures.reliability import ReliabilityPoint, reliability_curve, wilson
from ragviz.figures.theme import DARK, LIGHT, Palette
from ragviz.records import Grounding

LABELS = (Grounding.SUPPORTED, Grounding.NOT_SUPPORTED)
VERDICTS = (Grounding.SUPPORTED, Grounding.CONFLICTED, Grounding.NOT_SUPPORTED)


def test_wilson_by_hand() -> None:
    """8 of 10: 0.490 to 0.943; the ends hold the share, also at 0 and 1."""
    lo, hi = wilson(ReliabilityPoint(confidence=0.9, accuracy=0.8, n=10))

    assert (lo, hi) == (pytest.approx(0.490, abs=1e-3), pytest.approx(0.943, abs=1e-3))
    assert wilson(ReliabilityPoint(confidence=0.9, accuracy=1.0, n=5))[1] == 1.0
    assert wilson(ReliabilityPoint(confidence=0.9, accuracy=0.0, n=5))[0] == 0.0


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_reliability_stands_on_the_diagonal(colours: Palette) -> None:
    """Axes start at a half where all of it lies there, else at 0; the diagonal is dashed; the whiskers are the intervals."""
    points = [ReliabilityPoint(confidence=0.8, accuracy=0.9, n=400), ReliabilityPoint(confidence=0.95, accuracy=0.97, n=400)]
    high, low = reliability_curve(points, colours=colours), reliability_curve([*points, ReliabilityPoint(confidence=0.6, accuracy=0.2, n=9)], colours=colours)

    assert high.layout.xaxis.range[0] == pytest.approx(0.49)
    assert low.layout.xaxis.range[0] == pytest.approx(-0.01)
    assert tuple(high.data[0].x) == tuple(high.data[0].y) == (0.5, 1)
    assert list(high.data[1].y) == [0.9, 0.97]
    assert high.data[1].error_y.array[0] == pytest.approx(wilson(points[0])[1] - 0.9)
    assert reliability_curve([], colours=colours).layout.xaxis.range[0] == pytest.approx(-0.01)


def test_confusion_counts_and_frames() -> None:
    """Three of four are recognised; a conflicted claim agrees with "supported"; an empty row divides by nothing."""
    counts = {"supported": {"supported": 2, "conflicted": 1, "not_supported": 1}, "not_supported": {"supported": 0, "conflicted": 0, "not_supported": 0}}
    figure = confusion_grid(counts, labels=LABELS, verdicts=VERDICTS, colours=LIGHT)
    words = [a.text for a in figure.layout.annotations]
    framed = [s for s in figure.layout.shapes if s.line.width]

    assert "4 labelled" in words
    assert "50.0\u00a0%" in words
    assert words.count("–") == 3
    assert len(framed) == 3
    assert agree(Grounding.SUPPORTED, Grounding.CONFLICTED)
    assert not agree(Grounding.NOT_SUPPORTED, Grounding.CONTRADICTED)
