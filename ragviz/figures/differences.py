"""
Paired differences of two runs: a row a metric, worse on the left, better on the right, whichever way the metric counts.

The axis therefore has no signs: it says by how much worse or better; the column of differences has the sign.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count as count_up

import plotly.graph_objects as go

from ragviz.figures.plot_text import MINUS, NOTHING, SPACE, count, number, plain, signed
from ragviz.figures.theme import CAPTION, Palette, Word, canvas, write

ROW, HEAD, FOOT = 23, 24, 24
LEFT, RIGHT = 400, 270
"""px beside the plot: metric, both values and pairs on the left; difference, interval and p on the right."""


@dataclass(frozen=True, kw_only=True)
class DifferenceRow:
    """One metric."""

    label: str
    base: float | None
    candidate: float | None
    pairs: int
    difference: float | None
    """Candidate minus base."""
    lo: float | None
    hi: float | None
    p: float | None
    """Corrected for all metrics shown."""
    sign: int
    """1: more is better; −1: less is better."""
    beyond: bool
    """More than chance explains."""
    unit: float = 1.0
    """What one step of the axis is, of this row: 1, or the base's mean where rows with units of their own are drawn as shares of it."""
    digits: int = 3
    """Decimals of its values."""


def difference_forest(
    rows: Sequence[DifferenceRow],
    *,
    base: str,
    candidate: str,
    colours: Palette,
    first: str = "metric",
    ends: tuple[str, str] = ("worse", "better"),
    percent: bool = False,
) -> go.Figure:
    """
    Dot and interval per row; filled dots lie beyond chance, hollow ones within.

    Args:
        rows: In the order shown.
        base: Name of the base run.
        candidate: Name of the other.
        colours: The theme.
        first: Head of the first column.
        ends: What the left and the right of the axis are called.
        percent: The axis, the differences and their intervals are in percent of the base: rows have a ``unit``.
    """
    figure = canvas(colours, height=HEAD + ROW * max(len(rows), 1) + FOOT, left=LEFT, right=RIGHT, top=HEAD, bottom=FOOT)
    reach = max([*(abs(v / r.unit) for r in rows for v in (r.lo, r.hi, r.difference) if v is not None), 0.02]) * 1.08
    ticks = _ticks(reach)
    figure.update_xaxes(
        range=[-reach, reach],
        visible=True,
        showgrid=True,
        gridcolor=colours.line2,
        tickvals=ticks,
        ticktext=[_tick(t, percent=percent) for t in ticks],
        ticks="",
        tickfont={"color": colours.text2},
    )
    figure.update_yaxes(range=[len(rows) - 0.5, -0.5])
    figure.add_shape(type="line", x0=0, x1=0, y0=-0.5, y1=len(rows) - 0.5, line={"color": colours.text2, "width": 1})
    words: list[Word] = []
    _head(words, first, base, candidate, ends)
    for at, row in enumerate(rows):
        _row(figure, words, at, row, colours, percent=percent)
    figure.update_layout(annotations=words)
    return figure


def _ticks(reach: float) -> list[float]:
    step = next(s for s in (first * 10.0**power for power in count_up(-2) for first in (1, 2, 5)) if reach / s <= 4)
    n = int(reach / step)
    return [round(i * step, 4) for i in range(-n, n + 1)]


def _tick(at: float, *, percent: bool) -> str:
    size = abs(at)
    return "0" if not size else f"{number(100 * size, digits=0)}{SPACE}%" if percent else number(size, digits=2)


def _head(words: list[Word], first: str, base: str, candidate: str, ends: tuple[str, str]) -> None:
    for text, x, dx, align in (
        (first, 0, -LEFT, "left"),
        (plain(base, limit=14), 0, -168, "right"),
        (plain(candidate, limit=14), 0, -78, "right"),
        ("pairs", 0, -20, "right"),
        (f"← {ends[0]}", 0, 6, "left"),
        (f"{ends[1]} →", 1, -6, "right"),
        ("difference", 1, 76, "right"),
        ("95 % interval", 1, 196, "right"),
        ("p, Holm", 1, RIGHT - 4, "right"),
    ):
        write(words, text, x=x, y=1, dx=dx, dy=12, align=align)


def _difference(row: DifferenceRow, value: float, *, percent: bool) -> str:
    return signed(100 * value / row.unit, digits=1) if percent else signed(value, digits=row.digits)


def _row(figure: go.Figure, words: list[Word], at: int, row: DifferenceRow, colours: Palette, *, percent: bool) -> None:
    strong = colours.text if row.beyond else colours.ink2
    way = row.sign / row.unit
    end = f"{SPACE}%" if percent else ""
    if row.difference is not None:
        if row.lo is not None and row.hi is not None:
            figure.add_scatter(x=[way * row.lo, way * row.hi], y=[at, at], mode="lines", line={"color": strong, "width": 2.5}, hoverinfo="skip")
        figure.add_scatter(
            x=[way * row.difference], y=[at], mode="markers", hoverinfo="skip", cliponaxis=False,
            marker={"size": 10, "color": strong if row.beyond else colours.ground, "line": {"color": strong, "width": 2}},
        )

    def cell(text: str, x: float, dx: float, *, align: str = "right", bold: bool = False) -> None:
        write(words, text, x=x, y=at, yref="y", dx=dx, align=align, size=CAPTION, colour=colours.text if row.beyond else colours.text2, bold=bold)

    cell(plain(row.label, limit=34), 0, -LEFT, align="left", bold=row.beyond)
    cell(number(row.base, digits=row.digits), 0, -168)
    cell(number(row.candidate, digits=row.digits), 0, -78)
    cell(count(row.pairs), 0, -20)
    cell(NOTHING if row.difference is None else _difference(row, row.difference, percent=percent) + end, 1, 76, bold=row.beyond)
    cell(
        ("too few" if row.pairs else NOTHING)
        if row.lo is None or row.hi is None
        else f"{_difference(row, row.lo, percent=percent)} to {_difference(row, row.hi, percent=percent)}{end}",
        1,
        196,
    )
    cell(_p(row.p), 1, RIGHT - 4)


def _p(p: float | None) -> str:
    if p is None:
        return NOTHING
    return "&lt;0.001" if p < 0.001 else number(p, digits=3 if p < 0.1 else 2).replace(MINUS, "")
