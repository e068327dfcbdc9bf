"""How much memory an answer takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
import pytest

from ragviz.ui.weighing import weight


class Record(msgspec.Struct):
    text: str
    values: list[float]


@dataclass
class Table:
    columns: dict[str, np.ndarray]


@pytest.mark.parametrize(
    ("value", "least", "most"),
    [
        (np.zeros(1000), 8000, 8000),
        (np.arange(1000.0).tolist(), 32_000, 32_200),
        ([f"{n:0100}" for n in range(10_000)], 1_500_000, 1_650_000),
        (["x" * 100] * 10_000, 80_000, 150_000),
        (Record("x" * 1000, np.arange(10.0).tolist()), 1300, 1700),
        (Table({"a": np.zeros(10_000)}), 80_000, 81_000),
        (np.array([f"{n:0100}" for n in range(500)], dtype=object), 75_000, 85_000),
        (None, 16, 16),
        ({}, 64, 64),
    ],
)
def test_weight(value: Any, least: int, most: int) -> None:
    """Near enough to bound what is kept."""
    assert least <= weight(value) <= most
