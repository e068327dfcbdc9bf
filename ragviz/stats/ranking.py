"""
Rank measures at a fixed cut-off, for one ranking and for arrays of rankings.

Conventions are trec_eval's: P@k divides by k however short the list is; R@k and AP@k divide by all relevant documents; the gain of nDCG is the
relevance level itself, its discount log2(rank + 1), its ideal ranking made of all judged documents and cut at k.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

CHUNK = 65_536
"""Rankings worked on at once: keeps intermediate arrays in cache and memory flat."""


def precision(relevant: Sequence[bool], *, k: int) -> float:
    """Relevant among the first ``k``, over ``k``. A shorter list is padded with what is not relevant."""
    _check_k(k)
    return sum(relevant[:k]) / k


def recall(relevant: Sequence[bool], n_relevant: int, *, k: int) -> float | None:
    """Relevant among the first ``k``, over all relevant; None when there are none."""
    _check_k(k)
    return sum(relevant[:k]) / n_relevant if n_relevant else None


def hit(relevant: Sequence[bool], *, k: int) -> float:
    """1 when any of the first ``k`` is relevant, else 0 (success@k)."""
    _check_k(k)
    return float(any(relevant[:k]))


def reciprocal_rank(relevant: Sequence[bool], *, k: int) -> float:
    """One over the rank of the first relevant among the first ``k``; 0 when there is none."""
    _check_k(k)
    return next((1 / rank for rank, is_relevant in enumerate(relevant[:k], start=1) if is_relevant), 0.0)


def average_precision(relevant: Sequence[bool], n_relevant: int, *, k: int) -> float | None:
    """Mean over all relevant documents of the precision at their rank, 0 for those not among the first ``k``; None when there are none."""
    _check_k(k)
    if not n_relevant:
        return None
    found, total = 0, 0.0
    for rank, is_relevant in enumerate(relevant[:k], start=1):
        if is_relevant:
            found += 1
            total += found / rank
    return total / n_relevant


def dcg(gains: Sequence[float], *, k: int) -> float:
    """Sum over ranks i = 1..k of gains[i - 1] / log2(i + 1); negative gains count as 0."""
    _check_k(k)
    return sum(max(0.0, gain) / math.log2(rank + 1) for rank, gain in enumerate(gains[:k], start=1))


def ndcg(gains: Sequence[float], ideal: Sequence[float], *, k: int) -> float | None:
    """
    Normalised discounted cumulative gain of one ranking.

        DCG = sum over ranks i = 1..k of gains[i-1] / log2(i + 1);  nDCG = DCG / DCG(ideal, sorted)

    Args:
        gains: Relevance of the retrieved documents in rank order, shape (n_retrieved,). Negative levels count as 0.
        ideal: Relevance of all judged documents in any order, shape (n_judged,).
        k: Cut-off, >= 1. A shorter ranking is padded with gain 0.

    Returns:
        A number in [0, 1]; None when no judged document has a positive gain.

    Source: Järvelin & Kekäläinen, ACM TOIS 20(4), 2002, with log base 2 at every rank, as trec_eval.
    """
    best = dcg(sorted(ideal, reverse=True), k=k)
    return dcg(gains, k=k) / best if best > 0 else None


@dataclass(frozen=True, slots=True)
class Curves:
    """Rank measures of many rankings at every cut-off 1..depth. Rows without a relevant document hold 0 everywhere."""

    precision: NDArray[np.floating]
    """Shape (n_rankings, depth): column k - 1 is P@k."""
    recall: NDArray[np.floating]
    ndcg: NDArray[np.floating]
    average_precision: NDArray[np.floating]
    """Shape (n_rankings,): AP@depth."""
    first_relevant: NDArray[np.int32]
    """Shape (n_rankings,): rank of the first relevant document; 0 when there is none within the depth."""

    def reciprocal_rank(self, k: int) -> NDArray[np.float64]:
        """RR@k of each ranking."""
        first = self.first_relevant
        found = (first > 0) & (first <= k)
        return np.where(found, 1.0 / np.maximum(first, 1), 0.0)

    def hit(self, k: int) -> NDArray[np.float64]:
        """hit@k of each ranking."""
        return ((self.first_relevant > 0) & (self.first_relevant <= k)).astype(np.float64)


def curves(
    gains: ArrayLike, n_relevant: ArrayLike, *, ideal: ArrayLike | None = None, level: float = 1.0, dtype: type[np.floating] = np.float32
) -> Curves:
    """
    All cut-offs of many rankings at once.

    Args:
        gains: Relevance by rank, shape (n_rankings, depth); pad short lists with 0. Negative levels count as 0.
        n_relevant: All relevant documents of each ranking, retrieved or not, shape (n_rankings,).
        ideal: Gains of all judged documents, highest first, padded with 0, shape (n_rankings, >= min(depth, n_judged)).
            None when labels are yes or no: the ideal then follows from ``n_relevant``.
        level: A document is relevant when its gain is at least this. nDCG ignores it.

        dtype: Of the curves. In single precision (24 bits) those of a million rankings of 20 fit in 250 MiB.

    Raises:
        ValueError: Shapes do not fit.
    """
    table: NDArray[Any] = np.asarray(gains)
    totals: NDArray[Any] = np.asarray(n_relevant)
    best: NDArray[Any] | None = None if ideal is None else np.asarray(ideal)
    if table.ndim != 2 or totals.shape != table.shape[:1] or (best is not None and (best.ndim != 2 or len(best) != len(table))):
        shape = None if best is None else best.shape
        raise ValueError(f"shapes do not fit: gains {table.shape}, n_relevant {totals.shape}, ideal {shape}")
    n, depth = table.shape
    out = Curves(
        np.zeros((n, depth), dtype), np.zeros((n, depth), dtype), np.zeros((n, depth), dtype), np.zeros(n, dtype), np.zeros(n, np.int32)
    )
    for start in range(0, n, CHUNK):
        rows = slice(start, start + CHUNK)
        gained = _fill_counts(out, rows, table[rows], totals[rows], level)
        _fill_ndcg(out.ndcg[rows], gained, _ideal_dcg(depth, totals[rows], None if best is None else best[rows], dtype))
    return out


def _discounts(depth: int, dtype: type[np.floating]) -> NDArray[np.floating]:
    return (1.0 / np.log2(np.arange(2, depth + 2))).astype(dtype)


def _fill_counts(out: Curves, rows: slice, gains: NDArray[Any], totals: NDArray[Any], level: float) -> NDArray[np.floating]:
    """Everything but nDCG of one chunk, in place. Returns the chunk's DCG at each cut-off."""
    depth, dtype = gains.shape[1], out.precision.dtype.type
    relevant = gains >= level
    found = np.cumsum(relevant, axis=1, dtype=dtype)
    np.divide(found, np.arange(1, depth + 1, dtype=dtype), out=out.precision[rows])
    share = np.zeros(len(totals), dtype)
    np.divide(1.0, totals, out=share, where=totals > 0, casting="unsafe")
    np.multiply(found, share[:, None], out=out.recall[rows])
    out.average_precision[rows] = np.einsum("ij,ij->i", out.precision[rows], relevant.astype(dtype)) * share
    if depth:
        out.first_relevant[rows] = np.where(found[:, -1] > 0, np.argmax(relevant, axis=1) + 1, 0)
    gained: NDArray[np.floating] = np.maximum(gains, 0).astype(dtype) * _discounts(depth, dtype)
    return np.cumsum(gained, axis=1, out=gained)


def _ideal_dcg(depth: int, totals: NDArray[Any], ideal: NDArray[Any] | None, dtype: type[np.floating]) -> NDArray[np.floating]:
    """The best DCG possible at each cut-off, shape (n, depth)."""
    discount = _discounts(depth, dtype)
    if ideal is None:
        ladder = np.concatenate([np.zeros(1), np.cumsum(discount, dtype=np.float64)]).astype(dtype)
        steps: NDArray[np.int64] = np.minimum(totals.astype(np.int64)[:, None], np.arange(1, depth + 1))
        return ladder[steps]
    best = np.zeros((len(ideal), depth), dtype)
    width = min(depth, ideal.shape[1])
    best[:, :width] = np.maximum(ideal[:, :width], 0).astype(dtype) * discount[:width]
    return np.cumsum(best, axis=1, out=best)


def _fill_ndcg(out: NDArray[np.floating], gained: NDArray[np.floating], best: NDArray[np.floating]) -> None:
    np.divide(gained, best, out=out, where=best > 0)


def _check_k(k: int) -> None:
    if k < 1:
        raise ValueError(f"the cut-off k is at least 1, got {k}")
