"""While others write, dear numbers may be some seconds old, and the page says so; who changes something sees what follows at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from streamlit.testing.v1 import AppTest

from ragviz.contracts import View
from ragviz.pipeline import score_view
from ragviz.records import Annotation, Grounding
from ragviz.store import Store
from ragviz.ui import process, remembering, resources
from tests.app.five import five_cases as load

Open = Callable[..., AppTest]
SAID = "Some numbers here are as of"


@pytest.fixture
def all_dear(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every answer counts as dear, and may be minutes old."""
    monkeypatch.setattr(remembering, "DEAR_S", 0.0)
    monkeypatch.setattr(remembering, "SHARE", 1e9)


def overruled(store: Store, view: View) -> None:
    """Another process labels a claim, supported where the judge says otherwise, and computes the scores anew."""
    case = next(c for c in store.judged(view, ["lucky_guess"]))
    store.annotate(
        view.run_id,
        Annotation(
            trace_id="lucky_guess", claim_id=case.claims[0].id, claim_set=view.claim_set, grounding=Grounding.SUPPORTED, author="ada", at=datetime.now(UTC)
        ),
    )
    score_view(store, view)


def told(app: AppTest) -> bool:
    return any(c.value.startswith(SAID) for c in app.sidebar.caption)


def test_up_to_date_where_nobody_writes(app_store: Store, open_at: Open, all_dear: None) -> None:
    """No word of age, however dear."""
    load(app_store)
    open_at("overview")
    app = open_at("overview")
    assert not app.exception
    assert not told(app)


def test_older_numbers_say_so(app_store: Store, open_at: Open, all_dear: None) -> None:
    """Another process writes: the old numbers stay for a while with their time; once a page itself has written, they are new."""
    view = load(app_store)
    open_at("overview")
    overruled(app_store, view)

    assert told(open_at("overview"))

    resources.refresh()  # what a page's own word does
    app = open_at("overview")
    assert not app.exception
    assert not told(app)


def test_cheap_numbers_are_always_new(app_store: Store, open_at: Open) -> None:
    """As things are, with nothing dear: the next look shows what another process wrote."""
    view = load(app_store)
    open_at("overview")
    overruled(app_store, view)
    assert not told(open_at("overview"))


def test_a_page_that_writes_counts_as_its_reader(app_store: Store, open_at: Open) -> None:
    """Dismissing the tour writes to the store from the page: from then on nothing older is shown. Writing elsewhere does not."""
    view = load(app_store)
    app = open_at("overview")
    memory = process.memory()
    before = memory.n_own
    overruled(app_store, view)
    assert memory.n_own == before
    app.button(key="tour-done").click().run()
    assert memory.n_own > before
