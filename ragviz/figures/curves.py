"""Retrieval quality over the cut-off k: mean and interval as line and band, another run dashed."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ragviz.figures.plot_text import number
from ragviz.figures.theme import Palette, canvas

Floats = NDArray[np.float64]


def curve(
    mean: Floats, *, lo: Floats | None = None, hi: Floats | None = None, other: Floats | None = None, k: int, colours: Palette, height: int = 186,
) -> go.Figure:
    """
    One metric at k = 1..K.

    Args:
        mean: Shape (K,); NaN where undefined.
        lo: Lower ends of the intervals, shape (K,).
        hi: Upper ends.
        other: Means of the run compared with, shape (K,).
        k: The chosen cut-off: a line and a dot.
        colours: The theme.
        height: In px.
    """
    figure = canvas(colours, height=height, left=30, right=10, top=8, bottom=22)
    ks = np.arange(1, mean.size + 1)
    low, high, ticks = _axis([a for a in (mean, lo, other) if a is not None], [a for a in (mean, hi, other) if a is not None])
    labels = {"tickfont": {"color": colours.text2}, "visible": True, "ticks": ""}
    marked = [t for t in (1, 5, 10, 15, 20) if t <= mean.size and (t == k or abs(t - k) > 1)] + [k]
    figure.update_xaxes(range=[1, mean.size], tickvals=marked, ticktext=[_emphasised(t, k) for t in marked], **labels)
    figure.update_yaxes(range=[low, high], tickvals=ticks, showgrid=True, gridcolor=colours.line2, ticklabelstandoff=4, **labels)
    figure.update_layout(hovermode="x")
    if lo is not None and hi is not None:
        figure.add_scatter(x=ks, y=lo, mode="lines", line={"width": 0}, hoverinfo="skip")
        figure.add_scatter(x=ks, y=hi, mode="lines", line={"width": 0}, fill="tonexty", fillcolor=_faded(colours.accent, 0.24), hoverinfo="skip")
    if other is not None:
        figure.add_scatter(x=ks, y=other, mode="lines", line={"color": colours.ink2, "width": 1.5, "dash": "4px,3px"}, hoverinfo="skip")
    hover = [f"k = {n}: {number(float(v))}" + (f" ({number(float(a))} to {number(float(b))})" if lo is not None else "") + "<extra></extra>"
             for n, v, a, b in zip(ks, mean, lo if lo is not None else mean, hi if hi is not None else mean, strict=True)]
    figure.add_scatter(x=ks, y=mean, mode="lines", line={"color": colours.accent, "width": 2}, hovertemplate=hover)
    if 1 <= k <= mean.size:
        figure.add_shape(type="line", x0=k, x1=k, y0=low, y1=high, line={"color": colours.text, "width": 1, "dash": "6px,4px"})
        figure.add_scatter(
            x=[k],
            y=[mean[k - 1]],
            mode="markers",
            marker={"size": 9, "color": colours.accent, "line": {"color": colours.ground, "width": 1.5}},
            hoverinfo="skip",
            cliponaxis=False,
        )
    return figure


def _emphasised(tick: int, k: int) -> str:
    return f"<b>{tick}</b>" if tick == k else str(tick)


def _axis(lows: list[Floats], highs: list[Floats]) -> tuple[float, float, list[float]]:
    """Both ends on a multiple of 0.2 around all that is drawn, in [0, 1], and the ticks: a curve never fills less than it must."""
    known_low = [v for a in lows for v in a if not np.isnan(v)]
    known_high = [v for a in highs for v in a if not np.isnan(v)]
    if not known_low:
        return 0.0, 1.0, [0, 0.5, 1]
    low = np.floor(min(known_low) * 5 + 1e-9) / 5
    high = np.ceil(max(known_high) * 5 - 1e-9) / 5
    high = max(high, low + 0.2)
    return float(low), float(high), [round(float(t), 1) for t in np.arange(low, high + 0.01, 0.2)]


def _faded(colour: str, opacity: float) -> str:
    """A hex colour as rgba."""
    r, g, b = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({r},{g},{b},{opacity})"
