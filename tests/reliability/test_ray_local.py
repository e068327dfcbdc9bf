"""The local judge, with its embedding model, in the workers of a Ray cluster."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from msgspec.structs import replace

from ragviz.backends.embedder import Embedder
from ragviz.pipeline import import_files, judge_run
from ragviz.pipeline.engines import judge_on_ray
from ragviz.records import TraceResult
from ragviz.store import open_store

pytestmark = [
    pytest.mark.slow,
    pytest.mark.weights,
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="needs the package ray (in requirements-dev.txt)"),
    pytest.mark.skipif(not Embedder().available().ok, reason="needs the sentence embedding model"),
    pytest.mark.filterwarnings("ignore"),  # Ray's own, of its threads and sockets
]
SAMPLES = Path(__file__).resolve().parents[2] / "sample_traces" / "baseline.jsonl"
N = 8


def test_the_local_judge_says_the_same_on_two_workers(tmp_path: Path) -> None:
    """
    Claims, verdicts, confidences, quotes and rationales are equal bit by bit; quadrants and causes too. (What judging took differs, and so do
    similarities in the seventh digit.)
    """
    alone, spread = open_store(tmp_path / "alone.sqlite"), open_store(tmp_path / "spread.sqlite")
    runs = [import_files(store, [SAMPLES]).run_id for store in (alone, spread)]
    expected, found = judge_run(alone, runs[0], "local", limit=N).view, judge_on_ray(spread, runs[1], "local", n_workers=2, limit=N).view

    said = [
        {case.trace.id: (case.claims, case.judgements) for case in store.judged(view) if case.judgements}
        for store, view in ((alone, expected), (spread, found))
    ]
    results = [{result.trace_id: _told(result) for result in store.results(view)} for store, view in ((alone, expected), (spread, found))]

    assert N == len(said[0])
    assert said[0] == said[1]
    assert N == len(results[0])
    assert results[0] == results[1]


def _told(result: TraceResult) -> tuple[TraceResult, dict[str, float | None]]:
    """A result without what took time, its scores to six digits."""
    scores = {name: None if score.value is None else round(score.value, 6) for name, score in result.scores.items() if name != "judge_ms_per_claim"}
    return replace(result, scores={}), scores
