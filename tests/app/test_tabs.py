"""A tab that stays open holds what its page needs, however many traces were looked at in it."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from ragviz.store import Store
from ragviz.ui import tabs
from tests.app.five import five_cases

Open = Callable[..., AppTest]


def described(app: AppTest) -> set[str]:
    """Widgets of which Streamlit keeps a description. That this finds them is what tells when a newer Streamlit keeps them elsewhere."""
    return set(app._session_state._state._new_widget_state.widget_metadata)


def look(app: AppTest, page: str, **params: str) -> None:
    """A click in the same tab; through app.py, as the server does it."""
    app._page_hash = app._finished_page_script_hash = ""
    for name, value in {**params, "_p": page}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception


def test_going_through_traces_leaves_nothing_behind(app_store: Store, open_at: Open) -> None:
    """Thirty looks at five traces: no more widgets are described than the last pages have."""
    five_cases(app_store)
    ids = app_store.trace_ids(app_store.runs()[0].run_id)
    app = open_at("inspector", trace=ids[0])
    after, ever = [], set()
    for n in range(30):
        look(app, "inspector", trace=ids[n % 5], claim=f"c{n % 3 + 1}", k=str(n % 4 + 1))
        after.append(len(described(app)))
        ever |= described(app)

    assert len(ever) > 1.5 * max(after)
    assert max(after[15:]) <= max(after[:15])


def test_what_was_typed_lasts(app_store: Store, open_at: Open) -> None:
    """A name typed once is there at the next trace, and after a look at another page."""
    five_cases(app_store)
    ids = app_store.trace_ids(app_store.runs()[0].run_id)
    app = open_at("inspector", trace=ids[0], claim="c1")
    app.text_input(key="author").set_value("ada")
    next(b for b in app.button if b.label == "Save").click().run()
    look(app, "overview")
    look(app, "traces")
    look(app, "inspector", trace=ids[1], claim="c1")

    assert app.text_input(key="author").value == "ada"


def test_outside_a_page_nothing_happens() -> None:
    """Where no page is drawn there is nothing to let go of."""
    tabs.let_go_of_gone_widgets()
    assert tabs.descriptions() is None
