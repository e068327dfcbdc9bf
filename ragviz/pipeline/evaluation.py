"""The shape of an evaluation; the order and names of its fields are a promise to other tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from ragviz.diagnosis.claim_types import HallucinationType, claim_types
from ragviz.diagnosis.showing import shown_name
from ragviz.evidence.table_heads import rows_first
from ragviz.grounding import ClaimGrounding, groundings, reason_of
from ragviz.metrics.cited import CitedClaim, cited_claims
from ragviz.pipeline.imported_scores import ImportedSummary
from ragviz.pipeline.standing import NOT_CALIBRATED, Standing, as_json
from ragviz.records import CauseEvidence, Claim, Evidence, JudgedTrace, Judgement, Provenance, Side, Table, TraceResult
from ragviz.records.ids import is_made_up
from ragviz.records.naming import name_of
from ragviz.text.counts import counted

_SHOWN = ("faithfulness", "correctness", "relevance")


class JudgeLine(msgspec.Struct, kw_only=True):
    """Who gave the verdicts."""

    judge: str
    judge_version: str
    params_hash: str
    model: str | None
    model_revision: str | None
    prompt_version: str | None
    fingerprint: str
    calibration: dict[str, Any] | None = None
    """The correction behind ``ClaimLine.calibrated``; None where nobody fitted one for this version of the judge."""
    calibration_note: str = ""

    @classmethod
    def of(cls, p: Provenance, stands: Standing = NOT_CALIBRATED, *, by_makers: bool | None = None) -> JudgeLine:
        """From a provenance, and what its confidence is worth here. ``by_makers``: the judge itself says that it is calibrated; None = nobody looked."""
        return cls(
            judge=p.judge,
            judge_version=p.judge_version,
            params_hash=p.params_hash,
            model=p.model,
            model_revision=p.model_revision,
            prompt_version=p.prompt_version,
            fingerprint=p.fingerprint,
            calibration=as_json(stands),
            calibration_note=stands.words if by_makers is None else stands.worth(by_makers=by_makers),
        )


class ScoreLine(msgspec.Struct, kw_only=True):
    """One metric on one trace."""

    value: float | None
    status: str
    support: int
    unjudged: int
    reason: str


class EvidenceLine(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A certificate: ``passage[start:end] == quote``."""

    passage_id: str
    start: int
    end: int
    quote: str
    tier: str
    passage_name: str = ""
    """What a reader calls a passage whose file gives no id; left out where ``passage_id`` is the file's own."""

    @property
    def name(self) -> str:
        """What a reader calls the passage."""
        return self.passage_name or self.passage_id


class CitationLine(msgspec.Struct, kw_only=True):
    """What the cited source says about the claim."""

    marker: str
    passage_id: str | None
    verdict: str


class ClaimLine(msgspec.Struct, kw_only=True):
    """One claim of the answer."""

    id: str
    text: str
    verdict: str
    confidence: float | None
    evidence: list[EvidenceLine]
    citations: list[CitationLine]
    hallucination_type: str | None
    calibrated: float | None = None
    """``confidence`` corrected on people's labels; None where this version of the judge is not calibrated on any."""
    reason: str = ""
    """The judge's own words on the passage that decides, else on the one that comes nearest; a person's where one overruled. "" where none was given."""


class PlaceLine(msgspec.Struct, kw_only=True):
    """``passage[start:end] == quote``."""

    start: int
    end: int
    quote: str


