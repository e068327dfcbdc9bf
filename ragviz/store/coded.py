"""Columns of few different values, each kept once: words such as quadrants and causes, and packed rankings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragviz.store import blocks

FEW = 8
"""Words up to which comparing each is faster than looking each trace's word up."""


@dataclass(frozen=True)
class Words:
    """A column of a few different words: quadrants, causes."""

    words: tuple[str, ...]
    codes: NDArray[np.int32]
    """Shape (n_traces,): place of the word in ``words``."""

    def one_of(self, wanted: Iterable[str]) -> NDArray[np.bool_]:
        """Which traces have one of these words."""
        asked = set(wanted)
        codes = [code for code, word in enumerate(self.words) if word in asked]
        if len(codes) > FEW:
            passing = np.zeros(len(self.words), dtype=np.bool_)
            passing[codes] = True
            return passing[self.codes]
        found = np.zeros(len(self.codes), dtype=np.bool_)
        for code in codes:
            found |= self.codes == code
        return found

    def counts(self, where: NDArray[np.bool_] | None = None) -> dict[str, int]:
        """Traces per word, only words that occur; ``where``: only these traces."""
        n = np.bincount(self.codes if where is None else self.codes.take(np.flatnonzero(where)), minlength=len(self.words))
        return {word: int(k) for word, k in zip(self.words, n, strict=True) if k}

    def at(self, places: NDArray[np.int64]) -> Words:
        """The same column of some traces alone."""
        return Words(self.words, self.codes.take(places))

    def plain(self) -> NDArray[np.object_]:
        """One word a trace."""
        return np.array(self.words, dtype=object)[self.codes]


@dataclass(frozen=True)
class Rankings:
    """Packed rankings, each different one once."""

    bodies: tuple[bytes, ...]
    codes: NDArray[np.int32]
    """Shape (n_traces,): place of the ranking in ``bodies``."""

    @property
    def lacking(self) -> bool:
        """True where some were not worked out."""
        return blocks.NOT_RANKED in self.bodies and bool((self.codes == self.bodies.index(blocks.NOT_RANKED)).any())
