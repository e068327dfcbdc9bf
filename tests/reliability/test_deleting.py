"""A run that went through everything, deleted: no byte of its text is left in any file of the store."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from ragviz.errors import StoreError
from ragviz.pipeline import import_files
from ragviz.pipeline.judging import judge_run
from ragviz.records import Annotation, Grounding, LoadIssue
from ragviz.store import PendingBatch, Store, open_store
from tests.contracts.store_laws import NOW
from tests.unit.pipeline.fakes import WordJudge, a_file

SECRET = "Xylophonkonfidenz"


def holds(path: Path) -> bool:
    """Whether the word, or what the index leaves of its end, is in the file."""
    raw = path.read_bytes().lower()
    return SECRET.lower().encode() in raw or SECRET.lower()[4:].encode() in raw


def full_of_it(store: Store, folder: Path) -> str:
    """A run with the word in every field a file can fill, judged, scored, labelled, with a batch under way and an issue."""
    passages = [
        {"id": f"{SECRET} {r}", "text": f"{SECRET} is blue. Part {r}.", "rank": r, "source": SECRET, "title": SECRET, "metadata": {SECRET: SECRET}}
        for r in (1, 2)
    ]
    rows = [
        {
            "id": f"{SECRET}-{n}",
            "question": f"{SECRET} {n}?",
            "response": f"{SECRET} is blue [1].",
            "reference": f"{SECRET} is blue.",
            "passages": passages,
            "tags": {SECRET: SECRET},
            "group": SECRET,
            "model": SECRET,
            "history": [{"role": "user", "text": SECRET}],
            "relevant_ids": [SECRET],
        }
        for n in range(30)
    ]
    file = folder / f"{SECRET}.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    run = import_files(store, [file], run_name=SECRET).run_id
    view = judge_run(store, run, WordJudge()).view
    case = next(iter(store.judged(view)))
    store.annotate(run, Annotation(trace_id=case.trace.id, claim_id=case.claims[0].id, grounding=Grounding.SUPPORTED, author=SECRET, reason=SECRET, at=NOW))
    store.add_issues(run, [LoadIssue(where=SECRET, message=SECRET)])
    store.add_pending(
        run,
        PendingBatch(
            batch_id=SECRET, fingerprint=view.judge, claim_set="rules", trace_ids=(case.trace.id,), fence=SECRET, n_requests=1, sent_at="2026-01-01T00:00:00Z"
        ),
    )
    return run


def test_no_byte_of_a_deleted_run_is_left(tmp_path: Path) -> None:
    """Traces, passages, claims, verdicts, cache, labels, scores, tags, index, log: gone; the other run is whole."""
    home = tmp_path / "store"
    home.mkdir()
    store = open_store(home / "s.sqlite")
    other = import_files(store, [a_file(tmp_path, 30)]).run_id
    judge_run(store, other, WordJudge())
    run = full_of_it(store, tmp_path)
    assert any(map(holds, home.iterdir()))

    store.delete_run(run)

    assert [] == [path.name for path in home.iterdir() if holds(path)]
    assert [f"q{n}" for n in range(30)] == store.trace_ids(other)
    assert 30 == store.views(other)[0][1]
    store.close()
    assert [] == [path.name for path in home.iterdir() if holds(path)]


def test_a_reader_that_keeps_the_log_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program looks at an older state and does not stop: the run is deleted, and it says that the log still holds it."""
    monkeypatch.setattr("ragviz.store.engine.BUSY_TIMEOUT_MS", 100)
    home = tmp_path / "store"
    home.mkdir()
    store = open_store(home / "s.sqlite")
    run = full_of_it(store, tmp_path)
    reader = sqlite3.connect(home / "s.sqlite", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM trace").fetchone()

    with pytest.raises(StoreError, match=r"still be read in the log|in use") as caught:
        store.delete_run(run)
    assert "close" in caught.value.fix
    assert [] == store.runs()
    reader.execute("ROLLBACK")
    reader.close()
    store.close()
    assert [] == [path.name for path in home.iterdir() if holds(path)]
