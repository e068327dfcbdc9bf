"""The curated word lists as they lie in the package."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files


def lines(name: str) -> Iterator[str]:
    """The lines of a word list, comments and empty ones aside."""
    for line in (files("ragviz.consistency") / "words" / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line.strip()
