"""Records to compact bytes and back. What a row's own columns say (ids, texts) is left out and put back when reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
import zstandard
from msgspec.structs import replace

from ragviz.errors import StoreError
from ragviz.records import (
    Claim,
    Clash,
    Cost,
    Evidence,
    Fact,
    Judgement,
    PairKey,
    Provenance,
    Rating,
    RatingKind,
    Side,
    Span,
    Trace,
    TraceResult,
)
from ragviz.records.codec import scrubbed
from ragviz.store.packed_verdicts import TABLES, VERDICTS, Columns, Texts, columns_of, judgements_of
from ragviz.store.squeezing import RESTORE, Kind, expanded, is_squeezed, squeezed

T = TypeVar("T")

# Order is part of the stored format: append only.
RATINGS = (
    RatingKind.QUESTION_TO_RESPONSE, RatingKind.QUESTION_TO_RESPONSE_DIRECT, RatingKind.QUESTION_TO_PASSAGE, RatingKind.RESPONSE_TO_REFERENCE,
)
_RATING_CODE = {kind: code for code, kind in enumerate(RATINGS)}

_encode: Callable[[Any], bytes] = msgspec.msgpack.Encoder().encode


def pack(value: Any) -> bytes:
    """A record to bytes. Lone surrogates, which a plug-in's judge may say, become U+FFFD: one odd character must not cost a batch of verdicts."""
    try:
        return _encode(value)
    except UnicodeEncodeError:
        return _encode(scrubbed(msgspec.to_builtins(value, builtin_types=(bytes,))))


def is_storable(value: Any) -> bool:
    """False for a record with a whole number of more than 64 bits."""
    try:
        pack(value)
    except OverflowError:
        return False
    return True


