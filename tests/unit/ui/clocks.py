"""Clocks that a test moves, and a memory that reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ragviz.ui.remembering import Remembered


class World:
    """Clocks that a test moves."""

    def __init__(self) -> None:
        self.now = self.spent = 0.0
        self.made: list[Any] = []

    def memory(self, **bounds: Any) -> Remembered:
        return Remembered(**{"most": 10, "most_bytes": 2**20, "copies": False, "clock": lambda: self.now, "spent": lambda: self.spent} | bounds)

    def make(self, value: Any, takes_s: float = 0.0) -> Callable[[], Any]:
        def make() -> Any:
            self.spent += takes_s
            self.made.append(value)
            return value

        return make
