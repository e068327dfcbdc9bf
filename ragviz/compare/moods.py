"""The values that a judge gave when it was asked again, held against the fall of a metric between two runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragviz.compare.columns import PairedScores
from ragviz.compare.noise import JudgeNoise
from ragviz.records import Direction
from ragviz.stats.judgings import Judged, mood_p

Places = NDArray[np.int64]
MOST_AGAIN = 200
"""Cases whose repeats enter one by one; of more, chance over the cases says the same."""


class Moods(NamedTuple):
    """What is known of a judge's moods in two runs."""

    before: Mapping[str, Mapping[str, tuple[float, ...]]]
    """By metric and id of the baseline's trace: its values when it was asked again."""
    after: Mapping[str, Mapping[str, tuple[float, ...]]]
    """Likewise of the candidate's."""
    pairs: Sequence[tuple[str, str]]
    """The traces of each pair, in the order of the scores."""

    def p(self, scores: PairedScores, metric: str, better: Direction, places: Places | None = None) -> float | None:
        """
        How likely the judge's moods alone make the metric fall as far (``mood_p``).

        Args:
            scores: Both runs as they were judged first.
            metric: What fell.
            better: Which way it is good.
            places: The pairs that are looked at; None = all.

        Returns:
            None where no pair with a value was asked about again.
        """
        old, new = self.before.get(metric, {}), self.after.get(metric, {})
        if not old and not new:
            return None
        cases = []
        asked = False
        for at in range(scores.n) if places is None else places.tolist():
            first, second = float(scores.base[metric][at]), float(scores.candidate[metric][at])
            if np.isnan(first) or np.isnan(second):
                continue
            b, c = self.pairs[at]
            again = old.get(b, ()), new.get(c, ())
            asked = asked or bool(again[0] or again[1])
            cases.append(Judged((first, *again[0]), (second, *again[1])))
        return mood_p(cases, sign=-1 if better is Direction.LOWER else 1) if asked else None


def moods_of(noise: JudgeNoise | None, base: str, candidate: str, pairs: Sequence[tuple[str, str]]) -> Moods | None:
    """
    What asking again has shown of two runs; None where it was not done, or kept no values.

    Args:
        noise: The judge's, however it is known.
        base: Id of the baseline's run.
        candidate: Id of the candidate's.
        pairs: The pairs of their scores.
    """
    if noise is None or not (noise.again.get(base) or noise.again.get(candidate)):
        return None
    return Moods(noise.again.get(base, {}), noise.again.get(candidate, {}), pairs)
