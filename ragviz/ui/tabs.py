"""
What a tab that stays open for long holds in the server: no more than its page needs.

Streamlit keeps a description of every widget that a tab has ever shown, with what its callbacks close over, until the tab is closed: about a kilobyte for each
(measured), for a reader who goes through traces some twenty a minute. The value of a widget that is gone it drops by itself; the description goes here.
"""

from __future__ import annotations

from typing import Any

from streamlit.runtime.scriptrunner import get_script_run_ctx


def let_go_of_gone_widgets() -> None:
    """To be called when a page begins to be drawn: descriptions without a value are dropped. A widget that comes back is described anew."""
    known = descriptions()
    if known is None:
        return
    described, valued = known
    for gone in described.keys() - valued:
        del described[gone]


def descriptions() -> tuple[dict[str, Any], set[str]] | None:
    """This tab's descriptions by widget, and the widgets that have a value; None where this Streamlit keeps them elsewhere, or no page is being drawn."""
    context = get_script_run_ctx(suppress_warning=True)
    try:
        state = context.session_state._state  # type: ignore[union-attr]  # noqa: SLF001 - there is no other way
        described, valued = state._new_widget_state.widget_metadata, {*state._new_widget_state.states, *state._old_state}  # noqa: SLF001
    except AttributeError:
        return None
    return (described, valued) if isinstance(described, dict) else None
