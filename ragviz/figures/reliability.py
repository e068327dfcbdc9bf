"""Does confidence mean what it says? Bins of equal mass against the diagonal, each with the interval of its share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import plotly.graph_objects as go

from ragviz.figures.plot_text import count, number
from ragviz.figures.theme import Palette, Word, canvas, write

HEIGHT = 250
_Z = 1.96


@dataclass(frozen=True, kw_only=True)
class ReliabilityPoint:
    """Answers of similar confidence."""

    confidence: float
    """Their mean."""
    accuracy: float
    """Share that people agree with."""
    n: int


def reliability_curve(points: Sequence[ReliabilityPoint], *, colours: Palette, height: int = HEIGHT) -> go.Figure:
    """
    Dots on the diagonal: a confidence of 0.8 is right 8 times in 10. Below it: too sure; above: too modest.

    Args:
        points: Bins, by rising confidence.
        colours: The theme.
        height: In px.
    """
    figure = canvas(colours, height=height, left=44, right=12, top=10, bottom=40)
    low = 0.5 if points and min(min(p.confidence, wilson(p)[0]) for p in points) >= 0.5 else 0.0
    ticks = [0.5, 0.6, 0.7, 0.8, 0.9, 1.0] if low else [0.0, 0.25, 0.5, 0.75, 1.0]
    shown = {"visible": True, "ticks": "", "tickvals": ticks, "tickfont": {"color": colours.text2}, "showgrid": True, "gridcolor": colours.line2}
    figure.update_xaxes(range=[low - 0.01, 1.01], **shown)
    figure.update_yaxes(range=[low - 0.02, 1.03], ticklabelstandoff=4, **shown)
    figure.add_scatter(x=[low, 1], y=[low, 1], mode="lines", line={"color": colours.ink2, "width": 1.5, "dash": "4px,3px"}, hoverinfo="skip")
    figure.add_scatter(
        x=[p.confidence for p in points], y=[p.accuracy for p in points], mode="lines+markers", line={"color": colours.accent, "width": 2}, cliponaxis=False,
        marker={"size": 8, "color": colours.accent, "line": {"color": colours.ground, "width": 1.5}},
        error_y={
            "type": "data", "symmetric": False, "array": [wilson(p)[1] - p.accuracy for p in points], "arrayminus": [p.accuracy - wilson(p)[0] for p in points],
            "color": colours.ink2, "thickness": 1.5, "width": 0,
        },
        hovertemplate=[f"confidence {number(p.confidence, digits=2)}: right {number(p.accuracy, digits=2)} of {count(p.n)}<extra></extra>" for p in points],
    )
    words: list[Word] = []
    write(words, "confidence of the judge", x=0.5, y=0, dy=-30, align="center")
    write(words, "share people agree with", x=0, y=0.5, dx=-36, align="center", angle=-90)
    figure.update_layout(annotations=words)
    return figure


def wilson(point: ReliabilityPoint) -> tuple[float, float]:
    """95 % interval of a share. Source: Wilson 1927, JASA 22(158)."""
    n, p = point.n, point.accuracy
    centre = (p + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    half = _Z / (1 + _Z**2 / n) * sqrt(p * (1 - p) / n + _Z**2 / (4 * n**2))
    return max(0.0, min(centre - half, p)), min(1.0, max(centre + half, p))
