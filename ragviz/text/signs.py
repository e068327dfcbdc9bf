"""Words looked for whatever their case, in a third of the time where a text is ASCII."""

from __future__ import annotations

import re


class Signs:
    """
    A pattern of alternatives, for small and capital letters alike.

    An alternative that begins with a certain letter is passed over at once, but not one that begins with that letter in either case: an ASCII
    text is searched in small letters. Elsewhere letters have relatives ("ſ" is an s), or become two.
    """

    __slots__ = ("_any", "_small")

    def __init__(self, pattern: str) -> None:
        r"""
        Args:
            pattern: Its letters small.

        Raises:
            ValueError: It has a capital that is no class such as ``\W``.
        """
        if re.search(r"(?<!\\)[A-Z]", pattern):
            raise ValueError(f"a pattern in small letters, got {pattern!r}")
        self._any = re.compile(pattern, re.IGNORECASE)
        self._small = re.compile(pattern)

    def end(self, text: str) -> int:
        """Where the first match ends; -1 without one."""
        match = self._small.search(text.lower()) if text.isascii() else self._any.search(text)
        return -1 if match is None else match.end()

    def stand_in(self, text: str) -> bool:
        """True where the pattern matches somewhere."""
        return (self._small.search(text.lower()) if text.isascii() else self._any.search(text)) is not None
