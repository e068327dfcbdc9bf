"""Does the judge stand by its word? Judges with known faults are found out; a steady one is not."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from msgspec.structs import replace

from ragviz.contracts import View
from ragviz.errors import Cancelled, InputError
from ragviz.judges import fingerprint
from ragviz.pipeline import import_files, judge_run
from ragviz.pipeline.label_files import LabelRow, read_labels
from ragviz.pipeline.probing import DISTRACTOR_ID, Probe, put_otherwise
from ragviz.pipeline.stability import Stability, asked_by, draw, keep, kept, measure, rows_of_run
from ragviz.records import Judgement, Pair
from ragviz.store import open_store
from tests.unit.pipeline.fakes import WordJudge, a_file


def rows(n: int, *, per_group: int = 1, passages: int = 2) -> list[LabelRow]:
    """Claims that their first passage holds word for word."""
    raw = [
        {"id": f"c{i}", "claim": f"The sky does not fall on day {i}.", "label": "supported", "group": f"t{i // per_group}",
         "passages": [{"id": f"p{k}", "text": f"the sky does not fall on day {i}" if k == 0 else f"filler {k} for {i}"} for k in range(passages)]}
        for i in range(n)
    ]
    return list(read_labels([json.dumps(r) for r in raw]))


@dataclass
class Moody(WordJudge):
    """Changes its mind on every fourth claim, once it has seen it."""

    joined: bool = False
    seen: set[tuple[str, str]] = field(default_factory=set)

    def _one(self, pair: Pair) -> Judgement:
        known = (pair.premise, pair.hypothesis) in self.seen
        self.seen.add((pair.premise, pair.hypothesis))
        moody = known and int(pair.hypothesis.split()[-1].rstrip(".")) % 4 == 0
        return super()._one(replace(pair, premise="") if moody else pair)


def measured(of: list[LabelRow], judge: WordJudge, tmp_path: Path, **more: object) -> Stability:
    store = open_store(tmp_path / "answers.sqlite")
    try:
        return measure(of, asked_by(judge, store), fingerprint=fingerprint(judge), at="2026-03-01", **more)  # type: ignore[arg-type]
    finally:
        store.close()


class TestProbes:
    def test_only_the_dress_changes(self) -> None:
        """Shuffled: the same passages in another order. Distractor: one more, of another trace. Reworded: the claim only. Ranks follow the order."""
        all_rows = rows(6, passages=3)
        row = all_rows[0]
        shuffled, added, said = (put_otherwise(row, probe, all_rows) for probe in (Probe.SHUFFLED, Probe.DISTRACTOR, Probe.REWORDED))

        assert shuffled is not None
        assert added is not None
        assert said is not None
        assert {p.id for p in row.passages} == {p.id for p in shuffled.passages}
        assert [p.id for p in row.passages] != [p.id for p in shuffled.passages]
        assert [1, 2, 3] == [p.rank for p in shuffled.passages]
        assert [*(p.id for p in row.passages), DISTRACTOR_ID] == [p.id for p in added.passages]
        assert added.passages[-1].text not in {p.text for p in row.passages}
        assert (row.passages, "the  sky  doesn't  fall  on  day  0") == (said.passages, said.claim)
        assert row is put_otherwise(row, Probe.REPEATED, all_rows)
        assert shuffled == put_otherwise(row, Probe.SHUFFLED, all_rows)

    def test_what_cannot_be_changed(self) -> None:
        """One passage has no order; a lone trace has no stranger; they are counted, not judged."""
        row = rows(1, passages=1)[0]

        assert put_otherwise(row, Probe.SHUFFLED, [row]) is None
        assert put_otherwise(row, Probe.DISTRACTOR, [row]) is None


class TestDraw:
    def test_one_of_each_answer_first(self) -> None:
        """Ten answers of three claims: ten are ten answers, eleven a second claim of one; the same seed draws the same."""
        many = rows(30, per_group=3)

        assert 10 == len({r.group for r in draw(many, 10)})
        assert 11 == len(draw(many, 11))
        assert draw(many, 7) == draw(many, 7) != draw(many, 7, seed=1)


class TestMeasure:
    def test_a_steady_judge_and_a_word_counter(self, tmp_path: Path) -> None:
        """The word judge is the same when asked again and under shuffling; rewording throws every verdict over: it reads letters, not meaning."""
        found = measured(rows(20), WordJudge(), tmp_path)
        by = {p.probe: p for p in found.probes}

        assert (40, 0) == (by[Probe.REPEATED].n, by[Probe.REPEATED].changed)
        assert (20, 0) == (by[Probe.SHUFFLED].n, by[Probe.SHUFFLED].changed)
        assert (20, 20, 20) == (by[Probe.REWORDED].n, by[Probe.REWORDED].changed, by[Probe.REWORDED].crossed)
        assert 20 == len(found.changes)
        assert ("t0", "c0", Probe.REWORDED, "supported", "not_supported") in {(c.trace_id, c.claim_id, c.probe, c.before, c.after) for c in found.changes}
        interval = by[Probe.REPEATED].interval
        assert interval is not None
        assert 0 < interval.hi < 0.1

    def test_a_moody_judge_is_found_out(self, tmp_path: Path) -> None:
        """A quarter of its verdicts change when it is asked anew."""
        found = measured(rows(40), Moody(), tmp_path, probes=[Probe.REPEATED], repeats=1)

        assert 0.25 == found.probes[0].share
        assert 10 == len(found.changes)

    def test_failures_are_neither_steady_nor_changed(self, tmp_path: Path) -> None:
        """A passage the judge cannot read leaves the claim out of the share, and counted."""
        bad = list(
            read_labels([json.dumps({"id": "x", "claim": "Never said.", "label": "supported", "group": "x", "passages": [{"id": "p", "text": "broken"}]})])
        )
        found = measured([*rows(4), *bad], WordJudge(), tmp_path, probes=[Probe.REPEATED], repeats=1)

        assert (4, 0, 1) == (found.probes[0].n, found.probes[0].changed, found.probes[0].unjudged)

    def test_stopped_and_taken_up_again(self, tmp_path: Path) -> None:
        """Stopped after some batches; the second time nothing that was answered is asked again, and both askings count apart."""
        judge, many, batches = WordJudge(), rows(100), 0

        def tell(_done: int, _total: int) -> None:
            nonlocal batches
            batches += 1

        with pytest.raises(Cancelled):
            measured(many, judge, tmp_path, on_progress=tell, stopped=lambda: batches >= 5)
        asked = len(judge.asked)
        first = measured(many, judge, tmp_path)
        total = len(judge.asked)
        second = measured(many, judge, tmp_path)

        assert 0 < asked < total
        assert first == second
        assert total == len(judge.asked)
        fresh = WordJudge()
        measured(many, fresh, tmp_path / "..")
        assert len(fresh.asked) == total

    def test_nothing_to_ask(self, tmp_path: Path) -> None:
        """Said, with a way out."""
        with pytest.raises(InputError, match="no claim with passages"):
            measured([], WordJudge(), tmp_path)


def test_of_a_run_kept_with_it_and_gone_with_it(tmp_path: Path) -> None:
    """Claims of the run as they are split there; the latest result is found again by the page, and deleted with the run, quotes and all."""
    store = open_store(tmp_path / "s.sqlite")
    report = import_files(store, [a_file(tmp_path, 3)])
    judge = WordJudge()
    view = judge_run(store, report.run_id, judge).view
    found = measure(draw(list(rows_of_run(store, view)), 10), asked_by(judge, store, run_id=view.run_id), fingerprint=view.judge, at="2026-03-01")
    keep(store, view, found)

    assert 3 == found.n_claims
    assert found == kept(store, view)
    assert kept(store, View(run_id=view.run_id, judge="other", claim_set="rules")) is None
    store.delete_run(view.run_id)
    assert kept(store, view) is None
    store.close()
    assert b"sky is blue" not in (tmp_path / "s.sqlite").read_bytes()
