"""The texts that claims and quotes of stored traces stand in, read without the rest of the traces."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, bindparam, select

from ragviz.store import passages, schema
from ragviz.store.packed_verdicts import Texts
from ragviz.store.packing import unpack_squeezed

CHUNK = 500
_T = schema.trace.c
_ROWS = select(_T.key, _T.response, _T.hashes, _T.body).where(_T.key.in_(bindparam("keys", expanding=True)))


class _Named(msgspec.Struct):
    id: str


class _Bare(msgspec.Struct):
    """All that is read of a packed trace here."""

    passages: list[_Named] | None
    reference: str | None = None


def texts_of(conn: Connection, keys: Sequence[int], *, with_passages: bool = True) -> dict[int, Texts]:
    """By key of the trace. ``with_passages``: False where only answer and expected answer are asked for."""
    found: dict[int, Texts] = {}
    for start in range(0, len(keys), CHUNK):
        rows = conn.execute(_ROWS, {"keys": keys[start : start + CHUNK]}).all()
        split = {key: passages.split(hashes) if with_passages else [] for key, _, hashes, _ in rows}
        texts = passages.texts_of(conn, list({h for of_one in split.values() for h in of_one}))
        for key, response, _, body in rows:
            bare = unpack_squeezed(body, _Bare, "trace")
            ids = [passage.id for passage in bare.passages or ()] if with_passages else []
            found[key] = Texts([(i, texts[h]) for i, h in zip(ids, split[key], strict=True)], response=response, reference=bare.reference)
    return found
