"""
Aggregates over judged traces in Parquet, past what one store holds: files like those of ``ragviz judge FOLDER --out FOLDER``, small columns only. One table.

    python benchmarks/simulate_parquet.py [--traces 10000000] [--folder DIR]

Files of a million rows with the columns that pages group by (quadrant, cause, release, scores, counts of claims); texts are left out, which Parquet does not
read when they are not asked for. Asked, by pyarrow alone: quadrants of everything, mean faithfulness by release, the same for one release (row groups of others
are passed over by their statistics), the footers of all files.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from process_cpu import memory_mib

PER_FILE, PER_GROUP = 1_000_000, 100_000
QUADRANTS = ("good", "extra_claim", "fabrication", "lucky_guess", "wrong_mirror", "abstained")


def write(folder: Path, n: int) -> None:
    rng = np.random.default_rng(0)
    for at in range(0, n, PER_FILE):
        size = min(PER_FILE, n - at)
        quadrant, cause = rng.integers(0, len(QUADRANTS), size, dtype=np.int8), rng.integers(0, 8, size, dtype=np.int8)
        claims = rng.integers(1, 8, size, dtype=np.int32)
        supported = (rng.random(size) * (claims + 1)).astype(np.int32)
        table = pa.table(
            {
                "id": pa.array(np.char.add("trace-", np.arange(at, at + size).astype("U9"))),
                "quadrant": pa.DictionaryArray.from_arrays(quadrant, list(QUADRANTS)),
                "cause": pa.DictionaryArray.from_arrays(cause, [f"cause {n}" for n in range(8)]),
                "release": pa.array([f"r{at // PER_FILE:03d}"] * size),
                "n_claims": claims,
                "n_supported": supported,
                "faithfulness": supported / claims,
                "correctness": np.round(rng.random(size), 3),
                "relevance": np.round(rng.random(size), 3),
            }
        )
        pq.write_table(table, folder / f"part-{at // PER_FILE:05d}.parquet", compression="zstd", row_group_size=PER_GROUP)


def by_batches(found: ds.Dataset, columns: list[str], keep: ds.Expression | None = None) -> dict[str, tuple[float, int]]:
    """Sum and number of the second column by the words of the first, a batch at a time: memory does not grow with the files."""
    totals: dict[str, tuple[float, int]] = {}
    for batch in found.to_batches(columns=columns, filter=keep):
        if batch.num_rows:
            words = batch.column(0)
            coded = words if isinstance(words, pa.DictionaryArray) else words.dictionary_encode()
            codes, values = coded.indices.to_numpy(zero_copy_only=False), batch.column(len(columns) - 1)
            sums = np.bincount(codes, weights=values.to_numpy(zero_copy_only=False) if len(columns) > 1 else None, minlength=len(coded.dictionary))
            counts = np.bincount(codes, minlength=len(coded.dictionary))
            for word, total, n in zip(coded.dictionary.to_pylist(), sums, counts, strict=True):
                before = totals.get(word, (0.0, 0))
                totals[word] = before[0] + float(total), before[1] + int(n)
    return totals


def show(what: str, work: Callable[[], object]) -> None:
    begin, wall = time.process_time(), time.perf_counter()
    work()
    print(f"{what:52}{time.process_time() - begin:8.2f} s CPU{time.perf_counter() - wall:8.2f} s wall", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traces", type=int, default=10_000_000)
    parser.add_argument("--folder", type=Path)
    args = parser.parse_args()
    folder = Path(tempfile.mkdtemp(dir=args.folder, prefix="ragviz-parquet-"))
    try:
        begin = time.process_time()
        write(folder, args.traces)
        files = sorted(folder.glob("*.parquet"))
        size = sum(p.stat().st_size for p in files)
        print(
            f"{args.traces:,} traces in {len(files)} files, {size / 2**20:,.0f} MiB, {size / args.traces:.1f} bytes a trace; written in "
            f"{time.process_time() - begin:.0f} s CPU",
            flush=True,
        )
        found = ds.dataset(folder, format="parquet")
        show("footers of all files", lambda: [pq.read_metadata(p).num_rows for p in files])
        show("quadrants of everything", lambda: by_batches(found, ["quadrant", "faithfulness"]))
        show("mean faithfulness by release", lambda: by_batches(found, ["release", "faithfulness"]))
        show("quadrants of one release", lambda: by_batches(found, ["quadrant", "faithfulness"], ds.field("release") == "r000"))
        print(f"peak memory {memory_mib(os.getpid(), at_most=True):.0f} MiB, writing included", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
