"""Does the answer stick to what was retrieved?"""

from __future__ import annotations

from dataclasses import dataclass

from ragviz.metrics.counting import Fate, fates, has_claims, knows_passages
from ragviz.metrics.scoring import no_claims, no_passages, share
from ragviz.records import JudgedTrace, MetricInfo, Policy, Score, Side, Table

ANSWERED = Table.RESPONSE_X_PASSAGES


@dataclass(frozen=True)
class Faithfulness:
    """Share of the answer's judged claims that the passages support."""

    info = MetricInfo(
        name="faithfulness",
        version="1",
        label="Faithfulness",
        summary="Does the answer stick to what was retrieved?",
        formula="supported response claims / judged response claims",
        edge_cases=(
            "A claim is supported when a passage, or the joined passages, entail it; conflicted claims count as supported (strict: not). "
            "Unjudged claims are left out and counted beside the value (strict, ragchecker: they count against). "
            "No claims, as in a refusal: no value, never 1 (deepeval: 1; ragchecker: 0). Under deepeval a claim that no passage settles counts as "
            "supported; only contradictions count against. Nothing retrieved: every claim is unsupported, 0."
        ),
        source="Es et al. 2023, arXiv:2309.15217, section 3; RAGChecker, arXiv:2408.08067; DeepEval FaithfulnessMetric",
        needs=frozenset({ANSWERED}),
    )

    def score(self, case: JudgedTrace) -> Score:
        """Faithfulness of one trace."""
        if not has_claims(case, Side.RESPONSE):
            return no_claims(self.info, case, Side.RESPONSE, {Policy.DEEPEVAL: 1.0, Policy.RAGCHECKER: 0.0})
        if not knows_passages(case, ANSWERED):
            return no_passages(self.info, case, Side.RESPONSE)
        return share(self.info, case, fates(case, ANSWERED, undecided_passes=True), [Fate.SUPPORTED])
