"""Trends: versions over time, and what a file lacks for it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from streamlit.testing.v1 import AppTest

from ragviz.contracts import View
from ragviz.judges import judges, provenance_of
from ragviz.pipeline import trends as trends_of
from ragviz.records import RemedyNote, RemedySettings, RunManifest, Score, ScoreStatus, TraceResult
from ragviz.store import Store
from ragviz.testing.year import RELEVANT, WRONG_FROM, Year, asked, traces
from ragviz.ui import process
from ragviz.ui.views import trends
from tests.app.five import five_cases, shown
from tests.app.waiting import over
from tests.stored import once

Open = Callable[..., AppTest]
YEAR = Year(n_traces=80, wrong=0.5, missed=0.5)


def a_year(store: Store, versions: range, *, one_run: bool = False) -> None:
    """Scored as the facts judge would; scores are written directly, since judging a year takes minutes."""
    once(store, f"a year of {versions}, one run: {one_run}".encode(), lambda: _a_year(store, versions, one_run=one_run))


def _a_year(store: Store, versions: range, *, one_run: bool) -> None:
    provenance = provenance_of(judges.make("facts"))
    for version in versions:
        name = "assistant" if one_run else f"assistant-v{version + 1}"
        told, numbers = traces(YEAR, version), asked(YEAR, version)
        store.create_run(RunManifest(run_id=name, name=name, created_at=datetime(2026, 1, 1, tzinfo=UTC), ragviz_version="0", format="native"))
        store.add_traces(name, told)
        store.add_judged(name, provenance, {t.id: [] for t in told}, claim_set="facts", scope=0)
        results = []
        for i, trace in enumerate(told):
            n, wrong, silent = (int(column[i]) for column in (numbers.n_claims, numbers.n_contradicted, numbers.n_not_supported))
            values = {
                "faithfulness": (n - wrong - silent) / n,
                "contradicted_rate": wrong / n,
                "recall_at_5": int(numbers.n_found[i]) / RELEVANT,
                "latency_ms": float(numbers.latency_ms[i]),
            }
            scores = {q: Score(metric=q, metric_version="1", trace_id=trace.id, value=value, status=ScoreStatus.OK, support=1) for q, value in values.items()}
            results.append(TraceResult(trace_id=trace.id, scores=scores, quadrant="good", cause="none", verdicts={"supported": n}))
        store.put_results(View(run_id=name, judge=provenance.fingerprint, claim_set="facts"), results)


@pytest.mark.slow
def test_regressions_are_named_with_their_version(app_store: Store, open_at: Open, no_samples: None) -> None:
    """Twelve versions, one planted regression: a sentence with effect, interval and p, and ways to Compare, Traces and Inspector."""
    a_year(app_store, range(4, 16))

    app = open_at("trends")

    assert not app.exception
    words = shown(app)
    assert "12 runs, 960 traces; 1 version changed something beyond chance" in words
    assert f"▼ **v{WRONG_FROM + 1}** (" in words
    assert "May 2025), regression: Contradicted rose by " in words
    assert "points; corrected p " in words
    assert "Before it: v9" in words
    assert len(app.get("plotly_chart")) >= 5


def test_versions_inside_one_run(app_store: Store, open_at: Open, no_samples: None) -> None:
    """One file of six versions: a point is a version, and months can be chosen."""
    a_year(app_store, range(6), one_run=True)

    app = open_at("trends")

    assert not app.exception
    assert "6 versions in this run, 480 traces" in shown(app)
    assert "Always 0: source conflicts." in shown(app)
    assert "**Source conflicts**" not in shown(app)
    app.selectbox(key="url_by").select("a month").run()
    assert not app.exception
    assert "3 months, 480 traces" in shown(app)


def test_a_large_run_is_divided_before_anybody_asks(app_store: Store, open_at: Open, no_samples: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside a second run a point is a run; meanwhile the large one's versions and months are worked out, so that choosing them works nothing out any more."""
    a_year(app_store, range(4), one_run=True)
    five_cases(app_store)
    made = []

    def follow(*args: object) -> object:
        made.append(args)
        return trends_of.follow(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(trends, "LARGE", 100)
    monkeypatch.setattr(trends, "follow", follow)
    app = open_at("trends", run="assistant", by="run", runs="all")
    assert not app.exception
    over()
    before = len(made)
    assert before > 1
    for by in ("version", "month", "run"):
        app.query_params["by"] = by
        assert not app.run().exception

    assert len(made) == before


def test_without_times_and_versions_it_says_how_to_add_them(app_store: Store, open_at: Open, no_samples: None) -> None:
    """One run of five traces: nothing to follow, and what would help."""
    five_cases(app_store)

    app = open_at("trends")

    assert not app.exception
    words = shown(app)
    assert "Nothing to follow yet" in words
    assert "started_at" in words
    assert "version" in words


def test_an_empty_store_has_a_way_out(app_store: Store, open_at: Open, no_samples: None) -> None:
    """No run at all."""
    app = open_at("trends")

    assert not app.exception
    assert "No traces yet" in shown(app)


@pytest.mark.parametrize(("names", "order"), [
    (("winter", "spring"), "all are in the order of their import, which need not be that in which they were made"),
    (("pilot 2", "pilot 10"), "all are in the order of the numbers in their names"),
])
def test_what_stands_in_for_the_time_is_said(names: tuple[str, str], order: str, app_store: Store, open_at: Open, no_samples: None) -> None:
    """Two runs without times, with a way to fix their order."""
    for name in names:
        five_cases(app_store, name)

    app = open_at("trends", run=names[-1])

    assert not app.exception
    assert f"2 versions of 2 without times, so {order}. To fix the order, give each trace a time" in shown(app)


def test_what_a_remedy_made_is_no_version(app_store: Store, open_at: Open, no_samples: None) -> None:
    """It holds the answers that failed: beside whole runs it would read as a step. It is there when all runs are asked for."""
    views = [five_cases(app_store, name) for name in ("winter", "spring")]
    parent = views[-1].run_id
    note = RemedyNote(
        parent=parent, parent_name="spring", remedy="verify", version="1", settings=RemedySettings(), judge=views[-1].judge, claim_set=views[-1].claim_set,
    )
    app_store.create_run(RunManifest(run_id="tried", name="spring · verify", created_at=datetime(2025, 1, 1, tzinfo=UTC), ragviz_version="0", format="native", remedy=note))
    app_store.add_traces("tried", list(app_store.traces(parent)))

    app = open_at("trends", run="spring")

    assert not app.exception
    assert "2 runs, 10 traces" in shown(app)
    assert "left out" not in shown(app)
    assert any("all (3)" in option for box in app.selectbox for option in box.options)
    assert "1 run not judged by the judge in the sidebar is left out" in shown(open_at("trends", run="spring", runs="all"))


def test_runs_that_another_judge_judged_are_named(app_store: Store, open_at: Open, no_samples: None) -> None:
    """Two runs, one not judged by the sidebar's judge: said, not drawn."""
    a_year(app_store, range(2))
    told = traces(YEAR, 3)
    app_store.create_run(
        RunManifest(run_id="assistant-v4", name="assistant-v4", created_at=datetime(2025, 1, 1, tzinfo=UTC), ragviz_version="0", format="native")
    )
    app_store.add_traces("assistant-v4", told)

    app = open_at("trends", run="assistant-v2")

    assert not app.exception
    assert "1 run not judged by the judge in the sidebar is left out" in shown(app)


@pytest.mark.usefixtures("no_samples")
@pytest.mark.parametrize(("lacking", "n_over"), [(1, 0), (3, 1)])
def test_a_run_that_lacks_scores_makes_no_other_page_work_anew(
    lacking: int, n_over: int, app_store: Store, open_at: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    While another program imports there is always one: it is scored, and dear numbers of others may stay as old as they are. Where all lack them,
    a policy was chosen, and is seen at once.
    """
    a_year(app_store, range(3))
    names = [run.run_id for run in app_store.runs()]
    monkeypatch.setattr(Store, "lacking", lambda _, views: [v for v in views if v.run_id in names[:lacking]])
    scored: list[str] = []
    monkeypatch.setattr("ragviz.ui.views.trends_scores.score_view", lambda _, view, **__: scored.append(view.run_id) or 0)

    app = open_at("trends")

    assert not app.exception
    assert sorted(scored) == sorted(names[:lacking])
    assert process.jobs().n_over == n_over
