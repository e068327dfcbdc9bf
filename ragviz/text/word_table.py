"""What is known of single words, looked up: words repeat, and asking a table takes a third of the time of a cached call."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class WordTable(dict[str, T]):
    """
    Answers of one function by word: ``table[word]`` works the answer out where it is first asked for.

    The bound is there for texts that are no language: when ``limit`` words are held, all are forgotten.
    """

    __slots__ = ("_limit", "_read")

    def __init__(self, read: Callable[[str], T], *, limit: int = 65_536) -> None:
        super().__init__()
        self._read = read
        self._limit = limit

    def __missing__(self, word: str) -> T:
        # Worked out first: the function may ask the table for another word.
        answer = self._read(word)
        if len(self) >= self._limit:
            self.clear()
        self[word] = answer
        return answer
