"""
The comparison of two runs, made once for all sessions: while the page waits where that takes a moment, in the background where the runs are large.

A large one is read trace by trace. The page is there at once and says how far that is; it is drawn anew when the comparison is made. Of two runs one comparison
is made at a time, whoever asks for it. Where verdicts have moved on since, the page shows what it has, says so, and has it made anew.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

import streamlit as st

from ragviz.contracts import View
from ragviz.errors import Cancelled
from ragviz.pipeline.comparing import InParts, Seen, compare_in_parts, is_large
from ragviz.pipeline.jobs import Handle, JobState, JobStatus
from ragviz.records import RunManifest
from ragviz.store import Store
from ragviz.ui import resources, scope, selection, widgets

NAME = "comparison"
AT_ONCE = 2
"""Pairs of large runs that are compared at a time: each takes some 300 MiB while it is made."""
_TURNS = threading.BoundedSemaphore(AT_ONCE)
BROKEN = (JobStatus.FAILED, JobStatus.CANCELLED)
SOMETHING_NEW = "These figures are from before the latest verdicts, labels or traces of the two runs; newer ones follow."


def made(there: View, view: View, base: RunManifest, run: RunManifest) -> InParts | None:
    """The comparison, or None where it is still being made or failed: then that is drawn."""
    store = resources.store()
    if is_large(base, run):
        return _large(store, there, view)
    with st.spinner("Pairing the two runs", show_time=True):
        return resources.huge(lambda: compare_in_parts(Seen(store, there), Seen(store, view)), NAME, there, view, version=_version(store, there, view))


def _version(store: Store, there: View, view: View) -> tuple[str, str]:
    return store.run_version(there.run_id), store.run_version(view.run_id)


def _large(store: Store, there: View, view: View) -> InParts | None:
    known = resources.newest(NAME, there, view, version=_version(store, there, view))
    if known is not None and known.serves:
        return known.value  # type: ignore[no-any-return]
    key, jobs = "\x1f".join((NAME, repr(there), repr(view))), resources.jobs()
    state = jobs.state(key)
    if state is None or state.status not in BROKEN:
        state = jobs.submit(key, lambda handle: _work(handle, store, there, view))
    if known is None:
        with contextlib.suppress(TimeoutError):
            state = jobs.wait(key, timeout_s=scope.WAIT_S)
    if state is not None and state.status in BROKEN:
        widgets.problem(state.message, state.fix, key="comparison")
        st.button("Try again", key="compare-again", on_click=jobs.forget, args=(key,))
    elif state is not None and not state.status.is_over:
        st.fragment(_watch, run_every=scope.POLL_S)(key, anew=known is not None)
    elif known is None:
        known = resources.newest(NAME, there, view, version=_version(store, there, view))
        if known is None:
            st.rerun()  # a run was deleted meanwhile, and with it everything that was being worked out: once more
    return None if known is None else known.value


def _work(handle: Handle, store: Store, there: View, view: View) -> None:
    """The job. Its version is read first: what is written while it works makes it older, never newer, than it is."""
    def told(done: int, total: int, doing: str) -> None:
        if handle.cancel.is_set():
            raise _stopped()
        handle.progress(done, total, doing)

    with _turn(handle):
        version = _version(store, there, view)
        resources.huge_by_job(lambda: compare_in_parts(Seen(store, there), Seen(store, view), on_step=told), NAME, there, view, version=version)


def _stopped() -> Cancelled:
    return Cancelled("the comparison was stopped", fix="open the page again")


@contextlib.contextmanager
def _turn(handle: Handle) -> Iterator[None]:
    """Wait until so many others are over."""
    while not _TURNS.acquire(timeout=scope.POLL_S):
        if handle.cancel.is_set():
            raise _stopped()
    try:
        yield
    finally:
        _TURNS.release()


def _watch(key: str, *, anew: bool) -> None:
    """How far it is. Once it is over the whole page is drawn."""
    state = resources.jobs().state(key)
    if state is None or state.status.is_over:
        selection.settle()
        st.rerun()
    st.progress(state.fraction or 0.0, text=words(state))
    st.caption(SOMETHING_NEW if anew else "Large runs are compared once; the page answers at once from then on, until either of them is judged anew.")


def words(state: JobState) -> str:
    """What it is at, how much of the whole is done, and since when."""
    return f"{state.doing or 'Waiting for its turn'} · {state.fraction or 0.0:.0%} of the whole · {state.seconds:.0f} s"
