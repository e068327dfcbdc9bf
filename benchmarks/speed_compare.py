"""
CPU of the Compare page on large runs: what a filter change costs, and one metric by slice. Synthetic shares of 1 to 6 claims, questions of up to two traces.

    python benchmarks/speed_compare.py [PAIRS]

The page makes the arrays once per pair of runs; each change of the slice or of the metric then costs the figures below. Also: how often two runs that do not
differ are told apart (A/A), by seeds, with 5 % as the aim.
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

from ragviz.compare.columns import PairedScores, members_of
from ragviz.compare.families import HEADLINE
from ragviz.compare.paired import difference
from ragviz.stats.bootstrap import mean_interval

SEEDS = 1_000


def cpu(work: Callable[[], object], runs: int = 5) -> float:
    spent = []
    for _ in range(runs):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return statistics.median(spent)


def pairs(n: int) -> PairedScores:
    rng = np.random.default_rng(0)
    names = [name.replace("_at_k", "_at_5") for name in HEADLINE] + [f"metric_{i}" for i in range(30)]
    claims = rng.integers(1, 7, n)
    base, candidate = ({name: rng.binomial(claims, 0.8) / claims for name in names} for _ in range(2))
    properties = [{"tag: topic": f"t{i % 7}", "tag: product": f"p{i % 40}", "question": f"q{i % 5}"} for i in range(n)]
    return PairedScores(base=base, candidate=candidate, groups=rng.integers(0, n, n), members=members_of(properties))


def alarms(n: int) -> tuple[float, float, float]:
    """Shares of seeds whose interval leaves 0 out, whose p is below 0.05, and which are called a difference."""
    by_interval = by_p = called = 0
    for seed in range(SEEDS):
        rng = np.random.default_rng(seed)
        claims, share = rng.integers(1, 7, n), rng.beta(6, 1.5, n)
        found = difference("faithfulness", rng.binomial(claims, share) / claims, rng.binomial(claims, share) / claims, rng=rng)
        assert found.ci95 is not None
        by_interval += not found.ci95.lo <= 0 <= found.ci95.hi
        by_p += (found.p or 1.0) < 0.05
        called += found.verdict != "no_difference"
    return by_interval / SEEDS, by_p / SEEDS, called / SEEDS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", type=int, nargs="?", default=100_000, metavar="PAIRS")
    parser.add_argument("--quick", action="store_true", help="leave the A/A tests out")
    args = parser.parse_args()
    n = args.pairs
    scores = pairs(n)
    headline = scores.metrics[: len(HEADLINE)]
    topic = scores.members["tag: topic", "t0"]
    delta = scores.candidate["faithfulness"] - scores.base["faithfulness"]
    print(
        f"{n:,} pairs: one interval {cpu(lambda: mean_interval(delta)) * 1000:.1f} ms, clustered "
        f"{cpu(lambda: mean_interval(delta, groups=scores.groups)) * 1000:.1f} ms"
    )
    print(
        f"  filter change, headline, all pairs {cpu(lambda: scores.differences(headline)):.3f} s, one topic "
        f"{cpu(lambda: scores.differences(headline, topic)):.3f} s"
    )
    print(f"  all {len(scores.metrics)} metrics, all pairs {cpu(scores.differences, 3):.3f} s")
    print(f"  one metric by slice ({len(scores.members)} slices) {cpu(lambda: scores.by_slice('faithfulness'), 3):.3f} s")
    for size in (30, 72, 200) if not args.quick else ():
        print("A/A at {:>4} pairs, {:,} seeds: interval {:.1%}, permutation test {:.1%}, called a difference {:.1%}".format(size, SEEDS, *alarms(size)))


if __name__ == "__main__":
    main()
