"""A timer in a fragment brings the address as the browser last saw it; a newer choice must win."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def _page() -> None:
    import streamlit as st

    from ragviz.ui import selection

    if st.session_state.get("stale"):
        selection.settle()
    else:
        selection.recall_scope()


def test_an_older_address_is_put_right() -> None:
    """The session knew c4 and k = 2; the timer says c1: c4 and k = 2 stand again, and a page's own filter stays."""
    app = AppTest.from_function(_page)
    for name, value in {"run": "v7", "trace": "t1", "claim": "c4", "k": "2"}.items():
        app.query_params[name] = value
    app.run()
    app.query_params["claim"] = "c1"
    app.query_params["q"] = "refund"
    del app.query_params["k"]
    app.session_state["stale"] = True

    app.run()

    assert {name: "".join(value) for name, value in dict(app.query_params).items()} == {"run": "v7", "trace": "t1", "claim": "c4", "k": "2", "q": "refund"}
