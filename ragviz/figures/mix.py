"""How far the mix of questions of each version is from the first, beside what chance explains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ragviz.figures.dense import Form, packed, pointed
from ragviz.figures.theme import Palette
from ragviz.figures.trend import HEIGHT, MANY, MIX_ROOM, TOP, at_places, axis_of, drawn, labels_of, sheet, tick_text


@dataclass(frozen=True, kw_only=True)
class MixBar:
    """One version's distance from the reference mix."""

    label: str
    distance: float | None
    noise: float | None
    changed: bool
    hover: str = ""
    """What the pointer is told where there are up to ``MANY``; ours, or escaped with ``plain``."""
    n: int = 0


def mix_line(bars: Sequence[MixBar], *, colours: Palette, height: int = HEIGHT) -> go.Figure:
    """
    Distances as sticks, what chance explains as a grey ground: a stick that ends in the grey says nothing.

    Args:
        bars: Versions in order; the reference has no distance.
        colours: The theme.
        height: In px.
    """
    figure = sheet(colours, height=height, top=TOP)
    _, top, ticks = axis_of([0.0, *(v for b in bars for v in (b.distance, b.noise) if v is not None)], low=0.0, high=1.0, room=MIX_ROOM)
    places, names = labels_of([b.label for b in bars])
    look = {"visible": True, "ticks": "", "tickfont": {"color": colours.text2}}
    figure.update_xaxes(range=[-0.5, len(bars) - 0.5], tickvals=places, ticktext=names, tickangle=0, **look)
    figure.update_yaxes(
        range=[0, top],
        tickvals=ticks,
        ticktext=[tick_text(t, ticks, percent=False) for t in ticks],
        showgrid=True,
        gridcolor=colours.line2,
        ticklabelstandoff=4,
        **look,
    )
    figure.update_layout(hovermode="closest", barmode="overlay")
    known = [(i, b) for i, b in enumerate(bars) if b.distance is not None]
    dense = len(known) > MANY
    figure.add_bar(
        **at_places([i for i, _ in known]),
        y=_noise(known) if dense else drawn(b.noise or 0 for _, b in known),
        width=1,
        marker={"color": colours.noise, "line": {"width": 0}},
        hoverinfo="skip",
    )
    for changed, colour, fill in ((False, colours.ink2, colours.ground), (True, colours.ink, colours.ink)):
        sticks = [(i, b) for i, b in known if b.changed is changed]
        # The stick is an error bar down to 0, for which nothing is sent: hundreds of shapes take seconds to put together.
        figure.add_scatter(
            **at_places([i for i, _ in sticks]), **_sticks(sticks, dense=dense), mode="markers", cliponaxis=False,
            error_y={"type": "percent", "symmetric": False, "value": 0, "valueminus": 100, "width": 0, "thickness": 1 if dense else 2, "color": colour},
            marker={"size": 4 if dense else 7, "color": fill, "line": {"color": colours.ink, "width": 1 if dense else 1.5}},
        )
    return figure


def _noise(known: Sequence[tuple[int, MixBar]]) -> NDArray[np.float32]:
    return packed([b.noise or 0.0 for _, b in known])


def _sticks(sticks: Sequence[tuple[int, MixBar]], *, dense: bool) -> dict[str, Any]:
    """How far they reach, and what the pointer is told."""
    if not dense:
        return {"y": drawn(b.distance for _, b in sticks), "text": [b.hover for _, b in sticks], "hovertemplate": "%{text}<extra></extra>"}
    form = Form("", 3, "")
    sentence = f"{form.place('y')}, chance {form.place('customdata[0]')}"
    return {"y": packed([b.distance for _, b in sticks]), **pointed([b.label for _, b in sticks], sentence, [_noise(sticks)], [b.n for _, b in sticks])}
