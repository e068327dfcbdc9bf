"""Small pictures for headline cards: where a number lies on its axis with its interval, and how a count splits."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from ragviz.figures.theme import Palette, canvas

HEIGHT = 24
"""px of a strip, whatever the width."""


def interval_strip(
    value: float | None, *, lo: float | None = None, hi: float | None = None, axis: tuple[float, float] = (0.5, 1.0), other: float | None = None,
    colours: Palette,
) -> go.Figure:
    """
    A number on its axis: hairline, interval as a bar, value as a thick tick, another run's value as a dashed tick.

    Args:
        value: None draws the bare hairline.
        lo: Lower end of the interval, if there is one.
        hi: Upper end.
        axis: Both ends of the hairline; what lies outside is drawn at its end.
        other: The value of the run compared with.
        colours: The theme.
    """
    figure = canvas(colours, height=HEIGHT)
    start, end = axis
    figure.update_xaxes(range=[start, end])
    figure.update_yaxes(range=[-12, 12])
    figure.add_scatter(x=[start, end], y=[0, 0], mode="lines", line={"color": colours.ink3, "width": 2}, hoverinfo="skip")
    if lo is not None and hi is not None:
        figure.add_scatter(
            x=[_within(lo, axis), _within(hi, axis)], y=[0, 0], mode="lines", line={"color": colours.ink2, "width": 6}, hoverinfo="skip",
        )
    dashed = {"color": colours.text2, "width": 1.5, "dash": "2px,2px"}
    for at, half, line in ((other, 8, dashed), (value, 7, {"color": colours.text, "width": 3})):
        if at is not None:
            figure.add_scatter(x=[_within(at, axis)] * 2, y=[-half, half], mode="lines", line=line, hoverinfo="skip", cliponaxis=False)
    return figure


def _within(value: float, axis: tuple[float, float]) -> float:
    return min(max(value, min(axis)), max(axis))


def axis_for(values: Sequence[float | None], *, better_high: bool = True) -> tuple[float, float]:
    """
    The axis of a strip: from 0.5 to 1 where everything lies there, else from 0 to 1; for rates from 0 to 0.3, else from 0 to 1.

    The axes of equal metrics stay equal from run to run, so that a tick's place can be remembered.
    """
    known = [v for v in values if v is not None]
    if better_high:
        return (0.5, 1.0) if known and min(known) >= 0.5 else (0.0, 1.0)
    return (0.0, 0.3) if known and max(known) <= 0.3 else (0.0, 1.0)


def share_strip(parts: Sequence[int], *, colours: Palette) -> go.Figure:
    """A count split into up to three parts, strongest ink first; nothing at all is one pale bar."""
    figure = canvas(colours, height=HEIGHT)
    inks = (colours.ink, colours.ink2, colours.ink3)
    total = sum(parts)
    figure.update_xaxes(range=[0, max(total, 1)])
    figure.update_layout(barmode="stack")
    for part, ink in zip(parts, inks, strict=False) if total else [(1, colours.ink3)]:
        figure.add_bar(x=[part], y=[0], orientation="h", marker={"color": ink, "line": {"color": colours.ground, "width": 1}}, width=0.45, hoverinfo="skip")
    figure.update_yaxes(range=[-0.5, 0.5])
    return figure
