"""Judging a run in two passes, once per pair, and on from where it stopped."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from ragviz.errors import Cancelled, InputError, JudgeUnavailable
from ragviz.pipeline import (
    annotate,
    default_judge,
    export_cache,
    import_files,
    judge_run,
    load_cache,
    plan,
    score_view,
)
from ragviz.pipeline import judging as module
from ragviz.records import Annotation, Grounding, Policy, Table, Verdict
from ragviz.store import Store, open_store
from tests.unit.pipeline.fakes import WordJudge, a_file

pytestmark = pytest.mark.usefixtures("no_raters")
RXP = Table.RESPONSE_X_PASSAGES


def test_every_pair_is_asked_once_and_results_are_there(store: Store, tmp_path: Path) -> None:
    """One claim a side, two passages: 2 + 2 single pairs, 1 + 1 against the other text; passage 1 settles both claims, so none is joined."""
    run_id = import_files(store, [a_file(tmp_path, 2)]).run_id
    judge = WordJudge()
    report = judge_run(store, run_id, judge)

    assert (report.n_traces, report.n_pairs, len([k for k in judge.asked if k.trace_id == "q0"])) == (2, 12, 6)
    assert [k for k in judge.asked if k.premise_id.startswith("*")] == []
    assert [r.scores["faithfulness"].value for r in store.results(report.view)] == [1.0, 1.0]
    again = judge_run(store, run_id, judge)
    assert (again.n_traces, again.n_already, len(judge.asked)) == (0, 2, 12)


def test_a_claim_that_needs_two_passages_is_asked_about_both_together(store: Store, tmp_path: Path) -> None:
    """No passage has all words, the joined ones have: supported, with evidence in each of the two passages."""
    run_id = import_files(store, [a_file(tmp_path, 1, response="Sky blue grass green.")]).run_id
    report = judge_run(store, run_id, WordJudge())

    case = store.one(report.view, "q0")
    assert case is not None
    joined = next(j for j in case.judgements if j.key.premise_id == "*" and j.key.table is RXP)
    assert Verdict.ENTAILED is joined.verdict
    assert [(e.passage_id, e.quote) for e in joined.evidence] == [("p1", "The sky is blue."), ("p2", "Grass is green.")]
    assert next(iter(store.results(report.view))).verdicts == {"supported": 1}


def test_k_limits_what_is_asked(store: Store, tmp_path: Path) -> None:
    """At k = 1 the second passage is not evidence; later, without k, only what is missing is asked."""
    run_id = import_files(store, [a_file(tmp_path, 1, response="Grass is green.")]).run_id
    judge = WordJudge()
    first = judge_run(store, run_id, judge, k=1)
    assert {"p1"} == {key.premise_id for key in judge.asked if key.table is RXP}
    n = len(judge.asked)
    second = judge_run(store, run_id, judge)
    assert score_view(store, first.view) == 1, "new judgements throw older results away"

    assert [next(iter(store.results(r.view))).scores["faithfulness"].value for r in (first, second)] == [0.0, 1.0]
    assert {"p2"} == {key.premise_id for key in judge.asked[n:]}


def test_stopped_and_started_again_nothing_is_asked_twice(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cancelled after the first batch of two of five."""
    monkeypatch.setattr(module, "LOCAL_BATCH", 2)
    run_id = import_files(store, [a_file(tmp_path, 5)]).run_id
    judge, cancel = WordJudge(), threading.Event()
    with pytest.raises(Cancelled):
        judge_run(store, run_id, judge, cancel=cancel, on_progress=lambda *_: cancel.set())
    report = judge_run(store, run_id, judge)

    assert (report.n_traces, report.n_already) == (3, 2)
    assert len(judge.asked) == len(set(judge.asked)) == 30
    assert len(list(store.results(report.view))) == 5


def test_equal_texts_are_answered_from_the_cache_with_their_own_ids(store: Store, tmp_path: Path) -> None:
    """The same content in a second run costs nothing, and speaks of that run's traces."""
    judge = WordJudge()
    judge_run(store, import_files(store, [a_file(tmp_path, 2)], run_name="one").run_id, judge)
    n = len(judge.asked)
    second = judge_run(store, import_files(store, [a_file(tmp_path, 2)], run_name="two").run_id, judge)

    assert (n, 12, 12) == (len(judge.asked), second.n_pairs, second.n_cached)
    case = store.one(second.view, "q1")
    assert case is not None
    assert {"q1"} == {j.key.trace_id for j in case.judgements}


