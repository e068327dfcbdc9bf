"""Scores of several views at once: what the sidebar does for one run."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ragviz.contracts import View
from ragviz.figures.plot_text import counted
from ragviz.pipeline.jobs import Handle
from ragviz.pipeline.scoring import score_view
from ragviz.ui import resources, samples, scope


def compute(views: Sequence[View]) -> None:
    """Compute what is missing in the background, wait a moment, and say so if it takes longer."""
    missing = resources.query(lambda: resources.store().lacking(views), "lacking", tuple(views))
    if not missing or samples.judging():
        return
    store = resources.store()

    def work(handle: Handle) -> int:
        return sum(score_view(store, v, on_progress=handle.progress, cancel=handle.cancel) for v in missing)

    key = "score\x1ftrends\x1f" + "\x1f".join(f"{v.run_id}\x1f{v.judge}\x1f{v.policy}" for v in missing)
    # While others import, some run lacks scores all the time: that makes nobody's page work anew. A policy that was just chosen lacks all.
    resources.jobs().submit(key, work, quiet=len(missing) < len(views))
    try:
        resources.jobs().wait(key, timeout_s=scope.WAIT_S)
    except TimeoutError:
        st.caption(f"Computing the scores of {counted(len(missing), 'run')} under this policy; the charts show what is known so far.")
