"""Lab: try a remedy on answers that failed, and see before and after side by side."""

from __future__ import annotations

import streamlit as st
from msgspec.structs import replace

from ragviz.contracts import RemedyInfo, View
from ragviz.errors import RagvizError
from ragviz.figures.plot_text import count, counted
from ragviz.pipeline.remedy_selection import FAILING
from ragviz.pipeline.remedy_settings import remedy_named
from ragviz.records import JudgedTrace, Remedied
from ragviz.store import TraceFilter
from ragviz.ui import resources, selection, widgets
from ragviz.ui.views import lab_gate, lab_results, lab_run, lab_settings, lab_sides
from ragviz.ui.views.lab_settings import Chosen


@widgets.plainly
def render() -> None:
    """The whole page."""
    view, run = resources.view(), resources.run()
    line, _ = widgets.page_head("Lab")
    if view is None or run is None:
        widgets.no_run("Remedies are tried here on answers that failed.")
        return
    failing = resources.count(view, FAILING)
    line.caption(f"{counted(failing, 'answer')} of {count(run.n_traces)} with a claim that is contradicted or not supported")
    if not resources.judge_options(run.run_id):
        widgets.empty_state(
            "Nobody has judged this run yet",
            "A remedy starts from verdicts: which claims are unsupported, and why.",
            widgets.Action(label="Judge it on the Data page", page="data"),
        )
        return
    lab_run.progress(run)
    info = lab_settings.remedy_bar()
    gate = lab_gate.draw(view, run) if info.name == "gate" else lab_gate.NOTHING
    trace_id = _trace(view)
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left, widgets.box("settings", info.label):
        st.caption(info.summary)
        chosen = lab_settings.choose(info, view, run, trace_id, higher=gate.higher, threshold=gate.threshold, scores=gate.scores)
        lab_settings.judge_line(chosen)
        lab_run.draw(chosen, view, run)
        lab_results.choose(run)
    result = lab_results.shown(run)
    with right:
        if result is None:
            _preview(view, info, chosen, trace_id)
    if result is not None:
        with right:
            lab_results.draw(result, view.judge, view.claim_set, view)


def _trace(view: View) -> str | None:
    """The trace that is looked at: of the URL, else the first failing one, else the first."""
    asked = selection.current().trace
    if asked is not None and resources.judged_trace(view, asked) is not None:
        return asked
    for where in (FAILING, TraceFilter()):
        rows = resources.page(view, where, limit=1)
        if rows:
            return rows[0].id
    return None


def _preview(view: View, info: RemedyInfo, chosen: Chosen, trace_id: str | None) -> None:
    """One answer: what a remedy without a model would make of it at once; for the others, the answer as it is."""
    case = resources.judged_trace(view, trace_id) if trace_id else None
    if case is None or trace_id is None:
        st.caption("This run has no trace to look at.")
        return
    _steps(view, trace_id)
    if info.hosted:
        lab_sides.draw(case, None, None, views=(view, None), waiting="The new answer appears here when the remedy was tried.")
        return
    if info.name == "gate" and chosen.settings.threshold is None:
        lab_sides.draw(case, None, None, views=(view, None), waiting="Choose a threshold above: then this answer is let through or stopped.")
        return
    try:
        after, remedied = _treated(case, chosen)
    except RagvizError as exc:
        lab_sides.draw(case, None, None, views=(view, None), waiting=f"{widgets.md(exc.message, limit=200)}: {widgets.md(exc.fix, limit=200)}.")
        return
    lab_sides.draw(case, after, remedied, views=(view, None))


def _treated(case: JudgedTrace, chosen: Chosen) -> tuple[JudgedTrace, Remedied]:
    """The case with its new answer, and the verdicts it had on what is left."""
    treated = remedy_named(chosen.info.name).treat(case, chosen.settings)  # type: ignore[union-attr]
    trace = replace(case.trace, response=treated.response, citations=treated.citations)
    return replace(case, trace=trace, claims=treated.claims), treated.remedied


def _steps(view: View, trace_id: str) -> None:
    """Previous and next answer with an unsupported claim."""
    around = resources.neighbours(view, FAILING, trace_id)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="right", gap="small", key="cap-steps"):
        st.caption(
            f"{around.position} of {counted(around.total, 'answer')} with an unsupported claim" if around.position else "no claim here is unsupported",
            width="content",
        )
        st.button("‹ Previous", key="previous_failing", disabled=around.previous is None, on_click=selection.select, kwargs={"trace": around.previous})
        st.button("Next ›", key="next_failing", disabled=around.next is None, on_click=selection.select, kwargs={"trace": around.next})
