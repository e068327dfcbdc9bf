"""Judges: stability measured in the background, agreement by kind of claim, calibration and provenance where people look for them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from ragviz.pipeline import judge_run
from ragviz.pipeline.stability import kept
from ragviz.records import Calibration, Goodness, LabelSplit
from ragviz.store import Store
from ragviz.store.calibrations import add_calibration
from tests.app.five import five_cases, shown
from tests.app.test_judges import a_run, label
from tests.app.waiting import over
from tests.contracts.store_laws import NOW
from tests.unit.pipeline.fakes import WordJudge

Open = Callable[..., AppTest]


class TestStability:
    def test_measured_on_the_page_and_kept(self, app_store: Store, open_at: Open, monkeypatch: pytest.MonkeyPatch) -> None:
        """Before: an empty state. After: a share with its interval for each probe, the cases with a way into the Inspector."""
        judge = WordJudge()
        monkeypatch.setattr("ragviz.ui.views.judges_stability.working_judge", lambda *_args, **_settings: judge)
        run = five_cases(app_store).run_id
        view = judge_run(app_store, run, judge).view
        app = open_at("judges", tab="stability", judge=view.judge)

        assert not app.exception
        assert "Not measured yet" in shown(app)
        app.number_input(key="stability-sample").set_value(20)
        app.button(key="FormSubmitter:stability-form-Measure").click().run()
        over(f"stability\x1f{run}\x1f{view.judge}")
        later = open_at("judges", tab="stability", judge=view.judge)

        found = kept(app_store, view)
        assert found is not None
        assert not later.exception
        assert "changed, asked anew" in shown(later)
        assert "95 % interval" in shown(later)
        assert len(found.changes) == (len(later.dataframe[0].value) if found.changes else 0)

    def test_a_judge_that_computes_is_not_asked(self, app_store: Store, open_at: Open) -> None:
        """Annotated facts give the same verdicts by construction."""
        five_cases(app_store)
        app = open_at("judges", tab="stability")

        assert not app.exception
        assert "the same by construction" in shown(app)
        assert not app.number_input

    def test_another_programs_judge(self, app_store: Store, open_at: Open) -> None:
        """A judge this installation does not have cannot be asked; the page says so."""
        a_run(app_store)
        app = open_at("judges", tab="stability")

        assert not app.exception
        assert "cannot be asked here" in shown(app)


class TestAgreement:
    def test_by_kind_of_claim(self, app_store: Store, open_at: Open) -> None:
        """Forty labels: kinds with their number and interval."""
        a_run(app_store)
        label(app_store, 20)
        app = open_at("judges")

        assert not app.exception
        assert "Agreement by kind of claim" in " ".join(s.value for s in app.header)
        assert app.download_button(key="provenance-html")

    def test_calibration_is_said_or_missed(self, app_store: Store, open_at: Open) -> None:
        """Without one the page says so, and how to get one; with one it says what it rests on and what it is worth."""
        view = a_run(app_store)
        label(app_store, 20)
        before = shown(open_at("judges"))
        parts = LabelSplit(rule="half", n_fit=120, n_reported=110, groups_fit=60, groups_reported=55, fit_hash="a", reported_hash="b")
        add_calibration(app_store, Calibration(
            fingerprint=view.judge, judge=view.judge.split(":")[0], fitted_at=NOW, x=(0.0, 1.0), y=(0.1, 0.9), base_rate=0.4, split=parts,
            before=Goodness(n=110, ece=0.2, brier=0.25), after=Goodness(n=110, ece=0.05, brier=0.2),
        ))
        after = shown(open_at("judges"))

        assert "not calibrated on labels" in before
        assert "ragviz calibrate labels.jsonl --fit" in before
        assert "calibrated on 120 labels" in after
        assert "from 0.200 to 0.050" in after
