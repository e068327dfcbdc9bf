"""Where a judge and people part: labels in rows, the judge's verdicts in columns, a count in each cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from ragviz.figures.plot_text import count, share
from ragviz.figures.theme import CAPTION, MARKS, Palette, Word, canvas, write
from ragviz.records import Grounding

ROW = 58
LEFT, TOP = 128, 44

Confusion = Mapping[str, Mapping[str, int]]
"""``{label: {verdict: count}}``."""


def confusion_grid(counts: Confusion, *, labels: Sequence[Grounding], verdicts: Sequence[Grounding], colours: Palette) -> go.Figure:
    """
    One cell per label and verdict, shaded by its share of the row. Cells where both say the same are framed.

    Args:
        counts: How often.
        labels: Rows, top to bottom.
        verdicts: Columns.
        colours: The theme.
    """
    figure = canvas(colours, height=TOP + ROW * len(labels) + 2, left=LEFT, top=TOP, right=2, bottom=2)
    figure.update_xaxes(range=[-0.5, len(verdicts) - 0.5])
    figure.update_yaxes(range=[len(labels) - 0.5, -0.5])
    words: list[Word] = []
    write(words, "people say", x=0, y=1, dx=-LEFT, dy=14)
    for column, verdict in enumerate(verdicts):
        write(words, MARKS[verdict].label, x=column, y=1, xref="x", dy=14, align="center", size=CAPTION, colour=colours.text)
    write(words, "the judge says", x=0, y=1, dy=33)
    for row, label in enumerate(labels):
        told = counts[label.value]
        whole = sum(told.values())
        write(words, MARKS[label].label, x=0, y=row, yref="y", dx=-LEFT, dy=7, size=CAPTION, colour=colours.text)
        write(words, f"{count(whole)} labelled", x=0, y=row, yref="y", dx=-LEFT, dy=-9)
        for column, verdict in enumerate(verdicts):
            _cell(figure, words, told[verdict.value], whole, at=(column, row), agrees=agree(label, verdict), colours=colours)
    figure.update_layout(annotations=words)
    return figure


def agree(label: Grounding, verdict: Grounding) -> bool:
    """Whether both mean the same, in full."""
    return label is verdict or (label is Grounding.SUPPORTED and verdict is Grounding.CONFLICTED)


def _cell(figure: go.Figure, words: list[Word], n: int, whole: int, *, at: tuple[int, int], agrees: bool, colours: Palette) -> None:
    column, row = at
    part = n / whole if whole else 0.0
    figure.add_shape(
        type="rect",
        x0=column - 0.47,
        x1=column + 0.47,
        y0=row - 0.45,
        y1=row + 0.45,
        layer="below",
        fillcolor=colours.ink,
        opacity=0.06 + 0.3 * part,
        line={"width": 0},
    )
    if agrees:
        figure.add_shape(type="rect", x0=column - 0.47, x1=column + 0.47, y0=row - 0.45, y1=row + 0.45, line={"color": colours.accent, "width": 1.5})
    write(words, count(n), x=column, y=row, xref="x", yref="y", dy=7, align="center", size=14, colour=colours.text, bold=n > 0)
    write(words, share(n, whole), x=column, y=row, xref="x", yref="y", dy=-10, align="center")
