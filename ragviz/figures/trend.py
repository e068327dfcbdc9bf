"""A quantity over versions: the mean as a line, its interval as a band, steps beyond chance as marked lines."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ragviz.figures.dense import Form, packed, pointed
from ragviz.figures.plot_text import SPACE, cut, plain
from ragviz.figures.theme import CAPTION, Palette, Word, canvas, write

HEIGHT = 132
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 8, 22
STANDOFF, WIDEST_DIGIT = 4, 7
"""px between the axis and what is written at its ticks, and for each sign of that."""
PER_LABEL, PER_SIGN = 62, 8
"""px that a version's name under the axis needs, at least and for each of its signs."""
LONGEST = 20
"""Signs of a name that are shown where not every version is named."""
SHARE_ROOM, MIX_ROOM = 0.04, 0.1
"""Least height of an axis of shares and of distances: chance must not look like mountains."""
WIDTH = 420
"""px a small chart is wide, about."""


MANY = 60
"""Points from which on each is drawn smaller, and told in fewer words."""


@dataclass(frozen=True, kw_only=True)
class TrendPoint:
    """One version."""

    label: str
    value: float | None
    lo: float | None
    hi: float | None
    hover: str = ""
    """What the pointer is told; ours, or escaped with ``plain``."""
    n: int = 0
    """Traces with a value."""


@dataclass(frozen=True, kw_only=True)
class TrendMark:
    """A step before this point."""

    at: int
    worse: bool | None


def trend_line(
    points: Sequence[TrendPoint],
    *,
    marks: Sequence[TrendMark] = (),
    colours: Palette,
    chosen: int | None = None,
    low: float | None = None,
    high: float | None = None,
    percent: bool = False,
    height: int = HEIGHT,
    form: Form | None = None,
) -> go.Figure:
    """
    Versions at equal distances, oldest on the left.

    Args:
        points: In order; a point without a value leaves a gap.
        marks: Steps: a dashed line before the version, ▼ where it got worse, ▲ where it got better, ◆ where neither is better.
        colours: The theme.
        chosen: The version that is selected: a larger dot.
        low: The axis never goes below this.
        high: The axis never goes above this.
        percent: Ticks as percentages.
        height: In px.
        form: For hundreds of points that all have an interval: how numbers are written. Then the pointer is told value, interval and n, and no ``hover``.
    """
    scale = 100.0 if form is not None and percent else 1.0
    known = [end for p in points for end in (p.value, p.lo, p.hi) if end is not None]
    bottom, top, ticks = axis_of(known, low=low, high=high, room=SHARE_ROOM if high == 1.0 else 0.0)
    written = [tick_text(t, ticks, percent=percent) for t in ticks]
    figure = sheet(colours, height=height, top=TOP + (12 if marks else 0), left=room_for(written))
    places, names = labels_of([p.label for p in points])
    look = {"visible": True, "ticks": "", "tickfont": {"color": colours.text2}}
    figure.update_xaxes(range=[-0.5, len(points) - 0.5], tickvals=places, ticktext=names, tickangle=0, **look)
    bottom, top, ticks = scale * bottom, scale * top, [scale * t for t in ticks]
    figure.update_yaxes(range=[bottom, top], tickvals=ticks, ticktext=written, showgrid=True, gridcolor=colours.line2, ticklabelstandoff=STANDOFF, **look)
    # Whatever is nearest, however far: "x" would write the number of a version that has no name under the axis there.
    figure.update_layout(hovermode="closest", hoverdistance=-1)
    for run in runs_of([p.value is not None for p in points]):
        _piece(figure, points, run, colours, scale=scale if form is not None else None)
    _marks(figure, marks, bottom, top, colours)
    size = 5 if len(points) <= 12 else 4 if len(points) <= MANY else 2
    figure.add_scatter(
        x0=0,
        **_told(points, form, scale),
        mode="lines+markers",
        cliponaxis=False,
        line={"color": colours.accent, "width": 2 if len(points) <= MANY else 1.5},
        connectgaps=False,
        marker={
            "size": [9 if i == chosen else size for i in range(len(points))] if chosen is not None else size,
            "color": colours.accent,
            "line": {"color": colours.ground, "width": 0 if len(points) > 12 else 1},
        },
    )
    return figure


def room_for(ticks: Sequence[str]) -> int:
    """Room on the left, in px, for what is written at the ticks: small sums have many digits."""
    return max(LEFT, STANDOFF + math.ceil(WIDEST_DIGIT * max(map(len, ticks), default=0)))


def sheet(colours: Palette, *, height: int, top: int, left: int = LEFT) -> go.Figure:
    """Without plotly's template: nothing of it is seen here, and it is most of what a chart of few points sends."""
    figure = canvas(colours, height=height, left=left, right=RIGHT, top=top, bottom=BOTTOM)
    figure.update_layout(template={})
    return figure


def _told(points: Sequence[TrendPoint], form: Form | None, scale: float) -> dict[str, Any]:
    """The line's numbers, and what the pointer is told of them."""
    if form is None:
        return {
            "y": drawn(p.value for p in points),
            "text": [p.hover if p.value is not None else "" for p in points],
            "hovertemplate": "%{text}<extra></extra>",
        }
    ends = [packed([p.lo for p in points], scale=scale), packed([p.hi for p in points], scale=scale)]
    sentence = f"{form.place('y')}{form.after} ({form.place('customdata[0]')}{form.after} to {form.place('customdata[1]')}{form.after})"
    return {"y": packed([p.value for p in points], scale=scale), **pointed([p.label for p in points], sentence, ends, [p.n for p in points])}


