"""Scores that other tools gave a trace: what came with the file, and what Ragas was asked for. Shown as theirs, never mixed with ours."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ragviz.figures.highlight import reveal
from ragviz.figures.plot_text import NOTHING, counted
from ragviz.records import ImportedScore, Trace
from ragviz.ui import tables

DIGITS = 3
FROM_FILE = "the file"


def draw(trace: Trace) -> None:
    """A table in an expander; nothing where there are no such scores. Closed, it sends nothing."""
    if not trace.scores:
        return
    place = st.expander(f"{counted(len(trace.scores), 'score')} by other tools", key="foreign_scores", on_change="rerun")
    if not place.open:
        return
    with place:
        tables.show(
            tables.of_rows(rows(trace.scores)), alt="Scores by other tools", key=f"scores-{trace.id}",
            column_config={"value": st.column_config.TextColumn(width=80, alignment="right"), "remark": st.column_config.TextColumn(width=380)},
        )
        st.caption("These are those tools' own numbers. No score, quadrant or gate of ragviz is computed from them.")


def rows(scores: Sequence[ImportedScore]) -> list[dict[str, str]]:
    """One row a score; hidden characters are shown."""
    return [
        {
            "score": reveal(score.name), "value": NOTHING if score.value is None else f"{score.value:.{DIGITS}f}",
            "remark": reveal(": ".join(part for part in (score.label or "", score.reason) if part)), "made with": reveal(made_with(score)),
        }
        for score in scores
    ]


def made_with(score: ImportedScore) -> str:
    """Library, model and settings in one line; the file, for what it brought."""
    return score.maker or FROM_FILE
