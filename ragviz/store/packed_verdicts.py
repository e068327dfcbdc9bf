"""
What a judge said of one trace as columns: thirty verdicts are thirty small numbers, and what the trace says already is not stored again.

Passages are named by their place in the trace. A quote that is what its place in the text says (``passage[start:end] == quote``, looked up when it is
stored) is left out and read from the text again; a check sum over all of these tells when the text is not the same any more.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence

import msgspec

from ragviz.errors import StoreError
from ragviz.records import Clash, ClashKind, Cost, Evidence, Judgement, MatchTier, PairKey, Provenance, Side, Span, Table, Trace, Verdict
from ragviz.store.squeezing import RESTORE

# Order is part of the stored format: append only.
TABLES = (Table.RESPONSE_X_PASSAGES, Table.RESPONSE_X_REFERENCE, Table.REFERENCE_X_PASSAGES, Table.REFERENCE_X_RESPONSE)
VERDICTS = (Verdict.ENTAILED, Verdict.CONTRADICTED, Verdict.NEUTRAL, Verdict.UNJUDGED)
_TABLE_CODE = {table: code for code, table in enumerate(TABLES)}
_VERDICT_CODE = {verdict: code for code, verdict in enumerate(VERDICTS)}
_OVER_PASSAGES = (Table.RESPONSE_X_PASSAGES, Table.REFERENCE_X_PASSAGES)
_SCALES = (1, 100, 10_000, 1_000_000)
_NO_COST = Cost()


class Texts:
    """The texts that premises of one trace are, by table and id. ``Texts()``: none are at hand, so quotes are stored as they are."""

    def __init__(self, passages: Sequence[tuple[str, str]] = (), *, response: str | None = None, reference: str | None = None) -> None:
        """``passages``: id and text in rank order."""
        self.ids = [passage_id for passage_id, _ in passages]
        self.place = {passage_id: at for at, passage_id in reversed(list(enumerate(self.ids)))}
        self._texts = [text for _, text in passages]
        self._response, self._reference = response, reference

    @classmethod
    def of(cls, trace: Trace) -> Texts:
        """Those of a whole trace."""
        return cls([(p.id, p.text) for p in trace.passages or ()], response=trace.response, reference=trace.reference)

    def side(self, side: Side) -> str:
        """The text that claims of one side are made of; "" when it is not at hand."""
        return (self._reference if side is Side.REFERENCE else self._response) or ""

    def text(self, table: Table, premise_id: str, passage_id: str | None) -> str | None:
        """The text a span is in; None when it is not one of the trace's."""
        if table in _OVER_PASSAGES:
            at = self.place.get(premise_id if passage_id is None else passage_id)
            return None if at is None else self._texts[at]
        return self._reference if table is Table.RESPONSE_X_REFERENCE else self._response


class _Odd(msgspec.Struct, array_like=True, omit_defaults=True):
    """What a certificate has beside its place."""

    quote: str | None
    weight: float = 1.0
    tier: MatchTier = MatchTier.EXACT
    passage_id: str | None = None


class _Clashes(msgspec.Struct, array_like=True):
    kind: ClashKind
    hypothesis: tuple[int, int] | None
    premise: tuple[int, int] | None
    hypothesis_value: str
    premise_value: str
    passage_id: str | None = None


class _Numbers(msgspec.Struct, array_like=True):
    """Numbers as whole ones of a scale where that is exact, else (0) as they are."""

    scale: int
    values: list[int | float | None]


class Columns(msgspec.Struct, array_like=True):
    """One entry a verdict, unless told otherwise; a column in which every entry is the usual one is empty."""

    names: list[str]
    tables: bytes
    """One byte: all are of that table."""
    claims: list[int]
    """Place in ``names``."""
    premises: list[int]
    """A passage by its place in the trace; below 0: by place -1 - n in ``names``."""
    verdicts: bytes
    confidences: _Numbers
    calibrated: bytes
    rationales: list[int]
    alarms: list[int]
    n_proofs: bytes | list[int]
    spans: list[int]
    """Start and length of each certificate."""
    odd: dict[int, _Odd]
    """By place among the certificates: those of which the place does not say everything."""
    check: int
    """CRC-32 over the quotes that were left out."""
    clashes: dict[int, list[_Clashes]]
    """By place among the verdicts."""
    costs: list[int]
    """Place in the three that follow; -1: nothing."""
    elapsed: _Numbers
    cached: bytes
    spent: dict[int, tuple[float | None, int | None, int | None]]


