"""The traces that pass a filter, in order: one page of them, or the two beside one, without putting the others in order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Ranked:
    """The traces that pass, with what orders them: by ``values``, then by ``ties``, both ascending."""

    positions: NDArray[np.int64]
    values: NDArray[np.float64]
    ties: NDArray[np.int64]
    backwards: bool

    def part(self, offset: int, limit: int) -> NDArray[np.int64]:
        """Positions of one page, without putting the others in order."""
        end = min(offset + limit, len(self.positions))
        if end <= offset:
            return self.positions[:0]
        last = np.partition(self.values, end - 1)[end - 1]
        below, equal = np.flatnonzero(self.values < last), np.flatnonzero(self.values == last)
        ordered = below[np.lexsort((self.ties[below], self.values[below]))]
        tied = equal[::-1] if self.backwards and last != np.inf else equal
        shown: NDArray[np.int64] = self.positions[np.concatenate([ordered, tied[: end - len(ordered)]])[offset:end]]
        return shown

    def beside(self, at: int) -> tuple[int | None, int | None, int]:
        """Position before and after, and the number of those before, of the trace at place ``at`` of ``positions``."""
        value, tie = self.values[at], self.ties[at]
        before = (self.values < value) | ((self.values == value) & (self.ties < tie))
        after = ~before
        after[at] = False
        return self._end(before, last=True), self._end(after, last=False), int(before.sum())

    def _end(self, some: Mask, *, last: bool) -> int | None:
        places = np.flatnonzero(some)
        if not len(places):
            return None
        values, ties = self.values[places], self.ties[places]
        best = values.max() if last else values.min()
        places, ties = places[values == best], ties[values == best]
        return int(self.positions[places[ties.argmax() if last else ties.argmin()]])
