"""All passages of a run, searchable: causes look there for what retrieval missed and for better sources. And how far people say these can be trusted."""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Iterable, Sequence

from ragviz.diagnosis.authority import AUTHORITY_RANKS, AuthorityRule, apply_to
from ragviz.diagnosis.corpus import Corpus, Read
from ragviz.pipeline.further import decide, vectors
from ragviz.records import LoadIssue, Passage, RunManifest
from ragviz.store import Store
from ragviz.text.counts import counted

MAX_TRACES = 20_000
"""Runs of so many traces are searched whole. Of a larger one the passages of its first traces are, and causes say so: all of a million would take minutes."""
MAX_PASSAGES = 30_000
"""Different passages of a larger run that are enough: a few seconds of one core, once a process."""
MAX_DOCUMENTS = 50_000
"""Of a file of documents that came with a run, so many are kept to be searched; an import says what it left out."""
MAX_KEPT, MAX_HELD = 4, 100_000
"""Corpora, and passages of all of them together, with their index: 2 KiB each (measured at 45 words). The one asked for last is kept, however large."""

_Made = tuple[int, tuple[AuthorityRule, ...]]
"""What a corpus was made of: so many traces, and what people said of sources."""
_lock = threading.Lock()
_kept: weakref.WeakKeyDictionary[Store, dict[str, tuple[_Made, Corpus]]] = weakref.WeakKeyDictionary()
"""By run: of one that grows only the newest."""


def authority_rules(store: Store) -> tuple[AuthorityRule, ...]:
    """What people said of groups of sources, the more exact pattern last: there the last one that fits wins."""
    said = store.kept("authority", str)
    exact = sorted(said, key=lambda pattern: (len(pattern.replace("*", "").replace("?", "")), pattern))
    return tuple(AuthorityRule(pattern=p, authority=said[p]) for p in exact if said[p] in AUTHORITY_RANKS)


def keep_documents(store: Store, run_id: str, documents: Sequence[Passage]) -> None:
    """Keep what a file of documents holds beside the traces: what could have been retrieved, whether it was or not. The first ``MAX_DOCUMENTS``."""
    if documents:
        store.keep("corpus", run_id, list(documents[:MAX_DOCUMENTS]))


def left_out(where: str, n_documents: int) -> LoadIssue | None:
    """What to say of documents that are too many to be kept; None where all are."""
    if n_documents <= MAX_DOCUMENTS:
        return None
    message = f"{counted(n_documents, 'document')}: the first {MAX_DOCUMENTS:,} are searched for what retrieval missed, the other {n_documents - MAX_DOCUMENTS:,} are not"
    return LoadIssue(where=where, message=message, fix="put the documents that matter first, or give those only that could have been retrieved")


def documents_of(store: Store, run_id: str) -> list[Passage]:
    """The documents that came with a run; [] where none did."""
    return store.kept_one("corpus", run_id, list[Passage]) or []


def corpus_of(store: Store, run_id: str) -> Corpus:
    """
    The run's distinct passages and the documents that came with it, with the authority people gave them.

    Of runs of more than ``MAX_TRACES`` traces only the passages of the first so many; ``Corpus.part`` says so. They are read at the first look, which takes
    some seconds for a large run, and kept for the next call as long as the run has as many traces, and until a run of the store is deleted.
    """
    manifest = store.run(run_id)
    rules = authority_rules(store)
    of = (min(manifest.n_traces, MAX_TRACES), rules)
    with _lock:
        if store not in _kept:
            _kept[store] = {}
            store.on_delete(_kept[store].clear)
        kept = _kept[store]
        known = kept.pop(manifest.run_id, None)
        made = known[1] if known is not None and known[0] == of else Corpus(_reading(store, manifest, rules), decide=decide, embed=vectors)
        kept[manifest.run_id] = (of, made)  # behind the others: the one not asked for longest goes first
        while len(kept) > 1 and (len(kept) > MAX_KEPT or sum(corpus.n_held for _, corpus in kept.values()) > MAX_HELD):
            kept.pop(next(iter(kept)))
    return made


def let_go(store: Store) -> None:
    """Keep no corpus of that store any more."""
    with _lock:
        _kept.get(store, {}).clear()


def _reading(store: Store, manifest: RunManifest, rules: tuple[AuthorityRule, ...]) -> Read:
    """Reads the passages when the first of them is wanted: a trace in which all is well needs none."""
    # A corpus is kept as long as its store lives, so it must not be what keeps the store alive.
    kept = weakref.ref(store)

    def read() -> tuple[Iterable[Passage], str]:
        asked = kept()
        assert asked is not None
        documents = documents_of(asked, manifest.run_id)
        n_traces, passages = _passages(asked, manifest)
        return apply_to([*documents, *passages], rules), _part(n_traces if n_traces < manifest.n_traces else None, len(documents))

    return read


def _passages(store: Store, manifest: RunManifest) -> tuple[int, list[Passage]]:
    """How many traces were read, and the different passages they retrieved."""
    if manifest.n_traces <= MAX_TRACES:
        return store.distinct_passages(manifest.run_id, max_traces=manifest.n_traces, max_passages=sys.maxsize)
    return store.distinct_passages(manifest.run_id, max_traces=MAX_TRACES, max_passages=MAX_PASSAGES)


def _part(n_traces: int | None, n_documents: int) -> str:
    """Which part of what could have been retrieved is searched; "" = all. ``n_traces``: only the passages of so many."""
    parts = [f"the first {MAX_DOCUMENTS:,} documents"] if n_documents >= MAX_DOCUMENTS else []
    parts += [f"the passages of the first {counted(n_traces, 'trace')}"] if n_traces is not None else []
    return " and ".join(parts)
