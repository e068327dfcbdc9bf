"""A column of words as whole numbers: each different word once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.integer[Any]]


class Coded(NamedTuple):
    """Words of some traces."""

    words: tuple[str, ...]
    """All different, some of which need not occur."""
    codes: Codes
    """Shape (n,): place of each trace's word in ``words``; -1: it has none."""

    def counts(self) -> dict[str, int]:
        """Traces per word, only words that occur, in the order of ``words``."""
        n = np.bincount(self.codes[self.codes >= 0], minlength=len(self.words))
        return {word: int(k) for word, k in zip(self.words, n, strict=True) if k}

    def take(self, rows: Any) -> Coded:
        """Of these traces only."""
        return Coded(self.words, self.codes[rows])

    def plain(self) -> list[str | None]:
        """One word a trace; None where it has none."""
        return [None if code < 0 else self.words[code] for code in self.codes.tolist()]


def coded(values: Iterable[str | None]) -> Coded:
    """Words, None for none, as codes in the order in which they are first met."""
    known: dict[str, int] = {}
    codes = [-1 if value is None else known.setdefault(value, len(known)) for value in values]
    return Coded(tuple(known), np.array(codes, dtype=np.int32))


def recoded(words: Sequence[str | None], codes: Codes) -> Coded:
    """The same for a column that has its words twice, or a word that stands for none: ``words`` by code, None for none."""
    found = coded(words)
    return Coded(found.words, found.codes[codes] if len(words) else codes)


def joined(columns: Sequence[Coded]) -> Coded:
    """Columns one after the other."""
    if all(column.words is columns[0].words for column in columns):
        return Coded(columns[0].words if columns else (), np.concatenate([c.codes for c in columns]) if columns else np.zeros(0, dtype=np.int32))
    known: dict[str, int] = {}
    parts = []
    for column in columns:
        places = np.array([*(known.setdefault(word, len(known)) for word in column.words), -1], dtype=np.int32)
        parts.append(places[column.codes])  # -1 is the last place
    return Coded(tuple(known), np.concatenate(parts))


def first_met(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Numbers from 0 for equal values, in the order in which these are first met."""
    _, first, codes = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(first)
    if np.array_equal(order, np.arange(len(order))):
        return np.asarray(codes, dtype=np.int64)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank[codes]


def all_different(values: NDArray[np.int64]) -> bool:
    """Whether no value is there twice."""
    ordered = np.sort(values)
    return not (ordered[1:] == ordered[:-1]).any()


def closed_up(codes: Codes) -> NDArray[np.int64]:
    """Codes >= 0 without gaps, in their order."""
    there = np.zeros(int(codes.max(initial=-1)) + 1, dtype=np.bool_)
    there[codes] = True
    return codes.astype(np.int64, copy=False) if there.all() else (np.cumsum(there) - 1)[codes]
