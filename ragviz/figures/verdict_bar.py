"""All claims of a run in one bar, by verdict: colour and pattern."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from ragviz.figures.plot_text import count, share
from ragviz.figures.theme import MARKS, Palette, canvas
from ragviz.records import Grounding


def verdict_bar(counts: Mapping[Grounding, int], *, colours: Palette, height: int = 24) -> go.Figure:
    """
    One stacked bar in the order of ``MARKS``; verdicts that no claim has are left out.

    Each part carries the verdict's word as customdata, so that a click on it says which claims are asked for.
    """
    figure = canvas(colours, height=height)
    total = sum(counts.values())
    figure.update_layout(barmode="stack", clickmode="event+select")
    figure.update_xaxes(range=[0, max(total, 1)])
    figure.update_yaxes(range=[-0.5, 0.5])
    for grounding, mark in MARKS.items():
        n = counts.get(grounding, 0)
        if n:
            figure.add_bar(
                x=[n], y=[0], orientation="h", width=0.92, customdata=[grounding.value], marker=fill(grounding, colours), name=mark.word,
                hovertemplate=f"{mark.word} {count(n)} · {share(n, total)}<extra></extra>", unselected={"marker": {"opacity": 1}},
            )
    return figure


def fill(grounding: Grounding, colours: Palette) -> dict[str, object]:
    """
    Plotly marker of a bar of that verdict.

    The narrow line in the ground's colour keeps neighbours apart; unjudged, which has a pale ground, keeps its own border instead.
    """
    mark = MARKS[grounding]
    own = colours.verdict(grounding)
    border = colours.unjudged if grounding is Grounding.UNJUDGED else colours.ground
    plain: dict[str, object] = {"color": own, "line": {"color": border, "width": 1}}
    if not mark.pattern:
        return plain
    fore, back, size, solidity = {
        Grounding.CONFLICTED: (colours.supported, colours.contradicted, 7, 0.5),
        Grounding.NOT_SUPPORTED: (colours.on_verdict, colours.not_supported, 7, 0.28),
        Grounding.CONTRADICTED: (colours.on_verdict, colours.contradicted, 7, 0.16),
        Grounding.UNJUDGED: (colours.unjudged, colours.unjudged_tint, 6, 0.22),
    }[grounding]
    return plain | {"pattern": {"shape": mark.pattern, "fgcolor": fore, "bgcolor": back, "fgopacity": 1, "size": size, "solidity": solidity}}
