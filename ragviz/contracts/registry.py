"""Names to factories, with errors that help and room for plug-ins from other packages."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from inspect import Parameter, signature
from typing import Generic, TypeVar

from ragviz.errors import UnknownName

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., object])


class Registry(Generic[T]):
    """
    What can be asked for by name.

    ``registry.add("facts")(FactsJudge)`` registers; ``registry.make("facts")`` builds.
    Names may carry an argument after a colon: ``nli:./model`` calls the factory of ``nli`` with ``"./model"``.
    """

    def __init__(self, kind: str, *, group: str | None = None) -> None:
        """
        Args:
            kind: What one entry is called in messages: "judge".
            group: Entry-point group of outside plug-ins: "ragviz.judges".
        """
        self.kind = kind
        self.group = group
        self._factories: dict[str, Callable[..., T]] = {}
        self._plugins_loaded = group is None

    def add(self, name: str) -> Callable[[F], F]:
        """Decorator that registers a factory (a class, or a function that builds one)."""

        def register(factory: F) -> F:
            if name in self._factories:
                raise ValueError(f"two {self.kind}s are named {name!r}")
            self._factories[name] = factory  # type: ignore[assignment]
            return factory

        return register

    def names(self) -> list[str]:
        """All names in the order of registration."""
        return list(self._factories)

    def factories(self) -> Iterator[tuple[str, Callable[..., T]]]:
        """Name and factory, in the order of registration."""
        return iter(self._factories.items())

    def make(self, name: str, **settings: object) -> T:
        """
        Build one by name.

        Raises:
            UnknownName: With the nearest name and all known ones; or something stands after the colon that this one does not take, or nothing does.
        """
        key, colon, argument = name.partition(":")
        factory = self._factories.get(key)
        if factory is None:
            raise self._unknown(name)
        if argument and not _takes_words(factory):
            raise UnknownName(f"the {self.kind} {key} takes nothing after a colon, and {name!r} names {argument!r} there", fix=f"write {key}")
        if colon and not argument:
            raise UnknownName(f"{name!r} names nothing after the colon", fix=f"write {key}:NAME, or {key} alone" if _takes_words(factory) else f"write {key}")
        return factory(argument, **settings) if argument else factory(**settings)

    def load_plugins(self) -> None:
        """Register what installed packages offer. Called by the command line and the dashboard, never under test."""
        if self._plugins_loaded or self.group is None:
            return
        self._plugins_loaded = True
        for point in entry_points(group=self.group):
            if point.name not in self._factories:
                self._factories[point.name] = point.load()

    def _unknown(self, name: str) -> UnknownName:
        near = difflib.get_close_matches(name, self._factories, n=1)
        hint = f"Did you mean {near[0]!r}? " if near else ""
        return UnknownName(f"no {self.kind} named {name!r}", fix=f"{hint}Known: {', '.join(sorted(self._factories))}")


def _takes_words(factory: Callable[..., object]) -> bool:
    """Whether its first parameter may be given by place and is a text: a flag or a number is no place for a name."""
    try:
        first = next(iter(signature(factory).parameters.values()), None)
    except ValueError:  # built into Python, which says nothing of itself
        return True
    return first is not None and first.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD, Parameter.VAR_POSITIONAL) and (
        first.annotation in (str, "str") or (first.annotation is Parameter.empty and (first.default is Parameter.empty or isinstance(first.default, str))))
