"""What a store packs it unpacks to the same, whatever stands in it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from ragviz.errors import StoreError
from ragviz.records import (
    Claim,
    Clash,
    ClashKind,
    Cost,
    Evidence,
    Fact,
    Judgement,
    MatchTier,
    PairKey,
    Passage,
    Provenance,
    Rating,
    RatingKind,
    Score,
    ScoreStatus,
    Side,
    Span,
    Table,
    Trace,
    TraceResult,
    Turn,
    Usage,
    Verdict,
)
from ragviz.store.packing import (
    Squeezer,
    pack_claims,
    pack_judgements,
    pack_ratings,
    pack_trace,
    typical,
    unpack_claims,
    unpack_judgements,
    unpack_ratings,
    unpack_trace,
)

WHO = Provenance(judge="j", judge_version="1", params_hash="x", model="m")
# Lone surrogates never come this far: they are replaced on the way in.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
spans = st.builds(lambda start, length: Span(start, start + length), st.integers(0, 10**7), st.integers(1, 500))
numbers = st.none() | st.floats(0, 1)
facts = st.builds(Fact, attribute=names, value=texts)

evidence = st.builds(Evidence, span=spans, quote=texts, weight=st.floats(0, 1), tier=st.sampled_from(MatchTier), passage_id=st.none() | names)
clashes = st.builds(
    Clash, kind=st.sampled_from(ClashKind), hypothesis_span=st.none() | spans, premise_span=st.none() | spans, hypothesis_value=texts, premise_value=texts,
)
costs = st.builds(Cost, cached=st.booleans(), elapsed_ms=st.none() | st.floats(0, 1e6), tokens_in=st.none() | st.integers(0, 10**9))
judgements = st.builds(
    Judgement, key=st.builds(PairKey, st.sampled_from(Table), st.just("t"), names, names), verdict=st.sampled_from(Verdict), confidence=numbers,
    calibrated=st.booleans(), evidence=st.lists(evidence, max_size=2).map(tuple), clashes=st.lists(clashes, max_size=2).map(tuple),
    rationale=texts, alarm=st.none() | texts, provenance=st.just(WHO), cost=st.just(Cost()) | costs,
)
passages = st.builds(
    Passage, id=names, text=texts, rank=st.integers(1, 99), doc_id=st.none() | names, score=st.none() | st.floats(allow_nan=False), relevance=st.none() | st.integers(0, 3),
    facts=st.none() | st.lists(facts, max_size=2).map(tuple), metadata=st.dictionaries(names, texts, max_size=2),
)
traces = st.builds(
    Trace, id=names, question=texts, response=texts, passages=st.none() | st.lists(passages, max_size=4).map(tuple), reference=st.none() | texts,
    relevant_ids=st.none() | st.frozensets(names, max_size=3), relevance_grades=st.none() | st.dictionaries(names, st.integers(-2, 9), max_size=3),
    answerable=st.none() | st.booleans(), history=st.lists(st.builds(Turn, role=names, text=texts), max_size=2).map(tuple),
    usage=st.none() | st.builds(Usage, latency_ms=st.none() | st.floats(0, 1e9)), tags=st.dictionaries(names, texts, max_size=3),
    started_at=st.none() | st.integers(0, 4 * 10**9).map(lambda s: datetime.fromtimestamp(s, UTC)),
)
scores = st.builds(
    lambda name, value: Score(
        metric=name, metric_version="1", trace_id="t", value=value, status=ScoreStatus.OK if value is not None else ScoreStatus.FAILED, reason="because",
    ), names, numbers,
)
results = st.builds(
    TraceResult, trace_id=names, scores=st.lists(scores, max_size=5).map(lambda found: {s.metric: s for s in found}), quadrant=names, cause=names,
    verdicts=st.dictionaries(st.sampled_from(("supported", "contradicted")), st.integers(0, 9)), worst_claim=texts,
)


@given(st.lists(judgements, max_size=6))
def test_judgements(said: list[Judgement]) -> None:
    """Order, cost and every field."""
    again = unpack_judgements(pack_judgements(said), trace_id="t", provenance=WHO)

    assert (said, [j.cost for j in said]) == (again, [j.cost for j in again])


@given(traces)
def test_traces(trace: Trace) -> None:
    """With the texts put back from outside."""
    texts_apart = [p.text for p in trace.passages or ()]

    assert trace == unpack_trace(pack_trace(trace), trace_id=trace.id, question=trace.question, response=trace.response, texts=texts_apart)


@given(st.lists(st.builds(Claim, id=names, trace_id=st.just("t"), side=st.sampled_from(Side), text=texts, spans=st.lists(spans, max_size=3).map(tuple),
                          extractor=st.just("rules"), fact=st.none() | facts), max_size=5))
def test_claims(claims: list[Claim]) -> None:
    """In their order."""
    assert claims == unpack_claims(pack_claims(claims), trace_id="t", claim_set="rules")


@given(st.lists(st.builds(Rating, kind=st.sampled_from(RatingKind), trace_id=st.just("t"), target_id=names, value=numbers, reason=texts, provenance=st.just(WHO)), max_size=5))
def test_ratings(ratings: list[Rating]) -> None:
    """Failed ones too."""
    assert ratings == unpack_ratings(pack_ratings(ratings), trace_id="t", provenance=WHO)


@given(st.lists(results, max_size=4), results)
def test_results_against_any_dictionary(first: list[TraceResult], result: TraceResult) -> None:
    """Whatever the view's first results were."""
    squeezer = Squeezer(typical(first))

    assert result == squeezer.unpack(squeezer.pack(result))


@given(st.binary(max_size=60))
def test_any_bytes_are_a_store_error(raw: bytes) -> None:
    """Never another exception, never a hang."""
    for read in (lambda: unpack_claims(raw, trace_id="t", claim_set="rules"), lambda: unpack_judgements(raw, trace_id="t", provenance=WHO), lambda: Squeezer(b"").unpack(raw)):
        with suppress(StoreError):
            read()


@given(st.lists(judgements, min_size=1, max_size=3), results, st.data())
def test_damaged_bytes_are_a_store_error_or_records(said: list[Judgement], result: TraceResult, data: st.DataObject) -> None:
    """What was packed, with a byte changed, a stretch missing or one too many: told as damage, or read as records of the right kind."""
    squeezer = Squeezer(typical([result]))
    reads: list[tuple[bytes, Callable[[bytes], object]]] = [
        (pack_judgements(said), lambda raw: unpack_judgements(raw, trace_id="t", provenance=WHO)), (squeezer.pack(result), squeezer.unpack),
    ]
    for whole, read in reads:
        at = data.draw(st.integers(0, len(whole) - 1))
        changed = data.draw(st.sampled_from((whole[:at], whole[:at] + b"\xff" + whole[at + 1 :], whole[:at] + whole[at + 1 :], whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])))
        found: object = None
        with suppress(StoreError):
            found = read(changed)
        assert found is None or isinstance(found, TraceResult) or all(isinstance(one, Judgement) for one in found)  # type: ignore[attr-defined]


def test_half_a_character_costs_no_verdicts() -> None:
    """A judge of a plug-in may say anything; a batch of paid verdicts must be kept all the same."""
    said = Judgement(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", "c1", "p"), verdict=Verdict.NEUTRAL, rationale="a\ud800b", provenance=WHO)

    kept = unpack_judgements(pack_judgements([said, said]), trace_id="t", provenance=said.provenance)
    assert [(j.key, j.verdict, j.rationale) for j in kept] == [(said.key, Verdict.NEUTRAL, "a\ufffdb")] * 2
