"""What went wrong in a callback, which cannot draw: kept until the page comes to the place where it is to be read."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import streamlit as st

from ragviz.errors import RagvizError
from ragviz.ui import widgets

P = ParamSpec("P")

_KEPT = "_rv_troubles"


def keep(place: str, message: str, fix: str) -> None:
    """One sentence and what to do about it, for a place; a newer one takes the place of an older one."""
    st.session_state[_KEPT] = {**st.session_state.get(_KEPT, {}), place: (message, fix)}


def kept(place: str) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Decorator of a callback: whatever goes wrong in it on purpose is kept for a place."""

    def guard(callback: Callable[P, None]) -> Callable[P, None]:
        @wraps(callback)
        def guarded(*args: P.args, **named: P.kwargs) -> None:
            try:
                callback(*args, **named)
            except RagvizError as exc:
                keep(place, exc.message, exc.fix)

        return guarded

    return guard


def tell(place: str) -> None:
    """Draw what is kept for this place, once."""
    trouble = st.session_state.get(_KEPT, {}).pop(place, None)
    if trouble is not None:
        widgets.problem(*trouble, key=place)
