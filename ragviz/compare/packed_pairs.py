"""A million ids in the bytes that they have: as words each would take five times as much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

Pair = tuple[str, str]


class _PackedIds:
    def __init__(self, ids: Sequence[str]) -> None:
        # A lone surrogate is allowed in an id.
        raw = [one.encode("utf-8", "surrogatepass") for one in ids]
        self._text = b"".join(raw)
        self._ends: NDArray[np.int64] = np.cumsum([0, *map(len, raw)], dtype=np.int64)
        self.nbytes = len(self._text) + int(self._ends.nbytes)

    def __getitem__(self, at: int) -> str:
        return self._text[self._ends[at] : self._ends[at + 1]].decode("utf-8", "surrogatepass")


class PackedPairs(Sequence[Pair]):
    """Pairs of ids; reads like the tuple that it was made of."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._n = len(pairs)
        self._base, self._candidate = _PackedIds([b for b, _ in pairs]), _PackedIds([c for _, c in pairs])

    @property
    def nbytes(self) -> int:
        """Bytes that it takes."""
        return self._base.nbytes + self._candidate.nbytes

    def __len__(self) -> int:
        return self._n

    @overload
    def __getitem__(self, at: int) -> Pair: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Pair, ...]: ...

    def __getitem__(self, at: int | slice) -> Pair | tuple[Pair, ...]:
        if isinstance(at, slice):
            return tuple([self[i] for i in range(*at.indices(self._n))])
        place = at + self._n if at < 0 else at
        if not 0 <= place < self._n:
            raise IndexError(at)
        return self._base[place], self._candidate[place]
