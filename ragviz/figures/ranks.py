"""Where the useful passages rank: one strip of marks per question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import plotly.graph_objects as go

from ragviz.figures.plot_text import number, plain
from ragviz.figures.theme import BODY, CAPTION, Palette, Word, canvas, write

ROW = 23
HEAD = 22
FOOT = 20
LEFT, RIGHT = 366, 370
"""px beside the ranks: trace and question on the left; found, nDCG and the missed on the right."""


class RankMark(IntEnum):
    """What stands at one rank."""

    RELEVANT = 0
    NOT_RELEVANT = 1
    """Labelled, and labelled not relevant."""
    UNLABELLED = 2
    DUPLICATE = 3
    """The same passage stood further up: counts once, there."""
    PADDED = 4
    """The list ended before: counts as not relevant."""


LEGEND = {
    RankMark.RELEVANT: "relevant", RankMark.NOT_RELEVANT: "labelled not relevant", RankMark.UNLABELLED: "no label",
    RankMark.DUPLICATE: "duplicate, counts once", RankMark.PADDED: "list ended, padded",
}


@dataclass(frozen=True, kw_only=True)
class RankRow:
    """One question."""

    trace_id: str
    question: str
    marks: tuple[RankMark, ...]
    """At ranks 1..K, all rows equally long."""
    found: int
    """Relevant passages in the first k."""
    relevant: int
    """Relevant passages there are."""
    ndcg: float | None
    missing: tuple[str, ...] = ()
    """Relevant passages that stand at none of the ranks."""


def rank_strips(rows: Sequence[RankRow], *, k: int, colours: Palette, selected: str | None = None) -> go.Figure:
    """
    One row per question with a mark per rank, k as a dashed line; a click on a mark gives the trace's id.

    Args:
        rows: In the order shown.
        k: The chosen cut-off.
        colours: The theme.
        selected: Id of the trace whose row is tinted.
    """
    depth = max((len(r.marks) for r in rows), default=0) or 1
    figure = canvas(colours, height=HEAD + ROW * max(len(rows), 1) + FOOT, left=LEFT, right=RIGHT, top=HEAD, bottom=FOOT)
    figure.update_xaxes(range=[0.5, depth + 0.5])
    figure.update_yaxes(range=[len(rows) - 0.5, -0.5])
    figure.update_layout(clickmode="event+select", hovermode="closest")
    for at, row in enumerate(rows):
        if row.trace_id == selected:
            figure.add_shape(type="rect", xref="paper", x0=-2, x1=3, y0=at - 0.5, y1=at + 0.5, fillcolor=colours.accent_tint, line={"width": 0}, layer="below")
    words: list[Word] = []
    for mark in RankMark:
        _marks(figure, words, rows, mark, colours)
    figure.add_shape(type="line", x0=k + 0.5, x1=k + 0.5, y0=-0.8, y1=len(rows) - 0.5, line={"color": colours.text, "width": 1.3, "dash": "6px,4px"})
    _words(words, rows, depth, k, colours)
    figure.update_layout(annotations=words)
    return figure


def _marks(figure: go.Figure, words: list[Word], rows: Sequence[RankRow], mark: RankMark, colours: Palette) -> None:
    at = [(i + 1, j, row.trace_id) for j, row in enumerate(rows) for i, m in enumerate(row.marks) if m is mark]
    if not at:
        return
    look: dict[RankMark, dict[str, object]] = {
        RankMark.RELEVANT: {"symbol": "square", "size": 13, "color": colours.text},
        RankMark.NOT_RELEVANT: {"symbol": "square-open", "size": 12, "color": colours.ink2, "line": {"width": 1.5}},
        RankMark.UNLABELLED: {"symbol": "circle", "size": 4.4, "color": colours.ink2},
        RankMark.DUPLICATE: {"symbol": "circle", "size": 9, "opacity": 0},
        RankMark.PADDED: {"symbol": "line-ne", "size": 6, "color": colours.ink2, "line": {"width": 1.2, "color": colours.ink2}},
    }
    opacity = 0 if mark is RankMark.DUPLICATE else 1
    figure.add_scatter(
        x=[x for x, _, _ in at], y=[y for _, y, _ in at], customdata=[t for _, _, t in at], mode="markers", marker=look[mark], name=LEGEND[mark],
        hovertemplate=f"rank %{{x}}: {LEGEND[mark]}<extra></extra>", selected={"marker": {"opacity": opacity}}, unselected={"marker": {"opacity": opacity}},
        cliponaxis=False,
    )
    if mark is RankMark.DUPLICATE:
        for x, y, _ in at:
            write(words, "=", x=x, y=y, xref="x", yref="y", align="center", size=BODY, colour=colours.text, bold=True)


def _words(words: list[Word], rows: Sequence[RankRow], depth: int, k: int, colours: Palette) -> None:
    def head(text: str, **place: object) -> None:
        write(words, text, y=1, dy=11, **place)  # type: ignore[arg-type]

    head("trace", x=0, dx=-LEFT)
    head("question", x=0, dx=66 - LEFT)
    for rank in range(1, depth + 1):
        head(str(rank), x=rank, xref="x", align="center", bold=rank == k, colour=colours.text if rank == k else None)
    head(f"found@{k}", x=1, dx=70, align="right")
    head(f"nDCG@{k}", x=1, dx=140, align="right")
    head("never retrieved", x=1, dx=164)
    for at, row in enumerate(rows):
        def cell(text: str, *, row_at: int = at, **place: object) -> None:
            write(words, text, y=row_at, yref="y", size=CAPTION, colour=colours.text, **place)  # type: ignore[arg-type]

        cell(plain(row.trace_id, limit=10), x=0, dx=-LEFT)
        cell(plain(row.question, limit=46), x=0, dx=66 - LEFT)
        cell(f"{row.found} of {row.relevant}", x=1, dx=70, align="right")
        cell(number(row.ndcg), x=1, dx=140, align="right")
        cell(plain(", ".join(row.missing), limit=32) or "–", x=1, dx=164)
    write(words, f"k = {k}", x=k + 0.5, xref="x", y=0, dy=-10, align="center")
