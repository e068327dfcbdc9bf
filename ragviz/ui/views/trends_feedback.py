"""Errors that users reported: how many, and a file of more."""

from __future__ import annotations

import pyarrow as pa
import streamlit as st

from ragviz.contracts import View
from ragviz.errors import RagvizError
from ragviz.figures.highlight import reveal
from ragviz.figures.plot_text import count, counted
from ragviz.loaders.opening import opened
from ragviz.pipeline.feedback import Feedback, import_feedback
from ragviz.records import RunManifest
from ragviz.store.labels import REPORTS, people_said
from ragviz.ui import presses, resources, tables, widgets

SHOWN = 200
_RESULT = "_rv_feedback"


def draw(view: View, run: RunManifest) -> None:
    """The box under the charts; it speaks of the run in the sidebar."""
    notes = resources.query(
        lambda: [(note.trace_id, note.at) for note in people_said(resources.store(), run.run_id, REPORTS)], "reported", run.run_id, run_id=run.run_id
    )
    traces = {trace_id for trace_id, _ in notes}
    small = (
        f"{counted(len(notes), 'report')} on {counted(len(traces), 'trace')} of {widgets.md(run.name, limit=40)}"
        if notes
        else f"none yet for {widgets.md(run.name, limit=40)}"
    )
    with widgets.box("feedback", "Reported by users", small):
        st.caption(
            "CSV, JSON or JSON Lines with `trace_id` or `question`; optionally `claim`, `verdict` (supported, not_supported, contradicted), "
            "`reporter`, `reason`, `time`. "
            "A row with claim and verdict counts as a person's word on that claim; every row is shown in the Inspector's history and counted above."
        )
        given = st.file_uploader("Reports", type=["csv", "tsv", "json", "jsonl"], key=f"feedback-{run.run_id}", label_visibility="collapsed")
        if given is not None and presses.pressed(st.button, "Import reports", key="feedback-import", about=run.run_id, type="primary"):
            try:
                with opened(given) as source:
                    st.session_state[_RESULT] = (
                        run.run_id,
                        import_feedback(resources.store(), view, source, filename=given.name, reporter="user", now=resources.store().now()),
                    )
            except RagvizError as exc:
                widgets.problem(exc.message, exc.fix, key="feedback")
                return
            st.rerun()
        kept = st.session_state.get(_RESULT)
        if kept is not None and kept[0] == run.run_id:
            said(kept[1])


def said(found: Feedback) -> None:
    """What became of the file: counts, and each row that fits nothing with its place and a fix."""
    known = f", {count(found.n_known)} known before" if found.n_known else ""
    st.caption(f"{counted(found.n_reports, 'report')} added, {count(found.n_labels)} of them labels on a claim{known}.")
    if found.issues:
        tables.show(table(found), row_height=28, alt="Rows that did not fit", key=f"feedback-issues-{len(found.issues)}")


def table(found: Feedback) -> pa.Table:
    """One row an issue."""
    return tables.of_rows(
        [
            {"where": reveal(i.where), "problem": reveal(i.message), "fix": reveal(i.fix), "row": "left out" if i.rejected else "kept with a doubt"}
            for i in found.issues[:SHOWN]
        ]
    )
