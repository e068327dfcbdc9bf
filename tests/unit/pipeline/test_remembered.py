"""Work that was stopped goes on, and nothing is judged twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragviz.pipeline.calibrate import answer_rows
from ragviz.pipeline.label_files import LabelRow, read_labels
from ragviz.pipeline.remembered import RememberedJudge
from ragviz.store import open_store
from tests.unit.pipeline.fakes import WordJudge


def rows(n: int) -> list[LabelRow]:
    return list(
        read_labels(
            json.dumps({"claim": f"Sky number {i} is blue.", "passages": [{"id": "d0", "text": f"Sky number {i} is blue."}], "label": "supported"})
            for i in range(n)
        )
    )


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path) -> None:
    """Stopped in the third batch of 32: the next run, in another process, asks about the other 36 claims only."""
    stopped = WordJudge()

    def stop_late() -> None:
        if len(stopped.asked) >= 64:
            raise KeyboardInterrupt

    stopped.before = stop_late
    store = open_store(tmp_path / "calibration.sqlite")
    with pytest.raises(KeyboardInterrupt):
        answer_rows(rows(100), RememberedJudge(stopped, store))
    store.close()
    again, fresh = open_store(tmp_path / "calibration.sqlite"), WordJudge()
    judge = RememberedJudge(fresh, again)

    answers = answer_rows(rows(100), judge)

    assert (64, 36, 36) == (len(stopped.asked), len(fresh.asked), judge.n_claims)
    assert (100, 64) == (judge.n_pairs, judge.n_known)
    assert all(a.grounding.is_supported for a in answers)
    again.close()


def test_answers_are_those_of_the_judge_itself() -> None:
    """Once through the cache, once without it: the same; a confidence that is not calibrated is counted as such."""
    store = open_store(":memory:")
    judge = RememberedJudge(WordJudge(), store)
    first, second = answer_rows(rows(3), judge), answer_rows(rows(3), judge)

    assert answer_rows(rows(3), WordJudge()) == first == second
    assert judge.calibrated == 0.0
