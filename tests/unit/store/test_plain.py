"""Statements asked past SQLAlchemy answer what they answer through it, and leave nothing open behind."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import bindparam, literal, select, text

from ragviz.errors import StoreError, UnknownName
from ragviz.records import Passage
from ragviz.store import Store, open_store, schema
from ragviz.store.plain import Plain, looking
from tests.contracts.store_laws import VIEW, full_trace, judgement, plain, with_traces

_T = schema.trace.c


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Three traces in a file."""
    made = open_store(tmp_path / "store.sqlite")
    with_traces(made, full_trace("a"), plain("b", passages=(Passage(id="x", text="Another text.", rank=1),)), plain("c", passages=None))
    return made


def test_both_ways_give_the_same_rows(store: Store) -> None:
    """Lists of any length, values that occur twice, values that the statement brings itself, and no value."""
    asked = Plain(
        select(literal("said"), _T.trace_id, _T.hashes, _T.position, _T.started_at, bindparam("at_least", type_=schema.Key))
        .where(_T.trace_id.in_(bindparam("ids", expanding=True)), _T.position.in_(bindparam("places", expanding=True)), _T.position >= bindparam("at_least"))
        .where(_T.trace_id.in_(bindparam("ids", expanding=True)), _T.position < 3, _T.grp.is_not_distinct_from(bindparam("group")))
        .order_by(_T.position)
    )
    found = []
    for ids in (["a"], ["a", "b", "c"], ["c", "nobody"]):
        for places in ([0, 1, 2], [2]):
            for at_least in (0, 1):
                values = {"ids": ids, "places": places, "at_least": at_least, "group": None}
                with store._db.read() as conn, looking(store._db) as bare:
                    assert [tuple(row) for row in asked.ask(conn, values)] == list(asked.ask(bare, values))
                    found += asked.ask(bare, values)

    assert {row[1] for row in found} >= {"b", "c"}


def test_nothing_that_was_asked_for_is_kept(store: Store) -> None:
    """Neither words nor lists of them: a run that is deleted leaves none behind."""
    asked = Plain(select(_T.key).where(_T.trace_id.in_(bindparam("ids", expanding=True)), _T.question == bindparam("question"), literal("own") == literal("own")))
    with looking(store._db) as bare:
        asked.ask(bare, {"ids": ["secret", "other secret"], "question": "a secret"})

    assert "secret" not in repr(asked._known)
    assert "own" in repr(asked._known)


def test_a_fault_is_told_and_leaves_nothing_open(store: Store) -> None:
    """As a StoreError; afterwards all is read as before, and what is deleted leaves the log."""
    for _ in range(3):
        with pytest.raises(StoreError, match="nothing_like_it"), looking(store._db) as bare:
            Plain(text("SELECT * FROM nothing_like_it")).ask(bare, {})

    assert [row.id for row in store.page(VIEW)] == ["a", "b", "c"]
    store.delete_run("run")
    assert store.runs() == []


def test_what_is_read_together_is_of_one_moment(store: Store, tmp_path: Path) -> None:
    """Somebody writes in between; whoever began to look sees what was."""
    n = Plain(select(_T.trace_id).order_by(_T.key))
    with closing(open_store(tmp_path / "store.sqlite")) as other, looking(store._db) as bare:
        assert len(n.ask(bare, {})) == 3
        other.add_traces("run", [plain("d")])
        assert len(n.ask(bare, {})) == 3

    assert len(store.page(VIEW)) == 4


def test_few_traces_by_id_are_those_of_the_whole_run(store: Store) -> None:
    """In the order of the file whatever the order of the ids, each once; unknown ids are passed over, an unknown run is told."""
    store.add_judged("run", judgement("b").provenance, {"b": [judgement("b")]}, claim_set="rules", scope=0)
    every = list(store.judged(VIEW))

    assert list(store.judged(VIEW, ["c", "a", "nobody", "b", "a"])) == every
    assert list(store.judged(VIEW, ["nobody"])) == list(store.judged(VIEW, [])) == []
    assert store.one(VIEW, "b") == every[1]
    for ids in (["a"], []):
        with pytest.raises(UnknownName, match="no run"):
            list(store.judged(type(VIEW)(run_id="gone", judge="", claim_set="rules"), ids))