@lru_cache(maxsize=64)
def _decoder(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(kind)


def unpack(raw: bytes, kind: type[T]) -> T:
    """
    Bytes to a record.

    Raises:
        StoreError: The bytes are not what this program (or an older one) wrote.
    """
    try:
        return _decoder(kind).decode(raw)  # type: ignore[no-any-return, arg-type]
    except (msgspec.DecodeError, ValueError) as exc:
        raise StoreError(f"a stored {getattr(kind, '__name__', 'record')} cannot be read: {exc}", fix=RESTORE) from exc


def unpack_squeezed(raw: bytes, what: type[T], kind: Kind) -> T:
    """
    The same of bytes that are squeezed, or were not yet when they were stored.

    Raises:
        StoreError: The bytes are not what this program (or an older one) wrote.
    """
    return unpack(expanded(raw, kind), what)


def pack_trace(trace: Trace) -> bytes:
    """A trace without id, question, answer and passage texts."""
    passages = None if trace.passages is None else tuple([replace(p, text="") for p in trace.passages])
    return squeezed(pack(replace(trace, id="", question="", response="", passages=passages)), "trace")


def unpack_trace(raw: bytes, *, trace_id: str, question: str, response: str, texts: Sequence[str]) -> Trace:
    """The trace again; ``texts`` are its passages' texts in order."""
    bare = unpack_squeezed(raw, Trace, "trace")
    passages = None if bare.passages is None else tuple([replace(p, text=text) for p, text in zip(bare.passages, texts, strict=True)])
    return replace(bare, id=trace_id, question=question, response=response, passages=passages)


class _PackedClaim(msgspec.Struct, array_like=True):
    id: str
    side: int
    text: str | tuple[int, int] | None
    """None: the characters of its first span, in the text of its side; two numbers: those from there to there."""
    spans: list[int] = []
    fact: tuple[str, str] | None = None


def pack_claims(claims: Sequence[Claim], texts: Texts) -> bytes:
    """Claims of one trace and set; a claim that the trace says in the very same words is its place there."""
    rows = []
    for claim in claims:
        fact = (claim.fact.attribute, claim.fact.value) if claim.fact else None
        offsets = [offset for span in claim.spans for offset in (span.start, span.end)]
        rows.append(_PackedClaim(claim.id, int(claim.side is Side.REFERENCE), _where_said(claim, texts.side(claim.side)), offsets, fact))
    return squeezed(pack(rows), "claims")


def _where_said(claim: Claim, told: str) -> str | tuple[int, int] | None:
    if claim.spans and claim.spans[0].of(told) == claim.text:
        return None
    at = told.find(claim.text) if claim.text else -1
    return claim.text if at < 0 else (at, at + len(claim.text))


def unpack_claims(raw: bytes, texts: Texts, *, trace_id: str, claim_set: str) -> list[Claim]:
    """
    The claims again, in their order; ``texts``: those they were packed beside.

    Raises:
        StoreError: They are damaged.
    """
    rows = unpack_squeezed(raw, list[_PackedClaim], "claims")
    try:
        return [_claim(row, texts, trace_id, claim_set) for row in rows]
    except (ValueError, IndexError) as exc:
        raise StoreError("a stored claim cannot be read", fix=RESTORE) from exc


def _claim(row: _PackedClaim, texts: Texts, trace_id: str, claim_set: str) -> Claim:
    side = Side.REFERENCE if row.side else Side.RESPONSE
    spans = tuple([Span(start, end) for start, end in zip(row.spans[::2], row.spans[1::2], strict=True)])
    text = row.text
    if not isinstance(text, str):
        text = (spans[0] if text is None else Span(*text)).of(texts.side(side))
    return Claim(
        id=row.id,
        trace_id=trace_id,
        side=side,
        text=text,
        extractor=claim_set,
        spans=spans,
        fact=Fact(attribute=row.fact[0], value=row.fact[1]) if row.fact else None,
    )


class _Said(msgspec.Struct, array_like=True):
    """One judgement as stored until schema 5; names stand in a list beside. Plain "neutral" rows end after the confidence."""

    table: int
    claim: int
    premise: int
    verdict: int
    confidence: float | None = None
    calibrated: bool = False
    rationale: int = -1
    evidence: tuple[Evidence, ...] = ()
    clashes: tuple[Clash, ...] = ()
    alarm: int = -1
    cost: Cost | None = None


_NO_COST = Cost()
_NO_TEXTS = Texts()


def pack_judgements(judgements: Iterable[Judgement], texts: Texts = _NO_TEXTS) -> bytes:
    """Judgements of one trace and judge; trace, provenance, and quotes that stand in ``texts`` are left out."""
    return squeezed(pack(columns_of(judgements, texts)), "judgements")


def unpack_judgements(raw: bytes, texts: Texts = _NO_TEXTS, *, trace_id: str, provenance: Provenance) -> list[Judgement]:
    """
    The judgements again, in the order they were given; ``texts``: those they were packed beside.

    Raises:
        StoreError: They are damaged, or their quotes do not stand in the texts any more.
    """
    if is_squeezed(raw):
        return judgements_of(unpack_squeezed(raw, Columns, "judgements"), texts, trace_id=trace_id, provenance=provenance)
    names, rows = unpack(raw, tuple[list[str], list[_Said]])
    try:
        return _unpacked(names, rows, trace_id, provenance)
    except IndexError as exc:
        raise StoreError("a stored verdict cannot be read", fix=RESTORE) from exc


def _unpacked(names: list[str], rows: list[_Said], trace_id: str, provenance: Provenance) -> list[Judgement]:
    return [
        Judgement(
            key=PairKey(TABLES[row.table], trace_id, names[row.claim], names[row.premise]), verdict=VERDICTS[row.verdict],
            confidence=row.confidence, calibrated=row.calibrated, evidence=row.evidence, clashes=row.clashes,
            rationale=names[row.rationale] if row.rationale >= 0 else "", alarm=names[row.alarm] if row.alarm >= 0 else None,
            provenance=provenance, cost=row.cost or _NO_COST,
        )
        for row in rows
    ]


def pack_ratings(ratings: Iterable[Rating]) -> bytes:
    """Ratings of one trace and rater."""
    return pack([(_RATING_CODE[r.kind], r.target_id, r.value, r.reason) for r in ratings])


def unpack_ratings(raw: bytes, *, trace_id: str, provenance: Provenance) -> list[Rating]:
    """The ratings again."""
    rows = unpack(raw, list[tuple[int, str, float | None, str]])
    return [
        Rating(kind=RATINGS[kind], trace_id=trace_id, target_id=target, value=value, reason=reason, provenance=provenance)
        for kind, target, value, reason in rows
    ]


class Squeezer:
    """Packs results of one view: thirty scores with the same names and reasons a trace, so a typical one serves as dictionary."""

    def __init__(self, dictionary: bytes) -> None:
        shared = _shared(dictionary) if dictionary else None
        # Compressors are not safe to share between threads; the prepared dictionary is.
        self._squeeze = zstandard.ZstdCompressor(level=3, dict_data=shared, write_checksum=False)
        self._expand = zstandard.ZstdDecompressor(dict_data=shared)

    def pack(self, result: TraceResult) -> bytes:
        """One result."""
        return self._squeeze.compress(pack(result))

    def unpack(self, raw: bytes) -> TraceResult:
        """The result again."""
        try:
            plain = self._expand.decompress(raw)
        except zstandard.ZstdError as exc:
            raise StoreError(f"a stored result cannot be read: {exc}", fix=RESTORE) from exc
        return unpack(plain, TraceResult)


@lru_cache(maxsize=32)
def _shared(dictionary: bytes) -> zstandard.ZstdCompressionDict:
    return zstandard.ZstdCompressionDict(dictionary, dict_type=zstandard.DICT_TYPE_RAWCONTENT)


def typical(results: Sequence[TraceResult], *, max_bytes: int = 24_000) -> bytes:
    """A dictionary out of the first results of a view."""
    parts: list[bytes] = []
    size = 0
    for result in results[:12]:
        parts.append(pack(result))
        size += len(parts[-1])
        if size > max_bytes:
            break
    return b"".join(reversed(parts))[-max_bytes:]


def verdict_counts(verdicts: Mapping[str, int]) -> dict[str, int]:
    """The columns of ``result`` that count claims."""
    counts = {f"n_{name}": int(verdicts.get(name, 0)) for name in ("supported", "not_supported", "contradicted", "conflicted", "unjudged")}
    return {"n_claims": sum(counts.values()), **counts}
