"""Coverage against faithfulness: what each threshold of a gate would do; the chosen one is marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from ragviz.figures.plot_text import interval, number, percent
from ragviz.figures.theme import CAPTION, Palette, Word, canvas, write


@dataclass(frozen=True, kw_only=True)
class CoveragePoint:
    """One threshold."""

    key: str
    """What a click on it gives back."""
    label: str
    """"no gate", or "at least 0.62"; ours."""
    coverage: float
    faithfulness: float
    lo: float | None
    hi: float | None
    n: int
    """Answers the mean rests on."""


def coverage_curve(points: Sequence[CoveragePoint], *, chosen: str, colours: Palette, height: int = 300) -> go.Figure:
    """
    Faithfulness over coverage, with intervals.

    Args:
        points: Mildest threshold first; those without a value are left out by the caller.
        chosen: Key of the marked point.
        colours: The theme.
        height: In px.
    """
    figure = canvas(colours, height=height, left=52, right=18, top=14, bottom=40)
    labels = {"tickfont": {"color": colours.text2}, "visible": True, "ticks": ""}
    low = min([p.lo if p.lo is not None else p.faithfulness for p in points], default=0.0)
    floor = max(0.0, int(low * 10) / 10 - 0.05)
    figure.update_xaxes(range=[-0.02, 1.04], tickvals=[0, 0.25, 0.5, 0.75, 1], tickformat=".0%", showgrid=True, gridcolor=colours.line2, **labels)
    figure.update_yaxes(range=[floor, 1.03], showgrid=True, gridcolor=colours.line2, tickformat=".2f", nticks=6, ticklabelstandoff=4, **labels)
    figure.update_layout(clickmode="event+select")
    banded = [p for p in points if p.lo is not None and p.hi is not None]
    for side in ("lo", "hi"):
        figure.add_scatter(
            x=[p.coverage for p in banded], y=[getattr(p, side) for p in banded], mode="lines", line={"width": 0}, hoverinfo="skip",
            fill="tonexty" if side == "hi" else None, fillcolor=_faded(colours.accent, 0.16),
        )
    figure.add_scatter(
        x=[p.coverage for p in points], y=[p.faithfulness for p in points], mode="lines+markers", customdata=[p.key for p in points], cliponaxis=False,
        line={"color": colours.accent, "width": 1.5}, marker={"size": 7, "color": colours.accent, "line": {"color": colours.ground, "width": 1}},
        hovertemplate=[_hover(p) for p in points], selected={"marker": {"opacity": 1}}, unselected={"marker": {"opacity": 1}},
    )
    words: list[Word] = []
    picked = next((p for p in points if p.key == chosen), None)
    if picked is not None:
        figure.add_scatter(
            x=[picked.coverage], y=[picked.faithfulness], mode="markers", hoverinfo="skip", cliponaxis=False,
            marker={"size": 15, "symbol": "circle-open", "color": colours.text, "line": {"width": 2.5, "color": colours.text}},
        )
        right = picked.coverage > 0.6
        write(
            words,
            f"{picked.label}: {number(picked.faithfulness, digits=2)} at {percent(picked.coverage, digits=0)}",
            x=picked.coverage,
            y=picked.faithfulness,
            xref="x",
            yref="y",
            align="right" if right else "left",
            dx=-13 if right else 13,
            dy=-15,
            size=CAPTION,
            colour=colours.text,
            bold=True,
        )
    write(words, "coverage: questions still answered", x=1, y=0, align="right", dy=-30, colour=colours.text2)
    write(words, "faithfulness", x=0, y=0.5, dx=-44, angle=-90, align="center", colour=colours.text2)
    figure.update_layout(annotations=words)
    return figure


def _hover(point: CoveragePoint) -> str:
    band = interval(point.lo, point.hi)
    return (
        f"{point.label}: {number(point.faithfulness)}"
        + (f" ({band})" if band else "")
        + f" at {percent(point.coverage)} coverage, n {point.n:,}<extra></extra>"
    )


def _faded(colour: str, opacity: float) -> str:
    """A hex colour as rgba."""
    r, g, b = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({r},{g},{b},{opacity})"
