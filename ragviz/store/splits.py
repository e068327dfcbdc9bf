"""Which traces are kept for what: the tag "split" of a run's traces, counted and set."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from sqlalchemy import Connection, delete, func, select, update

from ragviz.records import SPLIT_TAG, Split, Trace
from ragviz.store import blocks, runs, schema, traces
from ragviz.store.packing import pack_trace, unpack_squeezed
from ragviz.store.store import Store
from ragviz.store.terms import term_of

CHUNK = 500


def split_counts(store: Store, run_id: str) -> dict[Split, int]:
    """Traces of each split; splits without any are left out."""
    db, t, m = store._db, schema.term.c, schema.mark.c  # noqa: SLF001 - the same room
    found: dict[Split, int] = {}
    with db.read() as conn:
        run = runs.run_key(conn, run_id, db.where)
        named = (
            select(t.value, func.count(m.trace)).join(schema.mark, m.term == t.term).where(t.run == run, t.kind == "tag", t.name == SPLIT_TAG).group_by(t.value)
        )
        for word, n in conn.execute(named):
            split = Split.of(word)
            if split is not None:
                found[split] = found.get(split, 0) + n
    return {split: found[split] for split in Split if split in found}


def questions_of(store: Store, run_id: str, split: Split) -> list[str]:
    """Questions of the traces of a split, in file order."""
    db, tr, m = store._db, schema.trace.c, schema.mark.c  # noqa: SLF001 - the same room
    with db.read() as conn:
        terms = _terms(conn, runs.run_key(conn, run_id, db.where), split)
        if not terms:
            return []
        return list(conn.execute(select(tr.question).join(schema.mark, m.trace == tr.key).where(m.term.in_(terms)).order_by(tr.key)).scalars())


def ids_of(store: Store, run_id: str, split: Split) -> list[str]:
    """Ids of the traces of a split, in file order."""
    db, tr, m = store._db, schema.trace.c, schema.mark.c  # noqa: SLF001 - the same room
    with db.read() as conn:
        terms = _terms(conn, runs.run_key(conn, run_id, db.where), split)
        if not terms:
            return []
        return list(conn.execute(select(tr.trace_id).join(schema.mark, m.trace == tr.key).where(m.term.in_(terms)).order_by(tr.key)).scalars())


def _terms(conn: Connection, run: int, split: Split | None) -> list[int]:
    """Terms of the tag: those that name this split, or (None) all."""
    t = schema.term.c
    rows = conn.execute(select(t.value, t.term).where(t.run == run, t.kind == "tag", t.name == SPLIT_TAG)).all()
    return [term for word, term in rows if split is None or Split.of(word) is split]


def set_split(store: Store, run_id: str, ids: Sequence[str], split: Split | None) -> int:
    """
    Put traces into a split (None: take them out of theirs), all or nothing. Their texts, verdicts and scores stay as they are.

    Returns:
        How many were not there before. Ids the run does not have are passed over.
    """
    db, tr, m = store._db, schema.trace.c, schema.mark.c  # noqa: SLF001 - the same room
    changed = 0
    with db.write() as conn:
        run = runs.run_key(conn, run_id, db.where)
        had = _terms(conn, run, None)
        keys = list(traces.keys_in(conn, run, list(dict.fromkeys(ids))).values())
        for start in range(0, len(keys), CHUNK):
            some = keys[start : start + CHUNK]
            moved = []
            for key, body in conn.execute(select(tr.key, tr.body).where(tr.key.in_(some))).all():
                fresh = _tagged(unpack_squeezed(body, Trace, "trace"), split)
                if fresh is not None:
                    conn.execute(update(schema.trace).where(tr.key == key), {"body": pack_trace(fresh)})
                    moved.append(key)
            if moved and had:
                conn.execute(delete(schema.mark).where(m.term.in_(had), m.trace.in_(moved)))
            if moved and split is not None:
                term = term_of(run, "tag", SPLIT_TAG, split)
                conn.execute(db.insert_new(schema.term), {"run": run, "kind": "tag", "name": SPLIT_TAG, "value": split.value, "term": term})
                conn.execute(db.insert_new(schema.mark), [{"term": term, "trace": key} for key in moved])
            blocks.outdate_tags(conn, run, moved)
            changed += len(moved)
        _forget_unused(conn, run, had)
        if changed:
            runs.touch(db, conn, run)
    return changed


def _tagged(bare: Trace, split: Split | None) -> Trace | None:
    """The trace with its new tag; None where nothing changes."""
    if bare.tags.get(SPLIT_TAG) == (split.value if split else None):
        return None
    rest = {name: value for name, value in bare.tags.items() if name != SPLIT_TAG}
    return replace(bare, tags=rest | ({SPLIT_TAG: split.value} if split else {}))


def _forget_unused(conn: Connection, run: int, terms: Sequence[int]) -> None:
    """A value no trace has any more is not offered as a filter."""
    t, m = schema.term.c, schema.mark.c
    for term in terms:
        if conn.execute(select(m.trace).where(m.term == term).limit(1)).first() is None:
            conn.execute(delete(schema.term).where(t.run == run, t.term == term))
