"""
CPU of rank measures beside pytrec_eval, ir-measures and ranx, in one run: P, R, nDCG at 1 to 20, AP and RR over rankings of 20.

    python benchmarks/speed_ranking.py

The libraries get their dictionaries built before the clock, ranx has compiled before it; the slower ones get fewer rankings, and the ratio is of CPU per
ranking. That all say the same is checked: the mean nDCG@10 stands beside.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
import peer_venvs

from ragviz.stats.ranking import curves

DEPTH = 20
SIZES = {"pytrec_eval": 10_000, "ir-measures": 2_000, "ranx": 10_000}


def rankings(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    gains = (rng.integers(0, 100, (n, DEPTH), dtype=np.uint8) < 15).view(np.int8)
    return gains, gains.sum(axis=1, dtype=np.int32) + rng.integers(0, 3, n, dtype=np.int32)


def ours(gains: np.ndarray, n_relevant: np.ndarray, runs: int) -> float:
    spent = []
    for _ in range(runs):
        begin = time.process_time()
        curves(gains, n_relevant)
        spent.append(time.process_time() - begin)
    return statistics.median(spent)


def peak_mib(n: int) -> float:
    """Of a process that does nothing else; ru_maxrss would count what the parent held when it forked."""
    code = (
        "import numpy as np; from ragviz.stats.ranking import curves; rng = np.random.default_rng(0); "
        f"gains = (rng.integers(0, 100, ({n}, {DEPTH}), dtype=np.uint8) < 15).view(np.int8); curves(gains, gains.sum(axis=1, dtype=np.int32)); "
        "print(int(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')).split()[1]) / 1024)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).resolve().parent.parent)
    return float(done.stdout)


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    print(f"{'':24}{'rankings':>12}{'CPU s':>10}{'µs a ranking':>14}{'ours is':>10}{'mean nDCG@10':>16}")
    for n in (1_000, 10_000, 100_000, 1_000_000):
        data = rankings(n)
        spent = ours(*data, runs=7 if n < 1_000_000 else 3)
        print(f"{'ragviz':24}{n:>12,}{spent:>10.4f}{spent / n * 1e6:>14.2f}")
    print(f"{'':24}peak memory at 1,000,000: {peak_mib(1_000_000):.0f} MiB")
    gains, n_relevant = rankings(max(SIZES.values()))
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(Path(folder) / name) for name in ("gains.npy", "relevant.npy")]
        for path, array in zip(paths, (gains, n_relevant), strict=True):
            np.save(path, array)
        found = peer_venvs.ask("ranking", "ranking_libraries.py", *paths, *(str(n) for n in SIZES.values()))
    for name, one in (found or {}).items():
        n = one["n"]
        mine, said = ours(gains[:n], n_relevant[:n], 7), curves(gains[:n], n_relevant[:n]).ndcg[:, 9]
        same = "same" if abs(float(np.nanmean(np.nan_to_num(said))) - one["ndcg10"]) < 1e-5 else f"ours {np.nanmean(np.nan_to_num(said)):.6f}"
        compiling = f"   (and {one['first']:.1f} s at the first call)" if "first" in one else ""
        print(f"{name:24}{n:>12,}{one['s']:>10.3f}{one['s'] / n * 1e6:>14.1f}{one['s'] / mine:>9.0f}×{one['ndcg10']:>10.6f} {same}{compiling}")


if __name__ == "__main__":
    main()
