"""
The comparison of two runs, made once for all sessions: while the page waits where that takes a moment, in the background where the runs are large.

A large one is read trace by trace. The page is there at once and says how far that is; it is drawn anew when the comparison is made.
"""

from __future__ import annotations

from functools import partial

import streamlit as st

from ragviz.contracts import View
from ragviz.errors import Cancelled
from ragviz.figures.plot_text import count
from ragviz.pipeline.comparing import Compared, Seen, compare_with_scores, is_large
from ragviz.pipeline.jobs import Handle, JobStatus
from ragviz.records import RunManifest
from ragviz.store import Store
from ragviz.ui import resources, scope, selection, widgets

NAME = "comparison"
"""One answer for comparison and scores: they are made together, and neither is of use without the other."""
BROKEN = (JobStatus.FAILED, JobStatus.CANCELLED)


def made(there: View, view: View, base: RunManifest, run: RunManifest) -> Compared | None:
    """The comparison, or None where it is still being made or failed: then that is drawn."""
    store = resources.store()
    version = (store.run_version(there.run_id), store.run_version(view.run_id))
    make = partial(compare_with_scores, Seen(store, there), Seen(store, view))
    if not is_large(base, run):
        with st.spinner("Pairing the two runs", show_time=True):
            return resources.huge(make, NAME, there, view, version=version)
    if not resources.is_known(NAME, there, view, version=version) and not _prepared(store, there, view, version):
        return None
    return resources.huge(make, NAME, there, view, version=version)


def _prepared(store: Store, there: View, view: View, version: tuple[str, str]) -> bool:
    """Have it made in the background; True when it is there within the moment that a reader waits."""
    key = "\x1f".join((NAME, *map(repr, (there, view, version))))

    def work(handle: Handle) -> None:
        resources.huge(partial(_make, handle, store, there, view), NAME, there, view, version=version)

    before = resources.jobs().state(key)
    if before is None or before.status not in BROKEN:
        resources.jobs().submit(key, work)
    try:
        state = resources.jobs().wait(key, timeout_s=scope.WAIT_S)
    except TimeoutError:
        st.fragment(_watch, run_every=scope.POLL_S)(key)
        return False
    if state is not None and state.status in BROKEN:
        widgets.problem(state.message, state.fix, key="comparison")
        st.button("Try again", key="compare-again", on_click=resources.jobs().forget, args=(key,))
        return False
    return True


def _make(handle: Handle, store: Store, there: View, view: View) -> Compared:
    def told(done: int, total: int | None) -> None:
        if handle.cancel.is_set():
            raise Cancelled("the comparison was stopped", fix="open the page again")
        handle.progress(done, total)

    return compare_with_scores(Seen(store, there), Seen(store, view), on_progress=told)


def _watch(key: str) -> None:
    """How far it is. Once it is over the whole page is drawn."""
    state = resources.jobs().state(key)
    if state is None or state.status.is_over:
        selection.settle()
        st.rerun()
    words = f"{count(state.done)} of {count(state.total)} traces of this run" if state.total else "the first traces"
    st.progress(state.fraction or 0.0, text=f"Pairing the two runs: {words} read, first the baseline's, then the candidate's · {state.seconds:.0f} s")
    st.caption("Large runs are compared once; the page answers at once from then on, until either of them is judged anew.")
