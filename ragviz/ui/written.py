"""
What this session has written to the address, whether or not the browser has heard of it yet.

Every request brings the address as the browser last saw it. A second click may come before the answer to the first has arrived: its
address is older than what the session has written, and taken at its word it would undo the first click. So the session remembers what
it wrote and over what; an address out of that past is caught up with before anything reads it. Back and forward are told apart: they
mean the address that they bring.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

WANTED_PAGE = "_p"
"""Query parameter that says to which page a link leads, where its path does not: taken out again on arrival."""

_MEMORY = "_rv_written"
_LATE = "_rv_late"
MOST = 20
"""Addresses that are remembered as overwritten: so many clicks ahead of the browser nobody is."""


class Written(NamedTuple):
    """The address as this session knows it."""

    page: str
    now: dict[str, str]
    before: tuple[dict[str, str], ...] = ()
    """What ``now`` was written over, step by step, since the reader last came to an address by himself."""


def arrive(page: str, *, by_link: bool = False) -> None:
    """First thing of every run: whether the reader has come to another page, or by a link (then the address means what it says), or the browser is late."""
    known = _known()
    if known is None or known.page != page or by_link:
        st.session_state[_MEMORY] = Written(page, st.query_params.to_dict())
    else:
        catch_up()
    st.session_state[_LATE] = False


def catch_up() -> bool:
    """
    Put the address right if it is one that this session has written over.

    Returns:
        In callbacks: whether the request came before the browser had heard of the last answer.
    """
    known, given = _known(), st.query_params.to_dict()
    if known is not None and given != known.now:
        if is_late(given, known, by_history=_by_history()):
            st.session_state[_LATE] = True
            st.query_params.from_dict(known.now)
        else:
            st.session_state[_MEMORY] = Written(known.page, given)
    return bool(st.session_state.get(_LATE))


def is_late(given: Mapping[str, str], known: Written, *, by_history: bool) -> bool:
    """Whether an address is one that this session has written over and the reader has not gone back to."""
    return given != known.now and not by_history and given in known.before


def change(changes: Mapping[str, str | None]) -> bool:
    """Write parameters; None removes. Nothing is written, and no history entry made, when nothing changes. True: something did."""
    catch_up()
    before = st.query_params.to_dict()
    after: dict[str, str | None] = {**before, **changes}
    kept = {name: value for name, value in after.items() if value is not None}
    if kept == before:
        return False
    known = _known()
    # Remembered first: a request that cuts in between finds what is still to be written.
    st.session_state[_MEMORY] = Written(known.page if known else "", kept, (*(known.before if known else ()), before)[-MOST:])
    st.query_params.from_dict(kept)
    return True


def is_shown(page: str) -> bool:
    """Whether the reader is on that page. A link to it has to say so (``WANTED_PAGE``): it may lead to an address that was written over."""
    known = _known()
    return known is not None and known.page == page


def _known() -> Written | None:
    known = st.session_state.get(_MEMORY)
    return known if isinstance(known, Written) else None


def _by_history() -> bool:
    """Whether the reader pressed Back or forward."""
    return bool(getattr(get_script_run_ctx(suppress_warning=True), "is_history_navigation", False))
