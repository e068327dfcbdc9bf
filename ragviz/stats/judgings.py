"""Could a judge's moods alone explain a fall? Values of the same cases, each judged once or several times in both of two runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragviz.stats.significance import DUST, flipped_sums

DRAWS = 10_000
AT_ONCE = 2_000_000
"""Numbers that are dealt together: some 16 MB."""

Floats = NDArray[np.float64]


class Judged(NamedTuple):
    """One case in both runs."""

    before: tuple[float, ...]
    """A metric of the baseline's answer, judged once or several times; none empty."""
    after: tuple[float, ...]
    """Likewise of the candidate's."""


def mood_p(cases: Sequence[Judged], *, sign: int = 1, draws: int = DRAWS, rng: np.random.Generator | None = None) -> float:
    """
    One-sided p of a fall under the judge's moods alone: it would find the same in both answers of a case, and which of its words fell to which of them is luck.

        T = mean over cases of (mean of after - mean of before) · sign;  p = (1 + #{T* <= T}) / (draws + 1),

    where T* is T after the values of each case were dealt out anew between its two answers. No form of the moods is assumed: a case of which the judge always
    says the same adds nothing, few moody claims and many slightly moody ones are dealt with as they were seen, and claims that waver together inside one
    answer do so in T* as well.

    Args:
        cases: The cases, each judged independently of the others.
        sign: 1 where more is better, -1 where less is.
        draws: Deals.
        rng: Source of randomness; a fixed seed by default.

    Returns:
        A number in (0, 1]: near 0, the moods do not explain the fall; 1 where nothing fell, or no case has two different values.

    Raises:
        ValueError: A case lacks values on one side.

    Source: permutation within strata, Good, Permutation, Parametric and Bootstrap Tests of Hypotheses, 3rd ed., 2005, ch. 6; p with the observed deal among
    the possible ones, Phipson & Smyth 2010, SAGMB 9(1).
    """
    if any(not case.before or not case.after for case in cases):
        raise ValueError("each case needs a value of both answers")
    source = np.random.default_rng(0) if rng is None else rng
    wavering = [case for case in cases if max(*case.before, *case.after) - min(*case.before, *case.after) > DUST]
    observed = sign * sum(float(np.mean(case.after)) - float(np.mean(case.before)) for case in wavering)
    if observed >= -DUST:
        return 1.0
    at_most = int(np.count_nonzero(sign * _totals(wavering, draws, source) <= observed + DUST))
    return (1 + at_most) / (draws + 1)


def _totals(cases: Sequence[Judged], draws: int, rng: np.random.Generator) -> Floats:
    """Sums over the cases, deal by deal."""
    once = np.array([case.after[0] - case.before[0] for case in cases if len(case.before) == len(case.after) == 1])
    totals = flipped_sums(once, draws, rng) if len(once) else np.zeros(draws)
    shapes: dict[tuple[int, int], list[Judged]] = {}
    for case in cases:
        shapes.setdefault((len(case.before), len(case.after)), []).append(case)
    for (n_before, n_after), some in shapes.items():
        if n_before == n_after == 1:
            continue
        values = np.array([(*case.before, *case.after) for case in some])
        size = max(1, AT_ONCE // values.size)
        for start in range(0, draws, size):
            part = totals[start : start + size]
            dealt = rng.permuted(np.broadcast_to(values, (len(part), *values.shape)), axis=2)
            part += (dealt[:, :, n_before:].mean(axis=2) - dealt[:, :, :n_before].mean(axis=2)).sum(axis=1)
    return totals
