"""One claim against passages, without files, runs or a store."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ragviz.contracts import Judge
from ragviz.grounding import groundings, reason_of
from ragviz.pipeline.evaluation import EvidenceLine
from ragviz.pipeline.single_claims import CLAIM, TABLE, claim_cases, judged_cases
from ragviz.records import Judgement, Passage


class ClashLine(msgspec.Struct, frozen=True, kw_only=True):
    """Two details that do not agree: "90 days" in the claim, "30 days" in the passage."""

    kind: str
    claim_value: str
    passage_value: str
    passage_id: str


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge makes of one claim."""

    claim: str
    verdict: str
    """supported, not_supported, contradicted, conflicted or unjudged."""
    confidence: float | None
    """P(the verdict is right) as far as the judge can say."""
    supporting: list[EvidenceLine]
    """Certificates: ``passage[start:end] == quote``."""
    contradicting: list[EvidenceLine]
    clashes: list[ClashLine]
    reason: str
    """The judge's own words on the passage that decides, else on the one that comes nearest."""
    judge: str
    """Name and version."""


def check_claim(claim: str, passages: tuple[Passage, ...], judge: Judge, *, question: str = "") -> Checked:
    """
    Whether the passages support a claim.

    Args:
        claim: One statement; not split further.
        passages: In rank order.
        judge: Any judge of texts.
        question: What was asked; completes a claim like "Yes, 30 days.".
    """
    (case,) = judged_cases(claim_cases([(claim, question, passages)]), judge)
    found = groundings(case, TABLE)[CLAIM]
    return Checked(
        claim=claim,
        verdict=str(found.grounding),
        confidence=found.confidence,
        supporting=_certificates(found.supporting),
        contradicting=_certificates(found.contradicting),
        clashes=[
            ClashLine(
                kind=str(clash.kind), claim_value=clash.hypothesis_value, passage_value=clash.premise_value, passage_id=clash.passage_id or j.key.premise_id
            )
            for j in found.contradicting
            for clash in j.clashes
        ],
        reason=reason_of(case, found, TABLE),
        judge=f"{judge.info.name} {judge.info.version}",
    )


def _certificates(said: Sequence[Judgement]) -> list[EvidenceLine]:
    return [
        EvidenceLine(passage_id=e.passage_id or j.key.premise_id, start=e.span.start, end=e.span.end, quote=e.quote, tier=str(e.tier))
        for j in said for e in j.evidence
    ]
