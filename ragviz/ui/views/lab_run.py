"""Running a remedy: what it takes before anything is spent, then progress with a way to stop, and what went wrong."""

from __future__ import annotations

from functools import partial

import streamlit as st

from ragviz.backends.anthropic_client import AnthropicClient
from ragviz.contracts import View
from ragviz.figures.plot_text import count, counted, duration, share
from ragviz.pipeline import JobStatus
from ragviz.pipeline.jobs import Handle, JobState
from ragviz.pipeline.remedy_plan import RemedyPlan, plan_remedy
from ragviz.pipeline.remedying import RemedyReport, remedy_run
from ragviz.records import RunManifest
from ragviz.store import Store
from ragviz.text.sums import dollars
from ragviz.ui import address, presses, resources, samples, selection, widgets
from ragviz.ui.views.lab_settings import Chosen

POLL_S = 0.5


def job_of(run: RunManifest) -> str:
    """Key of the job: one remedy at a time on a run."""
    return samples.SEPARATOR.join(("remedy", run.run_id, run.name))


def draw(chosen: Chosen, view: View, run: RunManifest) -> None:
    """The plan and the button."""
    client = chosen.client()
    p: RemedyPlan = resources.query(
        lambda: plan_remedy(resources.store(), view, chosen.info.name, chosen.settings, chosen.ids, client=client),
        "remedy_plan", view, chosen.info.name, chosen.settings, chosen.ids, chosen.model, client is not None and client.missing() is None,
    )
    if p.missing is not None:
        widgets.note(f"**Asks a hosted model: {widgets.md(p.missing[0])}.** {widgets.md(p.missing[1]).capitalize()}, then start ragviz again. "
                     "Retrieval gate and Verify need no model.", key="no-key")
    st.caption(plan_words(p))
    running = job_of(run) in {state.key for state in resources.jobs().active()}
    lacks = chosen.info.name == "gate" and chosen.settings.threshold is None
    label = f"Try it on {counted(len(chosen.ids), 'answer')}" if chosen.ids else "Nothing to try it on"
    if presses.pressed(st.button, label, key="try", about=(view, chosen.ids), type="primary", width="stretch", disabled=running or not chosen.ids or p.missing is not None or lacks):
        start(chosen, view, run, client)
        # The new run is the newest: a URL that names none would turn to it.
        selection.select(run=run.run_id)
        address.put(result=None)
        st.rerun()
    if not chosen.ids:
        st.caption(
            "No answer here has a claim that is contradicted or not supported. Choose all, or another judge."
            if chosen.which == "failing"
            else "No answer is chosen."
        )


def plan_words(p: RemedyPlan) -> str:
    """Calls, money and minutes in one line. Markdown."""
    if p.model is None:
        return "Nothing leaves this machine. The new answers become a run of their own."
    calls = f"{count(p.calls)} to {counted(p.most_calls, 'call')}" if p.most_calls > p.calls else counted(p.calls, "call")
    money = "at an unknown price" if p.cost_usd is None else f"at most about \\{dollars(p.cost_usd)}"
    free = f" {counted(p.n_untouched, 'answer')} {'needs' if p.n_untouched == 1 else 'need'} no call." if p.n_untouched else ""
    return f"{calls}, {money}, about {duration(p.seconds)}.{free} Questions, passages and answers are sent to the provider; every reply is stored as it comes."


def start(chosen: Chosen, view: View, run: RunManifest, client: AnthropicClient | None, *, turn: int = 1) -> None:
    """In the background; the same choice again goes on where it stopped."""
    resources.jobs().forget(job_of(run))
    resources.jobs().submit(job_of(run), partial(
        _work, store=resources.store(), run_id=run.run_id, chosen=chosen, view=view, client=client, turn=turn, api_key=resources.api_key(),
    ))


def _work(
    handle: Handle, *, store: Store, run_id: str, chosen: Chosen, view: View, client: AnthropicClient | None, turn: int, api_key: str | None
) -> RemedyReport:
    """Runs in the pool."""
    return remedy_run(
        store,
        run_id,
        chosen.info.name,
        settings=chosen.settings,
        trace_ids=chosen.ids,
        judge_name=chosen.judge,
        seen=view,
        client=client,
        api_key=api_key,
        turn=turn,
        on_progress=handle.progress,
        cancel=handle.cancel,
    )


def progress(run: RunManifest) -> None:
    """A box while something runs or went wrong; a finished remedy becomes the result that is shown."""
    state = resources.jobs().state(job_of(run))
    if state is None:
        return
    if state.status is JobStatus.DONE and isinstance(state.result, RemedyReport):
        resources.jobs().forget(state.key)
        address.put(result=state.result.run_id)
        return
    if not state.status.is_over:
        with widgets.box("progress", "Under way", widgets.md(run.name)):
            st.fragment(_poll, run_every=POLL_S)(state.key)
    elif state.spent:
        widgets.note(
            f"**Stopped: {widgets.md(state.message)}.** Raise the limit and try it again to go on; replies and finished answers are kept.", key="spent"
        )
    elif state.status is JobStatus.CANCELLED:
        widgets.note("**Stopped.** Replies and finished answers are kept; trying it again with the same settings goes on with the rest.", key="stopped")
    else:
        widgets.problem(state.message, state.fix, key="remedy")


def _poll(key: str) -> None:
    state = resources.jobs().state(key)
    if state is None or state.status.is_over:
        selection.settle()
        st.rerun()
    else:
        _bar(state)


def _bar(state: JobState) -> None:
    total = state.total or 0
    words = f"**{count(state.done)} of {counted(total, 'answer')}** {share(state.done, total, digits=0)}" if total else "Judging the answers as they are"
    words = "All answers are made; judging them" if total and state.done >= total else words
    with st.container(horizontal=True, horizontal_alignment="distribute", key="cap-progress"):
        st.markdown(words, width="content")
        st.caption(f"{duration(state.seconds)} gone", width="content")
    st.progress(state.fraction or 0.0)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("Stop", key="stop-remedy", on_click=_stop, args=(state.key,))
        st.caption("Stopping keeps every reply; the same settings go on with the rest. You can leave this page.", width="content")


def _stop(key: str) -> None:
    resources.jobs().cancel(key)
