"""
Buttons whose press is not lost, and does not fall on something else.

``if st.button(…)`` is true in one run only. A click elsewhere that comes before that run has reached the button ends the run, and the press
with it. A press noted by the button's callback stays until a run comes to the button, or has been through the whole page without it.

That run may draw another trace or another run of traces than the one that was on the screen when the button was pressed: the other click may
have changed it. So a press knows what it was about, and counts only for that. What must count whatever comes after, such as a person's word,
is done by a callback with what was drawn in its arguments (``on_click``), not here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

_NOTED = "_rv_presses"
NOT_DONE = "Not done: what the button was about had changed by then. Press again."


def pressed(button: Callable[..., bool], label: str, *, key: str, about: object = None, form: bool = False, **look: Any) -> bool:
    """
    Draw a button; True once for each press.

    Args:
        button: ``st.button`` or ``st.form_submit_button``, or that of a container.
        label: Ours, or escaped with ``widgets.md``.
        key: Unique on the page.
        about: What it would act upon as the page stands: the run, the traces. A press that was made about something else says so and is dropped.
        form: The button of a form, which has a key of Streamlit's making.
        look: Passed on.
    """
    button(label, on_click=_note, args=(key, about), **({} if form else {"key": key}), **look)
    noted: dict[str, object] = st.session_state.get(_NOTED, {})
    if key not in noted:
        return False
    st.session_state[_NOTED] = {k: what for k, what in noted.items() if k != key}
    if noted[key] != about:
        st.toast(NOT_DONE)
        return False
    return True


def forget() -> None:
    """At the end of a run that drew the whole page: whatever nobody asked about belongs to a button that is gone."""
    if st.session_state.get(_NOTED):
        st.session_state[_NOTED] = {}


def _note(key: str, about: object) -> None:
    st.session_state[_NOTED] = {**st.session_state.get(_NOTED, {}), key: about}
