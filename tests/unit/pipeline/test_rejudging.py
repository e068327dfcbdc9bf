"""Claims asked about again: by another judge, or by the same one past its cache."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from msgspec.structs import replace

from ragviz.errors import Cancelled, InputError, UnknownName
from ragviz.pipeline import (
    import_files,
    judge_run,
    plan,
    rejudge_claim,
    rejudge_claims,
)
from ragviz.pipeline.rejudging import as_before
from ragviz.records import Judgement, Verdict
from ragviz.store import Store
from tests.unit.pipeline.fakes import WordJudge, a_file

pytestmark = pytest.mark.usefixtures("no_raters")
THREE = "The sky is blue. Grass is green. Snow is white."


def test_rejudging_one_claim_appends_and_keeps_the_rest(store: Store, tmp_path: Path) -> None:
    """A second judge on c1: its words are in the history before the first one's, and the first view is as it was."""
    run_id = import_files(store, [a_file(tmp_path, 1)]).run_id
    report = judge_run(store, run_id, WordJudge())
    said = rejudge_claim(store, report.view, "q0", "c1", "local")

    assert {"c1"} == {j.key.claim_id for j in said}
    told = [w for w in store.history(run_id, "q0", "c1", report.view.claim_set) if isinstance(w, Judgement)]
    assert list(dict.fromkeys(w.provenance.judge for w in told)) == ["local", "words"]
    assert next(iter(store.results(report.view))).scores["faithfulness"].value == 1.0
    assert len(store.views(run_id)) == 2


def test_a_judge_that_varies_is_asked_anew(store: Store, tmp_path: Path) -> None:
    """Its cached word would be no second opinion."""
    run_id = import_files(store, [a_file(tmp_path, 1)]).run_id
    judge = WordJudge(deterministic=False)
    report = judge_run(store, run_id, judge)
    n = len(judge.asked)
    rejudge_claim(store, report.view, "q0", "c1", judge)

    assert n < len(judge.asked)


def test_the_same_judge_can_be_asked_anew(store: Store, tmp_path: Path) -> None:
    """Without ``anew`` a certain judge's known word is taken from the cache; with it the judge is asked, and both words are in the history."""
    run_id = import_files(store, [a_file(tmp_path, 1)]).run_id
    judge = WordJudge()
    view = judge_run(store, run_id, judge).view
    n = len(judge.asked)

    def told() -> list[Judgement]:
        return [w for w in store.history(run_id, "q0", "c1", view.claim_set) if isinstance(w, Judgement)][::-1]

    first = told()
    known = rejudge_claim(store, view, "q0", "c1", judge)
    assert (len(judge.asked), {j.cost.cached for j in known}) == (n, {True})
    fresh = rejudge_claim(store, view, "q0", "c1", judge, anew=True)

    assert len(judge.asked) == n + len(fresh)
    assert {j.cost.cached for j in fresh} == {False}
    assert len(told()) == len(first) + len(known) + len(fresh)
    assert as_before(first, fresh) is True
    assert as_before([], fresh) is None
    assert as_before([replace(j, verdict=Verdict.NEUTRAL) for j in first], fresh) is False


def test_a_selection_can_be_judged_anew(store: Store, tmp_path: Path) -> None:
    """Two of three traces again, past the cache: told before it starts, appended, and counted once in the results."""
    run_id = import_files(store, [a_file(tmp_path, 3)]).run_id
    judge = WordJudge()
    view = judge_run(store, run_id, judge).view
    n = len(judge.asked)
    before = len(store.history(run_id, "q0", "c1", view.claim_set))

    assert [plan(store, run_id, judge, trace_ids=["q0", "q2"], anew=anew).n_traces for anew in (False, True)] == [0, 2]
    report = judge_run(store, run_id, judge, trace_ids=["q0", "q2"], anew=True)

    assert (report.n_traces, report.n_cached, report.n_pairs) == (2, 0, len(judge.asked) - n)
    assert report.n_pairs > 0
    assert len(store.history(run_id, "q0", "c1", view.claim_set)) == 2 * before
    assert len(store.history(run_id, "q1", "c1", view.claim_set)) == before
    assert [r.trace_id for r in store.results(view)] == ["q0", "q1", "q2"]


def test_a_whole_answer_is_read_once(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three claims: the trace is read twice before (for the view, and for what this judge said), and again for the scores at the end; not once a claim."""
    run_id = import_files(store, [a_file(tmp_path, 1, response=THREE)]).run_id
    judge = WordJudge()
    view = judge_run(store, run_id, judge).view
    read: list[str] = []
    whole, part = Store.one, Store.judged
    monkeypatch.setattr(Store, "one", lambda self, *a: (read.append("one"), whole(self, *a))[1])
    monkeypatch.setattr(Store, "judged", lambda self, *a: (read.append("judged"), part(self, *a))[1])
    told: list[tuple[int, int | None]] = []

    found = rejudge_claims(store, view, "q0", ["c1", "c2", "c3"], judge, anew=True, on_progress=lambda done, of: told.append((done, of)))

    assert [one.claim_id for one in found] == ["c1", "c2", "c3"]
    assert [one.alike for one in found] == [True, True, True]
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert read == ["one", "one", "judged"]
    assert next(iter(store.results(view))).verdicts == {"supported": 2, "not_supported": 1}


def test_another_judge_has_no_earlier_answer(store: Store, tmp_path: Path) -> None:
    """Nothing to compare with; the second time there is."""
    run_id = import_files(store, [a_file(tmp_path, 1, response=THREE)]).run_id
    view = judge_run(store, run_id, WordJudge()).view

    assert [one.alike for one in rejudge_claims(store, view, "q0", ["c1", "c2"], "local")] == [None, None]
    assert [one.alike for one in rejudge_claims(store, view, "q0", ["c1", "c2"], "local", anew=True)] == [True, True]


def test_a_stop_keeps_the_claims_before_it(store: Store, tmp_path: Path) -> None:
    """Stopped while the second claim is asked about: the first one's words are stored, the second one's are not, and the results are of what is stored."""
    run_id = import_files(store, [a_file(tmp_path, 1, response=THREE)]).run_id
    view = judge_run(store, run_id, WordJudge()).view
    before = {c: len(store.history(run_id, "q0", c, view.claim_set)) for c in ("c1", "c2", "c3")}
    stop = threading.Event()

    with pytest.raises(Cancelled):
        rejudge_claims(store, view, "q0", ["c1", "c2", "c3"], WordJudge(), cancel=stop, anew=True, on_progress=lambda *_: stop.set())

    grown = {c: len(store.history(run_id, "q0", c, view.claim_set)) - n for c, n in before.items()}
    assert grown["c1"] > 0
    assert (grown["c2"], grown["c3"]) == (0, 0)
    assert [r.trace_id for r in store.results(view)] == ["q0"]


def test_what_cannot_be_rejudged_is_explained(store: Store, tmp_path: Path) -> None:
    """An unknown trace, an unknown claim, a judge of facts on a sentence."""
    run_id = import_files(store, [a_file(tmp_path, 1)]).run_id
    view = judge_run(store, run_id, WordJudge()).view
    with pytest.raises(UnknownName, match="no trace 'x'"):
        rejudge_claim(store, view, "x", "c1", "local")
    with pytest.raises(UnknownName, match="has no claim 'c9'"):
        rejudge_claim(store, view, "q0", "c9", "local")
    with pytest.raises(InputError, match="attribute-value"):
        rejudge_claim(store, view, "q0", "c1", "facts")
