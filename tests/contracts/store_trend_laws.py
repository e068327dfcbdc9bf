"""Laws of what Trends reads: columns of facts, versions and times, what users reported; imported for their effect: they join the laws of a store."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from msgspec.structs import replace

from ragviz.compare.trend import Part
from ragviz.pipeline.trend_facts import By, offer, run_facts
from ragviz.pipeline.trends import parts_by_run, parts_within
from ragviz.records import Passage, Split, Usage
from ragviz.store import Store, TraceFilter, masks
from ragviz.store.facts import reports_by_run
from ragviz.store.labels import REPORTS
from ragviz.store.replacing import replace_trace
from ragviz.store.splits import set_split
from tests.contracts.store_laws import JUDGE, VIEW, law, manifest, note, plain, result, with_traces

MAY = datetime(2026, 5, 20, 12, 0, tzinfo=UTC)
DATED = (Passage(id="p1", text="Since May.", rank=1, effective_date="2026-05-10"), Passage(id="p2", text="No date.", rank=2))


@law
def facts_come_in_file_order_with_what_is_unknown(store: Store) -> None:
    """Times, versions, other tags, words and the age of what is dated; a trace that says nothing has none of them."""
    with_traces(
        store,
        plain("z", started_at=MAY, tags={"version": "v1", "topic": "期限"}, passages=DATED, group="g1"),
        plain("a", passages=None, response="", question=""),
        plain("m", started_at=MAY + timedelta(days=20), tags={"version": "v2"}, passages=DATED),
    )
    told = run_facts(store, "run")

    assert ["v1", None, "v2"] == told.versions.plain()
    assert ["期限", None, None] == told.tags["topic"].plain()
    assert [2.0, 0.0, 2.0] == list(told.words)
    np.testing.assert_allclose([10.5, np.nan, 30.5], told.age_days)
    found = offer(told)
    assert (3, 2, 2, "version") == (found.n, found.with_time, found.with_version, found.version_tag)
    assert {By.VERSION, By.MONTH} <= set(found.ways)


@law
def parts_follow_what_is_told_anew(store: Store) -> None:
    """By month: results and reports fall into their part; a trace told anew moves to the part of its new time and has no result there."""
    with_traces(store, plain("a", started_at=MAY), plain("b", started_at=MAY + timedelta(days=20)), plain("c"))
    store.put_results(VIEW, [result("a", 0.5), result("b", 1.0), result("c", 0.0)])
    may, june = parts_within(store, VIEW, run_facts(store, "run"), By.MONTH)

    assert [["a"], ["b"]] == [_ids(store, part) for part in (may, june)]
    assert [0.5, 1.0] == [float(part.values["faithfulness"][0]) for part in (may, june)]

    assert replace_trace(store, "run", plain("a", started_at=MAY + timedelta(days=21), response="Later."))

    (only,) = parts_within(store, VIEW, run_facts(store, "run"), By.MONTH)
    assert ["a", "b"] == _ids(store, only)
    np.testing.assert_allclose([np.nan, 1.0], only.values["faithfulness"])


@law
def tags_and_times_in_columns_follow_the_traces(store: Store) -> None:
    """A split that a person gives, a time and a latency told anew: no column shows what was there before."""
    with_traces(store, plain("a", started_at=MAY, usage=Usage(latency_ms=5.0)), plain("b"))
    assert ({}, [5.0, None]) == _in_columns(store)

    set_split(store, "run", ["b"], Split.HELD_OUT)
    assert ({"split": [None, "held-out"]}, [5.0, None]) == _in_columns(store)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(masks, "FROM", 1)
        assert [store.count(VIEW, where) for where in (TraceFilter(tags={"topic": "x"}), TraceFilter(text="anew"))] == [0, 0]
    set_split(store, "run", ["b"], Split.FRESH)
    assert replace_trace(store, "run", plain("a", started_at=MAY, usage=Usage(latency_ms=7.0), tags={"topic": "x"}, response="Told anew."))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(masks, "FROM", 1)
        assert [store.count(VIEW, where) for where in (TraceFilter(tags={"topic": "x"}), TraceFilter(text="anew"))] == [1, 1]
    assert ({"split": [None, "fresh"], "topic": ["x", None]}, [7.0, None]) == _in_columns(store)


@law
def what_many_views_lack_is_what_each_of_them_lacks(store: Store) -> None:
    """Nothing computed, some of it, all of it, a run without traces and one that is not there; and which of the runs a judge has judged."""
    views = [replace(VIEW, run_id=run_id) for run_id in ("none", "some", "all", "empty", "gone")]
    for view in views[:4]:
        store.create_run(manifest(view.run_id))
    for view in views[:3]:
        store.add_traces(view.run_id, [plain("a"), plain("b")])
    store.put_results(views[1], [result("a")])
    store.put_results(views[2], [result("a"), result("b")])
    store.add_judged("some", JUDGE, {"a": [], "b": []}, claim_set="rules", scope=0)

    assert views[:2] == store.lacking(views)
    assert views[:2] == [view for view in views[:4] if store.n_missing(view)]
    assert {"some"} == store.judged_runs(JUDGE.fingerprint, "rules")
    assert not store.judged_runs(JUDGE.fingerprint, "facts")


def _in_columns(store: Store) -> tuple[dict[str, list[str | None]], list[float | None]]:
    latency = store.columns(VIEW, ["latency_ms"])["latency_ms"].tolist()
    return {name: column.plain() for name, column in run_facts(store, "run").tags.items()}, [None if ms != ms else ms for ms in latency]  # noqa: PLR0124 - the NaN test


@law
def runs_are_parts_oldest_first(store: Store) -> None:
    """By the numbers in their names where traces say no time, each with its own figures and its users' reports."""
    found = []
    for run_id, value in (("10", 1.0), ("9", 0.25)):
        store.create_run(manifest(run_id, name=f"shop v{run_id}"))
        store.add_traces(run_id, [plain("a"), plain("b")])
        store.annotate(run_id, note("a", claim_set=REPORTS))
        view = replace(VIEW, run_id=run_id)
        store.put_results(view, [result("a", value), result("b", value)])
        found.append((store.run(run_id), view))

    parts = parts_by_run(store, found, lambda run_id: run_facts(store, run_id))

    assert ["9", "10"] == [part.run_id for part in parts]
    assert [[0.25, 0.25], [1.0, 1.0]] == [list(part.values["faithfulness"]) for part in parts]
    assert {"9": ["a"], "10": ["a"]} == reports_by_run(store, REPORTS)


def _ids(store: Store, part: Part) -> list[str]:
    return store.ids_at(part.run_id, part.positions.tolist())
