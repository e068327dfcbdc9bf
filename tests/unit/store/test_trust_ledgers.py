"""Splits, looks at held-out traces and calibrations: kept, counted, and there after a lift from the schema before."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest

from ragviz.records import Calibration, LabelSplit, LookKind, Split, Trace
from ragviz.store import Store, TraceFilter, open_store
from ragviz.store.calibrations import add_calibration, calibrations
from ragviz.store.looks import add_look, looks_at, subjects_of
from ragviz.store.splits import questions_of, set_split, split_counts
from tests.contracts.store_laws import NOW, VIEW, manifest
from tests.unit.store.older import set_back

PARTS = LabelSplit(rule="half of the groups, seed 0", seed=0, n_fit=2, n_reported=2, groups_fit=2, groups_reported=2, fit_hash="a", reported_hash="b")


def stored(store: Store, *, tags: dict[str, str] | None = None, run: str = "run") -> Store:
    """Four traces, t0 to t3, asking q0 to q3."""
    store.create_run(manifest(run))
    store.add_traces(run, [Trace(id=f"t{n}", question=f"q{n}", response="!", passages=None, tags=tags or {}) for n in range(4)])
    return store


class TestSplitWords:
    @pytest.mark.parametrize(("word", "tag", "column"), [
        ("held-out", Split.HELD_OUT, Split.HELD_OUT), ("Held out", Split.HELD_OUT, Split.HELD_OUT), ("HELD_OUT", Split.HELD_OUT, Split.HELD_OUT),
        ("test", None, Split.HELD_OUT), ("train", None, Split.DEVELOPMENT), ("val", None, Split.DEVELOPMENT), ("fresh", Split.FRESH, Split.FRESH),
        ("", None, None), (None, None, None), ("sales_call", None, None),
    ])
    def test_a_file_means_its_own_by_split_unless_it_says_ours(self, word: str | None, tag: Split | None, column: Split | None) -> None:
        """A tag counts in our words only; a column that is named as holding splits counts in those of training sets too."""
        assert (tag, column) == (Split.of(word), Split.of_column(word))


class TestSplits:
    def test_set_count_filter_and_take_back(self, tmp_path: Path) -> None:
        """Two of four are held out: they can be filtered by, their tag is read back, and taking them out leaves no empty choice behind."""
        store = stored(open_store(tmp_path / "s.sqlite"), tags={"lang": "en"})

        assert 2 == set_split(store, "run", ["t1", "t3", "nobody"], Split.HELD_OUT)
        assert 1 == set_split(store, "run", ["t0", "t1"], Split.DEVELOPMENT) - 1
        assert 0 == set_split(store, "run", ["t3"], Split.HELD_OUT)
        assert {Split.DEVELOPMENT: 2, Split.HELD_OUT: 1} == split_counts(store, "run")
        assert ["t3"] == store.passing(VIEW, TraceFilter(tags={"split": "held-out"}))
        assert [{"lang": "en", "split": "development"}, {"lang": "en", "split": "held-out"}] == [dict(t.tags) for t in store.traces("run", ["t0", "t3"])]
        assert ["q3"] == questions_of(store, "run", Split.HELD_OUT)
        set_split(store, "run", ["t3"], None)
        assert {"lang": ["en"], "split": ["development"]} == store.labels("run", "tag")
        assert [] == questions_of(store, "run", Split.HELD_OUT)
        store.close()

    def test_a_tag_of_the_file_counts(self, tmp_path: Path) -> None:
        """Files may bring the tag, in whatever spelling; another tag of that name is none of our splits."""
        store = stored(open_store(tmp_path / "s.sqlite"), tags={"split": "Held_Out"})
        stored(store, tags={"split": "sales_call"}, run="other")

        assert {Split.HELD_OUT: 4} == split_counts(store, "run")
        assert ["q0", "q1", "q2", "q3"] == questions_of(store, "run", Split.HELD_OUT)
        assert {} == split_counts(store, "other")
        store.close()


class TestLooks:
    def test_every_look_counts_across_runs_and_outlives_them(self, tmp_path: Path) -> None:
        """Ada opened q1, a command measured q1 and q2; deleting the run takes no look back, and no question stands in the file."""
        store = stored(open_store(tmp_path / "s.sqlite"))
        add_look(store, ["secretquestion", "q1"], who="Ada", kind=LookKind.OPENED, place="Inspector")
        add_look(store, ["q2", "q1"], who="bob", kind=LookKind.MEASURED, place="ragviz compare")
        add_look(store, [], who="bob", kind=LookKind.MEASURED, place="ragviz compare")
        store.delete_run("run")

        found = looks_at(store, ["q1", "q3"])
        assert [("Ada", LookKind.OPENED, 1), ("bob", LookKind.MEASURED, 1)] == [(look.who, look.kind, look.n_traces) for look in found]
        assert [2] == [look.n_traces for look in looks_at(store, ["q2", "q1"]) if look.who == "bob"]
        assert [] == looks_at(store, ["q3"])
        assert [] == looks_at(store, [])
        store.close()
        assert b"secretquestion" not in (tmp_path / "s.sqlite").read_bytes()

    def test_the_same_traces_are_kept_once(self, tmp_path: Path) -> None:
        """A hundred measurements of one set are a hundred looks and one list of traces."""
        store = open_store(tmp_path / "s.sqlite")
        for _ in range(100):
            add_look(store, ["a", "b"], who="ci", kind=LookKind.MEASURED, place="ragviz gate")

        assert 100 == len(looks_at(store, ["b"]))
        store.close()
        with sqlite3.connect(tmp_path / "s.sqlite") as conn:
            assert [(1, 2)] == conn.execute("SELECT count(*), max(n) FROM looked_at").fetchall()
        conn.close()

    def test_subjects(self) -> None:
        """Ascending, each once, whatever the text."""
        found = subjects_of(["b", "a", "b", "\ud800"])

        assert 3 == len(found)
        assert sorted(found.tolist()) == found.tolist()


class TestCalibrations:
    def test_the_latest_of_a_version_counts(self, tmp_path: Path) -> None:
        """Appended, newest first, by fingerprint and by judge."""
        store = open_store(tmp_path / "s.sqlite")
        for n, version in enumerate(["local:1", "local:2", "local:2"]):
            add_calibration(store, Calibration(
                fingerprint=version, judge="local", fitted_at=NOW + timedelta(days=n), x=(0.0, 1.0), y=(0.1, 0.9), base_rate=0.5, split=PARTS,
            ))
        store.close()
        again = open_store(tmp_path / "s.sqlite")

        assert [2, 1] == [(c.fitted_at - NOW).days for c in calibrations(again, fingerprint="local:2")]
        assert 3 == len(calibrations(again, judge="local"))
        assert [] == calibrations(again, fingerprint="local:3")
        assert PARTS == calibrations(again)[0].split
        again.close()


def test_a_database_of_schema_3_is_lifted(tmp_path: Path) -> None:
    """Schema 3 had neither; its runs stay, and the new tables work."""
    path = tmp_path / "s.sqlite"
    stored(open_store(path)).close()
    set_back(path, 3, *(f"DROP TABLE {table}" for table in ("look", "looked_at", "calibration")))
    lifted = open_store(path)
    add_look(lifted, ["q0"], who="Ada", kind=LookKind.OPENED, place="Inspector")

    assert ["t0", "t1", "t2", "t3"] == lifted.trace_ids("run")
    assert 1 == len(looks_at(lifted, ["q0"]))
    assert (tmp_path / "s.sqlite.schema-3.backup").exists()
    lifted.close()


