"""Records refuse impossible states and survive JSON."""

from __future__ import annotations

import gc
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragviz.errors import InputError
from ragviz.records import (
    Cost,
    Evidence,
    Fact,
    Grounding,
    ImportedClaim,
    ImportedScore,
    Judgement,
    Pair,
    PairKey,
    Passage,
    Provenance,
    Score,
    ScoreStatus,
    Side,
    Span,
    Table,
    Trace,
    Verdict,
)
from ragviz.records.codec import check_schema_version, clean, decode, encode
from ragviz.records.ids import cache_key, digest, synthetic_passage_id

PROVENANCE = Provenance(judge="j", judge_version="1", params_hash="p")
KEY = PairKey(Table.RESPONSE_X_PASSAGES, "t", "c1", "p1")


def test_records_are_nothing_for_the_garbage_collector() -> None:
    """They cannot form circles, and walking through millions of them in search of some took longer than reading them."""
    passage = Passage(id="p1", text="x", rank=1, metadata={"a": "b"})
    evidence = Evidence(span=Span(0, 1), quote="x")
    trace = Trace(id="t", question="q", response="r", passages=(passage,), tags={"a": "b"}, origin="file:1")
    judgement = Judgement(key=KEY, verdict=Verdict.ENTAILED, evidence=(evidence,), provenance=PROVENANCE)

    assert not [record for record in (passage, evidence, evidence.span, trace, judgement, judgement.key) if gc.is_tracked(record)]


class TestSpan:
    @pytest.mark.parametrize(("start", "end"), [(0, 0), (3, 2), (-1, 2)])
    def test_empty_and_backward_ranges_are_refused(self, start: int, end: int) -> None:
        """0 <= start < end."""
        with pytest.raises(ValueError, match="not a span"):
            Span(start, end)

    def test_counts_code_points(self) -> None:
        """An emoji is one character, whatever its bytes."""
        assert Span(1, 2).of("a😀b") == "😀"

    def test_half_open_neighbours_do_not_overlap(self) -> None:
        """[0,2) and [2,4) touch, no more."""
        assert not Span(0, 2).overlaps(Span(2, 4))
        assert Span(0, 3).overlaps(Span(2, 4))
        assert Span(0, 2).merge(Span(3, 4)) == Span(0, 4)
        assert Span(0, 4).contains(Span(1, 4))


class TestScore:
    def test_a_missing_value_needs_a_reason(self) -> None:
        """And a value needs the status OK."""
        with pytest.raises(ValueError, match="why"):
            Score(metric="m", metric_version="1", trace_id="t", value=None, status=ScoreStatus.UNDEFINED)
        with pytest.raises(ValueError, match="does not fit"):
            Score(metric="m", metric_version="1", trace_id="t", value=1.0, status=ScoreStatus.FAILED)

    def test_nan_is_refused(self) -> None:
        """A score is a number or it is None."""
        with pytest.raises(ValueError, match="NaN"):
            Score(metric="m", metric_version="1", trace_id="t", value=float("nan"), status=ScoreStatus.OK)


class TestJudgement:
    def test_time_and_money_take_no_part_in_equality(self) -> None:
        """The same word from the same source is the same judgement, cached or not."""
        a = Judgement(key=KEY, verdict=Verdict.NEUTRAL, provenance=PROVENANCE, cost=Cost(elapsed_ms=1.0))
        b = Judgement(key=KEY, verdict=Verdict.NEUTRAL, provenance=PROVENANCE, cost=Cost(cached=True))

        assert a == b
        assert hash(a) == hash(b)
        assert a != Judgement(key=KEY, verdict=Verdict.ENTAILED, provenance=PROVENANCE)

    def test_survives_json(self) -> None:
        """Keys, enums, spans and all."""
        judgement = Judgement(key=KEY, verdict=Verdict.ENTAILED, evidence=(Evidence(span=Span(0, 2), quote="ab"),), provenance=PROVENANCE)

        assert decode(encode(judgement), Judgement) == judgement


def test_conflicted_counts_as_supported() -> None:
    """As the published metrics do: some passage entails it."""
    assert {g for g in Grounding if g.is_supported} == {Grounding.SUPPORTED, Grounding.CONFLICTED}


def test_attribute_and_value_come_together() -> None:
    """Half a fact is no fact."""
    with pytest.raises(ValueError, match="together"):
        ImportedClaim(side=Side.RESPONSE, text="x", attribute="a")


class TestCodec:
    @given(st.text())
    def test_any_text_becomes_writable(self, text: str) -> None:
        """Surrogates and NUL are replaced, everything else is kept."""
        cleaned = clean(text)

        cleaned.encode("utf-8")
        assert "\x00" not in cleaned
        assert len(cleaned) == len(text) or any("\ud800" <= c <= "\udfff" for c in text)

    def test_what_other_tools_write_is_read(self) -> None:
        """NaN becomes None, a lone surrogate U+FFFD."""
        passage = decode('{"id": "p", "text": "a\\ud800b", "rank": 1, "score": NaN}', Passage)

        assert (passage.text, passage.score) == ("a\ufffdb", None)

    def test_errors_name_the_field(self) -> None:
        """Not a traceback: what is missing where."""
        with pytest.raises(InputError, match="rank"):
            decode('{"id": "p", "text": "x"}', Passage)

    def test_newer_schemas_are_refused(self) -> None:
        """With the remedy."""
        with pytest.raises(InputError, match="newer"):
            check_schema_version(10_000)

    def test_a_trace_survives_json(self) -> None:
        """None and () stay apart, and so do dates."""
        trace = Trace(
            id="t", question="q", response="r", passages=(), relevant_ids=frozenset({"b", "a"}), citations=None, started_at=datetime(2026, 1, 2, tzinfo=UTC)
        )
        back = decode(encode(trace), Trace)

        assert back == trace
        assert back.passages == ()
        assert back.citations is None


class TestIds:
    @given(st.lists(st.text(), max_size=4), st.lists(st.text(), max_size=4))
    def test_digests_tell_part_boundaries(self, a: list[str], b: list[str]) -> None:
        """Different lists of parts give different digests."""
        assert (digest(a) == digest(b)) == (a == b)

    def test_are_the_same_on_every_machine(self) -> None:
        """sha1 of "abc" starts with a9993e36."""
        assert synthetic_passage_id("abc") == "sha1:a9993e364706"
        assert cache_key("f", "q", "p", "h") == cache_key("f", "q", "p", "h", "")


def test_a_pair_carries_facts() -> None:
    """For the judge that reads nothing else."""
    assert Pair(key=KEY, premise="", hypothesis="", hypothesis_fact=Fact(attribute="a", value="b")).hypothesis_fact is not None


def test_scores_made_with_settings_can_be_told_apart_in_a_set() -> None:
    """Loaders keep each score once; what a score was made with counts."""
    plain, again = (ImportedScore(name="faithfulness", value=0.5) for _ in range(2))
    made = ImportedScore(name="faithfulness", value=0.5, made_with={"library": "ragas"})
    assert len({plain, again, made}) == 2
