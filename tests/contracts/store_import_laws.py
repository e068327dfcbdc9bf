"""Laws of imports: batches that remember one another store what each would store by itself, whatever others do in between."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from ragviz.errors import StoreError
from ragviz.records import SPLIT_TAG, Passage, Split, Trace
from ragviz.store import Met, Store, TraceFilter
from ragviz.store import met as remembering
from ragviz.store.replacing import replace_trace
from ragviz.store.splits import set_split
from tests.contracts.store_laws import VIEW, law, manifest, plain, with_traces


def retrieved(trace_id: str, *names: str, lang: str = "de") -> Trace:
    """A trace whose passages are told by their names: texts, documents and sources."""
    passages = tuple(Passage(id=n, text=f"All about {n}.", rank=rank, doc_id=f"doc {n}", source=f"shelf {n}") for rank, n in enumerate(names, start=1))
    return plain(trace_id, passages=passages, tags={"lang": lang})


def seen(store: Store) -> tuple[object, ...]:
    """What the run is to everybody: its traces with their texts, what it can be filtered by, and what each filter finds."""
    labels = {kind: store.labels("run", kind) for kind in ("tag", "source")}
    found = {
        **{(name, value): store.passing(VIEW, TraceFilter(tags={name: value})) for name, values in labels["tag"].items() for value in values},
        **{source: store.passing(VIEW, TraceFilter(source=source)) for source in labels["source"].get("", [])},
    }
    return list(store.traces("run")), labels, found


BATCHES: list[list[Trace]] = [
    [retrieved("a", "x", "y"), retrieved("b", "x", "x2")],
    [retrieved("a", "never", lang="fr"), retrieved("c", "y", "z", lang="en")],
    [retrieved("a", "never", lang="fr")],
    [retrieved("d", "never", "x", lang="fr"), plain("e"), plain("f", passages=()), plain("g\x00", response="\ud800", tags={"lang\ud800": "d\x00"})],
    [retrieved("h", "z"), plain("i", passages=(Passage(id="odd", text="half \ud800", rank=1), Passage(id="odd2", text="half \ufffd", rank=2)))],
]
"""Repeated ids that bring texts and tags nobody stored, batches without anything new, and text that no database takes."""


def _told_of_each_alone(store: Store) -> tuple[object, ...]:
    """What a run holds whose batches know nothing of each other; the run is gone again."""
    store.create_run(manifest())
    for batch in BATCHES:
        store.add_traces("run", batch)
    told = seen(store)
    store.delete_run("run")
    return told


@law
def batches_that_remember_each_other_store_the_same(store: Store) -> None:
    """Batch by batch by itself, and with one memory."""
    told = _told_of_each_alone(store)
    store.create_run(manifest())
    met = Met()
    assert [store.add_traces("run", batch, met=met) for batch in BATCHES] == [2, 1, 0, 4, 2]

    assert seen(store) == told


def _deleted(store: Store) -> None:
    store.delete_run("run")
    store.create_run(manifest())


def _told_anew(store: Store) -> None:
    replace_trace(store, "run", retrieved("a", "new", lang="pt"))


def _into_a_split(store: Store) -> None:
    set_split(store, "run", ["a"], None)


def _another_run_gone(store: Store) -> None:
    store.create_run(manifest("other"))
    store.add_traces("other", [retrieved("b", "x", "w")])
    store.delete_run("other")


MEANWHILE: tuple[Callable[[Store], None], ...] = (_deleted, _told_anew, _into_a_split, _another_run_gone)


@law
def what_others_do_between_two_batches_is_seen(store: Store) -> None:
    """Whatever they took away, the next batch brings again."""
    for meanwhile in MEANWHILE:
        with_traces(store)
        met = Met()
        tags = {"lang": "de", SPLIT_TAG: Split.FRESH.value}
        store.add_traces("run", [replace(retrieved("a", "x", "y"), tags=tags)], met=met)
        meanwhile(store)
        new = replace(retrieved("b", "x", "y", "w"), tags=tags)
        store.add_traces("run", [new], met=met)

        assert next(iter(store.traces("run", ["b"]))) == new, meanwhile.__name__
        assert "de" in store.labels("run", "tag")["lang"], meanwhile.__name__
        assert store.labels("run", "tag")[SPLIT_TAG] == ["fresh"], meanwhile.__name__
        assert {"doc x", "shelf y", "shelf w"} <= set(store.labels("run", "source")[""]), meanwhile.__name__
        store.delete_run("run")


@law
def a_batch_that_was_undone_is_not_remembered(store: Store) -> None:
    """Nothing of it counts as stored."""
    with_traces(store)
    met, trace = Met(), retrieved("a", "x", "y")
    with pytest.raises((OverflowError, StoreError)):
        store.add_traces("run", [trace], packed={"a": (1 << 70, b"")}, met=met)
    assert store.trace_ids("run") == []

    store.add_traces("run", [trace], met=met)

    assert list(store.traces("run")) == [trace]
    assert store.labels("run", "tag") == {"lang": ["de"]}
    assert store.passing(VIEW, TraceFilter(source="shelf y")) == ["a"]


@law
def a_memory_that_is_full_begins_anew(store: Store) -> None:
    """Nothing is lost with what it forgets."""
    told = _told_of_each_alone(store)
    store.create_run(manifest())
    met = Met()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(remembering, "MOST", 2)
        for batch in BATCHES:
            store.add_traces("run", batch, met=met)
            assert len(met.passages) <= 2 + 3

    assert seen(store) == told
