"""Killed at any point, a store loses nothing that was acknowledged, keeps nothing twice, and goes on."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from ragviz.store import Store, TraceFilter, open_store
from tests.contracts.store_laws import VIEW
from tests.unit.store.crash_writer import BATCHES, SIZE, ids

REPO = Path(__file__).resolve().parents[3]
ROUNDS = int(os.environ.get("RAGVIZ_CRASH_ROUNDS", "1"))


def killed_after(path: Path, n_acknowledged: int, rng: random.Random) -> list[tuple[str, int]]:
    """Start the writer, kill it some moment after so many acknowledgements; what it had acknowledged by then."""
    writer = subprocess.Popen([sys.executable, "-m", "tests.unit.store.crash_writer", str(path)], cwd=REPO, stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    told: list[tuple[str, int]] = []
    for line in writer.stdout:
        told.append((line.split()[0], int(line.split()[1])))
        if len(told) > n_acknowledged:
            for _ in range(rng.randrange(20_000)):
                pass
            writer.kill()
            break
    rest = writer.stdout.read()
    told += [(line.split()[0], int(line.split()[1])) for line in rest.splitlines() if len(line.split()) == 2]
    writer.stdout.close()
    writer.wait()
    return told


def check(store: Store, told: list[tuple[str, int]]) -> None:
    """Everything acknowledged is there, once."""
    stored = Counter(store.trace_ids("run"))
    assert all(n == 1 for n in stored.values())
    for what, batch in told:
        for trace_id in ids(batch):
            case = store.one(VIEW, trace_id)
            assert case is not None, f"{trace_id} was acknowledged and is lost"
            if what != "traces":
                assert 1 == len(case.judgements) == len(case.claims)
        if what == "noted":
            assert 2 == len(store.history("run", ids(batch)[0], "c1", "rules"))
        # An acknowledged result may be gone again: a later word on its trace throws it away. Counts must agree all the same.
    assert sum(store.counts_by(VIEW, "quadrant").values()) == len(stored)
    assert store.count(VIEW, TraceFilter(text="Answer")) == len(stored)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_nothing_acknowledged_is_lost_when_the_writer_is_killed(seed: int, tmp_path: Path) -> None:
    """Killed three times at random points and then left alone: all batches are there once, and the file is sound."""
    rng = random.Random(seed)
    path = tmp_path / "s.sqlite"
    for _ in range(3):
        told = killed_after(path, rng.randrange(4 * BATCHES), rng)
        with sqlite3.connect(path) as conn:
            assert ("ok",) == conn.execute("PRAGMA integrity_check").fetchone()
            assert [] == conn.execute("PRAGMA foreign_key_check").fetchall()
        conn.close()
        store = open_store(path)
        check(store, told)
        store.close()
    subprocess.run([sys.executable, "-m", "tests.unit.store.crash_writer", str(path)], cwd=REPO, check=True, capture_output=True)
    store = open_store(path)

    assert [i for batch in range(BATCHES) for i in ids(batch)] == store.trace_ids("run")
    assert BATCHES * SIZE == store.runs()[0].n_traces == sum(n for _, n in store.views("run"))
    check(store, [(what, batch) for batch in range(BATCHES) for what in ("traces", "judged", "noted")])
    with sqlite3.connect(path) as conn:
        conn.execute("INSERT INTO trace_text(trace_text, rank) VALUES ('integrity-check', 1)")
    conn.close()
    store.close()
