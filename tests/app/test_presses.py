"""A press that reaches the server together with another click: what it does, it does to what was on the screen."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ragviz.grounding import ANSWERS
from ragviz.pipeline.held_out import held_out, set_split
from ragviz.records import Split
from ragviz.store import Store, TraceFilter
from ragviz.store.labels import people_said
from ragviz.ui import presses
from tests.app.five import five_cases
from tests.app.inspected import words
from tests.browser.scenario import a_rich_case
from tests.stored import fill, renamed

Open = Callable[..., AppTest]


def _press(app: AppTest, label: str, **address: str) -> None:
    """The button, in one request with another address: what a click elsewhere brings that comes before the press was answered."""
    button = next(b for b in app.button if b.label == label).click()
    for name, value in address.items():
        app.query_params[name] = value
    button.run()
    assert not app.exception


class TestAPersonsWord:
    def test_on_a_claim(self, app_store: Store, open_at: Open) -> None:
        """Save on c4, and c2 is picked: the word is on c4, with the reason that was typed there; the page is at c2."""
        fill(app_store, a_rich_case())
        app = open_at("inspector", trace="tr-0417", claim="c4")
        app.text_input(key="author").set_value("Ada")
        app.text_input(key="reason-tr-0417-c4").set_value("the shop's own page")

        _press(app, "Save", claim="c2")

        assert [("c4", "the shop's own page")] == [(note.claim_id, note.reason) for note in people_said(app_store, "made-up", "rules")]
        assert "Overrule c2 as" in [box.label for box in app.selectbox]

    def test_without_a_name(self, app_store: Store, open_at: Open) -> None:
        """It says on which claim nothing was said."""
        fill(app_store, a_rich_case())
        app = open_at("inspector", trace="tr-0417", claim="c4")

        _press(app, "Save", claim="c2")

        assert "Nothing was said of c4" in words(app)
        assert not people_said(app_store, "made-up", "rules")

    def test_on_an_answer(self, app_store: Store, open_at: Open) -> None:
        """And then the next trace: the first one was meant."""
        fill(app_store, a_rich_case(), renamed(a_rich_case(), "tr-2"))
        app = open_at("inspector", trace="tr-0417")
        app.text_input(key="author-of-answer").set_value("Ada")

        _press(app, "This is a refusal", trace="tr-2")

        assert [("tr-0417", True)] == [(note.trace_id, note.declines) for note in people_said(app_store, "made-up", ANSWERS)]

    def test_a_file_of_labels(self, app_store: Store, open_at: Open) -> None:
        """Import, and the next tab: the labels of the file are stored, though the form is empty by then."""
        case = a_rich_case()
        fill(app_store, case)
        claim = next(c for c in case.claims if c.id == "c4")
        row = {"claim": claim.text, "passages": [p.text for p in case.trace.passages or ()], "label": "supported", "meta": {"trace_id": "tr-0417", "claim_id": "c4"}}
        app = open_at("judges")
        app.file_uploader(key="labels-file").set_value(("labels.jsonl", (json.dumps(row) + "\n").encode(), "application/x-ndjson"))
        app.text_input(key="labels-author").set_value("Ada")

        _press(app, "Import", tab="label")

        assert [("c4", "Ada")] == [(note.claim_id, note.author) for note in people_said(app_store, "made-up", "rules")]

    def test_then_another_page(self, app_store: Store, open_at: Open) -> None:
        """The word is stored, whichever page the reader is on by then."""
        fill(app_store, a_rich_case())
        app = open_at("inspector", trace="tr-0417", claim="c4")
        app.text_input(key="author").set_value("Ada")
        next(b for b in app.button if b.label == "Save").click()

        app.switch_page("pages/overview.py").run()

        assert ["c4"] == [note.claim_id for note in people_said(app_store, "made-up", "rules")]

    def test_a_case_to_keep(self, app_store: Store, open_at: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The rule holds the words of the claim that was on the screen."""
        fill(app_store, a_rich_case())
        kept: list[dict[str, Any]] = []
        monkeypatch.setattr("ragviz.ui.views.inspector_keep.keep", lambda folder, trace, **rule: kept.append({"trace": trace.id, **rule}))
        app = open_at("inspector", trace="tr-0417", claim="c1")
        typed = next(box for box in app.text_input if box.key and box.key.endswith("tr-0417-c1") and box.key.startswith("test-words"))
        typed.set_value("30 days")

        _press(app, "Keep as a test", claim="c2")

        assert [("tr-0417", "30 days")] == [(rule["trace"], rule["claim"]) for rule in kept]


