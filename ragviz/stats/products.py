"""Products of large matrices without the threads of the linear algebra library: on a machine with other work these cost many times what they bring (measured: 80 times)."""

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
