"""Which traces of a large run the Judges page looks at."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragviz.pipeline import import_files
from ragviz.ui.views import judges_seen
from tests.stored import empty_store
from tests.unit.pipeline.fakes import a_file


def test_of_a_large_run_some_traces_are_drawn_the_same_ones_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By place, without reading the names of all; ids of traces that are there, none twice."""
    monkeypatch.setattr(judges_seen, "MOST_TRACES", 7)
    store = empty_store(tmp_path / "store.sqlite")
    run = store.run(import_files(store, [a_file(tmp_path, 40)]).run_id)
    drawn = judges_seen.sample_of(store, run)

    assert drawn is not None
    assert len(set(drawn)) == len(drawn) == 7
    assert set(drawn) < set(store.trace_ids(run.run_id))
    assert judges_seen.sample_of(store, run) == drawn


def test_of_a_small_run_all_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No sample, so no word of one."""
    monkeypatch.setattr(judges_seen, "MOST_TRACES", 40)
    store = empty_store(tmp_path / "store.sqlite")

    assert judges_seen.sample_of(store, store.run(import_files(store, [a_file(tmp_path, 40)]).run_id)) is None
