"""A short form of the load: five visitors click while a judge judges and another process imports and labels."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reliability.load import run
from tests.reliability.load import stored as store_of
from tests.reliability.load_report import Size, report
from tests.unit.pipeline.fakes import without_models

pytestmark = pytest.mark.slow
SIZE = Size(minutes=0.1, sessions=5, n_traces=2_000, each=100, judge="words", think_s=1.0)


def test_visitors_a_judge_and_imports_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No page shows a fault, and everything that was acknowledged is there once, though judge and importer were killed at the end."""
    without_models(monkeypatch)
    monkeypatch.setattr("benchmarks.large_store.CASES", 40)
    store_of(tmp_path / "load.sqlite", SIZE.n_traces)

    found = run(tmp_path / "load.sqlite", tmp_path, SIZE)

    words = report(found, SIZE)
    assert [] == found.faults, words
    assert not found.logged, words
    assert [] == found.lost, words
    assert len(found.took) >= SIZE.sessions, words
    assert found.imported, words
    assert found.labelled, words
    assert found.judged, words
