"""Figures by name, as a dict that says which names there are when asked for another."""

from __future__ import annotations

from typing import TypeVar

from ragviz.errors import UnknownName

V = TypeVar("V")


class NoSuchFigure(UnknownName, KeyError):
    """No figure of that name here. A ``KeyError`` too, as of any other dict."""

    def __str__(self) -> str:
        return f"{self.message}: {self.fix}" if self.fix else self.message


class NamedFigures(dict[str, V]):
    """
    A dict in everything but the words of the error.

    Example:
        >>> NamedFigures(recall_at_5=0.5)["recall_at_3"]
        Traceback (most recent call last):
        ragviz.pipeline.named_figures.NoSuchFigure: no figure is named 'recall_at_3': there are recall_at_5
    """

    def __missing__(self, name: str) -> V:
        raise NoSuchFigure(f"no figure is named {name!r}", fix=f"there are {', '.join(self)}" if self else "there is none in this result")
