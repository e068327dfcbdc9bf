"""
How fast native JSON Lines are read, against a bare typed msgspec parse of the same lines.

    python benchmarks/speed_loaders.py [number of traces, default 100000]

Each trace has 5 passages of 120 words and 6 claims. CPU seconds of this process, best of three runs; peak memory of a reading process.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from ragviz.loaders import read, write_native
from ragviz.records import ImportedClaim, ImportedVerdict, Passage, Side, Table, Trace, Verdict

WORDS = ["the", "policy", "says", "that", "annual", "plans", "can", "be", "refunded", "in", "full", "within", "thirty", "days", "of", "purchase", "while", "monthly", "plans", "are", "not", "refundable", "at", "all"]


def trace(n: int, rng: random.Random) -> Trace:
    """Trace number n, always the same."""
    passages = tuple(
        Passage(id=f"doc-{rng.randrange(10_000)}-{rank}", doc_id=f"doc-{rank}", text=" ".join(rng.choices(WORDS, k=120)), rank=rank, score=1 / rank)
        for rank in range(1, 6)
    )
    said = ImportedVerdict(table=Table.RESPONSE_X_PASSAGES, premise_id="*", verdict=Verdict.ENTAILED, label="yes")
    claims = tuple(ImportedClaim(side=Side.RESPONSE, text=" ".join(rng.choices(WORDS, k=12)), verdicts=(said,)) for _ in range(6))
    return Trace(id=f"t{n}", question="How long do I have to get a refund?", response=" ".join(rng.choices(WORDS, k=80)), passages=passages, claims=claims)


def bare(path: Path) -> int:
    """Parse each line into the record, nothing else."""
    decode = msgspec.json.Decoder(Trace).decode
    with path.open("rb") as source:
        return sum(decode(line) is not None for line in source)


def ours(path: Path) -> int:
    """Read as every importer does."""
    return sum(isinstance(part, Trace) for part in read(path))


def seconds(work: Callable[[Path], int], path: Path) -> float:
    """Least CPU seconds of three runs."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        work(path)
        best = min(best, time.process_time() - start)
    return best


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, nargs="?", default=100_000, metavar="TRACES")
    parser.add_argument("--only-read", type=Path, metavar="FILE", help="read that file and print the peak memory in MiB")
    args = parser.parse_args()
    if args.only_read:  # the child that measures memory
        ours(args.only_read)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
        return
    count = args.count
    rng = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "traces.jsonl"
        with path.open("wb") as target:
            target.writelines(write_native(trace(n, rng) for n in range(count)))
        size = path.stat().st_size / 1e6
        plain, read_in = seconds(bare, path), seconds(ours, path)
        peak = subprocess.run([sys.executable, __file__, "--only-read", str(path)], capture_output=True, text=True, check=True).stdout.strip()
    print(f"{'traces':>8} {'MB':>7} {'bare msgspec s':>15} {'ragviz s':>9} {'ratio':>6} {'traces/s':>9} {'peak MiB':>9}")
    print(f"{count:>8} {size:>7.0f} {plain:>15.2f} {read_in:>9.2f} {read_in / plain:>6.2f} {count / read_in:>9.0f} {peak:>9}")


if __name__ == "__main__":
    main()
