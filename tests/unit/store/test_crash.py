"""Killed at any point, a store loses nothing that was acknowledged, keeps nothing twice, and goes on."""

from __future__ import annotations

import os
import random
import sqlite3
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from ragviz.store import Store, TraceFilter, open_store
from tests.contracts.store_laws import VIEW
from tests.reliability.crashing import Heard, Say, a_shot, child
from tests.unit.store.crash_writer import BATCHES, SIZE, ids, work

ROUNDS = int(os.environ.get("RAGVIZ_CRASH_ROUNDS", "1"))
KILLS, TRIES = 3, 10
"""Kills of each round, and shots for each of them at most: one that comes when the work is done is none."""
WORDS = ("traces", "judged", "noted", "scored")
"""In the order in which they are said of a batch."""


def written(path: Path, say: Say) -> None:
    """All the work, in a process of its own."""
    work(open_store(path), say)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Heard:
    """The work as it goes when nobody disturbs it, to aim by."""
    path = tmp_path_factory.mktemp("whole") / "s.sqlite"
    return child(lambda say: written(path, say))


def check(store: Store, told: Sequence[str]) -> None:
    """Everything acknowledged is there, once."""
    stored = Counter(store.trace_ids("run"))
    assert all(n == 1 for n in stored.values())
    last = {int(batch): what for what, batch in sorted((word.split() for word in told), key=lambda word: WORDS.index(word[0]))}
    for batch, what in last.items():
        cases = {case.trace.id: case for case in store.judged(VIEW, ids(batch))}
        assert set(ids(batch)) == set(cases), f"traces of batch {batch} were acknowledged and are lost"
        for case in cases.values():
            if what != "traces":
                assert 1 == len(case.judgements) == len(case.claims)
        if what in ("noted", "scored"):
            assert 2 == len(store.history("run", ids(batch)[0], "c1", "rules"))
        # An acknowledged result may be gone again: a later word on its trace throws it away. Counts must agree all the same.
    assert sum(store.counts_by(VIEW, "quadrant").values()) == len(stored)
    assert store.count(VIEW, TraceFilter(text="Answer")) == len(stored)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_nothing_acknowledged_is_lost_when_the_writer_is_killed(seed: int, tmp_path: Path, whole: Heard) -> None:
    """Killed three times at random points and then left alone: all batches are there once, and the file is sound."""
    rng = random.Random(seed)
    path = tmp_path / "s.sqlite"
    n_killed = 0
    for _ in range(KILLS * TRIES):
        heard = child(lambda say: written(path, say), a_shot(rng, whole))
        if path.exists() and path.stat().st_size:
            with sqlite3.connect(path) as conn:
                assert ("ok",) == conn.execute("PRAGMA integrity_check").fetchone()
                assert [] == conn.execute("PRAGMA foreign_key_check").fetchall()
            conn.close()
        store = open_store(path)
        check(store, heard.said)
        store.close()
        n_killed += heard.killed
        if n_killed == KILLS:
            break
    assert KILLS == n_killed
    child(lambda say: written(path, say))
    store = open_store(path)

    assert [i for batch in range(BATCHES) for i in ids(batch)] == store.trace_ids("run")
    assert BATCHES * SIZE == store.runs()[0].n_traces == sum(n for _, n in store.views("run"))
    check(store, [f"{what} {batch}" for batch in range(BATCHES) for what in WORDS])
    with sqlite3.connect(path) as conn:
        conn.execute("INSERT INTO trace_text(trace_text, rank) VALUES ('integrity-check', 1)")
    conn.close()
    store.close()
