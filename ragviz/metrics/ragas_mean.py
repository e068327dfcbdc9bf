"""The four Ragas-style metrics as one number."""

from __future__ import annotations

from dataclasses import dataclass

from ragviz.metrics.context import ContextPrecision, ContextRecall
from ragviz.metrics.faithfulness import Faithfulness
from ragviz.metrics.relevance import AnswerRelevance
from ragviz.metrics.scoring import no_value, ok
from ragviz.records import JudgedTrace, MetricInfo, Score


@dataclass(frozen=True)
class RagasHarmonicMean:
    """Harmonic mean of faithfulness, answer relevance, context precision and context recall."""

    info = MetricInfo(
        name="ragas_harmonic_mean", version="1", label="Ragas harmonic mean", summary="All four Ragas-style metrics as one number",
        formula="4 / (1/faithfulness + 1/answer_relevance + 1/context_precision + 1/context_recall); 0 when one of them is 0 or below",
        edge_cases="Where one of the four has no value, neither has this, and the reason names it. No micro mean.",
        source="Ragas score of Ragas 0.0.x: the harmonic mean of its four metrics", needs=Faithfulness.info.needs | ContextPrecision.info.needs,
        needs_ratings=AnswerRelevance.info.needs_ratings | ContextPrecision.info.needs_ratings,
    )

    def score(self, case: JudgedTrace) -> Score:
        """The harmonic mean of one trace."""
        parts = [m.score(case) for m in (Faithfulness(), AnswerRelevance(), ContextPrecision(), ContextRecall())]
        values = []
        for part in parts:
            if part.value is None:
                return no_value(self.info, case, part.status, f"{part.metric}: {part.reason}", unjudged=part.unjudged)
            values.append(part.value)
        unjudged = sum(p.unjudged for p in parts)
        mean = 0.0 if min(values) <= 0 else len(values) / sum(1 / v for v in values)
        offenders = sorted({c for p in parts for c in p.claim_ids})
        return ok(self.info, case, mean, support=sum(p.support for p in parts), unjudged=unjudged, claim_ids=offenders)
