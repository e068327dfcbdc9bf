"""How many of what, in words: one trace, 1,204 traces."""

from __future__ import annotations


def counted(n: int, one: str, many: str | None = None) -> str:
    """1 trace, 1,204 traces. ``many``: where it is not ``one`` with an s."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"