class TestHeldOut:
    def test_only_what_was_on_the_screen_is_opened(self, app_store: Store, open_at: Open) -> None:
        """Open and note it, and the next held-out trace: that one still asks, and the look is noted at the first."""
        view = five_cases(app_store)
        set_split(app_store, view.run_id, ["lucky_guess", "off_topic"], Split.HELD_OUT)
        app = open_at("inspector", trace="lucky_guess")
        app.text_input(key="held-out-name-inspector").set_value("Ada")

        _press(app, "Open and note it", trace="off_topic")

        assert "This trace is held out" in words(app)
        found = held_out(app_store, view.run_id)
        assert found is not None
        assert 1 == sum(look.n_traces for look in found.looks)

    def test_only_what_was_listed_is_moved(self, app_store: Store, open_at: Open) -> None:
        """Keep, and another filter: the traces of the first list."""
        view = five_cases(app_store)
        app = open_at("traces", quadrant="lucky_guess")
        before = app_store.passing(view, TraceFilter(quadrants=("lucky_guess",)))
        app.session_state["keep-for"] = True
        app.run()
        app.selectbox(key="keep-split").set_value("held-out")

        _press(app, "Keep", quadrant="wrong_mirror")

        assert 0 < len(before) < 5
        assert before == app_store.passing(view, TraceFilter(tags={"split": "held-out"}))


def test_a_choice_keeps_what_the_browser_has_not_heard_of(app_store: Store, open_at: Open) -> None:
    """c4 is picked; fewer passages come with the address before that: both hold."""
    fill(app_store, a_rich_case())
    app = open_at("inspector", trace="tr-0417", claim="c5")
    before = dict(app.query_params)
    shows = next(b for b in app.button if b.label.startswith("Show ") and b.label.endswith(" above") and "c5" not in b.label)
    shows.click().run()
    picked = app.query_params["claim"]
    app.query_params.clear()
    for name, value in before.items():
        app.query_params[name] = value

    app.slider(key="k-tr-0417").set_value(4).run()

    assert picked != before["claim"]
    assert (picked, "4") == (app.query_params["claim"], app.query_params["k"])


def test_a_view_is_saved_as_it_was_listed(app_store: Store, open_at: Open) -> None:
    """Save, and another filter: the name stands for the first one."""
    five_cases(app_store)
    app = open_at("traces", quadrant="lucky_guess")
    app.session_state["saved-views"] = True
    app.run()
    app.text_input(key="save-name").set_value("lucky ones")

    _press(app, "Save", quadrant="wrong_mirror")

    assert {"lucky ones": {"quadrant": "lucky_guess"}} == app_store.kept("traces-view", dict[str, str])


def test_a_press_that_was_about_something_else_is_dropped_and_said() -> None:
    """Judge on run a, and run b is chosen: b is not judged, and the reader is told; pressed again, it is."""
    app = AppTest.from_function(_a_page, args=("a",)).run()
    app.button(key="go").click()
    app.session_state["run"] = "b"
    app.run()
    assert ([], [presses.NOT_DONE]) == (app.session_state["done"], [t.value for t in app.toast])

    app.button(key="go").click().run()

    assert ["b"] == app.session_state["done"]


def _a_page(first: str) -> None:
    import streamlit as st

    from ragviz.ui import presses as under_test

    run = st.session_state.setdefault("run", first)
    done = st.session_state.setdefault("done", [])
    if under_test.pressed(st.button, "Judge", key="go", about=run):
        done.append(run)
    under_test.forget()


