"""
What a trace tells besides its texts, as columns: how long its answer is, what kind of question it asks, which version gave it, its tags, how old its documents
are.

Read with the other columns of a run (``blocks``); no text of a passage is touched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, func, select

from ragviz.store import schema
from ragviz.store.packing import unpack_squeezed
from ragviz.text.question_kinds import question_kind
from ragviz.text.version_tags import is_version_tag, version_of

NUMBERS = ("answer_words", "document_age")
WORDS = ("question_kind", "version")
TAG = "tag:"
"""Before the name of a column of a tag's values."""
MOST_VALUES = 100
"""A tag with more different values in a run says which trace it is, not which kind: there is no column of it."""
NONE = ""
"""The word of a trace that has no such tag, or names no version."""
_HAS = "="
"""Before the value of a tag, since an empty value is one."""
_BETWEEN = "\x00"
"""Stands in no tag: between the name of the tag that gives the version, and the version."""
DAY_S = 86_400.0
_T, _TERM = schema.trace.c, schema.term.c
_ROWS = (
    select(_T.question, _T.response, _T.started_at, _T.body)
    .where(_T.run == bindparam("run", type_=schema.Key), _T.position.between(bindparam("lo"), bindparam("hi"))).order_by(_T.position)
)
_TAGS = (
    select(_TERM.name).where(_TERM.run == bindparam("run", type_=schema.Key), _TERM.kind == "tag")
    .group_by(_TERM.name).having(func.count() <= MOST_VALUES).order_by(_TERM.name)
)


class _Dated(msgspec.Struct):
    effective_date: str | None = None
    metadata: dict[str, str] = {}


class _Bare(msgspec.Struct):
    """All that is read of a packed trace here."""

    tags: dict[str, str] = {}
    passages: list[_Dated] | None = None


def is_told(name: str) -> bool:
    """Whether a column of that name is one of these."""
    return name in NUMBERS or is_word(name)


def is_word(name: str) -> bool:
    """Whether it is one of words, not numbers."""
    return name in WORDS or name.startswith(TAG)


def names_in(conn: Connection, run: int) -> list[str]:
    """The columns of a run: of every tag that divides traces into kinds one, versions apart."""
    return [*NUMBERS, *WORDS, *(f"{TAG}{name}" for name in conn.execute(_TAGS, {"run": run}).scalars() if not is_version_tag(name))]


def columns(conn: Connection, at: Mapping[str, int], names: Sequence[str]) -> dict[str, list[Any]]:
    """These columns of the traces of a run (``at``: run, first and last position), in file order: numbers, NaN where nothing is known, or words."""
    made: dict[str, list[Any]] = {name: [] for name in names}
    tags = {name: name.removeprefix(TAG) for name in names if name.startswith(TAG)}
    days: dict[str, float | None] = {}
    for question, response, started_at, body in conn.execute(_ROWS, at):
        bare = unpack_squeezed(body, _Bare, "trace")
        for name, column in made.items():
            if name in tags:
                value = bare.tags.get(tags[name])
                column.append(NONE if value is None else _HAS + value)
            elif name == "version":
                column.append(_BETWEEN.join(version_of(bare.tags) or ()))
            elif name == "question_kind":
                column.append(question_kind(question))
            elif name == "answer_words":
                column.append(len(response.split()))
            else:
                column.append(_age(_dates(bare.passages or ()), started_at, days))
    return made


def column_of_tag(name: str) -> str | None:
    """The column of a tag's values; None where there is none, or one without what traces can be filtered by besides: their model counts as a tag."""
    return None if name == "model" or is_version_tag(name) else f"{TAG}{name}"


def word_of(value: str) -> str:
    """The word that stands for a tag's value in its column."""
    return _HAS + value


def value_of(word: str) -> str | None:
    """The value of a tag that a word of its column stands for; None: the trace has none."""
    return word.removeprefix(_HAS) if word else None


def version_in(word: str) -> tuple[str, str] | None:
    """The tag that gives the version, and the version, that a word of the column of versions stands for; None: the trace names none."""
    name, _, version = word.partition(_BETWEEN)
    return (name, version) if word else None


def _dates(passages: Sequence[_Dated]) -> Iterator[str]:
    """Dates the passages are effective from, as the file gives them."""
    for passage in passages:
        date = passage.effective_date or passage.metadata.get("effective_date")
        if date:
            yield date


def _age(dates: Iterator[str], at: float | None, days: dict[str, float | None]) -> float:
    """Mean age in days of the dated passages when the question was asked; NaN where neither is known."""
    if at is None:
        return float("nan")
    known = [day for date in dates if (day := _remembered(date, days)) is not None]
    return (at - sum(known) / len(known)) / DAY_S if known else float("nan")


def _remembered(date: str, days: dict[str, float | None]) -> float | None:
    """Seconds since 1970 of an ISO date, or of its year or month alone; dates repeat from trace to trace."""
    if date not in days:
        days[date] = None
        for text in (date, f"{date[:7]}-01", f"{date[:4]}-01-01"):
            try:
                found = datetime.fromisoformat(text)
            except ValueError:
                continue
            days[date] = (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
            break
    return days[date]
