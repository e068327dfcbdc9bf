"""Runs in the store: what there is, which one is looked at, deleting one, and exporting it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import streamlit as st

from ragviz.contracts import View
from ragviz.figures.plot_text import count, counted, share, size
from ragviz.records import RunManifest
from ragviz.store import FAILING, TraceFilter
from ragviz.ui import address, openers, presses, resources, scope, selection, tables, troubles, widgets
from ragviz.ui.views import data_export, data_redact

_WHAT = {"": TraceFilter(), "failing": FAILING, "refused": TraceFilter(quadrants=("abstained",)), "unknown": TraceFilter(quadrants=("unknown",))}


def runs(chosen: RunManifest) -> None:
    """The table of runs."""
    every = resources.runs()
    with widgets.box("runs", "Runs in this store", _where()):
        rows = []
        labels = scope.run_labels(every)
        for run in every:
            options = resources.judge_options(run.run_id)
            best = options[0] if options else None
            rows.append({
                "run": labels[run.run_id], "traces": count(run.n_traces), "judged": share(best.n_judged, run.n_traces) if best else "not yet",
                "judge": best.label if best else "–", "imported": f"{run.created_at:%-d %b %Y}", "show": "shown" if run.run_id == chosen.run_id else "Show ›",
            })
        right = {
            name: st.column_config.TextColumn(width=width, alignment="right")
            for name, width in (("traces", 56), ("judged", 64), ("judge", 84), ("imported", 90))
        }
        tables.show(
            tables.of_rows(rows),
            row_height=28,
            key=f"runs-{len(every)}-{chosen.run_id}",
            alt="Runs in this store",
            column_config={
                "run": st.column_config.TextColumn(width=128),
                **right,
                "show": openers.choosing("runs-show", [run.run_id if run.run_id != chosen.run_id else None for run in every], _show, width=64),
            },
        )
        troubles.tell("delete")
        with st.container(horizontal=True, horizontal_alignment="right"):
            if presses.pressed(st.button, f"Delete {widgets.md(labels[chosen.run_id], limit=40)}…", key="delete", about=chosen.run_id):
                _confirm(chosen)


def _show(run_id: str) -> None:
    selection.select(run=run_id, judge=None, trace=None)


def _where() -> str:
    """Where the store is and how large."""
    address_ = resources.store().address
    try:
        return f"one local file, {size(_taken(Path(address_)))}"
    except OSError:
        return "a database server" if "://" in address_ else "in memory, gone when the program ends"


def _taken(file: Path) -> int:
    """Bytes of the database and of the log beside it: SQLite keeps what is new there until it is folded in."""
    log = file.with_name(f"{file.name}-wal")
    return file.stat().st_size + (log.stat().st_size if log.exists() else 0)


@st.dialog("Delete this run?")
def _confirm(run: RunManifest) -> None:
    st.markdown(
        f"**{widgets.md(run.name)}** with {counted(run.n_traces, 'trace')}, all its verdicts and everything people said about it. This cannot be undone."
    )
    yes, no = st.columns(2)
    if yes.button("Delete", key=f"delete-yes-{run.run_id}", type="primary", width="stretch", on_click=_delete, args=(run.run_id,)) or no.button(
        "Keep it", key="delete-no", width="stretch"
    ):
        st.rerun()


@troubles.kept("delete")
def _delete(run_id: str) -> None:
    """The second click."""
    resources.store().delete_run(run_id)
    selection.select(run=None, judge=None, trace=None)


def export(view: View, run: RunManifest) -> None:
    """Box at the end: what, as what, download."""
    with widgets.box("export", "Export", f"{widgets.md(run.name)} · opened safely in spreadsheets: no cell starts a formula"):
        labels = {word: f"{name} ({count(resources.count(view, _WHAT[word]))})"
                  for word, name in (("", "all traces"), ("failing", "failing traces"), ("refused", "abstentions"), ("unknown", "traces in no quadrant"))}
        what, kind, go = st.columns([0.35, 0.44, 0.21], vertical_alignment="bottom", gap="small")
        with what:
            chosen = address.select_box("What", "what", list(_WHAT), labels=labels)
        with kind:
            form = address.segments("Format", "as", list(data_export.FORMATS), labels=data_export.FORMATS, default="jsonl", keep_page=True)
        hide = data_redact.choose("In the file only: the store keeps them.", key="export")
        go.download_button(
            "Download",
            data=partial(data_export.write, resources.store(), view, _WHAT[chosen], form, hide=hide or ()),
            disabled=hide is None,
            file_name=f"{_slug(run.name)}{'_' + chosen if chosen else ''}.{form}",
            mime=data_export.MIME[form],
            key="export-download",
            width="stretch",
            on_click="ignore",
        )


def _slug(name: str) -> str:
    return "".join(c if c.isalnum() or c in "-_" else "_" for c in name)[:60] or "run"
