"""The corpus of a run: read when a cause is looked for in it, once, and let go with its store."""

from __future__ import annotations

import gc
import weakref
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ragviz.pipeline import corpora, import_files, judge_run
from ragviz.pipeline.corpora import corpus_of
from ragviz.pipeline.scoring import annotate
from ragviz.records import Annotation, Grounding, Trace
from ragviz.store import Store, open_store

FIVE = Path(__file__).resolve().parents[3] / "sample_traces" / "five_cases.json"


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Of which runs the passages were read."""
    seen: list[str] = []
    read = Store.distinct_passages

    def counted(store: Store, run_id: str, **limits: int) -> object:
        seen.append(run_id)
        return read(store, run_id, **limits)

    monkeypatch.setattr(Store, "distinct_passages", counted)
    return seen


def test_an_overrule_reads_passages_only_where_a_cause_is_looked_for(tmp_path: Path, reads: list[str]) -> None:
    """A large run takes seconds to be read: not for a trace in which all is well afterwards, and not twice."""
    place = tmp_path / "runs.sqlite"
    store = open_store(place)
    view = judge_run(store, import_files(store, [FIVE]).run_id, "facts").view
    store.close()
    reads.clear()
    store = open_store(place)

    def overrule(trace_id: str, grounding: Grounding) -> str:
        (case,) = store.judged(view, [trace_id])
        claim = next(c for c in case.claims if c.side == "response")
        annotate(
            store,
            view,
            Annotation(trace_id=trace_id, claim_id=claim.id, grounding=grounding, author="Ada", reason="", at=datetime.now(UTC), claim_set=view.claim_set),
        )
        (result,) = store.results(view, [trace_id])
        return result.quadrant

    assert overrule("good_return", Grounding.SUPPORTED) == "good"
    assert reads == []
    for _ in range(2):
        overrule("good_return", Grounding.NOT_SUPPORTED)
    assert reads == [view.run_id]
    store.close()


def test_a_corpus_does_not_keep_its_store(tmp_path: Path) -> None:
    """Read or not."""
    store = open_store(tmp_path / "runs.sqlite")
    run_id = import_files(store, [FIVE]).run_id
    corpus, known = corpus_of(store, run_id), weakref.ref(store)
    assert corpus is corpus_of(store, run_id)
    store.close()
    del store
    gc.collect()

    assert known() is None


def test_of_a_run_that_grows_the_newest_alone_is_kept(tmp_path: Path) -> None:
    """One for each run; a deleted run takes all of them along, and the others are read again when they are wanted."""
    store = open_store(tmp_path / "runs.sqlite")
    first, second = (import_files(store, [FIVE], run_name=name).run_id for name in ("first", "second"))
    corpus, other = corpus_of(store, first), corpus_of(store, second)
    store.add_traces(first, [Trace(id="another", question="Another one?", response="Yes.", passages=())])

    grown = corpus_of(store, first)

    assert grown is not corpus
    assert grown is corpus_of(store, first)
    assert other is corpus_of(store, second)
    assert 2 == len(corpora._kept[store])
    store.delete_run(first)
    assert not corpora._kept[store]
    assert other is not corpus_of(store, second)
    store.close()


def test_so_many_passages_are_held_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the runs that were not looked at for longest go first; the run at hand stays, however large."""
    store = open_store(tmp_path / "runs.sqlite")
    runs = [import_files(store, [FIVE], run_name=name).run_id for name in "abc"]
    made = [corpus_of(store, run) for run in runs]
    assert [0, 0, 0] == [corpus.n_held for corpus in made]
    n = len(made[0].passages)
    monkeypatch.setattr(corpora, "MAX_HELD", 2 * n)
    for corpus in made[1:]:
        assert len(corpus.passages) == n

    corpus_of(store, runs[2])
    assert list(corpora._kept[store]) == [runs[1], runs[2]]
    monkeypatch.setattr(corpora, "MAX_HELD", 1)
    corpus_of(store, runs[1])
    assert list(corpora._kept[store]) == [runs[1]]
    store.close()
