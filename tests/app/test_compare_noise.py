"""Compare: a second judging of the same run says how much is the judge's own noise."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from streamlit.testing.v1 import AppTest

from ragviz.contracts import View
from ragviz.pipeline import import_files, judge_run, score_view
from ragviz.records import Verdict
from ragviz.store import Store
from tests.app.five import FILE, five_cases, shown

Open = Callable[..., AppTest]


def judged_again(store: Store, view: View) -> None:
    """A second judge that says the same, but finds no evidence for the good answer."""
    for case in store.judged(view):
        changed = [
            msgspec.structs.replace(j, verdict=Verdict.NEUTRAL if case.trace.id == "good_return" else j.verdict, evidence=(), clashes=(),
                                    provenance=msgspec.structs.replace(j.provenance, params_hash="second"))
            for j in case.judgements
        ]
        store.add_judged(view.run_id, changed[0].provenance, {case.trace.id: changed}, claim_set=view.claim_set, scope=0)
        score_view(store, msgspec.structs.replace(view, judge=changed[0].provenance.fingerprint))


def test_without_a_second_judging_nothing_is_offered(app_store: Store, open_at: Open) -> None:
    """The box is there and says so."""
    five_cases(app_store)
    judge_run(app_store, import_files(app_store, [FILE], run_name="again").run_id, "facts")

    app = open_at("compare", run="again", base="five cases")

    assert not app.exception
    assert app.selectbox(key="url_noise").disabled


def test_noise_is_measured_and_said(app_store: Store, open_at: Open) -> None:
    """One of six claims flips when nothing changed: about 17 % noise."""
    view = five_cases(app_store)
    judge_run(app_store, import_files(app_store, [FILE], run_name="again").run_id, "facts")
    judged_again(app_store, view)
    app = open_at("compare", run="again", base="five cases")
    option = next(o for o in app.selectbox(key="url_noise").options if o != "none: it computes")
    assert option.endswith("on five cases")

    app.selectbox(key="url_noise").select(option).run()

    assert not app.exception
    assert "Judge noise: 1 of 6 claims got another verdict in the second judging, 16.7\u00a0%" in shown(app)
