"""Judge: which judge, what it takes in pairs, calls, minutes and money before anything is spent; then progress, with a way to stop."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from ragviz.backends.budget import Budget
from ragviz.errors import RagvizError
from ragviz.figures.plot_text import NOTHING, count, counted, duration, share
from ragviz.pipeline import JobStatus, JudgeChoice, JudgeReport, Plan, default_judge, judge_run, plan
from ragviz.pipeline.jobs import Handle
from ragviz.records import RunManifest
from ragviz.store import Store
from ragviz.text.sums import dollars
from ragviz.ui import presses, resources, samples, tables, widgets
from ragviz.ui.views import data_budget
from ragviz.ui.widgets import StripPart

TRY = 20
KS = ("", "1", "2", "3", "5", "10", "20")


def draw(run: RunManifest, *, primary: bool) -> None:
    """Box 3. ``primary``: the judge button is the page's main one (no file is waiting to be imported)."""
    traits = resources.query(lambda: resources.store().traits(run.run_id), "traits", run.run_id, run_id=run.run_id)
    can, cannot = choices(traits.with_facts > 0, traits.with_verdicts > 0)
    with widgets.box("judge", "3 · Judge", f"{widgets.md(run.name)}, {counted(run.n_traces, 'trace')}"):
        if not can:
            widgets.problem("No judge can work here.", "Run ragviz doctor; it says what is missing.")
            return
        first = str(st.session_state.get("judge-k", ""))
        k = int(first) if first else None
        plans = {choice.name: _plan(run.run_id, choice.name, k) for choice in can}
        chosen = _table(run, can, plans)
        _impossible(cannot)
        p = plans[chosen.name]
        if chosen.network:
            data_budget.draw()
        _buttons(run, chosen, p, k, primary=primary)
        _what_happens(chosen, p)


def choices(has_facts: bool, has_verdicts: bool) -> tuple[list[JudgeChoice], list[tuple[str, str, str]]]:
    """Judges that can judge this run, and the others with reason and remedy."""
    can, cannot = [], []
    for choice in resources.judge_choices():
        if not choice.availability.ok:
            cannot.append((choice.name, choice.availability.reason, choice.availability.fix))
        elif choice.claim_set == "facts" and not has_facts:
            cannot.append((choice.name, "the file has no annotated facts", ""))
        elif choice.claim_set == "imported" and not has_verdicts:
            cannot.append((choice.name, "the file brings no verdicts", ""))
        else:
            can.append(choice)
    return can, cannot


def _plan(run_id: str, judge: str, k: int | None) -> Plan | RagvizError:
    def make() -> Plan | RagvizError:
        try:
            return plan(resources.store(), run_id, judge, k=k, api_key=resources.api_key())
        except RagvizError as exc:
            return exc

    return resources.query(make, "plan", run_id, judge, k)


def _table(run: RunManifest, can: Sequence[JudgeChoice], plans: dict[str, Plan | RagvizError]) -> JudgeChoice:
    """One row a judge; one is always chosen, first the one that fits the file."""
    rows = []
    for choice in can:
        p = plans[choice.name]
        most = "≤ " if isinstance(p, Plan) and p.at_most and p.n_traces else ""
        takes = (count(p.pairs), most + count(p.calls), most + duration(p.seconds), _money(p.cost_usd, most)) if isinstance(p, Plan) else (NOTHING,) * 4
        rows.append({"judge": choice.name} | dict(zip(("pairs", "paid calls", "time", "cost"), takes, strict=True)))
    first = resources.query(lambda: default_judge(resources.store(), run.run_id), "default_judge", run.run_id)
    at = next((i for i, choice in enumerate(can) if choice.name == first), 0)
    right = {
        name: st.column_config.TextColumn(width=width, alignment="right") for name, width in (("pairs", 84), ("paid calls", 84), ("time", 96), ("cost", 84))
    }
    event = tables.show(
        tables.of_rows(rows),
        row_height=28,
        height="content",
        key=f"judges-{run.run_id}-{len(can)}",
        on_select="rerun",
        selection_mode="single-row-required",
        selection_default={"selection": {"rows": [at], "columns": [], "cells": []}},
        alt="Judges and what each would take",
        column_config={"judge": st.column_config.TextColumn(width=90), **right},
    )
    rows_chosen = event["selection"]["rows"]
    chosen = can[rows_chosen[0]] if rows_chosen and rows_chosen[0] < len(can) else can[at]
    st.caption(f"**{widgets.md(chosen.name)}**: {widgets.md(chosen.summary, limit=300)}.")
    return chosen


