"""Compare of large runs: made once, in the background, while the page says how far that is."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
import streamlit as st

from ragviz.contracts import View
from ragviz.errors import InputError
from ragviz.pipeline import comparing
from ragviz.pipeline.scoring import score_view
from ragviz.records import Annotation, Grounding, RunManifest
from ragviz.store import Store
from ragviz.ui import remembering, scope
from ragviz.ui.views import compare_made
from tests.app.five import shown
from tests.app.test_compare_changes import Open, listed, worse_run
from tests.app.waiting import PATIENCE_S, over


@pytest.fixture
def two_runs(app_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Five traces each; three are many."""
    worse_run(app_store, tmp_path)
    monkeypatch.setattr(comparing, "WHOLE_UP_TO", 3)
    return app_store


def sides(store: Store) -> tuple[View, View, RunManifest, RunManifest]:
    """Views and manifests of both."""
    runs = {run.name: run for run in store.runs()}
    base, run = runs["five cases"], runs["worse"]
    return store.views(base.run_id)[0][0], store.views(run.run_id)[0][0], base, run


def test_large_runs_say_how_far_claims_were_looked_into(two_runs: Store, open_at: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the bound at three traces: the same figures out of columns, claims of the first traces that changed, and that is said."""
    with monkeypatch.context() as small:
        small.setattr(comparing, "WHOLE_UP_TO", 5)
        whole = listed(open_at("compare", run="worse", base="five cases"))
    st.cache_resource.clear()
    monkeypatch.setattr(comparing, "LOOKED_INTO", 1)
    app = open_at("compare", run="worse", base="five cases")

    assert not app.exception
    assert listed(app) == whole
    assert "of the first 1 trace that changed quadrant" in shown(app)


def test_the_page_is_there_while_large_runs_are_compared(two_runs: Store, open_at: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """How far it is, and nothing else; two looks are one piece of work; drawn anew when it is over, and made no second time."""
    go, begun, made = threading.Event(), threading.Event(), []

    def slowly(*sides: Any, on_step: Any) -> Any:
        on_step(2, 5, "Reading the baseline's traces: 2 of 5")
        begun.set()
        assert go.wait(PATIENCE_S)
        made.append(sides)
        return comparing.compare_in_parts(*sides, on_step=on_step)

    monkeypatch.setattr(compare_made, "compare_in_parts", slowly)
    monkeypatch.setattr(scope, "WAIT_S", 0.1)
    open_at("compare", run="worse", base="five cases")
    assert begun.wait(PATIENCE_S)
    app = open_at("compare", run="worse", base="five cases")
    assert not app.exception
    assert "Reading the baseline's traces: 2 of 5 · 40% of the whole · " in str(app.get("progress")[0].proto.text)
    assert app.get("progress")[0].proto.value == 40
    assert "The two runs are being compared." in shown(app)
    assert not app.dataframe

    go.set()
    over()
    app.run()
    assert not app.exception
    assert len(listed(app)) == 1
    assert len(made) == 1


def test_a_comparison_that_fails_says_why_and_can_be_tried_again(two_runs: Store, open_at: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sentence, fix and a button; pressed, it is made."""

    def fails(*_sides: Any, **_: Any) -> Any:
        raise InputError("the store cannot be read", fix="mount the disk")

    with monkeypatch.context() as broken:
        broken.setattr(compare_made, "compare_in_parts", fails)
        app = open_at("compare", run="worse", base="five cases")
        assert "the store cannot be read" in app.error[0].value
        assert "mount the disk" in app.error[0].value
    app.button(key="compare-again").click().run()
    assert not app.exception
    assert not app.error
    assert len(listed(app)) == 1


@pytest.mark.parametrize("bound", [3, 5])
def test_what_is_judged_while_two_runs_are_compared_counts_at_the_next_look(two_runs: Store, monkeypatch: pytest.MonkeyPatch, bound: int) -> None:
    """
    A person speaks while the runs are read: what was made of them before that is not kept for later. What is written to another run is no reason
    to compare anew.
    """
    there, view, base, run = sides(two_runs)
    made = []

    def watched(*sides: Any, **how: Any) -> Any:
        found = comparing.compare_in_parts(*sides, **how)
        made.append(found)
        if len(made) == 1:
            claim = two_runs.one(view, "good_return").claims[0]  # type: ignore[union-attr]
            word = Annotation(
                trace_id="good_return", claim_id=claim.id, grounding=Grounding.SUPPORTED, author="Ada", reason="", at=two_runs.now(), claim_set=view.claim_set
            )
            two_runs.annotate(view.run_id, word)
            score_view(two_runs, view, ["good_return"])
        return found

    monkeypatch.setattr(comparing, "WHOLE_UP_TO", bound)
    monkeypatch.setattr(compare_made, "compare_in_parts", watched)
    monkeypatch.setattr(remembering, "DEAR_S", 60.0)  # however busy the machine is, five traces are no dear answer
    for n in (1, 2, 2):
        compare_made.made(there, view, base, run)
        over()
        two_runs.keep("traces-view", "touch", n)
        assert len(made) == n
    assert [found.parts.n for found in made] == [5, 5]
