"""Answers that became incorrect or correct, and traces that changed quadrant: one row a pair, each with its way to the Inspector."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pyarrow as pa
import streamlit as st

from ragviz.compare.flips import AnswerChange, TraceFlip
from ragviz.compare.report import Comparison
from ragviz.figures.highlight import reveal
from ragviz.figures.plot_text import count, counted
from ragviz.records import RunManifest
from ragviz.ui import address, held_out, openers, tables, widgets
from ragviz.ui.views.compare_flips import REASONS

ROWS = 50
PAGE = "cp"
"""Query parameter of the page number of this list."""
OF_CORRECTNESS = ("incorrect", "correct")
LISTS = {"incorrect": "Became incorrect", "declined": "Declined now", "correct": "Became correct", "quadrant": "Changed quadrant"}


def draw(found: Comparison, run: RunManifest, base: RunManifest) -> None:
    """The list and its four filters."""
    groups: dict[str, Sequence[AnswerChange | TraceFlip]] = {
        "incorrect": [a for a in found.answers if a.worse], "declined": found.declined, "correct": [a for a in found.answers if not a.worse], "quadrant": found.trace_flips,
    }
    looked = "" if found.n_looked_into is None else f"; of the first {counted(found.n_looked_into, 'trace')} that changed quadrant"
    widgets.heading("Answers that changed", f"correct from a correctness of 0.5 on{looked}")
    unknown = found.answers_unknown
    labels = {name: f"{LISTS[name]} **{'–' if unknown and name in OF_CORRECTNESS else count(len(rows))}**" for name, rows in groups.items()}
    picked = address.pills("Answers", "answers", list(groups), labels=labels, default="incorrect", required=True) or "incorrect"
    shown = groups[picked]
    if not shown:
        st.caption(f"– {unknown}." if unknown and picked in OF_CORRECTNESS else "No answer.")
        return
    n_pages = -(-len(shown) // ROWS)
    page = address.page_number(n_pages, name=PAGE, draw=False)
    rows = shown[(page - 1) * ROWS : page * ROWS]
    ids = tuple(r.candidate_trace_id for r in rows)
    questions = held_out.questions(run.run_id, ids)
    key = f"answers-{run.run_id}-{base.run_id}-{len(shown)}-{page}"
    tables.show(
        table(rows, questions, held_out.closed_ids(run.run_id)),
        row_height=28,
        key=key,
        alt="Answers that changed",
        column_config={
            "open": openers.opening(f"{key}-open", "inspector", [{"trace": r.candidate_trace_id} for r in rows]),
            "trace": st.column_config.TextColumn(width=90),
            "question": st.column_config.TextColumn(width=300),
            "before": st.column_config.TextColumn(width=110),
            "after": st.column_config.TextColumn(width=110),
            "changed": st.column_config.TextColumn(width=130),
            "why": st.column_config.TextColumn(width=420),
        },
    )
    address.page_number(n_pages, name=PAGE)


def table(rows: Sequence[AnswerChange | TraceFlip], questions: dict[str, str], closed: Collection[str] = ()) -> pa.Table:
    """One row a pair; of the closed ones only that they changed."""
    return tables.of_rows(
        [
            {
                "open": "Open ›",
                "trace": r.candidate_trace_id,
                "question": questions.get(r.candidate_trace_id, "–"),
                "before": _word(r.before),
                "after": _word(r.after),
                "changed": REASONS[r.reason],
                "why": held_out.CLOSED if r.candidate_trace_id in closed else reveal(r.because or r.detail),
            }
            for r in rows
        ]
    )


def _word(value: float | str) -> str:
    return value.replace("_", " ") if isinstance(value, str) else f"{value:.2f}"


