"""Laws of splits, looks at held-out traces and calibrations; imported for their effect: they join the laws of a store."""

from __future__ import annotations

from ragviz.records import Calibration, LabelSplit, LookKind, Split
from ragviz.store import Store, TraceFilter
from ragviz.store.calibrations import add_calibration, calibrations
from ragviz.store.looks import add_look, looks_at
from ragviz.store.splits import questions_of, set_split, split_counts
from tests.contracts.store_laws import NOW, VIEW, law, plain, with_traces


@law
def traces_move_between_splits(store: Store) -> None:
    """A trace is in one split at most; the tag says which, and can be filtered by."""
    with_traces(store, plain("a"), plain("b"), plain("c"))
    set_split(store, "run", ["a", "b"], Split.HELD_OUT)
    set_split(store, "run", ["b"], Split.FRESH)

    assert {Split.HELD_OUT: 1, Split.FRESH: 1} == split_counts(store, "run")
    assert ["a"] == store.passing(VIEW, TraceFilter(tags={"split": "held-out"}))
    assert 1 == len(questions_of(store, "run", Split.HELD_OUT))
    assert 1 == set_split(store, "run", ["a"], None)
    assert {"split": ["fresh"]} == store.labels("run", "tag")


@law
def looks_are_counted_and_stay(store: Store) -> None:
    """In the order they happened, by whoever, also when the run is gone."""
    with_traces(store, plain("a"))
    add_look(store, ["q1", "q2"], who="Ada", kind=LookKind.OPENED, place="Inspector")
    add_look(store, ["q2"], who="bob", kind=LookKind.MEASURED, place="ragviz gate")
    store.delete_run("run")

    assert [("Ada", 1), ("bob", 1)] == [(look.who, look.n_traces) for look in looks_at(store, ["q2"])]


@law
def the_newest_calibration_comes_first(store: Store) -> None:
    """By fingerprint; earlier ones stay."""
    parts = LabelSplit(rule="half", n_fit=1, n_reported=1, groups_fit=1, groups_reported=1, fit_hash="a", reported_hash="b")
    for rate in (0.25, 0.5):
        add_calibration(store, Calibration(fingerprint="f", judge="j", fitted_at=NOW, x=(0.0,), y=(0.5,), base_rate=rate, split=parts))

    assert [0.5, 0.25] == [c.base_rate for c in calibrations(store, fingerprint="f")]
    assert [] == calibrations(store, judge="another")
