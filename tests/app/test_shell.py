"""The frame: who comes in by a side door is led to the front, and the scope follows from page to page."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from msgspec.structs import replace
from streamlit.testing.v1 import AppTest

from ragviz.contracts import View
from ragviz.store import Store
from ragviz.ui import resources, scope
from tests.app.conftest import APP
from tests.app.waiting import PATIENCE_S
from tests.browser.scenario import a_rich_case
from tests.stored import fill, renamed

PAGES = sorted(p.stem for p in (APP.parent / "pages").glob("*.py") if p.stem != "__init__")


@pytest.mark.parametrize("page", PAGES)
def test_no_page_runs_before_the_app(app_store: Store, page: str) -> None:
    """On a fresh server Streamlit runs a deep-linked page file directly; the page itself leads back through app.py."""
    fill(app_store, a_rich_case())
    app = AppTest.from_file(str(APP), default_timeout=PATIENCE_S)

    app.switch_page(f"pages/{page}.py").run()

    assert not app.exception
    assert [s.label for s in app.sidebar.selectbox][:1] == ["Run"]
    assert app.session_state["_rv_app"] is True


@pytest.mark.parametrize("wanted", ["nowhere", "../app", "<script>", ""])
def test_the_detour_leads_to_known_pages_only(app_store: Store, wanted: str) -> None:
    """Anything else than a page of ours is dropped from the address."""
    fill(app_store, a_rich_case())
    app = AppTest.from_file(str(APP), default_timeout=PATIENCE_S)
    app.query_params["_p"] = wanted

    app.run()

    assert not app.exception
    assert "_p" not in app.query_params


class TestScope:
    @pytest.mark.parametrize("page", ["overview", "traces", "inspector"])
    def test_a_run_that_comes_while_the_page_is_drawn_waits_for_the_next(
        self, app_store: Store, open_at: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch, page: str
    ) -> None:
        """Sidebar and page speak of the same run, whatever is imported between them; the next page shows the new one."""
        fill(app_store, renamed(a_rich_case(), "old"), name="v1")
        draw = scope.draw

        def draw_and_import() -> None:
            draw()
            monkeypatch.setattr(scope, "draw", draw)
            fill(app_store, renamed(a_rich_case(), "new"), name="v2")

        monkeypatch.setattr(scope, "draw", draw_and_import)
        seen: list[str] = []
        view = resources.view

        def watched(k: int | None = None) -> View | None:
            found = view(k)
            seen.append(found.run_id if found else "")
            return found

        monkeypatch.setattr(resources, "view", watched)

        app = open_at(page)

        assert not app.exception
        assert (app.sidebar.selectbox[0].value, set(seen)) == ("v1", {"v1"})
        seen.clear()
        app = open_at(page)
        assert (app.sidebar.selectbox[0].value, set(seen)) == ("v2", {"v2"})

    def test_run_and_policy_of_the_url_are_shown(self, app_store: Store, open_at: Callable[..., AppTest]) -> None:
        """Two runs; the address names the older one and the strict policy."""
        fill(app_store, a_rich_case(), name="baseline")
        fill(app_store, renamed(a_rich_case(), "other"), name="candidate")

        app = open_at("inspector", run="baseline", policy="strict")

        assert [(s.label, s.value) for s in app.sidebar.selectbox] == [("Run", "baseline"), ("Judge", "local"), ("Policy", "strict")]

    def test_a_run_still_being_made_is_not_the_one_shown(self, app_store: Store, open_at: Callable[..., AppTest]) -> None:
        """A remedy at work fills a newer run: an address without a run stays on the finished one; by its name it can be seen."""
        fill(app_store, a_rich_case(), name="baseline")
        made = app_store.run("baseline")
        app_store.create_run(replace(made, run_id="making", name="making", created_at=made.created_at + timedelta(days=1)))

        assert open_at("overview").sidebar.selectbox(key="scope_run").value == "baseline"
        assert open_at("overview", run="making").sidebar.selectbox(key="scope_run").value == "making"
        app_store.finish_run(app_store.run("making"))
        assert open_at("overview").sidebar.selectbox(key="scope_run").value == "making"

    def test_unknown_values_fall_back(self, app_store: Store, open_at: Callable[..., AppTest]) -> None:
        """No such run, judge or policy: the newest run, its judge, the default policy."""
        fill(app_store, a_rich_case(), name="baseline")

        app = open_at("inspector", run="gone", judge="' OR 1=1", policy="harsh")

        assert not app.exception
        assert [s.value for s in app.sidebar.selectbox] == ["baseline", "local", "default"]

    @pytest.mark.parametrize(("widget", "value", "left"), [
        ("scope_policy", "strict", {"run": "candidate", "trace": "other", "policy": "strict"}),
        ("scope_run", "baseline", {"run": "baseline"}),
    ])
    def test_choosing_writes_the_address(self, app_store: Store, open_at: Callable[..., AppTest], widget: str, value: str, left: dict[str, str]) -> None:
        """A policy is added; another run forgets the trace."""
        fill(app_store, a_rich_case(), name="baseline")
        fill(app_store, renamed(a_rich_case(), "other"), name="candidate")
        app = open_at("overview", run="candidate", trace="other")

        app.sidebar.selectbox(key=widget).set_value(value).run()

        assert not app.exception
        assert {name: "".join(found) for name, found in dict(app.query_params).items()} == left

    def test_the_scope_follows_to_the_next_page(self) -> None:
        """The navigation drops the address's parameters; the scope is put back, trace and claim are not."""
        app = AppTest.from_function(_recall)
        app.query_params["run"], app.query_params["trace"] = "baseline", "tr-0417"
        app.run()
        for name in list(app.query_params):
            del app.query_params[name]

        app.run()

        assert dict(app.query_params) == {"run": "baseline"}


def _recall() -> None:
    from ragviz.ui import selection

    selection.recall_scope()


def test_an_empty_store_says_what_to_do(app_store: Store, no_samples: None, open_at: Callable[..., AppTest]) -> None:
    """No run, no samples: a sentence and buttons, on every page."""
    app = open_at("inspector")

    assert not app.exception
    assert "No traces yet" in " ".join(m.value for m in app.markdown)
    assert [b.label for b in app.button] == ["Load a file", "Try the sample traces"]


def test_the_first_start_loads_the_samples(app_store: Store, open_at: Callable[..., AppTest]) -> None:
    """An empty store gets one run per sample file; the candidate is the newest, and is the one shown."""
    app = open_at("inspector")

    names = {r.run_id: r.name for r in app_store.runs()}
    assert "five_cases" in names.values()
    assert names[app.sidebar.selectbox[0].value] == "candidate"


def test_a_store_that_cannot_be_opened_is_one_sentence(tmp_path: object, app_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder in place of the file: what is wrong and what to do, no traceback."""
    monkeypatch.setenv("RAGVIZ_STORE", str(tmp_path))
    app = AppTest.from_file(str(APP), default_timeout=PATIENCE_S).run()

    assert not app.exception
    assert len(app.error) == 1
    assert "is not a file" in app.error[0].value
