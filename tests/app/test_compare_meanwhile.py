"""Compare of large runs while the store moves on: whatever is written, deleted or asked for meanwhile, the page ends right and nothing is worked out twice."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ragviz.pipeline import comparing, import_files, judge_run, matching
from ragviz.pipeline.scoring import score_view
from ragviz.records import Annotation, Grounding
from ragviz.store import Store
from ragviz.ui import remembering, scope
from ragviz.ui.views import compare_made
from tests.app.five import FILE, shown
from tests.app.test_compare_changes import Open, listed
from tests.app.test_compare_large import sides, two_runs
from tests.app.waiting import PATIENCE_S, over
from tests.build import a_trace

__all__ = ["two_runs"]

STAGES = ("Reading the baseline's traces", "Reading the candidate's traces", "Working out the differences", "Looking into claims")


class Watched:
    """The comparison as it is, which does something at one stage of its first time."""

    def __init__(self, stage: str = "", act: Callable[[], None] = lambda: None) -> None:
        self.n_begun = 0
        self.seen: list[tuple[int, int, str]] = []
        self._stage, self._act, self._acted = stage, act, False

    def __call__(self, *both: Any, on_step: Any) -> Any:
        self.n_begun += 1

        def told(done: int, total: int, doing: str) -> None:
            self.seen.append((done, total, doing))
            if self._stage and doing.startswith(self._stage) and not self._acted:
                self._acted = True
                self._act()
            on_step(done, total, doing)

        return comparing.compare_in_parts(*both, on_step=told)


@pytest.fixture(autouse=True)
def step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every trace is told of; five traces are no dear answer, however busy the machine is."""
    monkeypatch.setattr(matching, "STEP", 1)
    monkeypatch.setattr(remembering, "DEAR_S", 60.0)


def doubts(app: AppTest) -> list[str]:
    """Exceptions and sentences in red."""
    return [*(e.message for e in app.exception), *(e.value for e in app.error)]


