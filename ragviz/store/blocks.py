"""
Columns of a run in blocks of some thousand traces: how a block is made, packed, kept and outdated.

A block is worked out from the rows that everything else is read from, so that losing one costs time and nothing else. Whoever changes a trace or its
result deletes its blocks in the same transaction; whoever looks next makes them anew. Blocks of another format are never read: their names say it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
import zstandard
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, Delete, bindparam, delete, func, or_, select

from ragviz.records.ids import group_code
from ragviz.store import schema, told
from ragviz.store.packing import pack, unpack

FORMAT = 1
"""Of a block's bytes and of what its values mean. Raise it with any change of them: blocks of another format are made anew."""
SIZE = 8_192
"""Traces a block: some 50 ms to make one anew after a verdict, and 123 of them in a million."""
VERDICT_COLUMNS = ("n_claims", "n_supported", "n_not_supported", "n_contradicted", "n_conflicted", "n_unjudged")
OF_TRACES = ("key", "group", "started_at", "latency_ms", "cost_usd", "ranking")
"""What does not depend on a judge; with what traces tell besides (``told``)."""
WHOLE = ("key", "group")
WORDS = ("quadrant", "cause")
UNKNOWN = "unknown"
NOT_RANKED = b"?"
"""Of a trace whose ranking was not worked out."""
_T, _R, _K, _B = schema.trace.c, schema.result.c, schema.ranking.c, schema.block.c
_RUN, _LO, _HI = (bindparam(name, type_=schema.Key) for name in ("run", "lo", "hi"))
_KEYS = select(_T.key).where(_T.run == _RUN, _T.position.between(_LO, _HI)).order_by(_T.position)
_GROUPS = select(_K.position, _K.grp).where(_K.run == _RUN, _K.position.between(_LO, _HI)).order_by(_K.position)
_RANKINGS = select(_K.position, _K.body).where(_K.run == _RUN, _K.position.between(_LO, _HI))
_QUESTIONS = select(_T.position, func.coalesce(_T.grp, _T.question)).where(_T.run == _RUN, _T.position.between(_LO, _HI))

Column = NDArray[Any]
Codes = NDArray[np.uint16]


def is_of_traces(name: str) -> bool:
    """Whether a column does not depend on a judge."""
    return name in OF_TRACES or told.is_told(name)


def is_word(name: str) -> bool:
    """Whether it is one of words."""
    return name in WORDS or told.is_word(name)


def is_coded(name: str) -> bool:
    """Few different values, kept once."""
    return name == "ranking" or is_word(name)


@dataclass(frozen=True)
class Place:
    """Where a block belongs."""

    run: int
    view: int | None
    metrics: Sequence[str]
    """Names of the view's packed scores, in their order."""
    n: int


class _Coded(msgspec.Struct, array_like=True):
    words: list[bytes]
    codes: bytes


def marked(name: str) -> str:
    """The name a column's blocks are kept under; with their format and size, so that programs of two versions can share a store."""
    return f"{FORMAT}.{SIZE}:{name}"


def unmarked(kept: str) -> str:
    """The column of a block of this format."""
    return kept.removeprefix(marked(""))


def words_and_codes(values: Iterable[bytes]) -> tuple[list[bytes], Codes]:
    """Distinct words, and for each value the place of its word."""
    known: dict[bytes, int] = {}
    codes = [known.setdefault(value, len(known)) for value in values]
    return list(known), np.array(codes, dtype=np.uint16)


def pack_numbers(values: Column) -> bytes:
    """A column of numbers as bytes."""
    return zstandard.ZstdCompressor(level=1).compress(values.tobytes())


def unpack_numbers(name: str, raw: bytes) -> Column:
    """The column again."""
    plain = zstandard.ZstdDecompressor().decompress(raw)
    return np.frombuffer(plain, dtype=np.int64 if name in WHOLE else np.float64)


def pack_words(words: list[bytes], codes: Codes) -> bytes:
    """A column of a few words (or rankings) as bytes."""
    return zstandard.ZstdCompressor(level=1).compress(pack(_Coded(words, codes.tobytes())))


def unpack_words(raw: bytes) -> tuple[list[bytes], Codes]:
    """Words and codes again."""
    found = unpack(zstandard.ZstdDecompressor().decompress(raw), _Coded)
    return found.words, np.frombuffer(found.codes, dtype=np.uint16)


