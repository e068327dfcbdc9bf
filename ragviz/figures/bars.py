"""Horizontal bars with a label on the left, a count and a share on the right: where it fails, which part is to blame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from ragviz.figures.plot_text import count, plain, share
from ragviz.figures.theme import CAPTION, Palette, Word, canvas, write

ROW = 25
"""px from bar to bar."""
BAR = 14


@dataclass(frozen=True, kw_only=True)
class CountedRow:
    """One bar."""

    key: str
    """What a click on the bar gives back."""
    label: str
    n: int
    tone: int = 1
    """1 = strongest ink, 3 = palest: a kind that is no failure is drawn back."""


def counted_bars(rows: Sequence[CountedRow], *, of: int, colours: Palette, label_width: int = 92, numbers: bool = True) -> go.Figure:
    """
    One bar per row, top to bottom; a click gives the row's key.

    A pale row that would dwarf the others is cut, and a slash marks the cut; its number stands beside it all the same.

    Args:
        rows: In the order shown.
        of: What shares are shares of.
        colours: The theme.
        label_width: px kept free on the left.
        numbers: False leaves the counts to the page, which writes them as links.
    """
    figure = canvas(colours, height=ROW * max(len(rows), 1), left=label_width, right=84 if numbers else 4)
    longest, capped = _axis(rows)
    figure.update_xaxes(range=[0, longest])
    figure.update_yaxes(range=[len(rows) - 0.5, -0.5])
    figure.update_layout(clickmode="event+select", barmode="overlay")
    inks = {1: colours.ink, 2: colours.ink2, 3: colours.ink3}
    figure.add_bar(
        x=[min(r.n, longest) for r in rows], y=list(range(len(rows))), orientation="h", width=BAR / ROW, customdata=[r.key for r in rows],
        marker={"color": [inks[r.tone] for r in rows], "line": {"width": 0}, "cornerradius": 1.5},
        hovertemplate=[f"{plain(r.label)}: {count(r.n)} of {count(of)}<extra></extra>" for r in rows],
        selected={"marker": {"color": colours.accent}}, unselected={"marker": {"opacity": 1}},
    )
    words: list[Word] = []
    for at, row in enumerate(rows):
        write(words, plain(row.label, limit=30), x=0, y=at, yref="y", dx=-label_width, size=CAPTION, colour=colours.text)
        if numbers:
            write(words, count(row.n), x=1, y=at, yref="y", dx=36, align="right", size=CAPTION, colour=colours.text, bold=True)
            write(words, share(row.n, of), x=1, y=at, yref="y", dx=84, align="right")
        if at in capped:
            _slash(figure, x=longest * 0.91, row=at, longest=longest, colours=colours)
    figure.update_layout(annotations=words)
    return figure


def _axis(rows: Sequence[CountedRow]) -> tuple[float, set[int]]:
    """The end of the axis, and the rows cut there."""
    lead = max((r.n for r in rows if r.tone < 3), default=0)
    pale = max((r.n for r in rows if r.tone == 3), default=0)
    if lead and pale > 1.5 * lead:
        longest = lead * 1.27
        return longest, {i for i, r in enumerate(rows) if r.n > longest}
    return max(lead, pale, 1), set()


def _slash(figure: go.Figure, *, x: float, row: int, longest: float, colours: Palette) -> None:
    half = 0.012 * longest
    figure.add_shape(type="line", x0=x - half, x1=x + half, y0=row + 0.42, y1=row - 0.42, line={"color": colours.ground, "width": 3})
