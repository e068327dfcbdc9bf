"""
A run many times as large, by repeating its rows inside the database: minutes where making a million traces one by one takes an hour.

    python benchmarks/repeat_store.py SMALL LARGE --times 10

For a store that ``large_store.py`` made, of one run or of several equally long ones, on SQLite. Every repeat has ids, questions, keys and positions of its own;
passages are shared. What was the same question in two runs is so in every repeat.
"""

from __future__ import annotations

import argparse
import shutil
import sqlite3
import time
from pathlib import Path

from msgspec.structs import replace

from ragviz.store import open_store
from ragviz.store.packing import Squeezer, pack, unpack
from ragviz.store.runs import RunTraits
from ragviz.store.search import INDEX

STEP = 2_000


def columns_of(db: sqlite3.Connection, table: str, **changed: str) -> tuple[str, str]:
    """Names of a table's columns, and what to select for them: ``changed`` ones as told, an integer primary key left out where it is not among them."""
    info = db.execute(f"PRAGMA table_info({table})").fetchall()
    names = [row[1] for row in info if not (row[1] == "key" and "key" not in changed)]
    return ", ".join(names), ", ".join(changed.get(name, name) for name in names)


def repeat(db: sqlite3.Connection, i: int, n: int, each: int) -> None:
    """One more copy of everything; ``n`` traces in the original, ``each`` in every run."""
    by, places, words = i * n, i * each, f"' Batch {i}.'"
    for table, of, changed in (
        (
            "trace",
            "key",
            {
                "key": f"key + {by}",
                "position": f"position + {places}",
                "trace_id": f"trace_id || '-{i}'",
                "question": f"question || {words}",
                "started_at": f"started_at + {i}",
            },
        ),
        ("ranking", f"{n - each} + position + 1", {"position": f"position + {places}", "grp": f"(grp >> 1) + {i}"}),
        ("mark", "trace", {"trace": f"trace + {by}"}),
        ("claim", "trace", {"trace": f"trace + {by}"}),
        ("judgement", "trace", {"trace": f"trace + {by}"}),
        ("rating", "trace", {"trace": f"trace + {by}"}),
        ("result", "trace", {"trace": f"trace + {by}"}),
    ):
        names, values = columns_of(db, table, **changed)
        db.execute(f"INSERT INTO {table} ({names}) SELECT {values} FROM {table} WHERE {of} <= {n}")
    db.execute(f"INSERT INTO {INDEX}(rowid, question, response) SELECT key, question, response FROM trace WHERE key > {by}")


def repeat_details(db: sqlite3.Connection, times: int, n: int) -> None:
    """Whole results carry their trace's id inside."""
    dictionaries = {key: Squeezer(body) for key, body in db.execute("SELECT key, dictionary FROM view")}
    for first in range(1, n + 1, STEP):
        rows = db.execute(
            "SELECT d.view, d.trace, d.worst_verdict, d.worst_claim, d.body, t.trace_id FROM detail d JOIN trace t ON t.key = d.trace WHERE "
            "d.trace BETWEEN ? AND ?",
            (first, min(first + STEP - 1, n)),
        ).fetchall()
        made = []
        for view, trace, verdict, claim, body, trace_id in rows:
            result = dictionaries[view].unpack(body)
            for i in range(1, times):
                name = f"{trace_id}-{i}"
                scores = {k: replace(s, trace_id=name) for k, s in result.scores.items()}
                made.append((view, trace + i * n, verdict, claim, dictionaries[view].pack(replace(result, trace_id=name, scores=scores))))
        db.executemany("INSERT INTO detail (view, trace, worst_verdict, worst_claim, body) VALUES (?, ?, ?, ?, ?)", made)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("small", type=Path)
    parser.add_argument("large", type=Path)
    parser.add_argument("--times", type=int, default=10)
    args = parser.parse_args()
    shutil.copyfile(args.small, args.large)
    open_store(args.large).close()
    begin, spent = time.perf_counter(), time.process_time()
    db = sqlite3.connect(args.large, isolation_level=None)
    db.execute("PRAGMA journal_mode = OFF")
    db.execute("PRAGMA synchronous = OFF")
    db.execute("PRAGMA cache_size = -200000")
    db.execute("BEGIN")
    db.execute("DELETE FROM block")
    (each,) = {row[0] for row in db.execute("SELECT n_traces FROM run")}
    n = db.execute("SELECT sum(n_traces) FROM run").fetchone()[0]
    assert db.execute("SELECT min(key), max(key) FROM trace").fetchone() == (1, n), "runs of equal length, never deleted from, are needed"
    for i in range(1, args.times):
        repeat(db, i, n, each)
        print(f"{(i + 1) * n:,} traces after {time.perf_counter() - begin:.0f} s", flush=True)
    repeat_details(db, args.times, n)
    for key, packed in db.execute("SELECT key, traits FROM run").fetchall():
        traits = unpack(packed, RunTraits)
        whole = RunTraits(**{name: args.times * getattr(traits, name) for name in traits.__struct_fields__})
        db.execute("UPDATE run SET n_traces = n_traces * ?, traits = ? WHERE key = ?", (args.times, pack(whole), key))
    for table, column in (("tally", "n"), ("coverage", "n_traces")):
        db.execute(f"UPDATE {table} SET {column} = {column} * ?", (args.times,))
    db.execute("UPDATE change SET n = n + 1")
    db.execute("COMMIT")
    db.execute("PRAGMA journal_mode = WAL")
    db.close()
    store = open_store(args.large)
    runs = store.runs()
    for run in runs:
        store.prepare(store.views(run.run_id)[0][0])
    print(
        f"{sum(run.n_traces for run in runs):,} traces, {args.large.stat().st_size / 2**20:,.0f} MiB; {time.process_time() - spent:.0f} s CPU, "
        f"{time.perf_counter() - begin:.0f} s"
    )
    store.close()


if __name__ == "__main__":
    main()
