"""
What a tab that stays open for long holds in the server: no more than its page needs.

Streamlit keeps a description of every widget that a tab has ever shown, with what its callbacks close over, until the tab is closed: about a kilobyte for each
(measured), for a reader who goes through traces some twenty a minute. The value of a widget that is gone it drops by itself; the description goes here, one
page later than the widget: a press that was made on what the browser still shows, while the server is ahead of it, finds its callback.
"""

from __future__ import annotations

from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

_GONE = "_rv_gone_widgets"
"""Ids of widgets whose descriptions are still kept for a late press."""


def let_go_of_gone_widgets() -> None:
    """
    To be called when a page has been drawn whole: what was neither on it nor on the one before it, and has no value, is dropped.

    Not before: a click that ends a drawing early may be on a button that would have come after.
    """
    known = descriptions()
    if known is None:
        return
    described, needed = known
    gone = described.keys() - needed
    for widget in gone & st.session_state.get(_GONE, frozenset()):
        del described[widget]
    st.session_state[_GONE] = frozenset(gone & described.keys())


def descriptions() -> tuple[dict[str, Any], set[str]] | None:
    """This tab's descriptions by widget, and the widgets that are drawn or have a value; None where this Streamlit keeps them elsewhere, or no page is drawn."""
    context = get_script_run_ctx(suppress_warning=True)
    try:
        state = context.session_state._state  # type: ignore[union-attr]  # noqa: SLF001 - there is no other way
        drawn = context.shared.widget_ids_this_run.snapshot()  # type: ignore[union-attr]
        described, needed = state._new_widget_state.widget_metadata, {*state._new_widget_state.states, *state._old_state, *drawn}  # noqa: SLF001
    except AttributeError:
        return None
    return (described, needed) if isinstance(described, dict) else None
