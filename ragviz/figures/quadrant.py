"""The quadrant picture: faithfulness against correctness, relevance as shape, off-topic traces in a strip of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ragviz.figures.plot_text import count, counted, number, plain
from ragviz.figures.spots import ALL, Grid, Spots, Window
from ragviz.figures.theme import BODY, CAPTION, Palette, Word, canvas, write

HEIGHT = 700
SMALLEST, LARGEST = 7.0, 36.0
"""Diameter in px of a spot of one trace, and at most."""
STRIP, PLANE = (0.0, 0.085), (0.165, 1.0)
"""Shares of the width: the off-topic strip, the plane."""
PAD = 0.033
"""Room around 0 and 1, so that spots on the edge are drawn whole."""
SYMBOLS = {2: "circle", 1: "diamond", 0: "triangle-down", -1: "circle-open"}


@dataclass(frozen=True, kw_only=True)
class QuadrantPlot:
    """What the picture shows."""

    faithfulness: float
    """Threshold, and so the next two."""
    correctness: float
    relevance: float
    counts: Mapping[str, int]
    """Traces per quadrant, by name."""
    selected: str | None = None
    """The quadrant that is picked: its spots and its ground take the accent."""
    focus: tuple[float, float, str] | None = None
    """One trace with a ring: x, y, label."""
    window: Window = ALL
    has_reference: bool = True
    """False: relevance stands on the vertical axis, since there is no correctness."""


def quadrant_scatter(spots: Spots, off_topic: NDArray[np.float64], in_plot: NDArray[np.float64], plot: QuadrantPlot, *, colours: Palette) -> go.Figure:
    """
    One marker per spot, area by count; hollow where at least half of its traces may be in another quadrant.

    Args:
        spots: Of the traces in the plane.
        off_topic: Relevance of the traces below its threshold, shape (n,): diamonds in the strip.
        in_plot: Relevance of those in the plane, shape (m,): the strip's histogram.
        plot: Thresholds, counts, selection.
        colours: The theme.
    """
    words: list[Word] = []
    figure = _frame(plot, words, colours)
    picked = spots.kind == plot.selected if plot.selected else np.zeros(len(spots), dtype=bool)
    figure.add_scatter(
        x=spots.x,
        y=spots.y,
        mode="markers",
        customdata=spots.keys(),
        name="traces",
        marker={
            "size": diameters(spots.n),
            "symbol": [_symbol(int(b), hollow=bool(h)) for b, h in zip(spots.band, spots.hollow, strict=True)],
            "opacity": np.where(picked, 0.9, 0.72),
            "color": np.where(picked, colours.accent, colours.ink),
            "line": {"color": colours.ground, "width": np.where(spots.hollow, 2.5, 1)},
        },
        hovertemplate=_hovers(spots),
        **_unfaded(),
    )
    if plot.has_reference:
        _strip(figure, words, off_topic, in_plot, plot=plot, colours=colours)
    _ring(figure, words, plot, colours)
    figure.update_layout(annotations=words)
    return figure


def _symbol(band: int, *, hollow: bool) -> str:
    return SYMBOLS[band].removesuffix("-open") + ("-open" if hollow or band < 0 else "")


def _hovers(spots: Spots) -> list[str]:
    doubted = np.zeros(len(spots), dtype=np.int64) if spots.unsure is None else spots.unsure
    return [
        f"{counted(int(n), 'trace')} at {number(x, digits=2)}, {number(y, digits=2)}"
        + (f"; {count(int(d))} may be in another quadrant" if d else "")
        + "<extra></extra>"
        for n, d, x, y in zip(spots.n, doubted, spots.x, spots.y, strict=True)
    ]


def quadrant_heat(grid: Grid, off_topic: NDArray[np.float64], in_plot: NDArray[np.float64], plot: QuadrantPlot, *, colours: Palette) -> go.Figure:
    """
    Counts per cell as ink, for more spots than a browser can draw; invisible markers make the cells clickable.

    The ink follows the logarithm of the count: one trace is still seen beside ten thousand.
    """
    words: list[Word] = []
    figure = _frame(plot, words, colours)
    x, y = (grid.x_edges[:-1] + grid.x_edges[1:]) / 2, (grid.y_edges[:-1] + grid.y_edges[1:]) / 2
    shown = np.where(grid.n > 0, np.log10(np.maximum(grid.n, 1)) + 0.35, np.nan)
    figure.add_heatmap(
        x=x, y=y, z=np.round(shown, 2), colorscale=[[0, colours.ink3], [0.5, colours.ink2], [1, colours.ink]], zmin=0, showscale=False, hoverinfo="skip",
        xgap=1, ygap=1,
    )
    row, column = np.nonzero(grid.n)
    places = [f"{a:.4f}|{b:.4f}" for a, b in zip(x[column], y[row], strict=True)]
    figure.add_scatter(
        x=x[column],
        y=y[row],
        mode="markers",
        customdata=places,
        marker={"size": 9, "symbol": "square", "opacity": 0},
        text=[count(n) for n in grid.n[row, column]],
        hovertemplate="%{text} traces: click to look closer<extra></extra>",
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
    )
    if plot.has_reference:
        _strip(figure, words, off_topic, in_plot, plot=plot, colours=colours)
    figure.update_layout(annotations=words)
    return figure


def diameters(n: NDArray[np.int64]) -> NDArray[np.float64]:
    """Marker sizes in px whose area grows with the count, from one trace up."""
    if n.size == 0:
        return np.zeros(0)
    per_trace = min(SMALLEST, LARGEST / float(np.sqrt(n.max())))
    grown: NDArray[np.float64] = np.maximum(per_trace * np.sqrt(n.astype(np.float64)), SMALLEST)
    return grown.round(1)


def _frame(plot: QuadrantPlot, words: list[Word], colours: Palette) -> go.Figure:
    """Axes, thresholds, the picked ground and the corner names, all outside the plane."""
    figure = canvas(colours, height=HEIGHT, left=34 if plot.has_reference else 54, right=8, top=44, bottom=88)
    w = plot.window
    pad_x, pad_y = PAD * (w.x1 - w.x0), PAD * (w.y1 - w.y0)
    ticks = {"visible": True, "showgrid": True, "gridcolor": colours.line2, "linecolor": colours.line, "mirror": True, "showline": True, "fixedrange": False,
             "tickfont": {"color": colours.text2}, "ticks": "", "nticks": 6}
    if w.is_all:
        ticks["tickvals"] = [0, 0.25, 0.5, 0.75, 1]
    figure.update_layout(
        xaxis=ticks | {"domain": PLANE if plot.has_reference else (0.0, 1.0), "range": [w.x0 - pad_x, w.x1 + pad_x]},
        yaxis=ticks | {"range": [w.y0 - pad_y, w.y1 + pad_y], "anchor": "x", "ticklabelstandoff": 2},
        dragmode="zoom", clickmode="event+select", uirevision=f"quadrant {w.x0} {w.x1} {w.y0} {w.y1}",
        modebar={"bgcolor": "rgba(0,0,0,0)", "color": colours.ink2, "activecolor": colours.accent, "orientation": "v", "remove": [
            "toImage", "pan", "zoomIn", "zoomOut", "autoScale", "lasso",
        ]},
    )
    vertical = plot.correctness if plot.has_reference else plot.relevance
    thresholds = {"color": colours.text, "width": 1.3, "dash": "6px,4px"}
    figure.add_shape(type="line", xref="x", yref="y domain", x0=plot.faithfulness, x1=plot.faithfulness, y0=0, y1=1, line=thresholds)
    figure.add_shape(type="line", xref="x domain", yref="y", x0=0, x1=1, y0=vertical, y1=vertical, line=thresholds)
    _ground(figure, plot, colours)
    _names(words, plot, colours)
    return figure


def _unfaded() -> dict[str, object]:
    """A click must not fade the other spots."""
    return {"selected": {"marker": {"opacity": 0.9}}, "unselected": {"marker": {"opacity": 0.72}}}


def _ground(figure: go.Figure, plot: QuadrantPlot, colours: Palette) -> None:
    w = plot.window
    low_x, low_y, high_x, high_y = w.x0 - PAD, w.y0 - PAD, w.x1 + PAD, w.y1 + PAD
    f, c = plot.faithfulness, plot.correctness if plot.has_reference else plot.relevance
    box = {
        "fabrication": (low_x, f, low_y, c), "wrong_mirror": (f, high_x, low_y, c), "lucky_guess": (low_x, f, c, high_y),
        "extra_claim": (f, high_x, c, high_y), "good": (f, high_x, c, high_y),
    }.get(plot.selected or "")
    if box:
        x0, x1, y0, y1 = box
        figure.add_shape(type="rect", x0=x0, x1=x1, y0=y0, y1=y1, fillcolor=colours.accent, opacity=0.07, line={"width": 0}, layer="below")


def _names(words: list[Word], plot: QuadrantPlot, colours: Palette) -> None:
    """Name and count of each corner, and one line on what it means."""
    if not plot.has_reference:
        _axis_titles(words, "Relevance to the question", colours)
        return

    def corner(name: str, label: str, meaning: str, *, x: float, top: bool, align: str = "left") -> None:
        base = 1.0 if top else 0.0
        write(words, f"{label} {count(plot.counts.get(name, 0))}", x=x, y=base, dy=28 if top else -36, align=align, size=BODY, colour=colours.text, bold=True)
        write(words, meaning, x=x, y=base, dy=11 if top else -53, align=align)

    left, right = PLANE
    # The middle name stands at the line, but never so near a corner that it meets its neighbours.
    middle = left + (right - left) * min(max((plot.faithfulness + PAD) / (1 + 2 * PAD), 0.44), 0.56)
    corner("lucky_guess", "Lucky guess", "right, but nothing retrieved supports it", x=left, top=True)
    corner("extra_claim", "Extra claim", "right, plus additions", x=middle, top=True)
    corner("good", "Good", "at faithfulness 1", x=right, top=True, align="right")
    corner("fabrication", "Fabrication", "wrong and unsupported", x=left, top=False)
    corner("wrong_mirror", "Wrong mirror", "faithful, the reference disagrees", x=right, top=False, align="right")
    corner("off_topic", "Off-topic", "checked first", x=0, top=False)
    _axis_titles(words, "Correctness: F1 against the reference", colours)


def _axis_titles(words: list[Word], vertical: str, colours: Palette) -> None:
    start = PLANE[0] if vertical.startswith("Correct") else 0.0
    write(
        words, "Faithfulness, share of judged claims that a passage supports", x=(start + 1) / 2, y=0, dy=-76, align="center", size=CAPTION, colour=colours.text
    )
    write(words, vertical, x=start, y=0.5, dx=-44 if start else -40, align="center", size=CAPTION, colour=colours.text, angle=-90)


def _strip(
    figure: go.Figure, words: list[Word], off_topic: NDArray[np.float64], in_plot: NDArray[np.float64], *, plot: QuadrantPlot, colours: Palette,
) -> None:
    """Relevance of all: a histogram above the threshold, a diamond each (or darker bars, when many) below it."""
    figure.update_layout(
        xaxis2={"domain": STRIP, "range": [0, 1], "visible": True, "showgrid": False, "showticklabels": False, "fixedrange": True, "mirror": True, "showline": True,
                "linecolor": colours.line, "zeroline": False, "anchor": "y2"},
        yaxis2={"range": [-PAD, 1 + PAD], "anchor": "x2", "visible": True, "showgrid": False, "fixedrange": True, "mirror": True, "showline": True, "zeroline": False,
                "linecolor": colours.line, "tickvals": [0, 0.25, 0.5, 0.75, 1], "tickfont": {"color": colours.text2}, "ticks": "", "ticklabelstandoff": 2},
    )
    figure.add_shape(
        type="rect", xref="x2", yref="y2", x0=0, x1=1, y0=-PAD, y1=plot.relevance, fillcolor=colours.noise, opacity=0.7, line={"width": 0}, layer="below",
    )
    figure.add_shape(
        type="line", xref="x2", yref="y2", x0=0, x1=1, y0=plot.relevance, y1=plot.relevance, line={"color": colours.text, "width": 1.3, "dash": "6px,4px"}
    )
    many = off_topic.size > 60
    _histogram(figure, in_plot, colours.ink3)
    if many:
        _histogram(figure, off_topic, colours.ink2)
    elif off_topic.size:
        heights, slot, total = _beside(off_topic)
        ink = colours.accent if plot.selected == "off_topic" else colours.ink
        figure.add_scatter(
            x=(slot + 1) / (total + 1), y=heights, xaxis="x2", yaxis="y2", mode="markers", customdata=[f"off|{v:.4f}" for v in heights], **_unfaded(),
            marker={"symbol": "diamond", "size": 9, "color": ink, "opacity": 0.85, "line": {"color": colours.ground, "width": 1}},
            hovertemplate="relevance %{y:.2f}<extra></extra>",
        )
    write(words, count(in_plot.size), x=0, y=1, dy=28, size=CAPTION, colour=colours.text)
    write(words, "in the plot", x=0, y=1, dy=11)
    write(words, "Relevance", x=sum(STRIP) / 2, y=0, dy=-76, align="center", size=CAPTION, colour=colours.text)


def _histogram(figure: go.Figure, values: NDArray[np.float64], ink: str) -> None:
    n, edges = np.histogram(values[~np.isnan(values)], bins=20, range=(0, 1))
    if n.sum():
        figure.add_bar(
            x=n / n.max() * 0.93,
            y=(edges[:-1] + edges[1:]) / 2,
            orientation="h",
            width=0.046,
            xaxis="x2",
            yaxis="y2",
            marker={"color": ink, "line": {"width": 0}},
            hoverinfo="skip",
            unselected={"marker": {"opacity": 1}},
        )


def _beside(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Equal heights stand side by side: height, place in its row, size of its row."""
    heights = np.sort(np.round(values, 2))
    unique, starts, sizes = np.unique(heights, return_index=True, return_counts=True)
    row = np.searchsorted(unique, heights)
    return heights, np.arange(heights.size, dtype=np.float64) - starts[row], sizes[row].astype(np.float64)


def _ring(figure: go.Figure, words: list[Word], plot: QuadrantPlot, colours: Palette) -> None:
    if plot.focus is None:
        return
    x, y, label = plot.focus
    figure.add_scatter(
        x=[x], y=[y], mode="markers", hoverinfo="skip", marker={"symbol": "circle-open", "size": 19, "color": colours.text, "line": {"width": 2}}, **_unfaded(),
    )
    near_right = x > 0.8
    write(words, plain(label, limit=24), x=x, y=y, xref="x", yref="y", dx=-14 if near_right else 14, dy=12, align="right" if near_right else "left",
          size=CAPTION, colour=colours.text, bold=True)
