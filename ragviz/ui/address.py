"""
Controls of a page whose state lives in the URL: filters, thresholds, sort, page number.

The URL decides, also after Back: each control is told its value before it is drawn, and writes it back when a person changes it.
Defaults leave the URL clean. Values out of the URL are hostile and replaced by the default when they do not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from ragviz.ui import selection, written

PAGE = "p"
"""Query parameter of the page number; every other change of a filter starts again at page 1."""


def put(**changes: str | None) -> None:
    """Write a page's own parameters; None removes. Nothing is written, and no history entry made, when nothing changes."""
    written.change(changes)


def clear(names: Sequence[str]) -> None:
    """Take parameters out of the URL: the callback of "Clear" buttons."""
    put(**dict.fromkeys(names))


def select_box(
    title: str, name: str, options: Sequence[str], *, default: str = "", labels: Mapping[str, str] | None = None, **look: Any,
) -> str:
    """A select box over words; ``default`` must be one of them."""
    shown = selection.choice(st.query_params, name, options) or default
    key = _tell(name, shown)
    st.selectbox(title, [*options], key=key, on_change=_write, args=(name, key, default), format_func=_reader(labels or {}), **look)
    return shown


def multi_select(title: str, name: str, options: Sequence[str], *, labels: Mapping[str, str], **look: Any) -> tuple[str, ...]:
    """Any number of our own words, joined by commas in the URL."""
    shown = words(name, options)
    key = _tell(name, list(shown))
    st.multiselect(title, list(options), key=key, on_change=_write, args=(name, key, ""), format_func=_reader(labels), **look)
    return shown


def words(name: str, allowed: Sequence[str]) -> tuple[str, ...]:
    """The allowed ones of a comma-joined parameter, in the order of ``allowed``."""
    given = (selection.text(st.query_params, name) or "").split(",")
    return tuple(word for word in allowed if word in given)


def pills(title: str, name: str, options: Sequence[str], *, labels: Mapping[str, str], default: str | None = None, **look: Any) -> str | None:
    """One of several words, or none."""
    shown = selection.choice(st.query_params, name, options) or default
    key = _tell(name, shown)
    st.pills(
        title, list(options), key=key, on_change=_write, args=(name, key, default or ""), format_func=_reader(labels), label_visibility="collapsed", **look
    )
    return shown


def segments(title: str, name: str, options: Sequence[str], *, labels: Mapping[str, str], default: str, keep_page: bool = False, **look: Any) -> str:
    """Exactly one of a few words. ``keep_page``: the choice narrows no list."""
    shown = selection.choice(st.query_params, name, options) or default
    key = _tell(name, shown)
    st.segmented_control(
        title, list(options), key=key, required=True, on_change=_write, args=(name, key, default, keep_page), format_func=_reader(labels),
        label_visibility="collapsed", **look,
    )
    return shown


def search_box(title: str, name: str, *, limit: int = 200, **look: Any) -> str:
    """Words to look for."""
    shown = selection.text(st.query_params, name) or ""
    key = _tell(name, shown)
    st.text_input(title, key=key, max_chars=limit, on_change=_write, args=(name, key, ""), **look)
    return shown


def share_slider(title: str, name: str, *, default: float, step: float = 0.05, **look: Any) -> float:
    """A number from 0 to 1, written with two decimals."""
    shown = share(name, default)
    key = _tell(name, shown)
    st.slider(title, 0.0, 1.0, step=step, format="%.2f", key=key, on_change=_write, args=(name, key, f"{default:.2f}"), **look)
    return shown


def share(name: str, default: float) -> float:
    """A parameter from 0 to 1, else the default."""
    try:
        value = float(selection.text(st.query_params, name) or "")
    except ValueError:
        return default
    return round(value, 2) if 0 <= value <= 1 else default


def whole_slider(title: str, name: str, *, low: int, high: int, default: int, **look: Any) -> int:
    """A whole number in a range."""
    shown = selection.number(st.query_params, name, low=low, high=high)
    shown = default if shown is None else shown
    key = _tell(name, shown)
    st.slider(title, low, high, key=key, on_change=_write, args=(name, key, str(default)), **look)
    return shown


def page_number(n_pages: int, *, name: str = PAGE, draw: bool = True) -> int:
    """
    Which page is looked at, from 1. A number past the end, left over from a wider filter, becomes the last page.

    Args:
        n_pages: At least 1.
        name: The query parameter.
        draw: False: only read it, where the buttons stand elsewhere.
    """
    wanted = selection.number(st.query_params, name, low=1, high=10_000_000) or 1
    shown = min(wanted, n_pages)
    if draw and n_pages > 1:
        # Page and bounds are part of the key: a widget that shows another page is another widget.
        key = f"url_{name}_{n_pages}_{shown}"
        st.pagination(n_pages, default=shown, key=key, on_change=_turn, args=(name, key))
    return shown


def _reader(labels: Mapping[str, str]) -> Callable[[str], str]:
    return lambda word: labels.get(word, word)


def _tell(name: str, value: object) -> str:
    key = f"url_{name}"
    if st.session_state.get(key) != value:
        st.session_state[key] = value
    return key


def _turn(name: str, key: str) -> None:
    value = st.session_state[key]
    put(**{name: None if value == 1 else str(value)})


def _write(name: str, key: str, default: str, keep_page: bool = False) -> None:
    """A choice goes to the URL, and the list starts again at its first page."""
    value = st.session_state[key]
    if isinstance(value, float):
        text = f"{value:.2f}"
    elif isinstance(value, list | tuple):
        text = ",".join(value)
    else:
        text = "" if value is None else str(value).strip()
    put(**({} if keep_page else {PAGE: None}), **{name: None if text in ("", default) else text})
