"""
How often `ragviz gate` calls a run a regression though only the judge's mood changed, and how often it sees a real one.

    python benchmarks/gate_alarms.py --seeds 400

Claims of made-up answers with a probability each of being found supported; the gate and what is asked again are those of the program. One line a shape, a
number of cases and a size of the regression. "before" is how it was decided before repeats were dealt out: a fall beyond 1.96 times the spread of one repeat of the
candidate. In brackets the exact 95 % interval over the seeds. The stated level is 5 %.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from ragviz.compare.columns import PairedScores
from ragviz.compare.moods import moods_of
from ragviz.compare.noise import JudgeNoise, NoiseFloor
from ragviz.gate.baseline import against_baseline
from ragviz.gate.rules import Rules
from ragviz.pipeline.noise import SAMPLE, askings, in_turns

Floats = NDArray[np.float64]
CLAIMS = 3
METRIC = "faithfulness"
NOTHING = NoiseFloor(n=0, flips=0, rate=None, ci95=None)


class Answers(NamedTuple):
    """The claims of some answers: how likely each is found supported, and how likely a whole answer is found bad instead."""

    p: Floats
    """Shape (cases, claims)."""
    mood: Floats
    """Shape (cases,)."""

    def judged(self, rng: np.random.Generator) -> Floats:
        """Faithfulness of each, judged once."""
        found = rng.random(self.p.shape) < self.p
        return np.asarray((found & (rng.random(len(self.mood)) >= self.mood)[:, None]).mean(axis=1))

    def worse(self, share: float, rng: np.random.Generator) -> Answers:
        """The same with so many answers saying what their passages do not."""
        bad = rng.permutation(len(self.p)) < round(share * len(self.p))
        return Answers(np.where(bad[:, None], np.minimum(self.p, 1 - self.p), self.p), self.mood)


def _steady(n: int, rng: np.random.Generator) -> Floats:
    return (rng.random((n, CLAIMS)) < 0.9).astype(np.float64)


def few_moody(n: int, rng: np.random.Generator) -> Answers:
    """One claim of ten is found now this and now that, the others are not."""
    steady = _steady(n, rng)
    return Answers(np.where(rng.random(steady.shape) < 0.1, 0.5, steady), np.zeros(n))


def all_moody(n: int, rng: np.random.Generator) -> Answers:
    """Of every claim the judge says the other thing one time in ten."""
    return Answers(np.clip(_steady(n, rng), 0.1, 0.9), np.zeros(n))


def whole_answers(n: int, rng: np.random.Generator) -> Answers:
    """One answer of four is now and then found bad as a whole."""
    return Answers(_steady(n, rng), np.where(rng.random(n) < 0.25, 0.4, 0.0))


def none_moody(n: int, rng: np.random.Generator) -> Answers:
    """A hosted judge that says the same each time."""
    return Answers(_steady(n, rng), np.zeros(n))


SHAPES: dict[str, Callable[[int, np.random.Generator], Answers]] = {
    "few moody claims": few_moody, "all a little moody": all_moody, "whole answers": whole_answers, "none moody": none_moody,
}


class Alarms(NamedTuple):
    """Seeds in which the gate failed."""

    before: int
    after: int


def alarms(shape: str, *, n: int, share: float, seeds: int) -> Alarms:
    """
    Failed gates over so many made-up pairs of runs.

    Args:
        shape: One of ``SHAPES``.
        n: Cases.
        share: Share of answers that really became worse; 0 = nothing changed but the mood.
        seeds: Pairs of runs.
    """
    counted = [_failed(np.random.default_rng([seed, n, round(1_000 * share), list(SHAPES).index(shape)]), shape, n, share) for seed in range(seeds)]
    return Alarms(sum(before for before, _ in counted), sum(after for _, after in counted))


def _failed(rng: np.random.Generator, shape: str, n: int, share: float) -> tuple[bool, bool]:
    old = SHAPES[shape](n, rng)
    new = old.worse(share, rng)
    first = old.judged(rng), new.judged(rng)
    if first[1].mean() >= first[0].mean():
        return False, False
    ids = [f"q{i}" for i in range(n)]
    scores = PairedScores(base={METRIC: first[0]}, candidate={METRIC: first[1]}, groups=np.arange(n))
    rules = Rules(no_regression=(METRIC,))

    again: list[dict[str, tuple[float, ...]]] = [{}, {}]
    for at, asked in in_turns([[ids[i] for i in rng.permutation(n)] for _ in range(2)], askings(n)):
        values = (old, new)[at].judged(rng)
        again[at] |= {i: (*again[at].get(i, ()), float(values[ids.index(i)])) for i in asked}
    noise = JudgeNoise(floor=NOTHING, again={"old": {METRIC: again[0]}, "new": {METRIC: again[1]}})
    moods = moods_of(noise, "old", "new", [(i, i) for i in ids])
    (after,) = against_baseline(rules, [], scores, noise, moods=moods)

    one_repeat = (new.judged(rng) - first[1])[rng.permutation(n)[:SAMPLE]]
    half_width = 1.96 * math.sqrt(float(np.mean(one_repeat**2)) / n)
    (before,) = against_baseline(rules, [], scores)
    return not before.passed and abs(float(first[1].mean() - first[0].mean())) > half_width, not after.passed


def ends(hits: int, n: int) -> tuple[float, float]:
    """Clopper and Pearson's 95 % interval of a share."""
    return (0.0 if not hits else float(betaincinv(hits, n - hits + 1, 0.025))), (1.0 if hits == n else float(betaincinv(hits + 1, n - hits, 0.975)))


def main() -> None:
    """The table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=400)
    parser.add_argument("--cases", type=lambda text: [int(part) for part in text.split(",")], default=[2, 5, 12, 40])
    parser.add_argument("--shares", type=lambda text: [float(part) for part in text.split(",")], default=[0.0, 0.25, 0.5], help="of answers that became worse")
    args = parser.parse_args()
    print("| judge | cases | answers that became worse | called a regression before | after |\n|---|---:|---:|---:|---:|")
    for shape in SHAPES:
        for n in args.cases:
            for share in args.shares:
                found = alarms(shape, n=n, share=share, seeds=args.seeds)
                cells = [f"{hits / args.seeds:.1%} ({lo:.1%} to {hi:.1%})" for hits in found for lo, hi in [ends(hits, args.seeds)]]
                print(f"| {shape} | {n} | {share:.0%} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
