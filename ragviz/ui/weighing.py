"""About how many bytes a value takes: exact for arrays and short lists, by a sample for long ones. Far cheaper than making the value was."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

import msgspec
import numpy as np

SAMPLE = 50
"""Elements of a collection that are looked at."""
DEEPEST = 8


def weight(value: Any) -> int:
    """Bytes of a value with what it holds; what it holds twice counts once, as far as the elements that are looked at tell."""
    return _weight(value, 0, {})


def _weight(value: Any, depth: int, seen: dict[int, Any]) -> int:
    """``seen``: what was weighed before, by identity; held, so that no other object takes its place."""
    if id(value) in seen:
        return 0
    seen[id(value)] = value
    if isinstance(value, np.ndarray):
        return int(value.nbytes) + (_of_many(value.flat, value.size, depth, seen) if value.dtype == object else 0)
    own = sys.getsizeof(value)
    if depth >= DEEPEST or isinstance(value, (str, bytes, int, float, type(None))):
        return own
    if isinstance(value, Mapping):
        return own + _of_many((part for pair in value.items() for part in pair), 2 * len(value), depth, seen)
    if isinstance(value, (list, tuple, set, frozenset)):
        return own + _of_many(value, len(value), depth, seen)
    if isinstance(value, msgspec.Struct):
        return own + sum(_weight(getattr(value, name), depth + 1, seen) for name in value.__struct_fields__)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        table = 0 if hasattr(type(value), "__slots__") else sys.getsizeof(value.__dict__)
        return own + table + sum(_weight(getattr(value, field.name), depth + 1, seen) for field in dataclasses.fields(value))
    n_bytes = getattr(value, "nbytes", None)
    return own + (n_bytes if isinstance(n_bytes, int) else 0)


def _of_many(parts: Iterable[Any], n: int, depth: int, seen: dict[int, Any]) -> int:
    """The first ones stand for all."""
    weighed = [_weight(part, depth + 1, seen) for part in islice(parts, SAMPLE)]
    return round(sum(weighed) / len(weighed) * n) if weighed else 0
