"""Held-out traces on the pages: words hidden until somebody asks for them by name, every look counted and said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ragviz.pipeline import import_files, judge_run
from ragviz.pipeline.held_out import held_out
from ragviz.records import LookKind, Split
from ragviz.store import Store
from ragviz.store.splits import set_split, split_counts
from tests.app.five import FILE, five_cases, shown

Open = Callable[..., AppTest]


def test_the_inspector_asks_first(app_store: Store, open_at: Open) -> None:
    """No word of the trace is on the page before; without a name nothing opens; after it the trace is there, and so is the look."""
    view = five_cases(app_store)
    set_split(app_store, view.run_id, ["lucky_guess"], Split.HELD_OUT)
    trace = next(app_store.traces(view.run_id, ["lucky_guess"]))
    app = open_at("inspector", trace="lucky_guess")

    assert not app.exception
    assert not app.get("bidi_component")
    assert "This trace is held out" in shown(app)
    assert trace.question not in shown(app)
    assert "1 held-out, never looked at" in shown(app)
    next(b for b in app.button if b.label == "Open and note it").click().run()
    assert any("A name is needed" in said.value for said in app.error)
    assert not app.get("bidi_component")
    app.text_input(key="held-out-name-inspector").set_value("Ada")
    next(b for b in app.button if b.label == "Open and note it").click().run()

    found = held_out(app_store, view.run_id)
    assert app.get("bidi_component")
    assert found is not None
    assert [("Ada", LookKind.OPENED, "Inspector")] == [(look.who, look.kind, look.place) for look in found.looks]
    again = open_at("inspector", trace="lucky_guess")
    assert "opened once by 1 person" in shown(again)
    assert not again.get("bidi_component")
    assert 1 == len(held_out(app_store, view.run_id).looks)  # type: ignore[union-attr]


def test_other_traces_are_opened_as_ever(app_store: Store, open_at: Open) -> None:
    """Only the held-out one asks."""
    view = five_cases(app_store)
    set_split(app_store, view.run_id, ["lucky_guess"], Split.HELD_OUT)

    assert open_at("inspector", trace="good_return").get("bidi_component")


def test_the_list_hides_words_and_keeps_numbers(app_store: Store, open_at: Open) -> None:
    """Question, worst claim and answer are hidden, scores are not; shown after the question was answered."""
    view = five_cases(app_store)
    set_split(app_store, view.run_id, ["lucky_guess", "off_topic"], Split.HELD_OUT)
    app = open_at("traces")
    table = app.dataframe[0].value.set_index("trace")

    assert not app.exception
    assert ["held out", "held out"] == table.loc[["lucky_guess", "off_topic"], "question"].tolist()
    assert "held out" != table.loc["good_return", "question"]
    assert 0 == table.loc["lucky_guess", "faithf."]
    assert "2 rows here are held out" in shown(app)


def test_no_page_shows_words_or_the_place_of_a_single_one(app_store: Store, open_at: Open, tmp_path: Path) -> None:
    """Overview, Quadrants, Sources, Citations, Compare and the disagreements: numbers of all traces, words of none that is held out."""
    view = five_cases(app_store)
    judge_run(app_store, view.run_id, "local")
    other = tmp_path / "other.json"
    other.write_text(FILE.read_text(encoding="utf-8").replace("90 days", "95 days"), encoding="utf-8")
    base = judge_run(app_store, import_files(app_store, [other], run_name="other").run_id, "facts").view
    ids = app_store.trace_ids(view.run_id)
    for run_id in (view.run_id, base.run_id):
        set_split(app_store, run_id, ids, Split.HELD_OUT)
    cases = list(app_store.judged(view))
    secret = [*(c.trace.question for c in cases), *(claim.text for c in cases for claim in c.claims if len(claim.text) > 12)]

    for page, params in (
        ("overview", {}),
        ("quadrants", {"cell": "wrong_mirror"}),
        ("sources", {}),
        ("citations", {}),
        ("retrieval", {}),
        ("compare", {"base": base.run_id}),
        ("judges", {"tab": "differ"}),
        ("judges", {"tab": "label"}),
        ("traces", {}),
    ):
        app = open_at(page, run=view.run_id, **params)
        words = (
            shown(app)
            + " ".join(t.value for t in app.text)
            + " ".join(d.value.to_csv() for d in app.dataframe)
            + " ".join(c.proto.spec for c in app.get("plotly_chart"))
        )

        assert not app.exception, page
        assert "5 held-out, never looked at" in words, page
        assert [s for s in secret if s in words] == [], page
    quadrants = open_at("quadrants", run=view.run_id, cell="wrong_mirror")
    assert "4 held-out traces not drawn" in shown(quadrants)
    assert all(value is None or value != value for value in quadrants.dataframe[0].value["faithf."])  # noqa: PLR0124 - NaN


def test_the_lab_asks_first(app_store: Store, open_at: Open) -> None:
    """The answer that a remedy would be tried on is shown after a name was given."""
    view = five_cases(app_store)
    set_split(app_store, view.run_id, ["lucky_guess"], Split.HELD_OUT)
    trace = next(app_store.traces(view.run_id, ["lucky_guess"]))
    app = open_at("lab", trace="lucky_guess")

    words = shown(app) + " ".join(t.value for t in app.text)
    assert not app.exception
    assert "This trace is held out" in words
    assert trace.question not in words
    app.text_input(key="held-out-name-lab").set_value("Ada")
    next(b for b in app.button if b.label == "Open and note it").click().run()
    assert trace.question in " ".join(t.value for t in app.text)


def test_traces_are_put_into_a_split(app_store: Store, open_at: Open) -> None:
    """All that pass the filters; the tag can be filtered by; taking held-out ones out again is a look."""
    view = five_cases(app_store)
    app = open_at("traces", quadrant="lucky_guess")
    app.session_state["keep-for"] = True
    app.run()
    app.selectbox(key="keep-split").set_value("held-out")
    app.text_input(key="keep-name").set_value("Ada")
    next(b for b in app.button if b.label == "Keep").click().run()

    assert not app.exception
    assert {Split.HELD_OUT: 1} == split_counts(app_store, view.run_id)
    app.selectbox(key="keep-split").set_value("")
    next(b for b in app.button if b.label == "Keep").click().run()
    assert {} == split_counts(app_store, view.run_id)


@pytest.mark.parametrize("page", ["overview", "quadrants", "compare", "judges"])
def test_a_page_of_means_says_that_held_out_traces_are_in_them(app_store: Store, open_at: Open, page: str) -> None:
    """On the page itself, beside the numbers; and nothing where there are none."""
    view = five_cases(app_store)
    judge_run(app_store, import_files(app_store, [FILE], run_name="again").run_id, "facts")
    params = {"run": view.run_id, **({"base": "again"} if page == "compare" else {})}
    said = "in these numbers and charts"

    assert said not in shown(open_at(page, **params))
    set_split(app_store, view.run_id, ["lucky_guess", "off_topic"], Split.HELD_OUT)
    app = open_at(page, **params)

    assert not app.exception
    assert f"**2 held-out traces** are {said}" in shown(app)
