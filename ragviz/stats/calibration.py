"""Does confidence mean what it says? Reliability in bins of equal mass, isotonic correction, risk against coverage."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from itertools import pairwise

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray


class Bin(msgspec.Struct, frozen=True, kw_only=True):
    """Answers of similar confidence."""

    lo: float
    hi: float
    n: int
    confidence: float
    """Mean confidence."""
    accuracy: float
    """Share that is right."""


class Reliability(msgspec.Struct, frozen=True, kw_only=True):
    """A reliability curve and its one number."""

    bins: tuple[Bin, ...]
    ece: float
    """Expected calibration error: mean distance of confidence and accuracy, bins weighted by size."""
    brier: float
    """Mean squared distance of confidence and outcome."""
    n: int
    rule: str = "bins of equal mass"


class RiskCoverage(msgspec.Struct, frozen=True, kw_only=True):
    """Error among those answered, as the least sure are left unanswered first."""

    coverage: tuple[float, ...]
    risk: tuple[float, ...]
    threshold: tuple[float, ...]
    """Lowest confidence still answered."""
    aurc: float
    """Mean risk over all coverages; lower is better."""


def reliability(confidence: ArrayLike, correct: ArrayLike, *, n_bins: int = 10) -> Reliability | None:
    """
    Reliability in bins that hold the same number of answers, as far as equal confidences allow: those are never split.

    Args:
        confidence: P(right) as claimed, in [0, 1], shape (n,).
        correct: Whether it was right, shape (n,).
        n_bins: At most so many bins.

    Returns:
        None without answers.

    Source: ECE after Naeini et al. 2015, with equal-mass bins (Nguyen & O'Connor 2015, arXiv:1508.05154): equal-width bins leave most empty.
    """
    p, y = _checked(confidence, correct)
    if not len(p):
        return None
    order = np.argsort(p, kind="stable")
    p, y = p[order], y[order]
    edges = _edges(p, n_bins)
    bins = []
    for start, end in pairwise(edges):
        part, right = p[start:end], y[start:end]
        bins.append(Bin(lo=float(part[0]), hi=float(part[-1]), n=end - start, confidence=float(part.mean()), accuracy=float(right.mean())))
    ece = sum(b.n * abs(b.confidence - b.accuracy) for b in bins) / len(p)
    return Reliability(bins=tuple(bins), ece=ece, brier=float(np.mean((p - y) ** 2)), n=len(p))


def _edges(p: NDArray[np.float64], n_bins: int) -> list[int]:
    """Borders of bins over sorted values, moved right where they would part equal values."""
    edges = [0]
    for b in range(1, n_bins):
        at = max(b * len(p) // n_bins, edges[-1])
        if 0 < at < len(p):
            at = int(np.searchsorted(p, p[at - 1], side="right"))
        if edges[-1] < at < len(p):
            edges.append(at)
    return [*edges, len(p)]


class Isotonic(msgspec.Struct, frozen=True, kw_only=True):
    """A rising step function from raw scores to probabilities, straight between its points."""

    x: tuple[float, ...]
    y: tuple[float, ...]

    def __call__(self, score: float) -> float:
        """The probability of a score; flat outside the range that was seen."""
        if score <= self.x[0]:
            return self.y[0]
        if score >= self.x[-1]:
            return self.y[-1]
        i = bisect.bisect_right(self.x, score)
        left, right = self.x[i - 1], self.x[i]
        share = 0.0 if right == left else (score - left) / (right - left)
        return self.y[i - 1] + share * (self.y[i] - self.y[i - 1])


def fit_isotonic(scores: ArrayLike, correct: ArrayLike) -> Isotonic:
    """
    The non-decreasing function nearest to the outcomes (pool adjacent violators).

    Raises:
        ValueError: No data.

    Source: Zadrozny & Elkan 2002, KDD.
    """
    x, y = np.asarray(scores, dtype=np.float64), np.asarray(correct, dtype=np.float64)
    if not len(x) or x.shape != y.shape:
        raise ValueError(f"need as many outcomes as scores, at least one; got {x.shape} and {y.shape}")
    points, index = np.unique(x, return_inverse=True)
    weight = np.bincount(index).astype(np.float64)
    mean = np.bincount(index, weights=y) / weight
    blocks: list[list[float]] = []  # mean, weight, first point, last point
    for i, (m, w) in enumerate(zip(mean.tolist(), weight.tolist(), strict=True)):
        blocks.append([m, w, i, i])
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            m2, w2, _, last = blocks.pop()
            m1, w1, first, _ = blocks.pop()
            blocks.append([(m1 * w1 + m2 * w2) / (w1 + w2), w1 + w2, first, last])
    xs: list[float] = []
    ys: list[float] = []
    for m, _, first, last in blocks:
        for i in sorted({int(first), int(last)}):
            xs.append(float(points[i]))
            ys.append(m)
    return Isotonic(x=tuple(xs), y=tuple(ys))


def risk_coverage(confidence: ArrayLike, correct: ArrayLike) -> RiskCoverage | None:
    """
    Risk at each coverage, answering the surest first; equal confidences come in together.

    Source: El-Yaniv & Wiener 2010, JMLR 11.
    """
    p, y = _checked(confidence, correct)
    if not len(p):
        return None
    order = np.argsort(-p, kind="stable")
    p, wrong = p[order], 1 - y[order]
    risk = np.cumsum(wrong) / np.arange(1, len(p) + 1)
    ends = np.flatnonzero(np.append(p[1:] != p[:-1], True))
    sizes = np.diff(np.append(-1, ends))
    return RiskCoverage(
        coverage=_tuple((ends + 1) / len(p)), risk=_tuple(risk[ends]), threshold=_tuple(p[ends]), aurc=float(np.dot(risk[ends], sizes) / len(p))
    )


def _tuple(values: Sequence[float] | NDArray[np.float64]) -> tuple[float, ...]:
    return tuple(float(v) for v in values)


def _checked(confidence: ArrayLike, correct: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    p, y = np.asarray(confidence, dtype=np.float64), np.asarray(correct, dtype=np.float64)
    if p.shape != y.shape or p.ndim != 1:
        raise ValueError(f"need as many outcomes as confidences, got {p.shape} and {y.shape}")
    if len(p) and not (p.min() >= 0 and p.max() <= 1):
        raise ValueError("a confidence lies between 0 and 1")
    return p, y
