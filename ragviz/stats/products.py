"""
Products and inverses of large matrices without the threads of the linear algebra library: on a machine with other work these cost many times what
they bring (measured: 80 times).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SIDE = 64
"""Rows and columns of a piece of the product; three times that many multiplications are what OpenBLAS does in one thread."""


def crossed(one: Floats, other: Floats) -> Floats:
    """
    ``one.T @ other``.

    Args:
        one: Shape (n, a).
        other: Shape (n, b).

    Returns:
        Shape (a, b).
    """
    n, a, b = len(one), one.shape[1], other.shape[1]
    made = np.zeros((a, b))
    rows = SIDE**3 // (min(a, SIDE) * min(b, SIDE) or 1)
    whole = n // rows * rows
    for i in range(0, a, SIDE):
        for j in range(0, b, SIDE):
            left, right = one[:, i : i + SIDE], other[:, j : j + SIDE]
            made[i : i + SIDE, j : j + SIDE] = left[whole:].T @ right[whole:]
            if whole:
                stacked = np.matmul(_stacked(left[:whole], rows).transpose(0, 2, 1), _stacked(right[:whole], rows))
                made[i : i + SIDE, j : j + SIDE] += stacked.sum(axis=0)
    return made


def _stacked(some: Floats, rows: int) -> Floats:
    return np.ascontiguousarray(some).reshape(-1, rows, some.shape[1])


def inverse_of(matrix: Floats) -> Floats:
    """The inverse of a symmetric positive definite matrix, by that of its first rows and columns and of what is left (Schur's complement)."""
    n = len(matrix)
    if n <= SIDE:
        return np.asarray(np.linalg.inv(matrix), dtype=np.float64)
    first, across, last = matrix[:SIDE, :SIDE], matrix[:SIDE, SIDE:], matrix[SIDE:, SIDE:]
    of_first = inverse_of(first)
    both = crossed(of_first, across)
    of_last = inverse_of(last - crossed(across, both))
    corner = crossed(both.T, of_last)
    return np.block([[of_first + crossed(corner.T, both.T), -corner], [-corner.T, of_last]])


def connected(linked: NDArray[np.bool_]) -> list[list[int]]:
    """Groups of numbers that are linked, directly or by way of others; ``linked``: symmetric, shape (n, n)."""
    left, found = set(range(len(linked))), []
    while left:
        group = set[int]()
        fresh = {min(left)}
        while fresh:
            group |= fresh
            fresh = set(np.flatnonzero(linked[sorted(fresh)].any(axis=0)).tolist()) - group
        left -= group
        found.append(sorted(group))
    return found