def test_failures_are_kept_as_unjudged_and_asked_again_on_request(store: Store, tmp_path: Path) -> None:
    """A premise the judge cannot read leaves its pairs unjudged; nothing of it enters the cache."""
    run_id = import_files(store, [a_file(tmp_path, 1, passages=("broken",))]).run_id
    judge = WordJudge()
    report = judge_run(store, run_id, judge)
    assert report.n_unjudged == 2
    n = len(judge.asked)
    judge_run(store, run_id, judge)
    assert n == len(judge.asked)
    judge_run(store, run_id, judge, retry_unjudged=True)
    assert n + 2 == len(judge.asked)


def test_only_the_first_traces(store: Store, tmp_path: Path) -> None:
    """``--limit 2``."""
    run_id = import_files(store, [a_file(tmp_path, 4)]).run_id
    report = judge_run(store, run_id, WordJudge(), limit=2)

    assert (report.n_traces, [r.trace_id for r in store.results(report.view)]) == (2, ["q0", "q1"])


def test_another_policy_needs_no_judge(store: Store, tmp_path: Path) -> None:
    """The same verdicts, seen under another convention."""
    run_id = import_files(store, [a_file(tmp_path, 2)]).run_id
    judge = WordJudge()
    judge_run(store, run_id, judge)
    n = len(judge.asked)
    report = judge_run(store, run_id, judge, policy=Policy.STRICT)

    assert (n, 2) == (len(judge.asked), len(list(store.results(report.view))))


def test_a_judge_that_cannot_work_is_refused_with_its_fix(store: Store, tmp_path: Path) -> None:
    """Before anything is asked."""
    run_id = import_files(store, [a_file(tmp_path, 1)]).run_id
    with pytest.raises(JudgeUnavailable, match="no words") as caught:
        judge_run(store, run_id, WordJudge(ok=False))
    assert caught.value.fix == "learn some"


def test_a_persons_word_changes_the_figures_at_once(store: Store, tmp_path: Path) -> None:
    """Overruled to contradicted, the only claim is not faithful; withdrawn, it is again."""
    run_id = import_files(store, [a_file(tmp_path, 1)]).run_id
    view = judge_run(store, run_id, WordJudge()).view
    note = Annotation(trace_id="q0", claim_id="c1", grounding=Grounding.CONTRADICTED, author="Ada", at=store.now(), claim_set=view.claim_set)
    annotate(store, view, note)
    assert next(iter(store.results(view))).scores["faithfulness"].value == 0.0
    annotate(store, view, Annotation(trace_id="q0", claim_id="c1", grounding=None, author="Ada", at=store.now(), claim_set=view.claim_set))
    assert next(iter(store.results(view))).scores["faithfulness"].value == 1.0


def test_scoring_goes_on_where_it_stopped(store: Store, tmp_path: Path) -> None:
    """Only missing results are computed; a cancelled one stops before the next batch."""
    run_id = import_files(store, [a_file(tmp_path, 3)]).run_id
    view = judge_run(store, run_id, WordJudge()).view
    assert score_view(store, view) == 0
    assert score_view(store, view, ["q0", "q2"]) == 2
    stopped = threading.Event()
    stopped.set()
    with pytest.raises(Cancelled):
        score_view(store, view, ["q0"], cancel=stopped)


def test_verdicts_travel_as_a_file(store: Store, tmp_path: Path) -> None:
    """Exported from one store and loaded into another, the judge is not asked at all; the same run gives the same bytes."""
    judge = WordJudge()
    view = judge_run(store, import_files(store, [a_file(tmp_path, 2)]).run_id, judge).view
    raw = export_cache(store, view)
    (tmp_path / "verdicts.jsonl.gz").write_bytes(raw)
    other, n = open_store(":memory:"), len(judge.asked)
    loaded = load_cache(other, tmp_path / "verdicts.jsonl.gz")
    report = judge_run(other, import_files(other, [a_file(tmp_path, 2)]).run_id, judge)

    assert raw == export_cache(store, view)
    assert loaded > 0
    assert (n, report.n_pairs) == (len(judge.asked), report.n_cached)
    with pytest.raises(InputError, match="not a file of cached verdicts"):
        load_cache(other, a_file(tmp_path, 1))


def test_the_plan_counts_what_will_be_asked(store: Store, tmp_path: Path) -> None:
    """Six pairs a trace, nothing to pay on this machine; once judged there is nothing left."""
    run_id = import_files(store, [a_file(tmp_path, 3)]).run_id
    judge = WordJudge(joined=False)
    before = plan(store, run_id, judge)
    judge_run(store, run_id, judge, limit=1)
    after = plan(store, run_id, judge)

    assert (before.n_traces, before.pairs, before.calls, before.cost_usd) == (3, 18, 0, 0.0)
    assert (after.n_traces, after.pairs) == (2, 12)


def test_the_default_judge_is_the_files_own_where_there_is_one(store: Store, tmp_path: Path) -> None:
    """Without verdicts in the file: local."""
    assert default_judge(store, import_files(store, [a_file(tmp_path, 1)]).run_id) == "local"
