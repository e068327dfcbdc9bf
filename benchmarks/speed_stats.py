"""
CPU of paired intervals beside scipy.stats.bootstrap, in one run: 10,000 resamples of paired differences of shares, and of continuous ones.

    python benchmarks/speed_stats.py

CPU milliseconds of this process, median of the runs.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from scipy.stats import bootstrap

from ragviz.stats.bootstrap import mean_interval
from ragviz.stats.significance import sign_flip_p


def cpu(work: Callable[[], object], runs: int) -> float:
    spent = []
    for _ in range(runs):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return statistics.median(spent)


def differences(n: int, *, continuous: bool) -> np.ndarray:
    rng = np.random.default_rng(0)
    return rng.normal(0.01, 0.3, n) if continuous else rng.integers(0, 6, n) / 5 - rng.integers(0, 8, n) / 7


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    print("paired intervals           ours CPU ms  scipy CPU ms   ratio   ours                scipy")
    for n in (1_000, 10_000):
        delta = differences(n, continuous=False)
        mine = cpu(lambda d=delta: mean_interval(d), 9) * 1000
        start = time.process_time()
        other = bootstrap((delta,), np.mean, method="percentile", n_resamples=10_000, batch=100, rng=np.random.default_rng(0)).confidence_interval
        spent = (time.process_time() - start) * 1000
        found = mean_interval(delta)
        print(
            f"{n:>9,} differences    {mine:>10.1f}   {spent:>12.0f}   {spent / mine:>5.0f}   [{found.lo:.4f}, {found.hi:.4f}]   [{other.low:.4f}, "
            f"{other.high:.4f}]"
        )
    for n in (100_000, 1_000_000):
        for kind in (False, True):
            delta = differences(n, continuous=kind)
            mine, test = cpu(lambda d=delta: mean_interval(d), 9) * 1000, cpu(lambda d=delta: sign_flip_p(d), 5) * 1000
            print(f"{n:>9,} {'continuous ' if kind else 'differences'}    {mine:>10.1f}   (permutation test {test:.1f} ms)")


if __name__ == "__main__":
    main()
