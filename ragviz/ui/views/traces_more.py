"""Beside the filters of the Traces page: further filters, saved views, and judging the traces that pass."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import streamlit as st

from ragviz.contracts import View
from ragviz.errors import RagvizError
from ragviz.figures.plot_text import count, counted, duration
from ragviz.pipeline import Plan, plan
from ragviz.pipeline.held_out import MAX_NAME, move
from ragviz.records import Grounding, RunManifest, Split
from ragviz.store import TraceFilter
from ragviz.store.splits import split_counts
from ragviz.ui import address, filters, held_out, presses, resources, selection, tables, troubles, vocabulary, widgets
from ragviz.ui.views import data_budget, data_judge

SAVED: tuple[str, ...] = (*filters.NAMES, "sort", "way", "rows")
"""Parameters that a saved view holds: what is listed and in which order, not the run."""
MOST_SAVED = 50
SPLIT_WORDS = {
    Split.DEVELOPMENT: "looked at freely",
    Split.REGRESSION: "must go on passing",
    Split.HELD_OUT: "asks before it opens",
    Split.FRESH: "new, not sorted yet",
}


def draw(view: View, run: RunManifest, where: TraceFilter, found: int) -> None:
    """One line of small buttons; what they open is only worked out when it is open."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="cap-tools"):
        more = st.popover("More filters", key="more-filters", on_change="rerun")
        saved = st.popover("Saved views", key="saved-views", on_change="rerun")
        again = st.popover("Judge these", key="judge-these", on_change="rerun", disabled=not found)
        keep = st.popover("Keep for…", key="keep-for", on_change="rerun", disabled=not found)
        if found:
            widgets.link("Try a remedy", "lab", key="remedy", **filters.to_params(where))
        _active(where)
    if keep.open and found:
        with keep:
            _keep_for(view, run, where, found)
    if more.open:
        with more:
            _more(where)
    if saved.open:
        with saved:
            _saved()
    if again.open and found:
        with again:
            _judge(view, run, where, found)


def _keep_for(view: View, run: RunManifest, where: TraceFilter, found: int) -> None:
    """The traces that pass into a split, or out of theirs."""
    store = resources.store()
    have = resources.query(lambda: split_counts(store, run.run_id), "splits", run.run_id, run_id=run.run_id)
    with st.form("keep-form", border=False):
        labels = {"": "nothing in particular", **{s.value: f"{s.value} ({SPLIT_WORDS[s]})" for s in Split}}
        st.selectbox(f"Keep {counted(found, 'trace')} for", list(labels), index=1, key="keep-split", format_func=lambda s: labels[s])
        st.text_input("Your name", value=st.session_state.get(held_out.NAME, ""), key="keep-name", max_chars=MAX_NAME)
        # A press is about the traces that were on the screen: their run and filters are in its key and arguments.
        st.form_submit_button("Keep", key=tables.key_of("keep-go", [view, where]), type="primary", on_click=_keep, args=(view, where))
        now = " · ".join(f"{s.value} {count(n)}" for s, n in have.items())
        st.caption(f"Of this run now: {now}." if now else "No trace of this run is in a split yet.")
    troubles.tell("keep")


@troubles.kept("keep")
def _keep(view: View, where: TraceFilter) -> None:
    store, chosen, who = resources.store(), st.session_state["keep-split"], st.session_state["keep-name"].strip()
    n = move(store, view.run_id, store.passing(view, where), Split(chosen) if chosen else None, who=who or "somebody", place="Traces")
    st.session_state[held_out.NAME] = who
    st.toast(f"{counted(n, 'trace')} moved.")


def _active(where: TraceFilter) -> None:
    """Filters without a box of their own in the row above are named, and can be taken away."""
    said = dict(filters.describe(where, vocabulary.LABELS))
    hidden = [name for name in ("failing", "refusal", "slice", "range", "lacking", *filters.TIMES) if name in said]
    if hidden:
        st.caption(f"Only traces with {widgets.md(', '.join(said[name] for name in hidden), limit=300)}", width="content")
        with st.container(key="link-clear-range", width="content"):
            st.button("Clear", key="clear-range", type="tertiary", on_click=address.clear, args=((*hidden, address.PAGE),))


def _more(where: TraceFilter) -> None:
    """Time, and any score by its range."""
    since, until = filters.days(where)
    left, right = st.columns(2, gap="small")
    left.date_input(
        "From",
        since,
        key=f"since-{since}",
        format="YYYY-MM-DD",
        min_value=date(1970, 1, 1),
        max_value=date(2100, 1, 1),
        on_change=_write_day,
        args=("since", f"since-{since}"),
    )
    right.date_input(
        "To",
        until,
        key=f"until-{until}",
        format="YYYY-MM-DD",
        min_value=date(1970, 1, 1),
        max_value=date(2100, 1, 1),
        on_change=_write_day,
        args=("until", f"until-{until}"),
    )
    with st.form("range-form", border=False):
        name = st.selectbox("Score", [n for n in filters.SCORES if n != "started_at"], key="range-name", format_func=lambda n: vocabulary.SCORES.get(n, n))
        low, high, go = st.columns([0.36, 0.36, 0.28], vertical_alignment="bottom", gap="small")
        lo = low.number_input("At least", value=None, key="range-low")
        hi = high.number_input("At most", value=None, key="range-high")
        if presses.pressed(go.form_submit_button, "Apply", key="range-apply", form=True, width="stretch"):
            rest = tuple(r for r in where.ranges if r[0] != name)
            ranges = (*([(name, lo, hi)] if lo is not None or hi is not None else []), *rest)  # days stand last
            params = filters.to_params(TraceFilter(ranges=ranges))
            address.put(**{n: params.get(n) for n in ("range", *filters.TIMES)}, **{address.PAGE: None})
            st.rerun()


