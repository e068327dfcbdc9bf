"""Word lists as people read them."""

from __future__ import annotations


def word_set(*rows: str) -> frozenset[str]:
    """The words of all rows, which are separated by white space."""
    return frozenset(word for row in rows for word in row.split())