def columns_of(said: Iterable[Judgement], texts: Texts) -> Columns:
    """Judgements of one trace and judge; trace and provenance are left out."""
    rows = list(said)
    names: dict[str, int] = {}
    costs: dict[Cost, int] = {}
    spans: list[int] = []
    odd: dict[int, _Odd] = {}
    left_out: list[str] = []
    for judgement in rows:
        for proof in judgement.evidence:
            more = _beside_its_place(judgement.key, proof, texts)
            if more is None or more.quote is None:
                left_out.append(proof.quote)
            if more is not None:
                odd[len(spans) // 2] = more
            spans += (proof.span.start, proof.span.end - proof.span.start)
    tables = bytes(_TABLE_CODE[j.key.table] for j in rows)
    n_proofs = [len(j.evidence) for j in rows]
    named = [names.setdefault(j.key.claim_id, len(names)) for j in rows]
    premises = [_premise(j.key, texts, names) for j in rows]
    rationales = [names.setdefault(j.rationale, len(names)) if j.rationale else -1 for j in rows]
    alarms = [names.setdefault(j.alarm, len(names)) if j.alarm is not None else -1 for j in rows]
    spent_on = [-1 if j.cost == _NO_COST else costs.setdefault(j.cost, len(costs)) for j in rows]
    calibrated = bytes(j.calibrated for j in rows)
    return Columns(
        names=list(names), tables=tables[:1] if len(set(tables)) == 1 else tables, claims=named, premises=premises,
        verdicts=bytes(_VERDICT_CODE[j.verdict] for j in rows), confidences=_numbers([j.confidence for j in rows]),
        calibrated=calibrated if any(calibrated) else b"", rationales=_unless_usual(rationales, -1), alarms=_unless_usual(alarms, -1),
        n_proofs=bytes(n_proofs) if max(n_proofs, default=0) < 256 else n_proofs, spans=spans, odd=odd, check=zlib.crc32("".join(left_out).encode()),
        clashes={at: [_packed_clash(clash) for clash in j.clashes] for at, j in enumerate(rows) if j.clashes},
        costs=_unless_usual(spent_on, -1), elapsed=_numbers([cost.elapsed_ms for cost in costs]), cached=bytes(cost.cached for cost in costs),
        spent={at: spent for at, cost in enumerate(costs) if (spent := (cost.cost_usd, cost.tokens_in, cost.tokens_out)) != (None, None, None)},
    )


def judgements_of(columns: Columns, texts: Texts, *, trace_id: str, provenance: Provenance) -> list[Judgement]:
    """
    The judgements again, in the order they were given.

    Raises:
        StoreError: They are damaged, or the texts they quote are not the ones any more that they were stored with.
    """
    try:
        return _judgements(columns, texts, trace_id, provenance)
    except (IndexError, ValueError) as exc:
        raise StoreError("a stored verdict cannot be read", fix=RESTORE) from exc


def _judgements(columns: Columns, texts: Texts, trace_id: str, provenance: Provenance) -> list[Judgement]:
    names, n = columns.names, len(columns.verdicts)
    rationales, alarms, spent_on = columns.rationales or [-1] * n, columns.alarms or [-1] * n, columns.costs or [-1] * n
    tables = columns.tables * n if len(columns.tables) == 1 else columns.tables
    calibrated = columns.calibrated or bytes(n)
    costs = []
    for at, (cached, ms) in enumerate(zip(columns.cached, _floats(columns.elapsed), strict=True)):
        usd, tokens_in, tokens_out = columns.spent.get(at, (None, None, None))
        costs.append(Cost(cached=bool(cached), elapsed_ms=ms, cost_usd=usd, tokens_in=tokens_in, tokens_out=tokens_out))
    left_out: list[str] = []
    found, first = [], 0
    for at, (table, claim, premise, verdict, confidence, is_calibrated, rationale, alarm, n_proofs, cost) in enumerate(zip(
        tables, columns.claims, columns.premises, columns.verdicts, _floats(columns.confidences), calibrated, rationales, alarms, columns.n_proofs, spent_on,
        strict=True,
    )):
        key = PairKey(TABLES[table], trace_id, names[claim], texts.ids[premise] if premise >= 0 else names[-1 - premise])
        found.append(Judgement(
            key=key, verdict=VERDICTS[verdict], confidence=confidence, calibrated=bool(is_calibrated),
            evidence=tuple([_proof(columns, n, key, texts, left_out) for n in range(first, first + n_proofs)]) if n_proofs else (),
            clashes=tuple([_clash(clash) for clash in columns.clashes[at]]) if at in columns.clashes else (),
            rationale=names[rationale] if rationale >= 0 else "", alarm=names[alarm] if alarm >= 0 else None,
            provenance=provenance, cost=costs[cost] if cost >= 0 else _NO_COST,
        ))
        first += n_proofs
    if zlib.crc32("".join(left_out).encode()) != columns.check:
        raise StoreError("the evidence of a stored verdict is not what stands in its passages", fix=RESTORE)
    return found


def _beside_its_place(key: PairKey, proof: Evidence, texts: Texts) -> _Odd | None:
    """What has to be stored beside start and length."""
    text = texts.text(key.table, key.premise_id, proof.passage_id)
    stands = text is not None and text[proof.span.start : proof.span.end] == proof.quote
    if stands and proof.weight == 1.0 and proof.tier is MatchTier.EXACT and proof.passage_id is None:
        return None
    return _Odd(None if stands else proof.quote, proof.weight, proof.tier, proof.passage_id)


def _proof(columns: Columns, n: int, key: PairKey, texts: Texts, left_out: list[str]) -> Evidence:
    start, length = columns.spans[2 * n], columns.spans[2 * n + 1]
    more = columns.odd.get(n)
    quote = None if more is None else more.quote
    if quote is None:
        text = texts.text(key.table, key.premise_id, None if more is None else more.passage_id)
        quote = "" if text is None else text[start : start + length]
        left_out.append(quote)
    if more is None:
        return Evidence(span=Span(start, start + length), quote=quote)
    return Evidence(span=Span(start, start + length), quote=quote, weight=more.weight, tier=more.tier, passage_id=more.passage_id)


def _premise(key: PairKey, texts: Texts, names: dict[str, int]) -> int:
    at = texts.place.get(key.premise_id) if key.table in _OVER_PASSAGES else None
    return at if at is not None else -1 - names.setdefault(key.premise_id, len(names))


def _numbers(values: list[float | None]) -> _Numbers:
    known = [v for v in values if v is not None]
    if all(0 <= v <= 1e9 for v in known):
        for scale in _SCALES:
            if all(round(v * scale) / scale == v for v in known):
                return _Numbers(scale, [None if v is None else round(v * scale) for v in values])
    return _Numbers(0, list(values))


def _floats(numbers: _Numbers) -> list[float | None]:
    scale = numbers.scale
    return list(numbers.values) if not scale else [None if v is None else v / scale for v in numbers.values]


def _unless_usual(values: list[int], usual: int) -> list[int]:
    return [] if all(value == usual for value in values) else values


def _packed_clash(clash: Clash) -> _Clashes:
    return _Clashes(clash.kind, _ends(clash.hypothesis_span), _ends(clash.premise_span), clash.hypothesis_value, clash.premise_value, clash.passage_id)


def _clash(packed: _Clashes) -> Clash:
    return Clash(
        kind=packed.kind,
        hypothesis_span=Span(*packed.hypothesis) if packed.hypothesis else None,
        premise_span=Span(*packed.premise) if packed.premise else None,
        hypothesis_value=packed.hypothesis_value,
        premise_value=packed.premise_value,
        passage_id=packed.passage_id,
    )


def _ends(span: Span | None) -> tuple[int, int] | None:
    return None if span is None else (span.start, span.end)