def _write_day(name: str, key: str) -> None:
    day: date | None = st.session_state[key]
    address.put(**{name: day.isoformat() if day else None, address.PAGE: None})


def _saved() -> None:
    """Save what is listed under a name; open or forget what was saved."""
    store = resources.store()
    with st.form("save-form", border=False, clear_on_submit=True):
        name, go = st.columns([0.7, 0.3], vertical_alignment="bottom", gap="small")
        name.text_input("Save these filters and this order as", key="save-name", max_chars=60)
        listed = {n: v for n in SAVED if (v := selection.text(st.query_params, n))}
        go.form_submit_button("Save", key=tables.key_of("save-go", listed.items()), width="stretch", on_click=_save, args=(listed,))
    troubles.tell("saved-views")
    known = resources.query(lambda: store.kept("traces-view", dict[str, str]), "saved-views")
    if not known:
        st.caption("None yet. A saved view works on every run of this store.")
    for at, (name_, params) in enumerate(list(known.items())[:MOST_SAVED]):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small", key=f"link-saved-{at}"):
            st.page_link("pages/traces.py", label=widgets.md(name_, limit=60), query_params=selection.link_to("traces", **_allowed(params)))
            st.button("Forget", key=f"forget-{name_}", type="tertiary", on_click=_forget, args=(name_,))


@troubles.kept("saved-views")
def _forget(name: str) -> None:
    resources.store().forget("traces-view", name)


@troubles.kept("saved-views")
def _save(listed: Mapping[str, str]) -> None:
    name = st.session_state["save-name"].strip()
    if name:
        resources.store().keep("traces-view", name, dict(listed))


def _allowed(params: Mapping[str, str]) -> dict[str, str]:
    """Only parameters of a list: what was stored may come from another version."""
    return {name: params[name] for name in SAVED if name in params}


def _judge(view: View, run: RunManifest, where: TraceFilter, found: int) -> None:
    """The traces that pass to one judge, with what that takes, in the background."""
    traits = resources.query(lambda: resources.store().traits(run.run_id), "traits", run.run_id, run_id=run.run_id)
    can, _ = data_judge.choices(traits.with_facts > 0, traits.with_verdicts > 0)
    names = {choice.name: choice for choice in can}
    if not names:
        st.caption("No judge can work here; ragviz doctor says what is missing.")
        return
    chosen = st.selectbox("Judge", list(names), key="these-judge")
    ids = resources.query(lambda: resources.store().passing(view, where), "passing", view, where, run_id=view.run_id)
    anew = st.checkbox(
        "Ask anew, also where it has judged",
        key="these-anew",
        help="Past the cache of answers. What was said before stays in each claim's history, and the new word counts.",
    )
    takes = resources.query(lambda: _plan(run.run_id, chosen, ids, anew=anew), "plan-of", run.run_id, chosen, where, view, anew)
    if isinstance(takes, RagvizError):
        widgets.problem(takes.message, takes.fix, key="these")
        return
    network = names[chosen].network
    which = "asked anew" if anew else "not judged by it yet"
    st.caption(f"{counted(takes.n_traces, 'trace')} of {count(found)} {which} · {_price(takes, network=network)}")
    if network:
        data_budget.draw()
    if anew and names[chosen].deterministic:
        st.caption(f"{widgets.md(chosen)} answers the same texts alike: nothing will change unless its version did.")
    n_failed = 0 if anew else resources.count(view, _with_unjudged(where))
    retry = st.checkbox(f"Ask again about claims without a verdict, in {counted(n_failed, 'trace')}", key="these-retry") if n_failed else False
    running = data_judge.job_of(run) in {state.key for state in resources.jobs().active()}
    n = found if retry else takes.n_traces
    if presses.pressed(st.button, f"Judge {counted(n, 'trace')}" if n else "All judged by it", key="judge-these-go", about=(run.run_id, where), disabled=running or not n, width="stretch"):
        data_judge.start(run, chosen, None, trace_ids=ids, retry=retry, anew=anew)
        st.rerun()
    st.caption("Runs in the background; the sidebar shows how far it is." if not network else "Questions, passages and answers are sent to the provider.")


def _plan(run_id: str, judge: str, ids: list[str], *, anew: bool) -> Plan | RagvizError:
    try:
        return plan(resources.store(), run_id, judge, trace_ids=ids, anew=anew, api_key=resources.api_key())
    except RagvizError as exc:
        return exc


def _price(p: Plan, *, network: bool) -> str:
    words = f"{counted(p.pairs, 'pair')}, about {duration(p.seconds)}"
    if not network:
        return f"{words}, nothing leaves this machine"
    return f"{words}; {data_judge.said_of_cost(p)}"


def _with_unjudged(where: TraceFilter) -> TraceFilter:
    """A list that already asks for other verdicts is counted whole: both conditions cannot be held at once."""
    if where.verdicts:
        return where if Grounding.UNJUDGED in where.verdicts else TraceFilter(ids=("",))
    return filters.also(where, verdicts=(Grounding.UNJUDGED,))
