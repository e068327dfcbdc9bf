"""The order of versions, and which runs are versions of one system, by their names."""

from __future__ import annotations

import re
from collections.abc import Iterable

_TEMPORARY = re.compile(r"[0-9]+|\b(?:v|ver|version|release|run|baseline|candidate)\b", re.IGNORECASE)


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A key that puts v2 before v10."""
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part.casefold()) for part in re.findall(r"[0-9]+|[^0-9]+", name))


def family(name: str) -> str:
    """What is left of a run's name without its numbers and words for versions: names of one system's runs are equal then."""
    return " ".join(re.findall(r"[^\W\d_]+", _TEMPORARY.sub(" ", name.replace("_", " ").casefold())))


def are_numbered(names: Iterable[str]) -> bool:
    """Whether all names differ in their numbers only: then the numbers give the order."""
    every = list(names)
    return len({family(name) for name in every}) == 1 and all(any(c.isdigit() for c in name) for name in every)
