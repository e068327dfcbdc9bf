"""Values with their intervals on one common axis, a row each: worst slices, paired differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from ragviz.figures.plot_text import count, interval, number, plain
from ragviz.figures.theme import CAPTION, Palette, Word, canvas, write

ROW = 25
HEAD = 18


@dataclass(frozen=True, kw_only=True)
class ForestRow:
    """One value with its interval."""

    key: str
    """What a click on the row gives back."""
    label: str
    value: float
    lo: float
    hi: float
    n: int


def slice_forest(rows: Sequence[ForestRow], *, overall: float, metric: str, colours: Palette, label_width: int = 160, show_n: bool = True) -> go.Figure:
    """
    Slices of a run by their mean: interval as a bar, mean as a tick, the whole run as a dotted line, value and n on the right.

    Args:
        rows: Worst first.
        overall: The value of the whole run.
        metric: Short head of the value column: "faithf.".
        colours: The theme.
        label_width: px kept free on the left.
        show_n: False leaves the counts to the page, which writes them as links.
    """
    figure = canvas(colours, height=HEAD + ROW * max(len(rows), 1), left=label_width, right=90 if show_n else 50, top=HEAD)
    low = min([r.lo for r in rows] + [overall], default=0.0)
    high = max([r.hi for r in rows] + [overall], default=1.0)
    span = max(high - low, 0.02)
    # The label of the whole run stands over its line: room for it, so that it never meets the head of the value column.
    figure.update_xaxes(range=[low - 0.06 * span, max(high + 0.06 * span, overall + 0.22 * span)])
    figure.update_yaxes(range=[len(rows) - 0.5, -0.5])
    figure.update_layout(clickmode="event+select")
    figure.add_shape(type="line", x0=overall, x1=overall, y0=-0.5, y1=len(rows) - 0.5, line={"color": colours.text2, "width": 1, "dash": "2px,2px"})
    for at, row in enumerate(rows):
        figure.add_scatter(x=[row.lo, row.hi], y=[at, at], mode="lines", line={"color": colours.ink2, "width": 5}, hoverinfo="skip")
    figure.add_scatter(
        x=[r.value for r in rows], y=list(range(len(rows))), mode="markers", customdata=[r.key for r in rows], cliponaxis=False,
        marker={"symbol": "line-ns", "size": 6, "line": {"width": 3, "color": colours.text}, "color": colours.text},
        hovertemplate=[f"{plain(r.label)}: {number(r.value)} ({interval(r.lo, r.hi)}), n {count(r.n)}<extra></extra>" for r in rows],
        unselected={"marker": {"opacity": 1}},
    )
    words: list[Word] = []
    for at, row in enumerate(rows):
        write(words, plain(row.label, limit=26), x=0, y=at, yref="y", dx=-label_width, size=CAPTION, colour=colours.text)
        write(words, number(row.value, digits=2), x=1, y=at, yref="y", dx=46, align="right", size=CAPTION, colour=colours.text, bold=True)
        if show_n:
            write(words, count(row.n), x=1, y=at, yref="y", dx=90, align="right")
    write(words, "slice", x=0, y=1, dx=-label_width, dy=9)
    write(words, f"all {number(overall, digits=2)}", x=overall, xref="x", y=1, dy=9, align="center")
    write(words, metric, x=1, y=1, dx=46, dy=9, align="right")
    if show_n:
        write(words, "n", x=1, y=1, dx=90, dy=9, align="right")
    figure.update_layout(annotations=words)
    return figure
