"""Statements that pages ask at every click, sent past SQLAlchemy: to put values into one takes it longer than the database takes to answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from sqlite3 import Cursor
from typing import Any

from sqlalchemy import Connection, CursorResult, Executable
from sqlalchemy.dialects import sqlite

from ragviz.store.engine import Database

Source = Connection | Cursor
"""Whom a plain statement can be asked: on SQLite a bare cursor too."""


@contextmanager
def looking(db: Database) -> Iterator[Source]:
    """For plain statements only; one consistent state on SQLite, as ``Database.read``."""
    if not db.is_sqlite:
        with db.read() as conn:
            yield conn
        return
    with db.bare() as cursor:
        cursor.execute("BEGIN")
        yield cursor
        cursor.execute("COMMIT")


class Plain:
    """
    A statement with named values, some of them lists, that gives plain columns: texts, numbers and bytes as SQLite has them.

    Its SQL is put together once for each length of its lists.
    """

    def __init__(self, statement: Executable) -> None:
        self._statement = statement
        self._known: dict[tuple[int, ...], tuple[str, list[tuple[str, Any]]]] = {}

    def ask(self, source: Source, values: Mapping[str, Any]) -> Sequence[Any]:
        """
        The rows, with columns in the order of the statement.

        Args:
            source: Whom to ask.
            values: By name, always in the same order; lists must not be empty.
        """
        if isinstance(source, Connection):
            found: CursorResult[Any] = source.execute(self._statement, values)
            return found.all()
        shape = tuple([len(value) for value in values.values() if type(value) is list])
        sql, places = self._known.get(shape) or self._in_sql(shape, values)
        given: list[Any] = []
        for name, fixed in places:
            value = values.get(name, fixed)
            if type(value) is list:
                given += value
            else:
                given.append(value)
        return source.execute(sql, given).fetchall()

    def _in_sql(self, shape: tuple[int, ...], values: Mapping[str, Any]) -> tuple[str, list[tuple[str, Any]]]:
        """The SQL, and by the order of its places the names of its values, or those that the statement brings itself."""
        made = self._statement.compile(dialect=sqlite.dialect()).construct_expanded_state(dict(values))  # type: ignore[attr-defined]
        lists = {part: name for name, parts in made.parameter_expansion.items() for part in parts}
        first = {parts[0] for parts in made.parameter_expansion.values()}
        names = [lists.get(part, part) for part in made.positiontup if part in first or part not in lists]
        # Nothing of what was asked for stays in memory.
        places = [(name, None if name in values else made.parameters[name]) for name in names]
        known = self._known[shape] = made.statement, places
        return known
