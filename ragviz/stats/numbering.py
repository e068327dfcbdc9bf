"""Values as whole numbers: which are the same, and where others have them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

HASHED_FROM = 250_000
"""Values from which on hashing them, in Arrow, is worth loading what it takes; below, they are sorted."""


def numbered(values: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """
    Each value's place among the distinct ones, and the distinct ones in the order of first occurrence.

    Args:
        values: Whole numbers, shape (n,).

    Returns:
        Places, shape (n,), and distinct values, shape (m,): ``values == distinct[places]``.
    """
    if all_distinct(values):
        return np.arange(values.size, dtype=np.int64), values
    return _by_hash(values) if values.size >= HASHED_FROM else _by_order(values)


def all_distinct(values: NDArray[Any]) -> bool:
    """Whether no value comes twice: a million different whole numbers are put in order in a tenth of the time that hashing them takes."""
    ordered = np.sort(values)
    return not bool((ordered[1:] == ordered[:-1]).any())


def places_in(those: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each of the wanted values stands among those, -1 where it does not; ``those`` are distinct."""
    places = numbered(np.concatenate([those, wanted]))[0][those.size :]
    return np.where(places < those.size, places, -1)


def _by_order(values: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    distinct, first, at = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(order.size, dtype=np.int64)
    place[order] = np.arange(order.size)
    return place[at], distinct[order]


def _by_hash(values: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    import pyarrow as pa  # noqa: PLC0415 - 34 MiB, only here

    # From bytes and to bytes: given an array, pyarrow would load pandas to ask whether it is one of its own.
    found = pa.Array.from_buffers(pa.int64(), values.size, [None, pa.py_buffer(np.ascontiguousarray(values))]).dictionary_encode()
    places, distinct = found.indices, found.dictionary
    return np.frombuffer(places.buffers()[1], dtype=np.int32, count=len(places)).astype(np.int64), np.frombuffer(
        distinct.buffers()[1], dtype=np.int64, count=len(distinct)
    )