def test_one_bar_from_nothing_to_all(two_runs: Store, open_at: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is done grows from stage to stage and ends with the whole; the words say which stage it is, in their order."""
    watched = Watched()
    monkeypatch.setattr(compare_made, "compare_in_parts", watched)
    assert not doubts(open_at("compare", run="worse", base="five cases"))

    done, totals, words = zip(*watched.seen, strict=True)
    assert list(done) == sorted(done)
    assert set(totals) == {done[-1]}
    assert list(dict.fromkeys(next(s for s in STAGES if w.startswith(s)) for w in words)) == list(STAGES)


def looked_at_again(open_at: Open, monkeypatch: pytest.MonkeyPatch, stage: str, act: Callable[[], None]) -> tuple[AppTest, int]:
    """
    The page, opened while that happens at that stage and looked at twice more, each time when all that was begun is over; and how many
    comparisons were begun.
    """
    watched = Watched(stage, act)
    monkeypatch.setattr(compare_made, "compare_in_parts", watched)
    app = open_at("compare", run="worse", base="five cases")
    assert not doubts(app)
    for _ in range(2):
        over()
        app.run()

    assert not doubts(app)
    return app, watched.n_begun


@pytest.mark.parametrize("stage", STAGES)
def test_a_word_said_meanwhile_counts_as_soon_as_it_can(two_runs: Store, open_at: Open, monkeypatch: pytest.MonkeyPatch, stage: str) -> None:
    """A person overrules the wrong answer's claim: the page ends without a fault, and the next look counts it; two comparisons in all."""
    _, view, _, _ = sides(two_runs)
    claim = two_runs.one(view, "good_return").claims[0]  # type: ignore[union-attr]

    def overrule() -> None:
        word = Annotation(
            trace_id="good_return", claim_id=claim.id, grounding=Grounding.SUPPORTED, author="Ada", reason="", at=two_runs.now(), claim_set=view.claim_set
        )
        two_runs.annotate(view.run_id, word)
        score_view(two_runs, view, ["good_return"])

    app, n_begun = looked_at_again(open_at, monkeypatch, stage, overrule)
    assert n_begun == 2
    assert "no claim got worse" in shown(app)


@pytest.mark.parametrize("stage", STAGES)
def test_traces_that_come_meanwhile_stand_in_the_next_comparison(two_runs: Store, open_at: Open, monkeypatch: pytest.MonkeyPatch, stage: str) -> None:
    """Two more of each run: what was being compared goes on without them or begins with them, and the look after that counts seven."""
    _, _, base, run = sides(two_runs)

    def more() -> None:
        for manifest in (base, run):
            two_runs.add_traces(manifest.run_id, [a_trace(id="new-1", question="New 1?"), a_trace(id="new-2", question="New 2?")])

    app, n_begun = looked_at_again(open_at, monkeypatch, stage, more)
    assert "7 paired traces" in shown(app)
    assert n_begun == 2


@pytest.mark.parametrize("which", ["five cases", "worse"])
@pytest.mark.parametrize("stage", STAGES)
def test_a_run_deleted_meanwhile_is_no_fault(two_runs: Store, open_at: Open, monkeypatch: pytest.MonkeyPatch, stage: str, which: str) -> None:
    """Either of the two, at any stage: a sentence at most, and at the next look the page is about the run that is left."""
    gone = next(r.run_id for r in two_runs.runs() if r.name == which)
    watched = Watched(stage, lambda: two_runs.delete_run(gone))
    monkeypatch.setattr(compare_made, "compare_in_parts", watched)
    app = open_at("compare", run="worse", base="five cases")
    assert not app.exception
    over()
    app.run()
    over()

    assert not doubts(app)
    assert not app.get("progress")
    assert watched.n_begun == 1


def test_another_run_deleted_meanwhile_costs_nothing(two_runs: Store, open_at: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is remembered goes with a deleted run: the comparison of two others is made, if need be again, and shown."""
    third = import_files(two_runs, [FILE], run_name="third")
    watched = Watched(STAGES[2], lambda: two_runs.delete_run(third.run_id))
    monkeypatch.setattr(compare_made, "compare_in_parts", watched)
    app = open_at("compare", run="worse", base="five cases")
    over()
    app.run()
    over()
    app.run()

    assert not doubts(app)
    assert len(listed(app)) == 1
    assert watched.n_begun <= 2


def test_visitors_of_one_pair_and_of_two(two_runs: Store, open_at: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Two look at one pair, a third at another one, all while both are made: each pair is made once, and who comes back sees it. The first one has
    closed the browser.
    """
    judge_run(two_runs, import_files(two_runs, [FILE], run_name="third").run_id, "facts")
    go, begun = threading.Event(), []

    def slowly(*both: Any, on_step: Any) -> Any:
        begun.append([seen.view.run_id for seen in both])
        assert go.wait(PATIENCE_S)
        return comparing.compare_in_parts(*both, on_step=on_step)

    monkeypatch.setattr(compare_made, "compare_in_parts", slowly)
    monkeypatch.setattr(scope, "WAIT_S", 0.05)
    first, second = (open_at("compare", run="worse", base="five cases") for _ in range(2))
    other = open_at("compare", run="worse", base="third")
    assert [bool(app.get("progress")) for app in (first, second, other)] == [True] * 3
    go.set()
    over()
    for app in (second.run(), other.run()):
        assert not doubts(app)
        assert len(listed(app)) == 1
    assert len(begun) == 2


def test_of_many_pairs_two_are_made_at_a_time(two_runs: Store, open_at: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """The third says that it waits, and is made when one of the others is over."""
    judge_run(two_runs, import_files(two_runs, [FILE], run_name="third").run_id, "facts")
    go, at_work, most = threading.Event(), set[object](), []

    def slowly(*both: Any, on_step: Any) -> Any:
        at_work.add(mine := object())
        most.append(len(at_work))
        assert go.wait(PATIENCE_S)
        found = comparing.compare_in_parts(*both, on_step=on_step)
        at_work.remove(mine)
        return found

    monkeypatch.setattr(compare_made, "compare_in_parts", slowly)
    monkeypatch.setattr(scope, "WAIT_S", 0.05)
    pairs = (("worse", "five cases"), ("worse", "third"), ("third", "five cases"))
    for run, base in pairs:
        app = open_at("compare", run=run, base=base)
    assert "Waiting for its turn" in app.get("progress")[0].proto.text
    go.set()
    over()

    assert not doubts(app.run())
    assert "paired traces" in shown(app)
    assert (len(most), max(most)) == (3, 2)


def test_what_is_known_is_shown_while_it_is_made_anew(two_runs: Store, open_at: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A reader overrules a claim and comes back: the figures from before, that this is what they are, and how far the new ones are; then these."""
    go, begun = threading.Event(), []

    def slowly(*both: Any, on_step: Any) -> Any:
        begun.append(both)
        if len(begun) > 1:
            on_step(1, 4, "Reading the baseline's traces: 1 of 5")
            assert go.wait(PATIENCE_S)
        return comparing.compare_in_parts(*both, on_step=on_step)

    monkeypatch.setattr(compare_made, "compare_in_parts", slowly)
    app = open_at("compare", run="worse", base="five cases")
    assert len(listed(app)) == 1
    monkeypatch.setattr(scope, "WAIT_S", 0.05)
    _, view, _, _ = sides(two_runs)
    claim = two_runs.one(view, "good_return").claims[0]  # type: ignore[union-attr]
    word = Annotation(
        trace_id="good_return", claim_id=claim.id, grounding=Grounding.SUPPORTED, author="Ada", reason="", at=two_runs.now(), claim_set=view.claim_set
    )
    two_runs.annotate(view.run_id, word)
    score_view(two_runs, view, ["good_return"])

    app.run()
    assert not doubts(app)
    assert len(listed(app)) == 1
    assert compare_made.SOMETHING_NEW in shown(app)
    assert app.get("progress")
    go.set()
    over()
    app.run()
    assert not doubts(app)
    assert compare_made.SOMETHING_NEW not in shown(app)
    assert "no claim got worse" in shown(app)
    assert len(begun) == 2
