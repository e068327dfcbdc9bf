"""What a store packs it unpacks to the same, whatever stands in it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

import pytest
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
from ragviz.store.packed_verdicts import Texts
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
from ragviz.store.squeezing import expanded_text, squeezed_text

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
    Passage,
    id=names,
    text=texts,
    rank=st.integers(1, 99),
    doc_id=st.none() | names,
    score=st.none() | st.floats(allow_nan=False),
    relevance=st.none() | st.integers(0, 3),
    facts=st.none() | st.lists(facts, max_size=2).map(tuple),
    metadata=st.dictionaries(names, texts, max_size=2),
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


@st.composite
def told(draw: st.DrawFn) -> tuple[Texts, list[Judgement], list[Claim]]:
    """A trace's texts, two passages of one id among them at times, and verdicts and claims that quote them: rightly, wrongly, joined, beyond their end."""
    response, reference = draw(texts), draw(st.none() | texts)
    shown = [
        (draw(st.sampled_from("pqr")), draw(st.text(st.characters(exclude_categories=["Cs"]), min_size=2, max_size=20))) for _ in range(draw(st.integers(1, 4)))
    ]
    where = Texts(shown, response=response, reference=reference)
    said = []
    for _ in range(draw(st.integers(0, 5))):
        passage_id, text = draw(st.sampled_from(shown))
        span = draw(st.builds(lambda start, length: Span(start, start + length), st.integers(0, 22), st.integers(1, 9)))
        joined, kept = draw(st.booleans()), draw(st.sampled_from((text[span.start : span.end], "other words", "")))
        proof = Evidence(span=span, quote=kept, weight=draw(st.sampled_from((1.0, 0.25))), passage_id=passage_id if joined else None)
        key = PairKey(draw(st.sampled_from(Table)), "t", draw(st.sampled_from(("c1", "c2"))), "joined" if joined else passage_id)
        said.append(
            Judgement(
                key=key,
                verdict=draw(st.sampled_from(Verdict)),
                confidence=draw(st.none() | st.floats(0, 1) | st.sampled_from((0.87, 0.8154, 1.0))),
                evidence=(proof,) * draw(st.integers(0, 3)),
                rationale=draw(st.sampled_from(("", "because"))),
                provenance=WHO,
                cost=draw(st.sampled_from((Cost(), Cost(elapsed_ms=14.865), Cost(cost_usd=0.1, tokens_in=3)))),
            )
        )
    stretch = draw(spans if not response else st.integers(0, len(response) - 1).map(lambda start: Span(start, len(response))))
    claims = [
        Claim(
            id="c1",
            trace_id="t",
            side=Side.RESPONSE,
            text=draw(st.sampled_from((stretch.of(response), response[:3], response, "other words"))),
            spans=(stretch,),
            extractor="rules",
        ),
        Claim(id="r1", trace_id="t", side=Side.REFERENCE, text=draw(texts), spans=(Span(0, 3),), extractor="rules"),
    ]
    return where, said, claims


@given(told())
def test_what_quotes_the_trace(made: tuple[Texts, list[Judgement], list[Claim]]) -> None:
    """A quote that stands in the trace comes back from there, any other as it was said."""
    where, said, claims = made

    again = unpack_judgements(pack_judgements(said, where), where, trace_id="t", provenance=WHO)
    assert (said, [j.cost for j in said]) == (again, [j.cost for j in again])
    assert claims == unpack_claims(pack_claims(claims, where), where, trace_id="t", claim_set="rules")


