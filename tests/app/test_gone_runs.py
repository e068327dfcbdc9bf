"""A link to a run that was deleted: every page says so, and Compare compares nothing in its place."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from ragviz.store import Store
from ragviz.ui.shell import PAGES
from tests.browser.scenario import a_rich_case
from tests.stored import fill

Open = Callable[..., AppTest]
SAID = "not in the store any more"


@pytest.mark.parametrize("page", [info.name for info in PAGES])
def test_every_page_says_so(app_store: Store, open_at: Open, page: str) -> None:
    """With the name in the link, taken literally, and the run that is shown."""
    fill(app_store, a_rich_case(), name="baseline")

    app = open_at(page, run="deleted-run-**123**")

    assert not app.exception
    (told,) = [one.value for one in app.info if SAID in one.value]
    assert r"deleted\-run\-\*\*123\*\*" in told
    assert "baseline" in told


@pytest.mark.parametrize("page", [info.name for info in PAGES])
def test_no_link_carries_it_on(app_store: Store, open_at: Open, page: str) -> None:
    """The menu and the page's own links lead to the run that is shown: the next page says nothing of a gone one."""
    fill(app_store, a_rich_case(), name="baseline")

    app = open_at(page, run="deleted-run-123")

    links = [link.proto.query_string for link in app.get("page_link")]
    assert len(links) >= len(PAGES)
    assert not any("deleted" in link for link in links)
    assert all(app_store.run("baseline").run_id in link for link in links[: len(PAGES)])


@pytest.mark.parametrize("named", ["baseline", "", "id"])
def test_a_run_that_is_there_says_nothing(app_store: Store, open_at: Open, named: str) -> None:
    """By name, by id, or by none."""
    fill(app_store, a_rich_case(), name="baseline")
    run = {"": {}, "id": {"run": app_store.run("baseline").run_id}}.get(named, {"run": named})

    app = open_at("overview", **run)

    assert not app.exception
    assert not [one.value for one in app.info if SAID in one.value]


def test_compare_compares_no_other_run(app_store: Store, open_at: Open) -> None:
    """Neither for a candidate nor for a baseline that is gone."""
    for name in ("baseline", "newer"):
        fill(app_store, a_rich_case(), name=name)

    candidate = open_at("compare", run="deleted-run-123", base="baseline")
    base = open_at("compare", run="newer", base="deleted-run-123")

    for app in (candidate, base):
        assert not app.exception
        assert any(SAID in one.value for one in [*app.markdown, *app.caption])
        assert not any("Comparable" in one.value for one in [*app.markdown, *app.caption])
