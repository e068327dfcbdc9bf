"""Traces kept unseen: given their split on import, and every look at them counted."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ragviz.pipeline import import_files
from ragviz.pipeline.held_out import HeldOut, held_out, held_out_questions, look_at, move
from ragviz.records import Look, LookKind, Split
from ragviz.store import Store, open_store
from ragviz.store.splits import questions_of, split_counts


def a_file(folder: Path, words: list[str | None]) -> Path:
    """One trace a word; the column "part" holds it."""
    path = folder / "traces.jsonl"
    rows = [{"question": f"q{n}", "answer": "!", "contexts": ["text"], **({"part": word} if word is not None else {})} for n, word in enumerate(words)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "s.sqlite")


class TestImport:
    def test_one_split_for_all_also_when_they_are_there_already(self, store: Store, tmp_path: Path) -> None:
        """Imported without a split, then again with one: no trace is doubled, all of them are in it."""
        path = a_file(tmp_path, [None, None])
        run = import_files(store, [path]).run_id
        again = import_files(store, [path], split=Split.HELD_OUT)

        assert (run, 0) == (again.run_id, again.n_new)
        assert {Split.HELD_OUT: 2} == split_counts(store, run)
        assert 2 == len(held_out_questions(store.traces(run)))

    def test_from_a_column(self, store: Store, tmp_path: Path) -> None:
        """train and test are understood; a word that names no split is told once, and its traces are loaded without one."""
        report = import_files(store, [a_file(tmp_path, ["train", "Test", "regression", "sales", "sales", None])], split_column="part")

        assert 6 == report.n_traces
        assert {Split.DEVELOPMENT: 1, Split.REGRESSION: 1, Split.HELD_OUT: 1} == split_counts(store, report.run_id)
        assert ['column part says "sales", which names no split', "no column part, so these traces are in no split"] == [i.message for i in report.issues]
        assert not any(i.rejected for i in report.issues)
        assert ["q1"] == questions_of(store, report.run_id, Split.HELD_OUT)


class TestLooks:
    def test_said_in_one_sentence(self, store: Store, tmp_path: Path) -> None:
        """Never looked at; then opened, measured, and partly moved away: a look that is not forgotten."""
        run = import_files(store, [a_file(tmp_path, [None, None, None])], split=Split.HELD_OUT).run_id
        first = held_out(store, run)
        look_at(store, ["q0"], who="Ada", kind=LookKind.OPENED, place="Inspector")
        look_at(store, ["q0", "q1", "q2"], who="ci", kind=LookKind.MEASURED, place="ragviz compare")
        look_at(store, ["q0", "q1", "q2"], who="ci", kind=LookKind.MEASURED, place="ragviz compare")
        second = held_out(store, run)
        trace_id = store.trace_ids(run)[0]
        move(store, run, [trace_id], Split.DEVELOPMENT, who="Ada", place="Traces")
        move(store, run, [trace_id], Split.HELD_OUT, who="Ada", place="Traces")
        third = held_out(store, run)

        assert first is not None
        assert second is not None
        assert third is not None
        assert "3 held-out, never looked at" == first.words
        assert second.words.startswith("3 held-out: opened once, measured twice by 2 people, last on ")
        assert (3, 1, 2, 1) == (third.n, third.times(LookKind.OPENED), third.times(LookKind.MEASURED), third.times(LookKind.MOVED))

    def test_without_any(self, store: Store, tmp_path: Path) -> None:
        """A run without held-out traces says nothing, and nothing is noted."""
        run = import_files(store, [a_file(tmp_path, [None])]).run_id

        assert held_out(store, run) is None
        assert look_at(store, [], who="x", kind=LookKind.MEASURED, place="y") is None

    def test_as_json(self) -> None:
        """Counts by kind, people, and the last time."""
        at = datetime(2026, 3, 1, tzinfo=UTC)
        found = HeldOut(
            n=2, looks=(Look(at=at, who="a", kind=LookKind.OPENED, place="p", n_traces=1), Look(at=at, who="b", kind=LookKind.OPENED, place="p", n_traces=2))
        )

        assert {"n": 2, "opened": 2, "measured": 0, "moved": 0, "people": 2, "last": at.isoformat()} == found.to_json()