def test_a_quote_takes_no_room_and_is_checked_against_its_passage() -> None:
    """``passage[start:end] == quote`` held when it was stored; a passage that was changed since is damage, not other evidence."""
    text = "The speaker can be returned within thirty days of delivery, postage is paid by the buyer unless it arrived broken."
    proof = Evidence(span=Span(4, len(text)), quote=text[4:])
    said = [Judgement(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", "c1", "p1"), verdict=Verdict.ENTAILED, confidence=0.9, evidence=(proof,), provenance=WHO)]
    raw = pack_judgements(said, Texts([("p1", text)]))

    assert len(raw) < 60 < len(pack_judgements(said))
    assert said == unpack_judgements(raw, Texts([("p1", text)]), trace_id="t", provenance=WHO)
    for changed in (text.replace("thirty", "ninety"), text[:-1], ""):
        with pytest.raises(StoreError, match="not what stands in its passages"):
            unpack_judgements(raw, Texts([("p1", changed)]), trace_id="t", provenance=WHO)
    with pytest.raises(StoreError):
        unpack_judgements(raw, Texts(), trace_id="t", provenance=WHO)


@given(st.text())
def test_texts_of_passages(text: str) -> None:
    """Squeezed or as earlier versions stored them: as text, or (lifted, on PostgreSQL) as its bytes."""
    text = text.encode("utf-8", "replace").decode()

    assert text == expanded_text(squeezed_text(text)) == expanded_text(text) == expanded_text(text.encode())


@given(traces)
def test_traces(trace: Trace) -> None:
    """With the texts put back from outside."""
    texts_apart = [p.text for p in trace.passages or ()]

    assert trace == unpack_trace(pack_trace(trace), trace_id=trace.id, question=trace.question, response=trace.response, texts=texts_apart)


@given(st.lists(st.builds(Claim, id=names, trace_id=st.just("t"), side=st.sampled_from(Side), text=texts, spans=st.lists(spans, max_size=3).map(tuple),
                          extractor=st.just("rules"), fact=st.none() | facts), max_size=5))
def test_claims(claims: list[Claim]) -> None:
    """In their order."""
    assert claims == unpack_claims(pack_claims(claims, Texts()), Texts(), trace_id="t", claim_set="rules")


@given(
    st.lists(
        st.builds(Rating, kind=st.sampled_from(RatingKind), trace_id=st.just("t"), target_id=names, value=numbers, reason=texts, provenance=st.just(WHO)),
        max_size=5,
    )
)
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
    """Or records of the right kind, by chance; never another exception, never a hang."""
    reads: list[tuple[type, Callable[[], object]]] = [
        (Claim, lambda: unpack_claims(raw, Texts(), trace_id="t", claim_set="rules")),
        (Judgement, lambda: unpack_judgements(raw, trace_id="t", provenance=WHO)),
        (TraceResult, lambda: Squeezer(b"").unpack(raw)),
    ]
    for kind, read in reads:
        found: object = []
        with suppress(StoreError):
            found = read()
        assert all(isinstance(one, kind) for one in (found if isinstance(found, list) else [found]))


@given(st.lists(judgements, min_size=1, max_size=3), results, st.data())
def test_damaged_bytes_are_a_store_error_or_records(said: list[Judgement], result: TraceResult, data: st.DataObject) -> None:
    """What was packed, with a byte changed, a stretch missing or one too many: told as damage, or read as records of the right kind."""
    squeezer = Squeezer(typical([result]))
    reads: list[tuple[bytes, Callable[[bytes], object]]] = [
        (pack_judgements(said), lambda raw: unpack_judgements(raw, trace_id="t", provenance=WHO)), (squeezer.pack(result), squeezer.unpack),
    ]
    for whole, read in reads:
        at = data.draw(st.integers(0, len(whole) - 1))
        changed = data.draw(
            st.sampled_from(
                (whole[:at], whole[:at] + b"\xff" + whole[at + 1 :], whole[:at] + whole[at + 1 :], whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            )
        )
        found: object = None
        with suppress(StoreError):
            found = read(changed)
        assert found is None or isinstance(found, TraceResult) or all(isinstance(one, Judgement) for one in found)  # type: ignore[attr-defined]


def test_half_a_character_costs_no_verdicts() -> None:
    """A judge of a plug-in may say anything; a batch of paid verdicts must be kept all the same."""
    said = Judgement(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", "c1", "p"), verdict=Verdict.NEUTRAL, rationale="a\ud800b", provenance=WHO)

    kept = unpack_judgements(pack_judgements([said, said]), trace_id="t", provenance=said.provenance)
    assert [(j.key, j.verdict, j.rationale) for j in kept] == [(said.key, Verdict.NEUTRAL, "a\ufffdb")] * 2
