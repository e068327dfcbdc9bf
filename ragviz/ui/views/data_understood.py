"""Understood and rejected: what a run's file brought, and every line that did not become a trace."""

from __future__ import annotations

from functools import partial

import pyarrow as pa
import streamlit as st

from ragviz.figures.plot_text import count, counted, cut, share, visible
from ragviz.loaders import loaders
from ragviz.records import LoadIssue, RunManifest
from ragviz.store import RunTraits, Store
from ragviz.ui import resources, tables, widgets
from ragviz.ui.views.data_fixes import on_the_page

SHOWN = 200
FIELDS = (
    ("n_traces", "question and answer", "all pages"),
    ("with_passages", "passages, in rank order", "faithfulness, Retrieval"),
    ("with_reference", "reference answer", "correctness, Quadrants"),
    ("with_relevance", "relevance labels", "recall, nDCG"),
    ("with_citations", "citations", "citation precision and recall"),
    ("with_facts", "annotated facts", "judge: facts"),
    ("with_text_claims", "claims in words", "instead of our own splitting"),
    ("with_verdicts", "another tool's verdicts", "judge: imported"),
    ("with_answerable", "answerability", "right and false refusals"),
    ("with_time", "time", "Trends, sorting"),
    ("with_usage", "latency, tokens or cost", "cost"),
)
"""Trait, what it is, what it is good for."""
PASSAGES = "with_passages"


def draw(run: RunManifest) -> None:
    """Box 2."""
    traits = resources.query(lambda: resources.store().traits(run.run_id), "traits", run.run_id, run_id=run.run_id)
    label = loaders.make(run.format).label if run.format in loaders.names() else run.format or "unknown format"
    files = ", ".join(cut(visible(f), 40) for f in run.files[:3]) + (f" and {len(run.files) - 3} more" if len(run.files) > 3 else "")
    with widgets.box("understood", "2 · Understood", widgets.md(f"{files}, read as {label}", limit=200)):
        tables.show(
            understood(traits),
            row_height=28,
            height="content",
            key=f"understood-{run.run_id}",
            alt="What the file brought",
            column_config={
                "traces": st.column_config.TextColumn(width=70, alignment="right"),
                "filled": st.column_config.TextColumn(width=76, alignment="right"),
            },
        )
        issues = resources.query(lambda: resources.store().issues(run.run_id), "issues", run.run_id, run_id=run.run_id)
        _rejected(run, issues)


def understood(traits: RunTraits) -> pa.Table:
    """One row a field; a field nobody fills is shown, so that it is known to be missing. Passages that are missing stand first: without them no claim can be checked."""
    fields = sorted(FIELDS, key=lambda field: field[0] != PASSAGES or traits.with_passages > 0)
    return tables.of_rows([
        {"read as": words, "traces": count(getattr(traits, name)), "filled": share(getattr(traits, name), traits.n_traces),
         "used for": use if name != PASSAGES or traits.with_passages else "checking claims: without passages none can be"}
        for name, words, use in fields
    ])


def _rejected(run: RunManifest, issues: list[LoadIssue]) -> None:
    if not issues:
        widgets.heading("Rejected", "no line")
        return
    rejected = sum(issue.rejected for issue in issues)
    doubtful = len(issues) - rejected
    small = (
        f"{counted(rejected, 'line')} rejected"
        + (f", {counted(doubtful, 'line')} read with a doubt" if doubtful else "")
        + f"; {counted(run.n_traces, 'trace')} are in"
    )
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="xsmall"):
        widgets.heading("Rejected", small)
        st.download_button(
            f"Download {count(len(issues))}",
            data=partial(written, resources.store(), run.run_id),
            file_name="rejected_lines.csv",
            mime="text/csv",
            key="rejects",
            on_click="ignore",
        )
    tables.show(
        table(issues[:SHOWN]),
        row_height=28,
        key=f"issues-{run.run_id}",
        alt="Rejected and doubtful lines",
        column_config={
            "where": st.column_config.TextColumn(width=158),
            "problem": st.column_config.TextColumn(width=220),
            "": st.column_config.TextColumn(width=64),
        },
    )
    if len(issues) > SHOWN:
        st.caption(f"The first {SHOWN} of {count(len(issues))}; the download has all.")


def table(issues: list[LoadIssue]) -> pa.Table:
    """Where, what, what to do."""
    return tables.of_rows(
        [{"where": i.where, "problem": i.message, "fix": on_the_page(i.fix), "": "rejected" if i.rejected else "doubt"} for i in issues],
        columns=["where", "problem", "fix", ""],
    )


def written(store: Store, run_id: str) -> str:
    """The file, out of the store when it is asked for."""
    return as_csv(store.issues(run_id))


def as_csv(issues: list[LoadIssue]) -> str:
    """All of them for a spreadsheet; no cell starts a formula."""
    return tables.as_csv(("where", "problem", "fix", "rejected"), ((i.where, i.message, on_the_page(i.fix), i.rejected) for i in issues))
