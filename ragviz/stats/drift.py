"""Has the mix of things changed? Distance of two distributions over named kinds, and whether chance explains it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc


def jensen_shannon(before: Mapping[str, float], after: Mapping[str, float]) -> float | None:
    """
    Jensen-Shannon distance of two counts by kind: 0 = the same mix, 1 = nothing in common.

        sqrt(H((p + q) / 2) - (H(p) + H(q)) / 2), entropies in bits

    Args:
        before: How often each kind occurred, at first.
        after: The same, later. A kind one side lacks counts 0 there.

    Returns:
        None when a side is empty.

    Source: Endres & Schindelin 2003, IEEE Transactions on Information Theory 49(7).
    """
    kinds = sorted({*before, *after})
    p = np.array([before.get(kind, 0.0) for kind in kinds], dtype=np.float64)
    q = np.array([after.get(kind, 0.0) for kind in kinds], dtype=np.float64)
    if p.sum() <= 0 or q.sum() <= 0:
        return None
    p, q = p / p.sum(), q / q.sum()
    divergence = _entropy((p + q) / 2) - (_entropy(p) + _entropy(q)) / 2
    return float(np.sqrt(min(1.0, max(0.0, divergence))))


def mix_changed_p(before: Mapping[str, int], after: Mapping[str, int]) -> float:
    """
    p-value of the chi-squared test that two counts by kind come from one mix; kinds rarer than 5 in all are pooled.

    Returns:
        1 when there is nothing to compare.
    """
    totals = {kind: before.get(kind, 0) + after.get(kind, 0) for kind in {*before, *after}}
    common = sorted(kind for kind, n in totals.items() if n >= 5)
    rare = [kind for kind, n in totals.items() if 0 < n < 5]
    rows = [[side.get(kind, 0) for kind in common] + ([sum(side.get(kind, 0) for kind in rare)] if rare else []) for side in (before, after)]
    table = np.array(rows, dtype=np.float64)
    if table.size == 0 or table.shape[1] < 2 or (table.sum(axis=1) == 0).any():
        return 1.0
    # As scipy.stats.chi2_contingency without correction: scipy.stats itself takes a second and 60 MiB to load.
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    return float(chdtrc(table.shape[1] - 1, ((table - expected) ** 2 / expected).sum()))


def _entropy(shares: NDArray[np.float64]) -> float:
    known = shares[shares > 0]
    return float(-(known * np.log2(known)).sum())


def chance_distance(
    before: Mapping[str, int], after: Mapping[str, int], *, level: float = 0.95, draws: int = 400, rng: np.random.Generator | None = None
) -> float | None:
    """
    How far apart two counts of these sizes are by chance alone: their Jensen-Shannon distance stays below this ``level`` of the time when both are
    drawn from one mix, the two pooled.

    Two finite samples of one mix are never the same, and the smaller they are the farther apart; a distance says nothing without this noise level.

    Args:
        before: How often each kind occurred, at first.
        after: The same, later.
        level: Share of the draws below the answer.
        draws: How many pairs of samples are drawn.
        rng: Source of randomness; a fixed seed by default.

    Returns:
        None when a side is empty.
    """
    kinds = sorted({*before, *after})
    pooled = np.array([before.get(kind, 0) + after.get(kind, 0) for kind in kinds], dtype=np.float64)
    sizes = sum(before.values()), sum(after.values())
    if min(sizes) <= 0:
        return None
    source = np.random.default_rng(0) if rng is None else rng
    one, other = (source.multinomial(size, pooled / pooled.sum(), size=draws) / size for size in sizes)
    divergence = _entropies((one + other) / 2) - (_entropies(one) + _entropies(other)) / 2
    return float(np.quantile(np.sqrt(np.clip(divergence, 0.0, 1.0)), level))


def _entropies(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of each row, in bits."""
    return np.asarray(-(shares * np.log2(np.where(shares > 0, shares, 1.0))).sum(axis=1), dtype=np.float64)