def _money(usd: float | None, most: str = "") -> str:
    return "unknown" if usd is None else f"{most}{dollars(usd)}"


def _impossible(cannot: Sequence[tuple[str, str, str]]) -> None:
    if cannot:
        words = " · ".join(f"**{widgets.md(name)}**, {widgets.md(reason)}" + (f" ({widgets.md(fix)})" if fix else "") for name, reason, fix in cannot)
        st.caption(f"Not possible here: {words}")


def _buttons(run: RunManifest, chosen: JudgeChoice, p: Plan | RagvizError, k: int | None, *, primary: bool) -> None:
    evidence, _, few, go = st.columns([0.32, 0.1, 0.22, 0.36], vertical_alignment="bottom", gap="small")
    evidence.selectbox("Evidence from", KS, key="judge-k", format_func=lambda n: f"first {n} passages" if n else "all passages")
    running = job_of(run) in {state.key for state in resources.jobs().active()}
    nothing = not isinstance(p, Plan) or p.n_traces == 0
    if presses.pressed(few.button, f"Try {TRY} first", key="try-few", about=run.run_id, width="stretch", disabled=running or nothing):
        start(run, chosen.name, k, limit=TRY)
        st.rerun()
    label = f"Judge {counted(p.n_traces, 'trace')}" if isinstance(p, Plan) and p.n_traces else "All judged"
    if presses.pressed(go.button, label, key="judge", about=run.run_id, type="primary" if primary else "secondary", width="stretch", disabled=running or nothing):
        start(run, chosen.name, k)
        st.rerun()


def _what_happens(chosen: JudgeChoice, p: Plan | RagvizError) -> None:
    if isinstance(p, RagvizError):
        widgets.problem(p.message, p.fix, key="plan")
        return
    if chosen.availability.degraded:
        st.caption(f"{widgets.md(chosen.availability.degraded, limit=200).capitalize()}. `{chosen.availability.fix}` adds what is missing.")
    if not chosen.network:
        st.caption("Nothing leaves this machine. Verdicts are stored as they come; stopping loses nothing.")
        return
    said = said_of_cost(p)
    st.caption(f"Questions, passages and answers are sent to the provider; verdicts are stored as they come. Estimated from up to 60 traces: {said}.")


def said_of_cost(p: Plan) -> str:
    """Calls and money of a hosted judge; of a cascade the most they can come to, and what the first step's verdicts here make of that."""
    money = "at an unknown price" if p.cost_usd is None else f"for about \\{dollars(p.cost_usd)}"
    if not p.at_most:
        return f"{counted(p.calls, 'call')} {money}"
    most = f"at most {counted(p.calls, 'call')} {money.replace('about ', '')}, if the first step left every claim open"
    if p.expected_calls is None:
        return f"{most}; judge with local first and this says how many it leaves"
    expected = "" if p.expected_usd is None else f" for about \\{dollars(p.expected_usd)}"
    return f"about {counted(p.expected_calls, 'call')}{expected} by what local has said here; {most}"


def job_of(run: RunManifest) -> str:
    """Key of the job that judges a run; the sidebar shows the same one."""
    return samples.SEPARATOR.join(("judge", run.run_id, run.name))


