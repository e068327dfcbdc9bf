"""
The column of a grid that leads on, to what its rows showed when they were drawn.

A grid tells which row was pressed, by its place. By the time that the page is drawn again, another click or a judge at work may have put another trace in that
place, so the press is answered by a callback that holds the rows as they were, under a key that names them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from ragviz.ui import selection, tables

Params = Mapping[str, str | int | None]


def opening(key: str, page: str, rows: Sequence[Params | None], *, width: int = 58, pinned: bool = False) -> Any:
    """
    The column's configuration.

    Args:
        key: Unique on the page.
        page: File name in ``pages`` without ``.py``.
        rows: For each row the query parameters of that page; None where it leads nowhere.
        width: px.
        pinned: Stays at the left.
    """
    return choosing(key, [row and tuple(row.items()) for row in rows], partial(_open, page), width=width, pinned=pinned)


def choosing(key: str, rows: Sequence[Any], then: Callable[[Any], None], *, width: int = 58, pinned: bool = False) -> Any:
    """The same for any choice: ``then`` is called with the element of ``rows`` that was pressed, in a callback; None is passed over."""
    named = tables.key_of(key, rows)
    return st.column_config.ButtonColumn(
        "", type="tertiary", width=width, key=named, pinned=pinned or None, on_click=_pressed, args=(named, tuple(rows), then)
    )


def _pressed(key: str, rows: Sequence[Any], then: Callable[[Any], None]) -> None:
    click = st.session_state.get(key)
    if click is not None and 0 <= click["row"] < len(rows) and rows[click["row"]] is not None:
        then(rows[click["row"]])


def _open(page: str, params: Sequence[tuple[str, str | int | None]]) -> None:
    selection.open_page(page, **dict(params))
