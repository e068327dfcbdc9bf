"""Judgements and ratings by content, across runs: asked once, known everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import select

from ragviz.backends.anthropic_client import Reply
from ragviz.records import Judgement, Provenance, Rating, Verdict
from ragviz.store import schema, words
from ragviz.store.engine import Database
from ragviz.store.packing import pack, pack_judgements, pack_ratings, unpack, unpack_judgements, unpack_ratings

CHUNK = 500


def is_answer(judgement: Judgement) -> bool:
    """False for a judge's failure, which may go better next time."""
    return judgement.verdict is not Verdict.UNJUDGED or judgement.confidence is not None


class StoredCache:
    """
    The cache inside a store. Keys are 32 hex digits (``records.ids.cache_key``).

    What comes back carries the ids of the pair it was first asked for: whoever asks puts their own in. A failure (UNJUDGED
    without a confidence) is never kept; an abstention, which says how near it was, is an answer like any other.
    """

    def __init__(self, db: Database) -> None:
        self._db = db

    def get_many(self, keys: Sequence[str]) -> dict[str, Judgement]:
        """Those judgements that are known."""
        return {
            key: unpack_judgements(body, trace_id="", provenance=provenance)[0] for key, body, provenance in self._get("judgement", keys)
        }

    def put_many(self, items: Mapping[str, Judgement], *, run_id: str | None = None) -> None:
        """Remember; one transaction. ``run_id``: forget again when that run is deleted."""
        kept = {key: (j.provenance, pack_judgements([j])) for key, j in items.items() if is_answer(j)}
        self._put("judgement", kept, run_id)

    def get_ratings(self, keys: Sequence[str]) -> dict[str, Rating]:
        """Those ratings that are known."""
        return {key: unpack_ratings(body, trace_id="", provenance=provenance)[0] for key, body, provenance in self._get("rating", keys)}

    def put_ratings(self, items: Mapping[str, Rating], *, run_id: str | None = None) -> None:
        """Remember ratings that have a value."""
        kept = {key: (r.provenance, pack_ratings([r])) for key, r in items.items() if r.value is not None}
        self._put("rating", kept, run_id)

    def get_replies(self, keys: Sequence[str]) -> dict[str, Reply]:
        """Those replies of a service that are known."""
        return {key: unpack(body, Reply) for key, body, _ in self._get("reply", keys)}

    def put_reply(self, key: str, reply: Reply, provenance: Provenance, *, run_id: str) -> None:
        """Remember a reply the moment it is there: it was paid for. Forgotten when the run is deleted."""
        self._put("reply", {key: (provenance, pack(reply))}, run_id)

    def _get(self, kind: str, keys: Sequence[str]) -> Iterator[tuple[str, bytes, Provenance]]:
        c, j = schema.cached.c, schema.judge.c
        unique = [bytes.fromhex(key) for key in dict.fromkeys(keys)]
        provenances: dict[int, Provenance] = {}
        for start in range(0, len(unique), CHUNK):
            with self._db.read() as conn:
                rows = conn.execute(select(c.key, c.judge, c.body).where(c.key.in_(unique[start : start + CHUNK]), c.kind == kind)).all()
                for judge in {row.judge for row in rows} - provenances.keys():
                    raw = conn.execute(select(j.provenance).where(j.key == judge)).scalar_one()
                    provenances[judge] = unpack(raw, Provenance)
            for row in rows:
                yield row.key.hex(), row.body, provenances[row.judge]

    def _put(self, kind: str, items: Mapping[str, tuple[Provenance, bytes]], run_id: str | None) -> None:
        if not items:
            return
        with self._db.write() as conn:
            run = None
            if run_id is not None:
                run = conn.execute(select(schema.run.c.key).where(schema.run.c.run_id == run_id)).scalar()
            judges = {provenance: words.judge_key(self._db, conn, provenance) for provenance in {p for p, _ in items.values()}}
            rows = [(bytes.fromhex(key), kind, judges[provenance], run, body) for key, (provenance, body) in items.items()]
            self._db.insert_many(conn, schema.cached, ("key", "kind", "judge", "run", "body"), rows, new_only=True)
