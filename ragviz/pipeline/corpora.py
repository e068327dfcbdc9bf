"""All passages of a run, searchable: causes look there for what retrieval missed and for better sources."""

from __future__ import annotations

import threading
import weakref

from ragviz.diagnosis.corpus import Corpus
from ragviz.store import Store

MAX_TRACES = 20_000
"""Larger runs are explained from each trace's own passages: an index of their corpus would take longer than it is worth."""
MAX_KEPT = 4

_lock = threading.Lock()
_kept: weakref.WeakKeyDictionary[Store, dict[tuple[str, int], Corpus]] = weakref.WeakKeyDictionary()


def corpus_of(store: Store, run_id: str) -> Corpus | None:
    """The run's distinct passages; None for runs of more than ``MAX_TRACES``. Kept for the next call as long as the run has as many traces."""
    manifest = store.run(run_id)
    if manifest.n_traces > MAX_TRACES:
        return None
    key = (manifest.run_id, manifest.n_traces)
    with _lock:
        kept = _kept.setdefault(store, {})
        if key in kept:
            return kept[key]
    made = Corpus.of(store.traces(run_id))
    with _lock:
        kept[key] = made
        while len(kept) > MAX_KEPT:
            kept.pop(next(iter(kept)))
    return made