def start(run: RunManifest, judge: str, k: int | None, *, limit: int | None = None, trace_ids: Sequence[str] | None = None, retry: bool = False,
          anew: bool = False) -> None:
    """
    Judge in the background, within the session's budget; ``retry``: ask again where the judge failed; ``anew``: ask about everything again, past
    the cache.
    """
    resources.jobs().forget(job_of(run))
    work = partial(
        _judge,
        store=resources.store(),
        run_id=run.run_id,
        judge=judge,
        k=k,
        limit=limit,
        trace_ids=trace_ids,
        retry=retry,
        anew=anew,
        key=resources.api_key(),
        budget=data_budget.chosen(),
    )
    resources.jobs().submit(job_of(run), work)


def _judge(
    handle: Handle,
    *,
    store: Store,
    run_id: str,
    judge: str,
    k: int | None,
    limit: int | None,
    trace_ids: Sequence[str] | None,
    retry: bool,
    anew: bool,
    key: str | None,
    budget: Budget | None,
) -> JudgeReport:
    return judge_run(
        store,
        run_id,
        judge,
        k=k,
        limit=limit,
        trace_ids=trace_ids,
        retry_unjudged=retry,
        anew=anew,
        api_key=key,
        on_progress=handle.progress,
        cancel=handle.cancel,
        budget=budget,
    )


def progress(run: RunManifest) -> None:
    """Box 4: only when there is something to tell."""
    state = resources.jobs().state(job_of(run))
    if state is None:
        return
    with widgets.box("progress", "4 · Progress", widgets.md(run.name)):
        st.fragment(_poll, run_every=None if state.status.is_over else 0.5)(run)


def _poll(run: RunManifest) -> None:
    state = resources.jobs().state(job_of(run))
    if state is None:
        return
    if not state.status.is_over:
        total = state.total or 0
        left = state.seconds / state.done * (total - state.done) if state.done else None
        gone = f"{duration(state.seconds)} gone" + (f", about {duration(left)} left" if left is not None else "")
        words = f"**{count(state.done)} of {counted(total, 'trace')}** {share(state.done, total, digits=0)}" if total else "Preparing"
        with st.container(horizontal=True, horizontal_alignment="distribute", key="cap-progress"):
            st.markdown(words, width="content")
            st.caption(gone, width="content")
        st.progress(state.fraction or 0.0)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button("Stop", key="stop-judging", on_click=_stop, args=(job_of(run),))
            st.caption("Stopping keeps the verdicts; judging again goes on with the rest. You can leave this page.", width="content")
        return
    if state.status is JobStatus.DONE and isinstance(state.result, JudgeReport):
        _done(state.result)
    elif state.status is JobStatus.DONE:
        widgets.note("Judged.", key="judged")
    elif state.spent:
        widgets.note(f"**Stopped: {widgets.md(state.message)}.** Raise the limit and judge again to go on; what is judged stays.", key="spent")
    elif state.status is JobStatus.CANCELLED:
        widgets.note("**Stopped.** The verdicts so far are kept; judging again goes on with the rest.", key="stopped")
    else:
        widgets.problem(state.message, state.fix, key="judging")


def _stop(key: str) -> None:
    resources.jobs().cancel(key)


def _decided(report: JudgeReport) -> str:
    """Of a cascade: how many pairs each step decided."""
    return ", ".join(f"{count(n)} by {widgets.md(name)}" for name, n in report.by_step.items())


def _done(report: JudgeReport) -> None:
    widgets.number_strip([
        StripPart(number=count(report.n_traces), what="traces judged", remark=f"{count(report.n_already)} were judged before"),
        StripPart(number=count(report.n_pairs), what="pairs", remark=_decided(report) or f"{count(report.n_cached)} known from before"),
        StripPart(number=count(report.n_unjudged), what="pairs unjudged", remark="not counted as wrong"),
        StripPart(number=f"\\{dollars(report.cost_usd)}", what="spent", remark=f"in {duration(report.seconds)}"),
    ], key="judged")
    widgets.link("See the result", "overview", key="judged", run=report.run_id)

