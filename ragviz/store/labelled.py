"""Traces with nothing but their ids and relevance labels: what counting over a thousand rankings needs, without reading a text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from sqlalchemy import select

from ragviz.records import Passage, Trace
from ragviz.store import runs, schema, traces
from ragviz.store.engine import Database
from ragviz.store.packing import unpack_squeezed

CHUNK = 500
_T = schema.trace.c


class _Place(msgspec.Struct):
    """All that is read of a packed passage here."""

    id: str
    rank: int
    doc_id: str | None = None
    score: float | None = None
    relevance: int | None = None


class _Labels(msgspec.Struct):
    """All that is read of a packed trace here."""

    passages: tuple[_Place, ...] | None
    relevant_ids: frozenset[str] | None = None
    relevant_texts: tuple[str, ...] | None = None
    relevance_grades: Mapping[str, int] | None = None

    @property
    def by_text(self) -> bool:
        """Whether expected passages are known by their text alone."""
        return self.relevant_texts is not None and self.relevant_ids is None and self.relevance_grades is None


def labelled(db: Database, run_id: str, positions: Sequence[int]) -> Iterator[Trace]:
    """
    The traces at these places of a run, from 0, in no particular order; places beyond its end are passed over.

    Texts are empty, except where labels go by the text of a passage: such traces are read whole.
    """
    whole: list[str] = []
    for start in range(0, len(positions), CHUNK):
        with db.read() as conn:
            run = runs.run_key(conn, run_id, db.where)
            query = select(_T.trace_id, _T.body).where(_T.run == run, _T.position.in_(list(positions[start : start + CHUNK])))
            rows = conn.execute(query).all()
        for trace_id, body in rows:
            found = unpack_squeezed(body, _Labels, "trace")
            if found.by_text:
                whole.append(trace_id)
            else:
                yield _bare(trace_id, found)
    if whole:
        yield from traces.stream(db, run_id, whole)


def _bare(trace_id: str, found: _Labels) -> Trace:
    passages = None if found.passages is None else tuple([
        Passage(id=p.id, text="", rank=p.rank, doc_id=p.doc_id, score=p.score, relevance=p.relevance) for p in found.passages
    ])
    return Trace(
        id=trace_id, question="", response="", passages=passages, relevant_ids=found.relevant_ids, relevant_texts=found.relevant_texts,
        relevance_grades=found.relevance_grades,
    )
