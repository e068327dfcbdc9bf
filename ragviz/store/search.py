"""Words in questions and answers: FTS5 on SQLite; on PostgreSQL the same words, cut by the same rules, as a tsvector of each trace."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    FromClause,
    Integer,
    String,
    bindparam,
    cast,
    column,
    delete,
    false,
    func,
    literal_column,
    select,
    table,
    text,
)
from sqlalchemy.dialects.postgresql import TSQUERY

from ragviz.store.folding import TOKENIZER, folded_words
from ragviz.store.schema import trace

INDEX = "trace_text"
WORDS = "trace_words"
_MAX_WORDS = 16
_AT_ONCE = 500
# What PostgreSQL takes: words of up to 2,046 bytes, 2**20 bytes of words and places in all, and places up to 16,383, 256 of each word.
_MAX_WORD_BYTES, _MAX_VECTOR_BYTES, _LAST_PLACE, _MOST_PLACES = 2_000, 1_000_000, 16_383, 255
_FOUND = table(WORDS, column("trace", BigInteger), column("words", String))


def create(conn: Connection) -> None:
    """The index over an empty database."""
    if conn.dialect.name == "sqlite":
        conn.execute(text(
            f"CREATE VIRTUAL TABLE {INDEX} USING fts5(question, response, content='trace', content_rowid='key', tokenize='{TOKENIZER}')",
        ))
    else:
        conn.execute(text(f"CREATE TABLE {WORDS} (trace bigint PRIMARY KEY, words tsvector NOT NULL)"))
        conn.execute(text(f"CREATE INDEX {WORDS}_found ON {WORDS} USING gin (words)"))


def lift(conn: Connection) -> None:
    """
    PostgreSQL: words as its own parser cut them ("3.14" was one, "Über" another than "uber") give way to those that SQLite has. A new database
    has them already.
    """
    if conn.execute(text(f"SELECT to_regclass('{WORDS}')")).scalar() is not None:
        return
    conn.execute(text(f"DROP INDEX IF EXISTS {INDEX}"))
    create(conn)
    last = conn.execute(select(func.coalesce(func.max(trace.c.key), 0))).scalar_one()
    for first in range(1, last + 1, _AT_ONCE):
        add(conn, first, first + _AT_ONCE - 1)


def add(conn: Connection, first_key: int, last_key: int) -> None:
    """Index the traces of these keys, which were just inserted."""
    if conn.dialect.name == "sqlite":
        conn.execute(
            text(f"INSERT INTO {INDEX}(rowid, question, response) SELECT key, question, response FROM trace WHERE key BETWEEN :lo AND :hi"),  # noqa: S608
            {"lo": first_key, "hi": last_key},
        )
        return
    rows = conn.execute(select(trace.c.key, trace.c.question, trace.c.response).where(trace.c.key.between(first_key, last_key))).all()
    if rows:
        conn.execute(
            text(f"INSERT INTO {WORDS}(trace, words) VALUES (:trace, CAST(:words AS tsvector))"),  # noqa: S608
            [{"trace": row.key, "words": vector_of(row.question, row.response)} for row in rows],
        )


def remove(conn: Connection, key: int, question: str, response: str) -> None:
    """Take the words of one trace out."""
    if conn.dialect.name == "sqlite":
        conn.execute(
            text(f"INSERT INTO {INDEX}({INDEX}, rowid, question, response) VALUES ('delete', :key, :question, :response)"),  # noqa: S608
            {"key": key, "question": question, "response": response},
        )
    else:
        conn.execute(delete(_FOUND).where(_FOUND.c.trace == key))


def remove_run(conn: Connection, run_key: int) -> None:
    """Take a run's words out, while its traces are still there."""
    if conn.dialect.name == "sqlite":
        conn.execute(
            text(f"INSERT INTO {INDEX}({INDEX}, rowid, question, response) SELECT 'delete', key, question, response FROM trace WHERE run = :run"),  # noqa: S608
            {"run": run_key},
        )
        # Deleted words stay readable in old segments of the index until these are merged.
        conn.execute(text(f"INSERT INTO {INDEX}({INDEX}) VALUES ('optimize')"))  # noqa: S608
    else:
        conn.execute(delete(_FOUND).where(_FOUND.c.trace.in_(select(trace.c.key).where(trace.c.run == run_key))))


def vector_of(question: str, response: str) -> str:
    """
    PostgreSQL: a tsvector with the words of both texts, as it is written: ``'cafe':1,4 'menu':2``.

    As much as fits: of a text with more than a megabyte of different words the first ones, and places (which a query in quotes needs) up
    to the last one that PostgreSQL can count. A place stays free between question and response, so that nothing stands in a row across both.
    """
    places: dict[str, list[int]] = {}
    size = 0
    asked = folded_words(question)
    for words, before in ((asked, 0), (folded_words(response), len(asked) + 1)):
        for at, word in enumerate(words, start=before + 1):
            found = places.get(word)
            if found is None:
                cut = _cut(word)
                n_bytes = len(cut.encode()) + 4
                if size + n_bytes > _MAX_VECTOR_BYTES or (cut is not word and cut in places):
                    continue
                size += n_bytes
                found = places[cut] = []
            if at <= _LAST_PLACE and len(found) < _MOST_PLACES and size + 2 <= _MAX_VECTOR_BYTES:
                found.append(at)
                size += 2
    # Folded words are letters and digits only: nothing in them ends the quotes.
    return " ".join(f"'{word}':{','.join(map(str, at))}" if at else f"'{word}'" for word, at in places.items())


def _cut(word: str) -> str:
    return word if len(word) * 4 <= _MAX_WORD_BYTES else word.encode()[:_MAX_WORD_BYTES].decode(errors="ignore")


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
    if _in_a_row(query):
        asked = _row([part for word in words for part in folded_words(word)], "")
    else:
        parts = [folded_words(word) for word in words]
        asked = " & ".join(_row(found, ":*" if n == len(parts) and _unfinished(words) else "") for n, found in enumerate(parts, start=1) if found)
    if not asked:
        return false()
    found = _FOUND.c.words.op("@@")(cast(bindparam("words", asked, String, unique=True), TSQUERY))
    return trace.c.key.in_(select(_FOUND.c.trace).where(found))


def _row(words: Sequence[str], end: str) -> str:
    """Words that stand one behind the other, as they are written in a tsquery."""
    return "(" + " <-> ".join(f"'{_cut(word)}'" for word in words) + end + ")" if words else ""
