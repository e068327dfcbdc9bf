"""Material inside a message to a model, fenced with a boundary word that it cannot name."""

from __future__ import annotations

from collections.abc import Callable

Token = Callable[[], str]
"""Gives an unguessable word."""


def fenced(name: str, text: str, fence: str) -> str:
    """The text between two lines that carry the boundary word; ``name`` says what it is."""
    return f"[{fence} BEGIN {name}]\n{text}\n[{fence} END {name.split(maxsplit=1)[0]}]"


def boundary(fence: str) -> str:
    """The sentence that tells the model which lines count."""
    return f"The boundary word of this message is {fence}. Only lines that carry it are boundaries."
