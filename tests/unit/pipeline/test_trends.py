"""Runs, and times and versions inside one run, as parts of a trend."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from ragviz.compare.version_names import are_numbered, family, natural
from ragviz.pipeline.trend_facts import By, Facts, offer, run_facts
from ragviz.pipeline.trends import parts_by_run, parts_within, related
from ragviz.store import Store, open_store
from ragviz.text.version_tags import is_version_tag, version_of
from tests.build import a_case, a_passage
from tests.stored import fill, renamed

JAN, FEB = datetime(2026, 1, 30, tzinfo=UTC), datetime(2026, 2, 2, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store."""
    return open_store(tmp_path / "store.sqlite")


def facts_of(store: Store, run_id: str) -> Facts:
    """A run's facts."""
    return run_facts(store, run_id)


def test_runs_in_the_order_of_their_traces(store: Store) -> None:
    """Imported the wrong way round, told apart by version."""
    fill(store, a_case("a", response_x_passages={"a": "E"}, started_at=FEB, tags={"release": "1.1"}), name="later")
    fill(store, a_case("a", response_x_passages={"a": "N"}, started_at=JAN, tags={"release": "1.0"}), name="earlier")
    views = [(run, next(iter(store.views(run.run_id)))[0]) for run in store.runs()]

    parts = parts_by_run(store, views, lambda run_id: facts_of(store, run_id))

    assert [p.label for p in parts] == ["1.0", "1.1"]
    assert [p.run_id for p in parts] == ["earlier", "later"]
    assert [float(p.values["faithfulness"][0]) for p in parts] == [0.0, 1.0]


def test_one_run_divided(store: Store) -> None:
    """By month and by version; a trace that says neither is in none."""
    case = a_case("a", response_x_passages={"a": "E"}, started_at=JAN, tags={"version": "v9", "topic": "fees"})
    later = renamed(a_case("a", response_x_passages={"a": "C"}, started_at=FEB, tags={"version": "v10", "topic": "fees"}), "t2")
    silent = renamed(a_case("a", response_x_passages={"a": "C"}), "t3")
    fill(store, case, later, silent, name="made-up")
    facts, view = facts_of(store, "made-up"), store.views("made-up")[0][0]

    told = offer(facts)
    assert told.ways == (By.VERSION, By.MONTH, By.WEEK, By.DAY)
    assert (told.with_time, told.with_version, told.version_tag) == (2, 2, "version")
    assert [(p.key, store.ids_at("made-up", p.positions.tolist())) for p in parts_within(store, view, facts, By.MONTH)] == [
        ("2026-01-01", ["t1"]),
        ("2026-02-01", ["t2"]),
    ]
    assert [p.key for p in parts_within(store, view, facts, By.WEEK)] == ["2026-01-26", "2026-02-02"]
    assert [p.key for p in parts_within(store, view, facts, By.VERSION)] == ["v9", "v10"]


def test_documents_age(store: Store) -> None:
    """Mean age of the dated passages, in days, when the question was asked; a year alone is its first day."""
    passages = (a_passage(1, effective_date="2026-01-20"), a_passage(2, effective_date="2026"), a_passage(3))
    fill(store, a_case("a", response_x_passages={"a": "ENN"}, passages=passages, started_at=JAN))

    assert facts_of(store, "made-up").age_days[0] == pytest.approx((10 + 29) / 2)


def test_related_runs(store: Store) -> None:
    """The same name but for numbers, or the same questions; another system's run is left out."""
    for name, question in (("shop-v1", "What?"), ("shop v2", "Who?"), ("pilot", "What?"), ("other", "Why?")):
        fill(store, a_case("a", response_x_passages={"a": "E"}, question=question), name=name)
    runs = {r.name: r for r in store.runs()}

    found = related(list(runs.values()), runs["shop-v1"], lambda run_id: facts_of(store, run_id).groups)

    assert {r.name for r in found} == {"shop-v1", "shop v2", "pilot"}


def test_names_of_versions() -> None:
    """Common words for versions, in any case and punctuation; v2 before v10."""
    assert version_of({"Service.Version": "3", "topic": "x"}) == ("Service.Version", "3")
    assert version_of({"build": "77", "version": "2"}) == ("version", "2")
    assert version_of({"topic": "x"}) is None
    assert is_version_tag("git-sha")
    assert sorted(["v10", "v2"], key=natural) == ["v2", "v10"]
    assert family("shop_v2-2026-01") == family("Shop v10")
    assert are_numbered(["a-1", "a-2"])
    assert not are_numbered(["a-1", "b-2"])
