"""
The viewer: answer and passages side by side, a claim linked to its evidence.

One ``st.components.v2`` component. Trace text travels as JSON bytes and reaches the page through text nodes only;
the html, css and js arguments are this folder's own files and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import streamlit as st

from ragviz.ui.linked_text.content import shown

_HERE = Path(__file__).parent
_SCRIPTS = ("dom.js", "drawing.js", "answer.js", "passages.js", "certificate.js", "matrix.js", "keys.js", "viewer.js")

_mount = st.components.v2.component(
    "ragviz_viewer",
    html='<div id="viewer"></div>',
    css=(_HERE / "viewer.css").read_text(encoding="utf-8"),
    js="\n".join((_HERE / name).read_text(encoding="utf-8") for name in _SCRIPTS),
)


def linked_text(
    content: Mapping[str, Any], *, selected: str | None, on_select: Callable[[str | None], None], detail: Mapping[str, str] | None = None,
    link: str = "", key: str = "viewer",
) -> None:
    """
    Draw a viewer.

    Args:
        content: From ``content.build``.
        selected: Claim id that is in the URL. The URL decides; what the component remembers may be stale after Back.
        on_select: Called with the claim the reader picked (None: picked none), before the page runs again.
        detail: Certificate lines of the selected claim, where ``content`` holds too many claims to bring those of all.
        link: Query string of a link to this trace, without the claim.
        key: Identity of this viewer on the page; without a fixed one its state would be lost on every change of content.
    """

    def picked() -> None:
        on_select(choice_of(st.session_state.get(key))[0])

    chosen, sequence = choice_of(st.session_state.get(key))
    payload = {**content, "selected": selected, "seq": echo(selected, chosen, sequence), "link": link}
    if selected is not None and detail:
        payload["detail"] = {"id": selected} | {name: shown(words) for name, words in detail.items() if words}
    _mount(key=key, data=msgspec.json.encode(payload), default={"selected": None}, on_selected_change=picked)


def choice_of(state: Any) -> tuple[str | None, int | None]:
    """Claim id and sequence number of the browser's latest choice. It comes from outside: anything odd counts as no choice."""
    value = state.get("selected") if hasattr(state, "get") else None
    if not isinstance(value, Mapping):
        return None, None
    claim, sequence = value.get("id"), value.get("seq")
    return (claim if isinstance(claim, str) else None), (sequence if isinstance(sequence, int) else None)


def echo(selected: str | None, chosen: str | None, sequence: int | None) -> int | None:
    """
    The number sent back with ``selected``.

    The browser ignores an answer that is older than its latest choice; when the URL says something else than the last choice
    (Back, a deep link), there is no number and the browser obeys.
    """
    return sequence if selected == chosen else None
