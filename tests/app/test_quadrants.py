"""Quadrants: counts follow the thresholds, and the page says what it cannot place."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec
from streamlit.testing.v1 import AppTest

from ragviz.diagnosis.standings import WITHOUT_REFERENCE
from ragviz.pipeline import score_view
from ragviz.records import Side
from ragviz.store import Store
from tests.app.five import five_cases, shown
from tests.browser.scenario import a_rich_case
from tests.build import a_rating, a_trace
from tests.stored import fill

Open = Callable[..., AppTest]


def pills(app: AppTest) -> list[str]:
    """Labels of the cells with their counts."""
    group = next(b for b in app.button_group if b.key == "url_cell")
    return [option.content for option in group.proto.options] if hasattr(group.proto, "options") else list(group.options)


def test_empty_store(app_store: Store, no_samples: None, open_at: Open) -> None:
    """A sentence and a way out."""
    app = open_at("quadrants")

    assert not app.exception
    assert "No traces yet" in shown(app)


def test_one_trace_in_each_of_five_cells(app_store: Store, open_at: Open) -> None:
    """The five cases stand for five cells."""
    five_cases(app_store)

    app = open_at("quadrants", cell="wrong_mirror")

    assert not app.exception
    assert pills(app) == [
        "Good **1**",
        "Extra claim **1**",
        "Lucky guess **1**",
        "Fabrication **0**",
        "Wrong mirror **1**",
        "Off-topic **1**",
        "Abstained **0**",
        "Unknown **0**",
    ]
    assert "1 trace, 20.0\u00a0%" in shown(app)
    assert app.text[0].value == "wrong_mirror"


def test_moving_a_threshold_moves_traces(app_store: Store, open_at: Open) -> None:
    """With faithfulness high only from 0.6 on, the extra claim at 0.5 becomes a lucky guess, and the list follows."""
    five_cases(app_store)

    app = open_at("quadrants", tf="0.60", cell="lucky_guess")

    assert pills(app)[1:3] == ["Extra claim **0**", "Lucky guess **2**"]
    assert sorted(app.dataframe[0].value["faithf."].tolist()) == [0.0, 0.5]
    assert [slider.label for slider in app.slider] == ["Faithfulness threshold", "Correctness threshold", "Relevance threshold"]


def test_a_picked_spot_lists_its_traces(app_store: Store, open_at: Open) -> None:
    """The spot at faithfulness 1, correctness 0 holds the wrong mirror; the off-topic trace there is not part of the plane."""
    five_cases(app_store)

    app = open_at("quadrants", at="1.0000|1.0000")

    assert "Spot 1.00, 1.00" in "".join(h.value for h in app.header)
    assert len(app.dataframe[0].value) == 1


def test_without_references(app_store: Store, open_at: Open) -> None:
    """
    No correctness anywhere and no relevance either: the page says that both are missing and never guesses; with a relevance it uses that and
    faithfulness.
    """
    case = a_rich_case()
    bare = msgspec.structs.replace(
        case, trace=msgspec.structs.replace(case.trace, reference=None), claims=tuple(c for c in case.claims if c.side is Side.RESPONSE),
        judgements=tuple(j for j in case.judgements if j.key.table == "response_x_passages"),
    )
    fill(app_store, bare, msgspec.structs.replace(bare, trace=a_trace(id="declined", question="Why?", response="I cannot say."), claims=(), judgements=()))

    app = open_at("quadrants")

    assert not app.exception
    assert "**This run has no quadrants**" in shown(app)
    assert "It has verdicts, but neither references nor a relevance of the answers." in shown(app)

    (view, _), = app_store.views("made-up")
    app_store.add_ratings("made-up", [a_rating(0.9, trace_id=bare.trace.id)])
    score_view(app_store, view)

    app = open_at("quadrants")

    assert not app.exception
    assert f"1 judged trace · {WITHOUT_REFERENCE}" in shown(app)
    assert "This run has no quadrants" not in shown(app)
    assert [slider.label for slider in app.slider] == ["Faithfulness threshold", "Relevance threshold"]
    assert re.search(r"\*\*1\*\* trace not in the plot\W+declined\b", shown(app))


def test_hostile_parameters(app_store: Store, open_at: Open) -> None:
    """Thresholds, windows and spots out of a URL are checked."""
    five_cases(app_store)

    app = open_at("quadrants", tf="1e9", tc="nan", win="0,0,<b>", at="9|x", cell="<script>", lp="-4")

    assert not app.exception
    assert not app.error


def test_traces_that_may_be_elsewhere_are_counted(app_store: Store, open_at: Open) -> None:
    """With every verdict at confidence 0.6 all quadrants are guesses, but for the off-topic one: relevance is taken as it is."""
    view = five_cases(app_store)
    shaky = [msgspec.structs.replace(j, confidence=0.6) for case in app_store.judged(view) for j in case.judgements]
    app_store.add_judgements(view.run_id, shaky, claim_set=view.claim_set)
    score_view(app_store, view)

    app = open_at("quadrants")

    assert not app.exception
    assert "**4 traces** may be in another quadrant" in shown(app)


def test_certain_verdicts_leave_nothing_open(app_store: Store, open_at: Open) -> None:
    """The five cases are judged by comparing annotated facts, which is certain."""
    five_cases(app_store)

    assert "may be in another quadrant" not in shown(open_at("quadrants"))
