"""
Import into the searchable store: CPU a trace, peak memory, size; then words, an aggregate, a page and one trace out of it. One table.

    python benchmarks/speed_import.py [--traces 100000,1000000] [--folder DIR]     # a million takes 9 GB of disk

Traces have the shape of ``peer_traces``: five passages of 120 words out of a corpus of 50,000, an answer of 60 words, labels and tags, 6.3 kB of JSON each.
They are written quickly, out of passages encoded once; writing them is not measured. Every size is imported by a process of its own, so that its peak memory is
its own.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from peer_traces import passage, text
from process_cpu import memory_mib

CORPUS = 50_000
HERE = multiprocessing.get_context("spawn")


def write(path: Path, n: int) -> None:
    """JSON lines at some 20 µs a trace."""
    rng = random.Random(7)
    corpus = [json.dumps({"id": f"doc-{at}", "doc_id": f"doc-{at}", "text": passage(at), "source": f"handbook-{at % 40}"})[:-1] for at in range(CORPUS)]
    claims = [text(rng, 10) for _ in range(20_000)]
    with path.open("w") as out:
        for i in range(n):
            picks = [rng.randrange(CORPUS) for _ in range(5)]
            response = " ".join(claims[rng.randrange(20_000)] for _ in range(6))
            passages = ", ".join(f'{corpus[p]}, "rank": {rank}, "score": {1 - rank / 10:.1f}}}' for rank, p in enumerate(picks, start=1))
            out.write(
                f'{{"id": "trace-{i:07d}", "question": "{claims[rng.randrange(20_000)][:-1]} in order {i}?", "response": "{response}", "passages": [{passages}], '
                f'"relevant_ids": ["doc-{picks[0]}", "doc-0"], "tags": {{"lang": "{("en", "de", "fr")[i % 3]}", "release": "r{i * 8 // n}"}}}}\n'
            )


def measure(source: Path, place: Path, n: int) -> None:
    """In a process of its own."""
    from ragviz.backends.collector import look_rarely
    from ragviz.pipeline import import_files
    from ragviz.store import TraceFilter, open_store

    look_rarely()  # as `ragviz import` does
    store = open_store(place)
    begin, wall = time.process_time(), time.perf_counter()
    report = import_files(store, [source], run_name="import")
    spent, wall = time.process_time() - begin, time.perf_counter() - wall
    assert report.n_new == n, report
    peak = memory_mib(os.getpid(), at_most=True)
    store.close()
    size = sum(p.stat().st_size for p in place.parent.glob(f"{place.name}*"))
    print(
        f"{n:>10,} traces   {spent / n * 1000:7.3f} ms CPU a trace   {spent:7.1f} s CPU ({wall:.0f} s wall)   peak {peak:6.0f} MiB   store "
        f"{size / n / 1024:5.2f} KiB a trace",
        flush=True,
    )
    store = open_store(place)
    from ragviz.contracts import View

    view = View(run_id=report.run_id, judge="none", claim_set="rules")
    for name, work in (
        ("two words, page of 50", lambda: store.page(view, TraceFilter(text="return unship"))),
        ("rare word, page of 50", lambda: store.page(view, TraceFilter(text=str(n - 5)))),
        ("page of 50, at the middle", lambda: store.page(view, offset=n // 2)),
        ("one trace", lambda: store.one(view, f"trace-{n // 2:07d}")),
    ):
        print(f"{'':10}{name:32}{cpu_ms(work):8.2f} ms CPU", flush=True)
    store.close()


def cpu_ms(work: Callable[[], object]) -> float:
    """Median of nine, the first thrown away."""
    spent = []
    for _ in range(10):
        begin = time.process_time()
        work()
        spent.append((time.process_time() - begin) * 1000)
    return statistics.median(spent[1:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traces", default="100000")
    parser.add_argument("--folder", type=Path)
    args = parser.parse_args()
    folder = Path(tempfile.mkdtemp(dir=args.folder, prefix="ragviz-import-"))
    try:
        for n in map(int, args.traces.split(",")):
            source, place = folder / "traces.jsonl", folder / f"{n}.sqlite"
            write(source, n)
            process = HERE.Process(target=measure, args=(source, place, n))
            process.start()
            process.join()
            for gone in folder.iterdir():
                gone.unlink()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
