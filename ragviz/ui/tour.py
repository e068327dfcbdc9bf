"""
A tour of four steps, shown on the first start: from the whole run to one claim's evidence, then to a file of one's own. Dismissed once, it stays
away; the sidebar brings it back.
"""

from __future__ import annotations

import streamlit as st

from ragviz.contracts import View
from ragviz.errors import RagvizError
from ragviz.records import Grounding
from ragviz.store import TraceFilter
from ragviz.ui import resources, selection, vocabulary, widgets, written

PARAM = "tour"
SEEN = "seen"
_SEEN_HERE = "_rv_tour_seen"
_CLEAREST = (Grounding.CONTRADICTED, Grounding.CONFLICTED, Grounding.NOT_SUPPORTED)
"""A contradiction shows the most: it is marked on both sides."""


def draw(view: View) -> None:
    """The card, where it is wanted."""
    if not is_wanted():
        return
    trace = _example(view)
    with widgets.box("tour", "First time here?", "four steps, about two minutes"):
        steps = st.columns(4, gap="small")
        with steps[0].container(gap=None):
            st.markdown("**1 · The run**")
            st.caption("This page says whether the run is good and where it fails. Every number opens the traces behind it.")
        with steps[1].container(gap=None):
            st.markdown("**2 · One failing answer**")
            st.caption("Each claim of the answer is coloured by what the passages say about it.")
            if trace:
                widgets.link("Open a failing answer", "inspector", key="tour-inspector", trace=trace)
        with steps[2].container(gap=None):
            st.markdown("**3 · The evidence**")
            st.caption("Click a claim there: its evidence lights up in the passage; a contradiction is boxed on both sides. Disagree? Overrule it.")
        with steps[3].container(gap=None):
            st.markdown("**4 · Your own file**")
            st.caption(f"CSV, JSON, JSON Lines or Parquet, in any of {vocabulary.formats_read()} of usual tools: drop it on the Data page.")
            widgets.link("Load a file", "data", key="tour-data")
        st.button("Got it", key="tour-done", type="tertiary", on_click=dismiss)


def is_wanted() -> bool:
    """Asked for in the URL, or never dismissed by anybody who uses this store."""
    if PARAM in st.query_params:
        return True
    if st.session_state.get(_SEEN_HERE):
        return False
    seen = SEEN in resources.store().kept("tour", bool)
    st.session_state[_SEEN_HERE] = seen
    return not seen


def dismiss() -> None:
    """Remember it in the store; one that may only be read remembers nothing, so this session does."""
    st.session_state[_SEEN_HERE] = True
    written.change({PARAM: None})
    try:
        resources.store().keep("tour", SEEN, True)
    except RagvizError:
        return


def draw_link() -> None:
    """At the foot of the sidebar."""
    if resources.run() is not None:
        with st.sidebar, st.container(key="link-tour-again"):
            st.page_link("pages/overview.py", label="Guided tour ›", query_params=selection.link_to("overview", tour=1))


def _example(view: View) -> str | None:
    """A failing answer whose fault is easy to see."""
    for verdict in _CLEAREST:
        rows = resources.page(view, TraceFilter(verdicts=(verdict,)), limit=1)
        if rows:
            return rows[0].id
    return None
