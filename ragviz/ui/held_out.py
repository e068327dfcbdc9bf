"""Held-out traces stay closed until a person asks for them by name; that is noted, and said beside the numbers that rest on them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from msgspec.structs import replace

from ragviz.figures.plot_text import counted
from ragviz.pipeline.held_out import MAX_NAME, HeldOut, is_held_out, look_at
from ragviz.pipeline.held_out import held_out as of_run
from ragviz.records import LookKind, Split, Trace
from ragviz.store import TraceRow
from ragviz.store.splits import ids_of
from ragviz.ui import resources, tables, troubles

_OPENED = "_rv_held_out_opened"
NAME = "author"
"""The same box as in the Inspector's "Overrule": a name is typed once."""
CLOSED = "held out"


def known(run_id: str) -> HeldOut | None:
    """Held-out traces of a run, and who looked at them; None where it has none."""
    return resources.shared(lambda: of_run(resources.store(), run_id), "held-out", run_id)


def line(run_id: str) -> None:
    """In the sidebar, under the run: every page's numbers rest on these traces too."""
    found = known(run_id)
    if found is not None:
        with st.container(key="cap-held-out"):
            st.caption(f"These numbers include {found.words}.")


def note(*run_ids: str) -> None:
    """On a page whose numbers rest on held-out traces, next to them: that they do, and what of these traces is hidden. Nothing where there are none."""
    n = max((held.n for run_id in run_ids if (held := known(run_id)) is not None), default=0)
    if not n:
        return
    with st.container(key="cap-held-out-here"):
        st.caption(
            f"**{counted(n, 'held-out trace')}** {'is' if n == 1 else 'are'} in these numbers and charts, so whoever tunes by this page tunes by them too. "
            "The words stay hidden until somebody opens them by name."
        )


def _opened() -> set[tuple[str, str]]:
    opened: set[tuple[str, str]] = st.session_state.setdefault(_OPENED, set())
    return opened


def is_closed(run_id: str, trace: Trace) -> bool:
    """Held out, and not opened in this session."""
    return is_held_out(trace) and (run_id, trace.id) not in _opened()


def closed_ids(run_id: str) -> frozenset[str]:
    """Ids of a run's held-out traces that were not opened in this session: their words and their single figures are not shown."""
    every = resources.shared(lambda: frozenset(ids_of(resources.store(), run_id, Split.HELD_OUT)), "held-out ids", run_id, run_id=run_id)
    return every - {trace_id for opened, trace_id in _opened() if opened == run_id}


def questions(run_id: str, ids: Sequence[str]) -> dict[str, str]:
    """The question of each of these traces; of a closed one only that it is held out."""
    closed = closed_ids(run_id)
    found = resources.query(lambda: {t.id: t.question for t in resources.store().traces(run_id, ids)}, "questions", run_id, tuple(ids), run_id=run_id)
    return {trace_id: CLOSED if trace_id in closed else question for trace_id, question in found.items()}


def masked(run_id: str, rows: Sequence[TraceRow]) -> tuple[list[TraceRow], list[TraceRow]]:
    """Rows as they may be shown, and those among them whose words are hidden."""
    hidden = closed_ids(run_id)
    closed = [r for r in rows if r.id in hidden]
    return [replace(r, question=CLOSED, worst_claim="", response_preview="") if r.id in hidden else r for r in rows], closed


def ask(run_id: str, traces: Sequence[tuple[str, str]], *, place: str, key: str) -> None:
    """
    The question before held-out traces are opened.

    Args:
        run_id: Their run.
        traces: Id and question of each.
        place: The page, as it is noted.
        key: Unique on the page.
    """
    found = known(run_id)
    with st.form(f"held-out-{key}", border=False):
        what = "This trace is held out" if len(traces) == 1 else f"{counted(len(traces), 'trace')} here are held out"
        st.markdown(f"**{what}**")
        st.caption(
            "Held-out traces give honest numbers as long as nobody tunes to them. Opening is noted with name and time, and said beside every "
            "number that rests on them."
            + (f" So far: {found.words}." if found else "")
        )
        name, go = st.columns([0.6, 0.4], vertical_alignment="bottom", gap="small")
        who = f"held-out-name-{key}"
        name.text_input("Your name", value=st.session_state.get(NAME, ""), key=who, max_chars=MAX_NAME)
        # In its key too: only what was on the screen is opened.
        these = tables.key_of(f"held-out-open-{key}", [run_id, *(trace_id for trace_id, _ in traces)])
        go.form_submit_button(
            "Open and note it", key=these, type="primary", width="stretch", on_click=_open, args=(run_id, tuple(traces), place, who)
        )
    troubles.tell("held-out")


@troubles.kept("held-out")
def _open(run_id: str, traces: Sequence[tuple[str, str]], place: str, who_key: str) -> None:
    who = st.session_state[who_key].strip()
    if not who:
        troubles.keep("held-out", "A name is needed.", "Looks are counted by person: write yours above.")
        return
    st.session_state[NAME] = who
    look_at(resources.store(), [question for _, question in traces], who=who, kind=LookKind.OPENED, place=place)
    _opened().update((run_id, trace_id) for trace_id, _ in traces)
