"""
CPU of rank measures beside pytrec_eval, and of paired intervals beside scipy.stats.bootstrap, in one run.

    python benchmarks/speed_stats.py

Rank measures: P, R, nDCG at 1..20, AP, RR over rankings of 20; pytrec_eval gets its dictionaries built before the clock. Intervals: 10,000 resamples of
paired differences of shares, and of continuous ones. CPU seconds of this process, median of the runs; peak memory of a process of its own.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
import pytrec_eval
from scipy.stats import bootstrap

from ragviz.stats.bootstrap import mean_interval
from ragviz.stats.ranking import curves
from ragviz.stats.significance import sign_flip_p

DEPTH = 20
MEASURES = {"P.1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20", "recall.1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20",
            "ndcg_cut.1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20", "map", "recip_rank"}


def rankings(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    gains = (rng.integers(0, 100, (n, DEPTH), dtype=np.uint8) < 15).view(np.int8)
    return gains, gains.sum(axis=1, dtype=np.int32) + rng.integers(0, 3, n, dtype=np.int32)


def cpu(work: Callable[[], object], runs: int) -> float:
    spent = []
    for _ in range(runs):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return statistics.median(spent)


def theirs(n: int) -> Callable[[], object]:
    gains, n_relevant = rankings(n)
    qrels, run = {}, {}
    for q in range(n):
        labels = {f"d{i}": int(g) for i, g in enumerate(gains[q])}
        labels.update({f"m{i}": 1 for i in range(int(n_relevant[q]) - int(gains[q].sum()))})
        qrels[f"q{q}"] = labels
        run[f"q{q}"] = {f"d{i}": float(DEPTH - i) for i in range(DEPTH)}
    return lambda: pytrec_eval.RelevanceEvaluator(qrels, MEASURES).evaluate(run)


def peak_mib(n: int) -> float:
    """Of a process that does nothing else; ru_maxrss would count what the parent held when it forked."""
    code = (
        "import numpy as np; from ragviz.stats.ranking import curves; rng = np.random.default_rng(0); "
        f"gains = (rng.integers(0, 100, ({n}, {DEPTH}), dtype=np.uint8) < 15).view(np.int8); curves(gains, gains.sum(axis=1, dtype=np.int32)); "
        "print(int(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')).split()[1]) / 1024)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).resolve().parent.parent)
    return float(done.stdout)


def differences(n: int, *, continuous: bool) -> np.ndarray:
    rng = np.random.default_rng(0)
    return rng.normal(0.01, 0.3, n) if continuous else rng.integers(0, 6, n) / 5 - rng.integers(0, 8, n) / 7


def main() -> None:
    print("rank measures              ours CPU s   pytrec_eval CPU s   ratio")
    for n in (1_000, 10_000):
        data = rankings(n)
        mine, other = cpu(lambda d=data: curves(*d), 7), cpu(theirs(n), 1)
        print(f"{n:>9,} rankings       {mine:>10.4f}   {other:>17.3f}   {other / mine:>5.0f}")
    for n in (100_000, 1_000_000):
        data = rankings(n)
        print(f"{n:>9,} rankings       {cpu(lambda d=data: curves(*d), 5):>10.4f}")
        del data
    print(f"peak memory at 1,000,000: {peak_mib(1_000_000):.0f} MiB\n")
    print("paired intervals           ours CPU ms  scipy CPU ms   ratio   ours                scipy")
    for n in (1_000, 10_000):
        delta = differences(n, continuous=False)
        mine = cpu(lambda d=delta: mean_interval(d), 9) * 1000
        start = time.process_time()
        other = bootstrap((delta,), np.mean, method="percentile", n_resamples=10_000, batch=100, rng=np.random.default_rng(0)).confidence_interval
        spent = (time.process_time() - start) * 1000
        found = mean_interval(delta)
        print(f"{n:>9,} differences    {mine:>10.1f}   {spent:>12.0f}   {spent / mine:>5.0f}   [{found.lo:.4f}, {found.hi:.4f}]   [{other.low:.4f}, {other.high:.4f}]")
    for n in (100_000, 1_000_000):
        for kind in (False, True):
            delta = differences(n, continuous=kind)
            mine, test = cpu(lambda d=delta: mean_interval(d), 9) * 1000, cpu(lambda d=delta: sign_flip_p(d), 5) * 1000
            print(f"{n:>9,} {'continuous ' if kind else 'differences'}    {mine:>10.1f}   (permutation test {test:.1f} ms)")


if __name__ == "__main__":
    main()
