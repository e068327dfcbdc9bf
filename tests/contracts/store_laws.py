"""What the laws of a store are made of, and their list: each is a check that takes a fresh store. They stand in ``store_…_laws.py``."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from ragviz.contracts import View
from ragviz.records import (
    Annotation,
    Claim,
    Fact,
    Grounding,
    ImportedClaim,
    ImportedScore,
    ImportedVerdict,
    Judgement,
    PairKey,
    Passage,
    Provenance,
    RunManifest,
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
from ragviz.store import Store

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
JUDGE = Provenance(judge="fake", judge_version="1", params_hash="abc")
OTHER = Provenance(judge="other", judge_version="2", params_hash="def", model="m", model_revision="r", prompt_version="p")
VIEW = View(run_id="run", judge=JUDGE.fingerprint, claim_set="rules")
StoreLaw = Callable[[Store], None]
LAWS: list[StoreLaw] = []


def law(check: StoreLaw) -> StoreLaw:
    """Adds a check to the laws."""
    LAWS.append(check)
    return check


def manifest(run_id: str = "run", **fields: object) -> RunManifest:
    return RunManifest(**{"run_id": run_id, "name": run_id.title(), "created_at": NOW, "ragviz_version": "0", "format": "native", **fields})  # type: ignore[arg-type]


def full_trace(trace_id: str = "t1", **fields: object) -> Trace:
    """A trace with every field set, in several scripts."""
    given: dict[str, object] = {
        "id": trace_id, "question": "Quelle durée? 期限は?", "response": "Thirty days 😀 [1].",
        "passages": (
            Passage(id="p1", text="Return within 30 days. İstanbul", rank=1, doc_id="d1", score=0.5, title="T", source="handbook", relevance=1,
                    facts=(Fact(attribute="window", value="30 days"),), revision="2", effective_date="2026-01-01", authority="official", metadata={"a": "b"}),
            Passage(id="d1#2", text="Return within 30 days. İstanbul", rank=2, doc_id="d1"),
            Passage(id="p3", text="", rank=3),
        ),
        "reference": "30 days", "relevant_ids": frozenset({"d1", "d9"}), "relevant_texts": ("x",), "relevance_grades": {"d1": 2}, "answerable": True,
        "facets": ("window",), "history": (Turn(role="user", text="Hi"),), "usage": Usage(latency_ms=12.5, tokens_in=3, cost_usd=0.25),
        "started_at": NOW, "model": "m", "group": "g", "tags": {"lang": "fr"}, "passages_are": "cited", "origin": "f.jsonl:1",
        "claims": (ImportedClaim(side=Side.RESPONSE, text="Thirty days", spans=(Span(0, 11),), verdicts=(
            ImportedVerdict(table=Table.RESPONSE_X_PASSAGES, premise_id="*", verdict=Verdict.ENTAILED, label="Entailment", quote="30 days", confidence=0.9),)),),
        "scores": (ImportedScore(name="theirs", value=None, reason="NaN in the file"),),
    }
    return Trace(**{**given, **fields})  # type: ignore[arg-type]


def plain(trace_id: str, **fields: object) -> Trace:
    given: dict[str, object] = {
        "id": trace_id,
        "question": f"Question {trace_id}?",
        "response": f"Answer {trace_id}.",
        "passages": (Passage(id="p1", text="One text.", rank=1),),
    }
    return Trace(**{**given, **fields})  # type: ignore[arg-type]


def claim(trace_id: str, claim_id: str = "c1", **fields: object) -> Claim:
    return Claim(
        **{
            "id": claim_id,
            "trace_id": trace_id,
            "side": Side.RESPONSE,
            "text": "Thirty days",
            "spans": (Span(0, 6), Span(7, 11)),
            "extractor": "rules",
            **fields,
        }
    )  # type: ignore[arg-type]


def judgement(trace_id: str, claim_id: str = "c1", premise_id: str = "p1", verdict: Verdict = Verdict.ENTAILED, **fields: object) -> Judgement:
    given: dict[str, object] = {"key": PairKey(Table.RESPONSE_X_PASSAGES, trace_id, claim_id, premise_id), "verdict": verdict, "provenance": JUDGE}
    return Judgement(**{**given, **fields})  # type: ignore[arg-type]


def note(trace_id: str, grounding: Grounding | None = Grounding.CONTRADICTED, **fields: object) -> Annotation:
    return Annotation(**{"trace_id": trace_id, "claim_id": "c1", "grounding": grounding, "author": "Ada", "at": NOW, **fields})  # type: ignore[arg-type]


def result(trace_id: str, faithfulness: float | None = 1.0, quadrant: str = "good", **fields: object) -> TraceResult:
    status = ScoreStatus.OK if faithfulness is not None else ScoreStatus.UNDEFINED
    reason = "" if faithfulness is not None else "no claims"
    score = Score(
        metric="faithfulness",
        metric_version="1",
        trace_id=trace_id,
        value=faithfulness,
        status=status,
        support=4,
        numerator=2.0,
        reason=reason,
        claim_ids=("c2",),
    )
    given: dict[str, object] = {
        "trace_id": trace_id,
        "scores": {"faithfulness": score},
        "quadrant": quadrant,
        "cause": "none",
        "cause_detail": "why",
        "verdicts": {"supported": 1, "contradicted": 1},
        "worst_claim": "Thirty days",
        "worst_verdict": "contradicted",
    }
    return TraceResult(**{**given, **fields})  # type: ignore[arg-type]


def with_traces(store: Store, *traces: Trace) -> None:
    store.create_run(manifest())
    store.add_traces("run", traces)
