"""Shipped answers are there before any model is loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ragviz.pipeline import export_cache, import_files, judge_run
from ragviz.store import open_store
from tests.unit.pipeline.fakes import a_file

REPO = Path(__file__).resolve().parents[3]
PROGRAM = """
import sys
from pathlib import Path
from ragviz.pipeline import import_files, judge_run, load_cache
from ragviz.store import open_store
store = open_store(":memory:")
load_cache(store, Path(sys.argv[2]))
report = judge_run(store, import_files(store, [sys.argv[1]]).run_id, "local")
assert report.n_pairs == report.n_cached > 0, (report.n_pairs, report.n_cached)
assert [r.quadrant for r in store.results(report.view)] == sys.argv[3].split(",")
assert not {"torch", "sentence_transformers", "transformers"} & set(sys.modules), "a model was loaded"
"""


@pytest.mark.weights
@pytest.mark.slow
def test_a_run_with_shipped_answers_loads_no_model(tmp_path: Path) -> None:
    """Verdicts and ratings of the local judge in one process, read from a file in another that must not import torch."""
    path = a_file(tmp_path, 3, response="The sky is blue. Grass is red.")
    store = open_store(":memory:")
    view = judge_run(store, import_files(store, [path]).run_id, "local").view
    (tmp_path / "verdicts.jsonl.gz").write_bytes(export_cache(store, view))
    quadrants = ",".join(r.quadrant for r in store.results(view))
    store.close()

    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(path), str(tmp_path / "verdicts.jsonl.gz"), quadrants], cwd=REPO, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
