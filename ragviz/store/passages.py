"""Texts of passages: each once by its content, whoever retrieved it, squeezed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, select, type_coerce
from sqlalchemy.types import NullType

from ragviz.records import Passage
from ragviz.records.ids import text_digest
from ragviz.store.engine import Database
from ragviz.store.plain import Plain, Source
from ragviz.store.schema import passage
from ragviz.store.squeezing import expanded_text, squeezed_text

HASH_BYTES = 16
CHUNK = 500
# As the database has it: LargeBinary would not let those pass that are text still.
_TEXT: ColumnElement[Any] = type_coerce(passage.c.text, NullType())
_NAMED = passage.c.hash.in_(bindparam("hashes", expanding=True))
_TEXTS, _KNOWN = Plain(select(passage.c.hash, _TEXT).where(_NAMED)), select(passage.c.hash).where(_NAMED)


content_hash = text_digest
"""What a passage's text is stored under, ``HASH_BYTES``."""


def hashes_of(passages: Sequence[Passage] | None, seen: dict[bytes, str]) -> bytes | None:
    """What a trace says of its passages' texts, ``HASH_BYTES`` each in rank order; the texts join ``seen``."""
    if passages is None:
        return None
    hashes = [content_hash(one.text) for one in passages]
    for h, one in zip(hashes, passages, strict=True):
        seen.setdefault(h, one.text)
    return b"".join(hashes)


def split(hashes: bytes | None) -> list[bytes]:
    """The same, one by one."""
    return [hashes[at : at + HASH_BYTES] for at in range(0, len(hashes), HASH_BYTES)] if hashes else []


def add(db: Database, conn: Connection, texts: Mapping[bytes, str]) -> None:
    """Those that are not there yet: looking takes less than squeezing a text that nobody needs."""
    hashes, known = list(texts), set[bytes]()
    for start in range(0, len(hashes), CHUNK):
        some = hashes[start : start + CHUNK]
        if db.is_sqlite:
            # Past SQLAlchemy, as in Database.insert_many: wrapping each value takes longer than looking it up.
            known.update([h for h, in conn.exec_driver_sql(f"SELECT hash FROM passage WHERE hash IN ({', '.join('?' * len(some))})", tuple(some)).all()])  # noqa: S608
        else:
            known.update(conn.execute(_KNOWN, {"hashes": some}).scalars().all())
    db.insert_many(conn, passage, ("hash", "text"), [(h, squeezed_text(text)) for h, text in texts.items() if h not in known], new_only=True)


def texts_of(conn: Source, hashes: Sequence[bytes]) -> dict[bytes, str]:
    """Texts by what they are stored under."""
    texts: dict[bytes, str] = {}
    for start in range(0, len(hashes), CHUNK):
        texts.update([(h, expanded_text(stored)) for h, stored in _TEXTS.ask(conn, {"hashes": list(hashes[start : start + CHUNK])})])
    return texts
