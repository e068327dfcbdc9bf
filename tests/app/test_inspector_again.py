"""The Inspector: a claim is judged again."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from ragviz.pipeline import judge_run
from ragviz.store import Store
from tests.app.five import five_cases
from tests.app.inspected import content, words
from tests.app.waiting import over
from tests.browser.scenario import a_rich_case
from tests.stored import fill


def test_a_judge_that_cannot_read_the_claim_is_a_sentence(app_store: Store, open_at: Callable[..., AppTest]) -> None:
    """The facts judge wants annotated pairs: reason and way out, no traceback; the verdict in force stays."""
    fill(app_store, a_rich_case())
    app = open_at("inspector", trace="tr-0417", claim="c5")

    app.selectbox(key="rejudge_with").set_value("facts").run()
    app.button(key="rejudge").click().run()
    over()
    app.run()

    assert not app.exception
    assert "annotated attribute" in app.error[0].value.replace("\\", "")
    assert content(app)["claims"][4]["v"] == "n"


def test_judging_again_says_that_it_would_repeat_where_nobody_else_can_be_asked(app_store: Store, open_at: Callable[..., AppTest]) -> None:
    """And names a model that could be; with another judge shown, judging is no repetition."""
    five_cases(app_store)
    run = app_store.runs()[0].run_id
    judge_run(app_store, run, "local")
    local = next(view for view, _ in app_store.views(run) if view.judge.startswith("local"))

    for judge, repeats in ((local.judge, True), (next(v.judge for v, _ in app_store.views(run) if v.judge.startswith("facts")), False)):
        app = open_at("inspector", run=run, judge=judge)
        app.selectbox(key="rejudge_with").set_value("local").run()
        assert not app.exception
        assert ("nli:cross-encoder/nli-deberta-v3-base" in words(app)) is repeats


def test_a_button_that_could_only_repeat_is_held_back(app_store: Store, open_at: Callable[..., AppTest]) -> None:
    """Local has judged all of it: the button says so and waits for "Ask all the same"; a judge that has not spoken is asked at once."""
    five_cases(app_store)
    run = app_store.runs()[0].run_id
    judge_run(app_store, run, "local")
    local = next(view for view, _ in app_store.views(run) if view.judge.startswith("local"))

    app = open_at("inspector", run=run, judge=local.judge)
    app.selectbox(key="rejudge_with").set_value("local").run()
    assert app.button(key="rejudge").disabled
    assert "would repeat that" in words(app)
    app.checkbox(key="rejudge_all_the_same").set_value(True).run()
    assert not app.button(key="rejudge").disabled
    app.selectbox(key="rejudge_with").set_value("facts").run()
    assert not app.button(key="rejudge").disabled
    assert "would repeat that" not in words(app)
