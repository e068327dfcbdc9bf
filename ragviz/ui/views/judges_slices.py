"""Agreement by kind of claim, and what the numbers rest on, as a page for auditors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pyarrow as pa
import streamlit as st

from ragviz.contracts import View
from ragviz.figures.plot_text import interval, number
from ragviz.pipeline.calibrate import Answer
from ragviz.pipeline.label_slices import SMALL, SMALLEST, per_dataset, per_slice
from ragviz.pipeline.provenance import provenance_report
from ragviz.reports.provenance import provenance_html, provenance_markdown
from ragviz.store import Store
from ragviz.ui import resources, tables, widgets
from ragviz.ui.views.judges_seen import Surveyed


def draw(answers: Sequence[Answer], view: View) -> None:
    """The table of slices."""
    rows = resources.shared(lambda: table(answers), "agreement-slices", view)
    with widgets.box("slices", "Agreement by kind of claim", f"kinds of at least {SMALLEST} labels; below {SMALL} the interval is wide"):
        if not len(rows):
            st.caption(f"No kind of claim has {SMALLEST} labels yet.")
            return
        right = {name: st.column_config.TextColumn(width=150, alignment="right") for name in ("balanced accuracy", "κ")}
        tables.show(
            rows,
            row_height=28,
            height="content",
            key="slices-table",
            placeholder="–",
            alt="Agreement by kind of claim",
            column_config={
                **right,
                "kind": st.column_config.TextColumn(width=180),
                "value": st.column_config.TextColumn(width=150),
                "labels": st.column_config.NumberColumn(width=66),
                "base rate": st.column_config.NumberColumn(width=80, format="%.2f"),
                "F1 not supported": st.column_config.NumberColumn(width=120, format="%.2f"),
            },
        )


def table(answers: Sequence[Answer]) -> pa.Table:
    """One row per kind and value, data sets first where there are several."""
    found = per_slice(answers)
    data_sets = {name: figures for name, figures in per_dataset(answers).items() if figures["n"] >= SMALLEST}
    found = ({"data set": data_sets} if len(data_sets) > 1 else {}) | found
    return tables.of_rows(
        [
            {
                "kind": kind,
                "value": value,
                "labels": f["n"],
                "balanced accuracy": _with(f["balanced_accuracy"], f["balanced_accuracy_ci95"]),
                "κ": _with(f["kappa"], f["kappa_ci95"]),
                "F1 not supported": f["f1_unsupported"],
                "base rate": f["base_rate"],
            }
            for kind, values in found.items()
            for value, f in values.items()
        ]
    )


def _with(value: float | None, ends: Sequence[float] | None) -> str:
    return "–" if value is None else number(value) + (f"  ({interval(ends[0], ends[1])})" if ends else "")


def provenance(seen: Surveyed) -> None:
    """What it takes to repeat the numbers, as one page."""
    small = "evaluator, settings, packages, document revisions, splits and who looked: what it takes to repeat these numbers; no text of a trace"
    with widgets.box("provenance", "Provenance", small), st.container(horizontal=True, gap="small"):
        for kind, label in (("html", "Page for auditors"), ("md", "As Markdown")):
            st.download_button(
                label,
                data=partial(written, resources.store(), seen.view, kind),
                file_name=f"provenance.{kind}",
                mime="text/html" if kind == "html" else "text/markdown",
                key=f"provenance-{kind}",
                on_click="ignore",
            )


def written(store: Store, view: View, kind: str) -> bytes:
    """The file; runs on its own thread when it is asked for."""
    report = provenance_report(store, view)
    return (provenance_html(report) if kind == "html" else provenance_markdown(report)).encode("utf-8", "replace")
