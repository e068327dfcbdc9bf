"""Laws of what Trends reads: columns of facts, versions and times, what users reported; imported for their effect: they join the laws of a store."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
from msgspec.structs import replace

from ragviz.pipeline.trends import By, parts_by_run, parts_within, run_facts, ways
from ragviz.records import Passage
from ragviz.store import Store
from ragviz.store.facts import reports_by_run
from ragviz.store.labels import REPORTS
from ragviz.store.replacing import replace_trace
from tests.contracts.store_laws import VIEW, law, manifest, note, plain, result, with_traces

MAY = datetime(2026, 5, 20, 12, 0, tzinfo=UTC)
DATED = (Passage(id="p1", text="Since May.", rank=1, effective_date="2026-05-10"), Passage(id="p2", text="No date.", rank=2))


@law
def facts_come_in_file_order_with_what_is_unknown(store: Store) -> None:
    """Times, versions, other tags, words and the age of what is dated; a trace that says nothing has none of them."""
    with_traces(
        store, plain("z", started_at=MAY, tags={"version": "v1", "topic": "期限"}, passages=DATED, group="g1"), plain("a", passages=None, response="", question=""),
        plain("m", started_at=MAY + timedelta(days=20), tags={"version": "v2"}, passages=DATED),
    )
    told = run_facts(store, "run")

    assert ["z", "a", "m"] == list(told.ids)
    assert ["v1", None, "v2"] == list(told.versions)
    assert ["期限", None, None] == list(told.tags["topic"])
    assert (2, 2, "version") == (told.with_time, told.with_version, told.version_tag)
    np.testing.assert_allclose([10.5, np.nan, 30.5], told.age_days)
    assert By.VERSION in ways(told)
    assert By.MONTH in ways(told)


@law
def parts_follow_what_is_told_anew(store: Store) -> None:
    """By month: results and reports fall into their part; a trace told anew moves to the part of its new time and has no result there."""
    with_traces(store, plain("a", started_at=MAY), plain("b", started_at=MAY + timedelta(days=20)), plain("c"))
    store.put_results(VIEW, [result("a", 0.5), result("b", 1.0), result("c", 0.0)])
    may, june = parts_within(store, VIEW, run_facts(store, "run"), By.MONTH)

    assert [["a"], ["b"]] == [list(part.ids) for part in (may, june)]
    assert [0.5, 1.0] == [float(part.values["faithfulness"][0]) for part in (may, june)]

    assert replace_trace(store, "run", plain("a", started_at=MAY + timedelta(days=21), response="Later."))

    (only,) = parts_within(store, VIEW, run_facts(store, "run"), By.MONTH)
    assert ["a", "b"] == list(only.ids)
    np.testing.assert_allclose([np.nan, 1.0], only.values["faithfulness"])


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
