"""Pages run without a browser, each test on a store of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from ragviz.store import Store
from tests.app.waiting import PATIENCE_S
from tests.stored import empty_store

APP = Path(__file__).resolve().parents[2] / "app.py"


@pytest.fixture
def app_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """The store the app will open, empty until the test fills it."""
    address = tmp_path / "store.sqlite"
    monkeypatch.setenv("RAGVIZ_STORE", str(address))
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    # Judging starts by itself; a test that wants verdicts brings them.
    monkeypatch.setattr("ragviz.ui.samples.start_judging", lambda *_: None)
    # A page waits for what is worked out beside it; a test that wants to see it unfinished says so.
    monkeypatch.setattr("ragviz.ui.scope.WAIT_S", float(PATIENCE_S))
    # The app's store and query results live in process-wide caches; here every test is a process of its own.
    st.cache_resource.clear()
    st.cache_data.clear()
    store = empty_store(address)
    yield store
    st.cache_resource.clear()
    st.cache_data.clear()
    store.close()


@pytest.fixture
def no_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty store stays empty."""
    monkeypatch.setattr("ragviz.ui.samples.sample_files", lambda _folder: [])


@pytest.fixture
def open_at(app_store: Store) -> Callable[..., AppTest]:
    """Opens a page of the app with query parameters, through app.py as a browser would."""

    def open_(page: str, **params: str) -> AppTest:
        # AppTest.switch_page would run the page file alone; the front door takes the page's name along.
        app = AppTest.from_file(str(APP), default_timeout=PATIENCE_S)
        for name, value in {**params, "_p": page}.items():
            app.query_params[name] = value
        return app.run()

    return open_
