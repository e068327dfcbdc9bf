"""
Traces of a run without their texts: what was asked, how long the answer is, which passages were retrieved by id and content. For whole large runs at
once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec
from sqlalchemy import Integer, bindparam, select

from ragviz.store import passages, runs, schema
from ragviz.store.packing import unpack_squeezed
from ragviz.store.store import Store

CHUNK = 2_000
"""Traces read at once."""
_T = schema.trace.c
_ROWS = (
    select(_T.position, _T.trace_id, _T.grp, _T.question, _T.response, _T.hashes, _T.body)
    .where(_T.run == bindparam("run", type_=schema.Key), _T.position > bindparam("last", type_=schema.Key))
    .order_by(_T.position)
    .limit(bindparam("limit", type_=Integer))
)


class Outline(NamedTuple):
    """One trace without its texts."""

    id: str
    group: str | None
    question: str
    n_words: int
    """Of the answer."""
    tags: Mapping[str, str]
    passages: tuple[tuple[str, str, str], ...] | None
    """What labels go by (``Passage.matching_id``), id, and content (``records.ids.text_hash``) of each; None where the file cannot say what was retrieved."""


class _Place(msgspec.Struct):
    id: str
    doc_id: str | None = None


class _Bare(msgspec.Struct):
    """All that is read of a packed trace here."""

    passages: list[_Place] | None
    tags: dict[str, str] = {}


def outlines(store: Store, run_id: str) -> Iterator[Outline]:
    """The traces of a run in file order."""
    db = store._db  # noqa: SLF001 - the same room
    last = -1
    while True:
        with db.read() as conn:
            rows = conn.execute(_ROWS, {"run": runs.run_key(conn, run_id, db.where), "last": last, "limit": CHUNK}).all()
        for last, trace_id, group, question, response, hashes, body in rows:  # noqa: B007 - the place of the last row
            bare = unpack_squeezed(body, _Bare, "trace")
            found = (
                None
                if bare.passages is None
                else tuple(
                    [
                        (place.id if place.doc_id is None else place.doc_id, place.id, content.hex())
                        for place, content in zip(bare.passages, passages.split(hashes), strict=True)
                    ]
                )
            )
            yield Outline(trace_id, group, question, len(response.split()), bare.tags, found)
        if len(rows) < CHUNK:
            return
