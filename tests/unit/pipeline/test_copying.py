"""Runs travel between stores."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragviz.pipeline import best_view, copy_runs, import_files, judge_run
from ragviz.store import open_store
from tests.unit.pipeline.fakes import WordJudge, a_file


def test_runs_are_copied_once_with_their_verdicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Copied twice they are there once, oldest first, and the judge has nothing left to do."""
    monkeypatch.setattr("ragviz.pipeline.rating.raters", type("None", (), {"names": staticmethod(list)}))
    mine, team, judge = open_store(":memory:"), open_store(":memory:"), WordJudge()
    for n in (1, 2):
        run_id = import_files(mine, [a_file(tmp_path, n)], run_name=f"run {n}").run_id
        judge_run(mine, run_id, judge)
    asked, told = len(judge.asked), []
    for _ in range(2):
        assert 2 == copy_runs(mine, team, on_progress=lambda done, total: told.append((done, total)))

    assert [(1, 2), (2, 2)] * 2 == told
    assert mine.runs() == team.runs()
    assert 0 == judge_run(team, run_id, judge).n_traces
    assert asked == len(judge.asked)


def test_without_a_choice_a_run_is_seen_through_the_judge_that_judged_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody yet: the judge that would judge it; then the one that did; a named one is taken at its word."""
    monkeypatch.setattr("ragviz.pipeline.rating.raters", type("None", (), {"names": staticmethod(list)}))
    store = open_store(":memory:")
    run_id = import_files(store, [a_file(tmp_path, 1)]).run_id
    assert best_view(store, run_id).judge.startswith("local:")
    view = judge_run(store, run_id, WordJudge()).view

    assert view.judge == best_view(store, run_id).judge
    assert best_view(store, run_id, "facts").judge.startswith("facts:")