class CauseLine(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A passage that shows the cause; ``passage[start:end] == quote`` where a place is named."""

    claim_id: str
    claim: str
    verdict: str
    """``entailed``: the passage states the claim; ``contradicted``: it says otherwise."""
    passage_id: str
    retrieved: bool
    rank: int | None
    """Of the retrieval; for a passage that was not retrieved, of a search for the claim among all passages."""
    start: int | None
    end: int | None
    quote: str
    found_by: str
    judged_by: str
    passage_name: str = ""
    """As for a certificate."""
    more_evidence: list[PlaceLine] = []
    """Further places of the same passage, where the certificate has several."""

    @property
    def name(self) -> str:
        """What a reader calls the passage."""
        return self.passage_name or self.passage_id

    @property
    def quotes(self) -> list[str]:
        """All words of the passage that settle the claim."""
        return [quote for quote in (self.quote, *(e.quote for e in self.more_evidence)) if quote]

    @classmethod
    def of(cls, e: CauseEvidence, texts: Mapping[str, str], case: JudgedTrace) -> CauseLine:
        """From the record. ``texts``: of the claims, by id."""
        return cls(
            passage_name=shown_name(e) if is_made_up(e.passage_id) and not e.retrieved else _name(case, e.passage_id),
            claim_id=e.claim_id, claim=texts.get(e.claim_id, ""), verdict=str(e.verdict), passage_id=e.passage_id, retrieved=e.retrieved, rank=e.rank,
            start=e.span.start if e.span else None, end=e.span.end if e.span else None, quote=e.quote, found_by=e.found_by, judged_by=e.judged_by,
            more_evidence=[PlaceLine(start=place.span.start, end=place.span.end, quote=place.quote) for place in e.further],
        )


class EvaluatedTrace(msgspec.Struct, kw_only=True):
    """One trace."""

    id: str
    question: str
    quadrant: str
    cause: str
    scores: dict[str, ScoreLine]
    claims: list[ClaimLine]
    cause_detail: str = ""
    """Why that cause, in one sentence."""
    cause_evidence: list[CauseLine] = []


class SummaryLine(msgspec.Struct, kw_only=True):
    """One metric over the run."""

    macro: float | None
    micro: float | None
    n: int
    undefined: int
    coverage: float | None
    ci95: tuple[float, float] | None


class IssueLine(msgspec.Struct, kw_only=True):
    """A row that was rejected or is in doubt."""

    where: str
    message: str
    fix: str


class Evaluation(msgspec.Struct, kw_only=True, omit_defaults=True, weakref=True):
    """Everything there is to say about a run, seen through one judge."""

    run: str
    k: int | None
    judge: JudgeLine
    policy: str
    traces: list[EvaluatedTrace]
    summary: dict[str, SummaryLine]
    issues: list[IssueLine]
    imported_scores: dict[str, ImportedSummary] = {}
    """Scores of other tools over the run, by name; left out of the JSON where there are none."""

    def __repr__(self) -> str:
        """One line: what a notebook shows of it."""
        means = ", ".join(f"{name} {self.summary[name].macro:.3f}" for name in _SHOWN if name in self.summary and self.summary[name].macro is not None)
        n_claims = sum(len(trace.claims) for trace in self.traces)
        return f"<Evaluation of {self.run!r}: {counted(len(self.traces), 'trace')}, {counted(n_claims, 'claim')}, judge {self.judge.judge} {self.judge.judge_version}; {means}; {counted(len(self.issues), 'issue')}>"

    def to_json(self) -> bytes:
        """One JSON object, UTF-8."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2)


def trace_line(case: JudgedTrace, result: TraceResult, stands: Standing = NOT_CALIBRATED) -> EvaluatedTrace:
    """One trace with its scores and claims."""
    found = groundings(case, Table.RESPONSE_X_PASSAGES)
    cited, kinds = cited_claims(case), claim_types(case)
    texts = {claim.id: claim.text for claim in case.claims}
    return EvaluatedTrace(
        id=case.trace.id,
        question=case.trace.question,
        quadrant=result.quadrant,
        cause=result.cause,
        cause_detail=result.cause_detail,
        cause_evidence=[CauseLine.of(e, texts, case) for e in result.cause_evidence],
        scores={
            name: ScoreLine(value=s.value, status=str(s.status), support=s.support, unjudged=s.unjudged, reason=s.reason) for name, s in result.scores.items()
        },
        claims=[
            _claim(case, claim, found[claim.id], cited[claim.id], kinds.get(claim.id), stands=stands) for claim in case.claims if claim.side is Side.RESPONSE
        ],
    )


def _claim(case: JudgedTrace, claim: Claim, grounding: ClaimGrounding, cited: CitedClaim, kind: HallucinationType | None, *, stands: Standing) -> ClaimLine:
    return ClaimLine(
        id=claim.id,
        text=claim.text,
        verdict=str(grounding.grounding),
        confidence=grounding.confidence,
        evidence=[
            EvidenceLine(
                passage_id=(where := e.passage_id or j.key.premise_id),
                passage_name=_name(case, where),
                start=e.span.start,
                end=e.span.end,
                quote=e.quote,
                tier=str(e.tier),
            )
            for j in (*grounding.supporting, *grounding.contradicting)
            for e in told_first(case, j)
        ],
        citations=[CitationLine(marker=source.marker, passage_id=source.passage_id, verdict=str(source.verdict)) for source in cited.sources],
        hallucination_type=str(kind) if kind is not None else None,
        calibrated=stands.of(grounding.grounding, grounding.confidence),
        reason=reason_of(case, grounding, Table.RESPONSE_X_PASSAGES),
    )


def told_first(case: JudgedTrace, judgement: Judgement) -> list[Evidence]:
    """The quotes of a certificate in the order in which they are told; what is stored keeps its own."""
    passage = case.trace.passage(judgement.key.premise_id)
    return rows_first(judgement.evidence, passage.text) if passage is not None and len(judgement.evidence) > 1 else list(judgement.evidence)


def _name(case: JudgedTrace, passage_id: str) -> str:
    """Of a passage whose file gives no id; "" for others."""
    passage = case.trace.passage(passage_id) if is_made_up(passage_id) else None
    return name_of(passage) if passage is not None else ""
