"""Does the answer say what was expected? Claim precision, recall and F1 against the reference."""

from __future__ import annotations

from dataclasses import dataclass

from ragviz.metrics.counting import Fate, fates, has_claims, has_reference, lacks_answer
from ragviz.metrics.scoring import NO_ANSWER, NO_REFERENCE, missing, no_claims, no_value, ok, share
from ragviz.records import RESPONSE, JudgedTrace, MetricInfo, Policy, RatingKind, Score, Side, Table

PRECISION = Table.RESPONSE_X_REFERENCE
RECALL = Table.REFERENCE_X_RESPONSE
ZERO = {Policy.RAGCHECKER: 0.0}
CLAIM_WEIGHT = 0.75
"""Weight of the claims in answer correctness; the rest is similarity (the defaults of Ragas)."""


@dataclass(frozen=True)
class CorrectnessPrecision:
    """Share of the answer's claims that the reference states."""

    info = MetricInfo(
        name="correctness_precision", version="1", label="Correctness: precision", summary="How much of what was said was expected?",
        formula="response claims the reference entails / judged response claims",
        edge_cases="No reference: missing input. No claims in the answer: no value (ragchecker: 0). Unjudged claims are left out (strict, ragchecker: wrong).",
        source="RAGChecker overall precision, arXiv:2408.08067", needs=frozenset({PRECISION}),
    )

    def score(self, case: JudgedTrace) -> Score:
        """Claim precision of one trace."""
        if not has_reference(case):
            return missing(self.info, case, NO_REFERENCE)
        if not has_claims(case, Side.RESPONSE):
            return no_claims(self.info, case, Side.RESPONSE, ZERO)
        return share(self.info, case, fates(case, PRECISION), [Fate.SUPPORTED])


@dataclass(frozen=True)
class CorrectnessRecall:
    """Share of the reference's claims that the answer states."""

    info = MetricInfo(
        name="correctness_recall", version="1", label="Correctness: recall", summary="How much of what was expected was said?",
        formula="reference claims the response entails / judged reference claims",
        edge_cases="No reference: missing input. No claims in the reference: no value (ragchecker: 0). Offenders are reference claims (r1, r2, …).",
        source="RAGChecker overall recall, arXiv:2408.08067", needs=frozenset({RECALL}),
    )

    def score(self, case: JudgedTrace) -> Score:
        """Claim recall of one trace."""
        if not has_reference(case):
            return missing(self.info, case, NO_REFERENCE)
        if lacks_answer(case):
            return missing(self.info, case, NO_ANSWER)
        if not has_claims(case, Side.REFERENCE):
            return no_claims(self.info, case, Side.REFERENCE, ZERO)
        return share(self.info, case, fates(case, RECALL), [Fate.SUPPORTED])


def f1(precision: float, recall: float) -> float:
    """Harmonic mean of two shares; 0 when both are 0."""
    return 0.0 if precision + recall == 0 else 2 * precision * recall / (precision + recall)


@dataclass(frozen=True)
class Correctness:
    """F1 of claim precision and claim recall."""

    info = MetricInfo(
        name="correctness", version="1", label="Correctness", summary="Does the answer say what was expected, and nothing else?",
        formula="2 · P · R / (P + R) with P = correctness_precision, R = correctness_recall; 0 when both are 0",
        edge_cases=(
            "No reference: missing input. An answer without claims (refusal) has no precision and so no value (ragas, ragchecker: 0). "
            "No micro mean: F1 is no ratio of counts."
        ),
        source="RAGChecker overall F1, arXiv:2408.08067; Ragas factual correctness", needs=frozenset({PRECISION, RECALL}),
    )

    def score(self, case: JudgedTrace) -> Score:
        """Claim F1 of one trace."""
        if has_reference(case) and not has_claims(case, Side.RESPONSE):
            return no_claims(self.info, case, Side.RESPONSE, {Policy.RAGAS: 0.0, Policy.RAGCHECKER: 0.0})
        precision, recall = CorrectnessPrecision().score(case), CorrectnessRecall().score(case)
        for part in (precision, recall):
            if part.value is None:
                return no_value(self.info, case, part.status, part.reason, unjudged=part.unjudged)
        assert precision.value is not None
        assert recall.value is not None
        return ok(
            self.info, case, f1(precision.value, recall.value), support=precision.support + recall.support,
            unjudged=precision.unjudged + recall.unjudged, claim_ids=(*precision.claim_ids, *recall.claim_ids),
        )


@dataclass(frozen=True)
class AnswerCorrectness:
    """Claims and overall similarity together, in the weights of Ragas."""

    info = MetricInfo(
        name="answer_correctness", version="1", label="Answer correctness", summary="Claims and wording together: how near is the expected answer?",
        formula="0.75 · correctness + 0.25 · semantic similarity of answer and reference, similarity cut at 0",
        edge_cases="No reference, or no similarity rating: missing input. Where correctness has no value, neither has this.",
        source="Ragas AnswerCorrectness, default weights", needs=frozenset({PRECISION, RECALL}),
        needs_ratings=frozenset({RatingKind.RESPONSE_TO_REFERENCE}),
    )

    def score(self, case: JudgedTrace) -> Score:
        """Answer correctness of one trace."""
        claims = Correctness().score(case)
        if claims.value is None:
            return no_value(self.info, case, claims.status, claims.reason, unjudged=claims.unjudged)
        rated = [r for r in case.ratings if r.kind is RatingKind.RESPONSE_TO_REFERENCE and r.target_id == RESPONSE]
        if not rated or rated[-1].value is None:
            return missing(self.info, case, rated[-1].reason if rated and rated[-1].reason else "no similarity rating of answer and reference")
        similarity = min(1.0, max(0.0, rated[-1].value))
        value = CLAIM_WEIGHT * claims.value + (1 - CLAIM_WEIGHT) * similarity
        return ok(self.info, case, value, support=claims.support, unjudged=claims.unjudged, claim_ids=claims.claim_ids)
