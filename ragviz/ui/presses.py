"""
Buttons whose press is not lost.

``if st.button(…)`` is true in one run only. A click elsewhere that comes before that run has reached the button ends the run, and the press
with it. A press noted by the button's callback stays until a run comes to the button, or has been through the whole page without it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

_NOTED = "_rv_presses"


def pressed(button: Callable[..., bool], label: str, *, key: str, form: bool = False, **look: Any) -> bool:
    """
    Draw a button; True once for each press.

    Args:
        button: ``st.button`` or ``st.form_submit_button``, or that of a container.
        label: Ours, or escaped with ``widgets.md``.
        key: Unique on the page.
        form: The button of a form, which has a key of Streamlit's making.
        look: Passed on.
    """
    button(label, on_click=_note, args=(key,), **({} if form else {"key": key}), **look)
    noted: frozenset[str] = st.session_state.get(_NOTED, frozenset())
    if key not in noted:
        return False
    st.session_state[_NOTED] = noted - {key}
    return True


def forget() -> None:
    """At the end of a run that drew the whole page: whatever nobody asked about belongs to a button that is gone."""
    if st.session_state.get(_NOTED):
        st.session_state[_NOTED] = frozenset()


def _note(key: str) -> None:
    st.session_state[_NOTED] = st.session_state.get(_NOTED, frozenset()) | {key}
