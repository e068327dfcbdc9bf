"""
What the consistency checks cost: one pair, one analysis, one trace of 30 pairs (6 claims × 5 passages), in CPU time.

    python benchmarks/speed_checks.py

Texts are the project's own minimal pairs; four premises joined make a window of about 40 words.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from ragviz.consistency import analyse, check
from ragviz.consistency.analysis import Analysis

PAIRS = Path(__file__).resolve().parents[1] / "tests" / "data" / "minimal_pairs.jsonl"
TRACES = 60


def cost(work: Callable[[], object]) -> float:
    """CPU microseconds of one call."""
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1e6


def show(name: str, values: Iterable[float]) -> None:
    """Mean, median and 95th percentile."""
    ordered = sorted(values)
    print(f"{name:44} mean {statistics.mean(ordered):8.0f} µs   median {statistics.median(ordered):8.0f} µs   p95 {ordered[int(len(ordered) * 0.95)]:8.0f} µs")


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    rng = random.Random(7)
    premises = sorted({row["premise"] for row in rows})
    traces = []
    for _ in range(TRACES):
        chosen = rng.sample(rows, 6)
        windows = [" ".join([row["premise"], *rng.sample(premises, 3)]) for row in chosen[:5]]
        traces.append(([row["claim"] for row in chosen], windows))
    for claims, windows in traces[:5]:
        for text in (*claims, *windows):
            Analysis(text)  # stems and word lists are loaded once per process
    show("analysis of a window (about 40 words)", [cost(lambda w=w: Analysis(w)) for _, windows in traces for w in windows])
    show("analysis of a claim", [cost(lambda c=c: Analysis(c)) for claims, _ in traces for c in claims])
    for claims, windows in traces:
        for text in (*claims, *windows):
            analyse(text)
    show(
        "a pair on one subject, texts known", [cost(lambda c=c, w=w: check(c, w)) for claims, windows in traces for c, w in zip(claims, windows, strict=False)]
    )
    show(
        "a pair on two subjects, texts known",
        [cost(lambda c=c, w=w: check(c, w)) for claims, windows in traces for c, w in zip(claims[1:], windows, strict=False)],
    )
    show("a trace of 30 pairs, texts known", [cost(lambda t=t: [check(c, w) for c in t[0] for w in t[1]]) for t in traces])
    fresh = [([f"{c} " for c in claims], windows) for claims, windows in traces]
    show("a trace of 30 pairs, passages known", [cost(lambda t=t: [check(c, w) for c in t[0] for w in t[1]]) for t in fresh])
    analyse.cache_clear()
    show("a trace of 30 pairs, nothing known", [cost(lambda t=t: [check(c, w) for c in t[0] for w in t[1]]) for t in traces])


if __name__ == "__main__":
    main()