def make(conn: Connection, place: Place, names: Sequence[str]) -> dict[str, bytes]:
    """One block of these columns, packed. Of a metric that the view has never seen there is none."""
    at = {"run": place.run, "lo": place.n * SIZE, "hi": (place.n + 1) * SIZE - 1}
    keys = np.array(conn.execute(_KEYS, at).scalars().all(), dtype=np.int64)
    made: dict[str, bytes] = {}
    ours = [name for name in names if is_of_traces(name)]
    if "key" in ours:
        made["key"] = pack_numbers(keys)
    if "group" in ours:
        made["group"] = pack_numbers(_groups(conn, at, len(keys)))
    if "ranking" in ours:
        rankings = [NOT_RANKED] * len(keys)
        for position, body in conn.execute(_RANKINGS, at):
            rankings[position - at["lo"]] = body
        made["ranking"] = pack_words(*words_and_codes(rankings))
    besides = [name for name in ours if told.is_told(name)]
    for name, values in (told.columns(conn, at, besides) if besides else {}).items():
        made[name] = pack_words(*words_and_codes(word.encode() for word in values)) if told.is_word(name) else pack_numbers(np.array(values, dtype=np.float64))
    numbers = [name for name in ours if name not in (*WHOLE, "ranking", *besides)]
    if numbers:
        rows = conn.execute(
            select(*(_T[name] for name in numbers)).where(_T.run == place.run, _T.position.between(at["lo"], at["hi"])).order_by(_T.position)
        ).all()
        made |= {name: pack_numbers(np.array(values, dtype=np.float64)) for name, values in zip(numbers, zip(*rows, strict=True), strict=True)}
    of_view = [name for name in names if not is_of_traces(name)]
    return made | (_of_view(conn, place, keys, of_view) if of_view else {})


def _groups(conn: Connection, at: Mapping[str, int], n: int) -> NDArray[np.int64]:
    """Which question each trace belongs to; from the rankings, which know it already, else from its text."""
    groups = np.zeros(n, dtype=np.int64)
    known = np.array(conn.execute(_GROUPS, at).all(), dtype=np.int64).reshape(-1, 2)
    groups[known[:, 0] - at["lo"]] = known[:, 1]
    if len(known) < n:
        for position, text in conn.execute(_QUESTIONS, at):
            groups[position - at["lo"]] = group_code(text)
    return groups


def _of_view(conn: Connection, place: Place, keys: NDArray[np.int64], names: Sequence[str]) -> dict[str, bytes]:
    known = place.metrics
    counts = [name for name in names if name in VERDICT_COLUMNS]
    scored = [name for name in names if name in known]
    words = [name for name in names if name in WORDS]
    rows = conn.execute(
        select(_R.trace, _R.scores, *(_R[name] for name in (*counts, *words)))
        .where(_R.view == place.view, _R.trace.between(int(keys[0]), int(keys[-1]))).order_by(_R.trace),
    ).all() if len(keys) else []
    columns = list(zip(*rows, strict=True)) or [()] * (2 + len(counts) + len(words))
    at = np.searchsorted(keys, np.array(columns[0], dtype=np.int64))
    made: dict[str, bytes] = {}
    if scored:
        table = np.full((len(keys), len(known)), np.nan)
        table[at] = score_table(columns[1], len(known))
        made |= {name: pack_numbers(np.ascontiguousarray(table[:, known.index(name)])) for name in scored}
    for i, name in enumerate(counts, start=2):
        column = np.full(len(keys), np.nan)
        column[at] = columns[i]
        made[name] = pack_numbers(column)
    for i, name in enumerate(words, start=2 + len(counts)):
        every = [b"" if name != "quadrant" else UNKNOWN.encode()] * len(keys)
        for here, word in zip(at.tolist(), columns[i], strict=True):
            every[here] = word.encode()
        made[name] = pack_words(*words_and_codes(every))
    return made


def score_table(packed: Sequence[bytes], width: int) -> NDArray[np.float64]:
    """Scores of some traces, shape (n, width); NaN where a trace has none, or was scored before a metric was added."""
    size = 8 * width
    nothing = np.full(width, np.nan).tobytes()
    whole = b"".join([raw if len(raw) == size else (raw + nothing[len(raw) :])[:size] for raw in packed])
    return np.frombuffer(whole).reshape(len(packed), width)


def outdate(conn: Connection, run: int, keys: Sequence[int], *, view: int) -> None:
    """Something of these traces changes in that view (0: in all, and in what does not depend on a judge)."""
    if not keys:
        return
    positions = conn.execute(select(_T.position).where(_T.key.in_(keys))).scalars()
    gone = _gone(run, _B.n.in_({position // SIZE for position in positions}))
    conn.execute(gone.where(_B.view == view) if view else gone)


def outdate_rankings(conn: Connection, run: int, positions: Iterable[int]) -> None:
    """Rankings of the traces at these places are worked out."""
    conn.execute(_gone(run, _B.n.in_({position // SIZE for position in positions})).where(_B.view == 0))


def outdate_tags(conn: Connection, run: int, keys: Sequence[int]) -> None:
    """Tags of these traces change."""
    if keys:
        positions = conn.execute(select(_T.position).where(_T.key.in_(keys))).scalars()
        conn.execute(_gone(run, _B.n.in_({position // SIZE for position in positions})).where(_B.view == 0, _B.name.contains(f":{told.TAG}", autoescape=True)))


def outdate_from(conn: Connection, run: int, position: int) -> None:
    """Traces are added from this position on."""
    conn.execute(_gone(run, _B.n >= position // SIZE))


def _gone(run: int, touched: ColumnElement[bool]) -> Delete:
    """These blocks, and all of other formats: which of those are touched cannot be known."""
    return delete(schema.block).where(_B.run == run, or_(touched, ~_B.name.startswith(marked(""), autoescape=True)))