def drawn(values: Iterable[float | None]) -> list[float | None]:
    """As they are sent to the browser: to a hundredth of a pixel, in a third of the letters."""
    return [None if value is None else float(f"{value:.5g}") for value in values]


def at_places(places: Sequence[int]) -> dict[str, Any]:
    """Where points are: of neighbours only the first is told."""
    if places and places[-1] - places[0] + 1 == len(places):
        return {"x0": places[0]}
    return {"x": list(places) if len(places) <= MANY else np.array(places, dtype=np.int16)}


def _piece(figure: go.Figure, points: Sequence[TrendPoint], run: range, colours: Palette, *, scale: float | None) -> None:
    """Versions in a row that have a value: the band of their intervals. ``scale``: of numbers that are sent packed."""
    def ends(values: Sequence[float | None]) -> Any:
        return drawn(values) if scale is None else packed(values, scale=scale)

    banded = [i for i in run if points[i].lo is not None and points[i].hi is not None]
    if len(banded) > 1:
        figure.add_scatter(**at_places(banded), y=ends([points[i].lo for i in banded]), mode="lines", line={"width": 0}, hoverinfo="skip")
        figure.add_scatter(
            **at_places(banded),
            y=ends([points[i].hi for i in banded]),
            mode="lines",
            line={"width": 0},
            fill="tonexty",
            fillcolor=_faded(colours.accent, 0.22),
            hoverinfo="skip",
        )
    else:
        for i in banded:
            figure.add_scatter(
                x=[i, i], y=ends([points[i].lo, points[i].hi]), mode="lines", line={"width": 4, "color": _faded(colours.accent, 0.3)}, hoverinfo="skip"
            )


def _marks(figure: go.Figure, marks: Sequence[TrendMark], bottom: float, top: float, colours: Palette) -> None:
    words: list[Word] = []
    for mark in marks:
        x = mark.at - 0.5
        figure.add_shape(type="line", x0=x, x1=x, y0=bottom, y1=top, line={"color": colours.text, "width": 1, "dash": "4px,3px"})
        write(words, {True: "▼", False: "▲", None: "◆"}[mark.worse], x=x, xref="x", y=1, dy=8, align="center", size=CAPTION, colour=colours.text)
    figure.update_layout(annotations=words)


def labels_of(names: Sequence[str]) -> tuple[list[int], list[str]]:
    """Which versions are named under the axis, and how: fewer where names are long, so that those of one system are not cut to what they share."""
    longest = min(LONGEST, max(map(len, names), default=0))
    every = max(1, math.ceil(len(names) * max(PER_LABEL, longest * PER_SIGN) / WIDTH))
    places = list(range(every // 2 if len(names) > MANY else 0, len(names), every))  # where points are dense, a name at the left end would reach over the axis
    room = max(8, longest if every > 1 else 0, WIDTH // max(len(places), 1) // 8)
    return places, [plain(cut(names[i], room)) for i in places]


def runs_of(known: Sequence[bool]) -> list[range]:
    """Stretches of True, as ranges of indices."""
    found, start = [], None
    for i, is_known in enumerate([*known, False]):
        if is_known and start is None:
            start = i
        elif not is_known and start is not None:
            found.append(range(start, i))
            start = None
    return found


def axis_of(values: Sequence[float], *, low: float | None, high: float | None, room: float = 0.0) -> tuple[float, float, list[float]]:
    """Both ends and two to four round ticks around all values; a flat line gets some room too, at least ``room``."""
    if not values:
        return 0.0, 1.0, [0.0, 0.5, 1.0]
    least, most = min(values), max(values)
    span = max(most - least, 0.05 * max(abs(most), abs(least)), room, 1e-6)
    raw = span / 2
    unit = 10 ** math.floor(math.log10(raw))
    step = next((m * unit for m in (1, 2, 2.5, 5, 10) if m * unit >= raw * 0.75), 10 * unit)
    first, last = math.floor(least / step + 1e-9), math.ceil(most / step - 1e-9)
    if last == first:
        last += 1
    bottom, top = first * step, last * step
    ticks = [round(i * step, 10) for i in range(first, last + 1)]
    if low is not None and bottom < low:
        bottom = low
    if high is not None and top > high:
        top = high
    return bottom, top, [t for t in ticks if bottom - 1e-9 <= t <= top + 1e-9]


def tick_text(value: float, ticks: Sequence[float], *, percent: bool) -> str:
    """Just enough digits to tell the ticks apart."""
    scale = 100 if percent else 1
    step = min((b - a for a, b in pairwise(ticks)), default=1.0) * scale
    digits = max(0, -math.floor(math.log10(step) + 1e-9)) if step > 0 else 0
    if digits and abs(step * 10**digits - round(step * 10**digits)) > 1e-6:
        digits += 1
    return f"{value * scale:,.{digits}f}" + (f"{SPACE}%" if percent else "")


def _faded(colour: str, opacity: float) -> str:
    r, g, b = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({r},{g},{b},{opacity})"
