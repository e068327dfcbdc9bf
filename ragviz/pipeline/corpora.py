"""All passages of a run, searchable: causes look there for what retrieval missed and for better sources. And how far people say these can be trusted."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Sequence

from ragviz.diagnosis.authority import AUTHORITY_RANKS, AuthorityRule, apply_rules, apply_to
from ragviz.diagnosis.corpus import Corpus
from ragviz.pipeline.further import decide, vectors
from ragviz.records import Passage
from ragviz.store import Store

MAX_TRACES = 20_000
"""Larger runs are explained from each trace's own passages: an index of their corpus would take longer than it is worth."""
MAX_DOCUMENTS = 20_000
"""Of a file of documents that came with a run, so many are kept to be searched."""
MAX_KEPT = 4

_lock = threading.Lock()
_kept: weakref.WeakKeyDictionary[Store, dict[tuple[str, int, tuple[AuthorityRule, ...]], Corpus]] = weakref.WeakKeyDictionary()


def authority_rules(store: Store) -> tuple[AuthorityRule, ...]:
    """What people said of groups of sources, the more exact pattern last: there the last one that fits wins."""
    said = store.kept("authority", str)
    exact = sorted(said, key=lambda pattern: (len(pattern.replace("*", "").replace("?", "")), pattern))
    return tuple(AuthorityRule(pattern=p, authority=said[p]) for p in exact if said[p] in AUTHORITY_RANKS)


def keep_documents(store: Store, run_id: str, documents: Sequence[Passage]) -> None:
    """Keep what a file of documents holds beside the traces: what could have been retrieved, whether it was or not. The first ``MAX_DOCUMENTS``."""
    if documents:
        store.keep("corpus", run_id, list(documents[:MAX_DOCUMENTS]))


def documents_of(store: Store, run_id: str) -> list[Passage]:
    """The documents that came with a run; [] where none did."""
    return store.kept_one("corpus", run_id, list[Passage]) or []


def corpus_of(store: Store, run_id: str) -> Corpus | None:
    """The run's distinct passages and the documents that came with it, with the authority people gave them; None for runs of more than ``MAX_TRACES``. Kept for the next call as long as the run has as many traces."""
    manifest = store.run(run_id)
    if manifest.n_traces > MAX_TRACES:
        return None
    rules = authority_rules(store)
    key = (manifest.run_id, manifest.n_traces, rules)
    with _lock:
        kept = _kept.setdefault(store, {})
        if key in kept:
            return kept[key]
    made = Corpus.of((apply_rules(trace, rules) for trace in store.traces(run_id)), apply_to(documents_of(store, manifest.run_id), rules), decide=decide, embed=vectors)
    with _lock:
        kept[key] = made
        while len(kept) > MAX_KEPT:
            kept.pop(next(iter(kept)))
    return made
