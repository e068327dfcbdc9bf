"""Words in questions and answers: FTS5 on SQLite, tsvector on PostgreSQL. Texts are indexed, not stored twice."""

from __future__ import annotations

import re

from sqlalchemy import ColumnElement, Connection, FromClause, Integer, String, bindparam, column, func, literal_column, table, text

from ragviz.store.schema import trace

INDEX = "trace_text"
_MAX_WORDS = 16


def create(conn: Connection) -> None:
    """The index over an empty database."""
    if conn.dialect.name == "sqlite":
        conn.execute(text(
            f"CREATE VIRTUAL TABLE {INDEX} USING fts5(question, response, content='trace', content_rowid='key', tokenize='unicode61 remove_diacritics 2')",
        ))
    else:
        conn.execute(text(f"CREATE INDEX {INDEX} ON trace USING gin (to_tsvector('simple', question || ' ' || response))"))


def add(conn: Connection, first_key: int, last_key: int) -> None:
    """Index the traces of these keys, which were just inserted."""
    if conn.dialect.name == "sqlite":
        conn.execute(
            text(f"INSERT INTO {INDEX}(rowid, question, response) SELECT key, question, response FROM trace WHERE key BETWEEN :lo AND :hi"),  # noqa: S608
            {"lo": first_key, "hi": last_key},
        )


def remove_run(conn: Connection, run_key: int) -> None:
    """Take a run's words out, while its traces are still there."""
    if conn.dialect.name == "sqlite":
        conn.execute(
            text(f"INSERT INTO {INDEX}({INDEX}, rowid, question, response) SELECT 'delete', key, question, response FROM trace WHERE run = :run"),  # noqa: S608
            {"run": run_key},
        )
        # Deleted words stay readable in old segments of the index until these are merged.
        conn.execute(text(f"INSERT INTO {INDEX}({INDEX}) VALUES ('optimize')"))  # noqa: S608


def words_of(query: str) -> list[str]:
    """What is looked for: words and numbers; quotes and operators of the query languages lose their meaning."""
    return re.findall(r"\w+", query)[:_MAX_WORDS]


def _in_a_row(query: str) -> bool:
    query = query.strip()
    return len(query) > 2 and query[0] == query[-1] == '"'


def _unfinished(words: list[str]) -> bool:
    """The last word may be the beginning of one; a single Latin letter would be the beginning of too many to look at."""
    return len(words[-1]) > 1 or not words[-1].isascii()


def index_matches(query: str) -> tuple[FromClause, ColumnElement[int], ColumnElement[bool]]:
    """
    SQLite: the index, its key, and the condition "holds all these words" (the last may be unfinished).

    A quoted query asks for its words in a row. The index gives keys in ascending order, so a first page needs no sorting.
    """
    words = words_of(query)
    terms = '"' + " ".join(words) + '"' if _in_a_row(query) else " ".join(f'"{word}"' for word in words) + (" *" if _unfinished(words) else "")
    index = table(INDEX, column("rowid", Integer))
    return index, index.c.rowid, literal_column(INDEX).op("MATCH")(bindparam("words", terms, String, unique=True))


def document_matches(query: str) -> ColumnElement[bool] | None:
    """PostgreSQL: the same as a condition on ``trace``; None when the query has no word."""
    words = words_of(query)
    if not words:
        return None
    simple: ColumnElement[str] = literal_column("'simple'", String)
    document = func.to_tsvector(simple, trace.c.question + literal_column("' '") + trace.c.response)
    if _in_a_row(query):
        return document.op("@@")(func.phraseto_tsquery(simple, " ".join(words)))
    return document.op("@@")(func.to_tsquery(simple, " & ".join(f"'{word}'" for word in words) + (":*" if _unfinished(words) else "")))
