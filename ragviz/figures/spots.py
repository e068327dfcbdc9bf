"""Traces that share the same two numbers become one spot; too many spots become a grid of counts. Arrays only, no picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragviz.stats.numbering import numbered

Floats = NDArray[np.float64]

MAX_SPOTS = 2_000
"""Above this, SVG markers make the browser slow (measured), and a grid of counts is shown instead."""
DIGITS = 4
"""Two values that agree to this many decimals are the same spot."""


@dataclass(frozen=True)
class Window:
    """The part of the plane that is looked at."""

    x0: float = 0.0
    x1: float = 1.0
    y0: float = 0.0
    y1: float = 1.0

    @property
    def is_all(self) -> bool:
        """True for the whole plane."""
        return (self.x0, self.x1, self.y0, self.y1) == (0.0, 1.0, 0.0, 1.0)

    def inside(self, x: Floats, y: Floats) -> NDArray[np.bool_]:
        """Which points lie in the window, its edges included. NaN lies nowhere."""
        return (x >= self.x0) & (x <= self.x1) & (y >= self.y0) & (y <= self.y1)


ALL = Window()
"""The whole plane."""


@dataclass(frozen=True)
class Spots:
    """One marker each. All arrays have shape (n_spots,)."""

    x: Floats
    y: Floats
    n: NDArray[np.int64]
    band: NDArray[np.int64]
    """Relevance band: 2 high, 1 above the threshold, 0 below, -1 unknown."""
    kind: NDArray[np.str_]
    """The quadrant all traces of the spot are in."""
    unsure: NDArray[np.int64] | None = None
    """Traces that may be in another quadrant; None = not looked into."""

    def __len__(self) -> int:
        return int(self.x.size)

    @property
    def hollow(self) -> NDArray[np.bool_]:
        """Spots of which at least half may belong elsewhere."""
        if self.unsure is None:
            return np.zeros(len(self), dtype=np.bool_)
        made: NDArray[np.bool_] = (self.unsure > 0) & (2 * self.unsure >= self.n)
        return made

    def keys(self) -> list[str]:
        """What a click on each spot gives back: ``x|y``, read again by ``spot_of``."""
        return [f"{x:.{DIGITS}f}|{y:.{DIGITS}f}" for x, y in zip(self.x, self.y, strict=True)]


def spot_of(key: str) -> tuple[float, float] | None:
    """The place that a key names; None when it is no key (it comes from the browser)."""
    try:
        x, y = (float(part) for part in key.split("|"))
    except ValueError:
        return None
    return (x, y) if 0 <= x <= 1 and 0 <= y <= 1 else None


def bands(relevance: Floats, threshold: float, high: float = 0.75) -> NDArray[np.int64]:
    """Relevance by band: see ``Spots.band``."""
    out = np.full(relevance.shape, -1, np.int64)
    known = ~np.isnan(relevance)
    out[known] = 0
    out[known & (relevance >= threshold)] = 1
    out[known & (relevance >= max(high, threshold))] = 2
    return out


def gather(x: Floats, y: Floats, band: NDArray[np.int64], kind: Sequence[str] | NDArray[np.str_], unsure: NDArray[np.bool_] | None = None) -> Spots:
    """
    Group points by place. A spot takes the band that most of its traces have (the lower of two equals) and the kind of the first.

    Args:
        x: Shape (n,), in [0, 1]; points with NaN are left out.
        y: Shape (n,), likewise.
        band: Shape (n,).
        kind: Shape (n,).
        unsure: Shape (n,): traces that may be in another quadrant.

    Returns:
        Largest spots first, so that small ones are drawn on top of them.
    """
    known = ~(np.isnan(x) | np.isnan(y))
    scale = 10**DIGITS
    packed = np.rint(x[known] * scale).astype(np.int64) * (scale + 1) + np.rint(y[known] * scale).astype(np.int64)
    at, met = numbered(packed)
    first = np.empty(met.size, dtype=np.int64)
    first[at[::-1]] = np.arange(at.size)[::-1]
    n = np.bincount(at, minlength=met.size)
    votes = np.bincount(at * 4 + band[known] + 1, minlength=4 * met.size).reshape(met.size, 4)
    by_place = np.argsort(met)
    places, n, first, votes = met[by_place], n[by_place], first[by_place], votes[by_place]
    order = np.argsort(-n, kind="stable")
    xs, ys = np.divmod(places[order], scale + 1)
    kinds = np.asarray(kind)[known][first[order]].astype(str)
    doubted = None if unsure is None else np.bincount(at, weights=unsure[known], minlength=places.size)[by_place][order].astype(np.int64)
    return Spots(xs / scale, ys / scale, n[order].astype(np.int64), votes[order].argmax(axis=1).astype(np.int64) - 1, kinds, doubted)


@dataclass(frozen=True)
class Grid:
    """Counts per cell. ``n`` has shape (rows, columns), row 0 at the bottom."""

    x_edges: Floats
    y_edges: Floats
    n: NDArray[np.int64]


def binned(x: Floats, y: Floats, window: Window, *, bins: int = 40) -> Grid:
    """Two-dimensional histogram of the points in the window."""
    inside = window.inside(x, y)
    counts, x_edges, y_edges = np.histogram2d(x[inside], y[inside], bins=bins, range=[[window.x0, window.x1], [window.y0, window.y1]])
    return Grid(x_edges, y_edges, counts.T.astype(np.int64))


def zoomed(window: Window, x: float, y: float, *, by: float = 4.0) -> Window:
    """A window ``by`` times narrower around a place, kept inside the old one."""
    x0, x1 = _narrow(window.x0, window.x1, x, by)
    y0, y1 = _narrow(window.y0, window.y1, y, by)
    return Window(x0, x1, y0, y1)


def _narrow(lo: float, hi: float, at: float, by: float) -> tuple[float, float]:
    width = (hi - lo) / by
    start = min(max(at - width / 2, lo), hi - width)
    return round(start, DIGITS), round(start + width, DIGITS)
