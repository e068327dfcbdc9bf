"""Numbers from stored verdicts: the list of metrics. A new one is a file and a line here."""

from __future__ import annotations

from ragviz.contracts import Metric, Registry
from ragviz.metrics import (
    abstention,
    citations,
    context,
    correctness,
    cost,
    faithfulness,
    hallucination,
    noise,
    ragas_mean,
    relevance,
    retrieval,
)
from ragviz.metrics.scoring import filled_name, generic_name
from ragviz.records import JudgedTrace, MetricInfo, Score

metrics: Registry[Metric] = Registry("metric", group="ragviz.metrics")
metrics.add("faithfulness")(faithfulness.Faithfulness)
metrics.add("hallucination")(hallucination.Hallucination)
metrics.add("contradicted_rate")(hallucination.ContradictedRate)
metrics.add("not_supported_rate")(hallucination.NotSupportedRate)
metrics.add("ragchecker_hallucination")(hallucination.RagcheckerHallucination)
metrics.add("self_knowledge")(hallucination.SelfKnowledge)
metrics.add("noise_sensitivity_relevant")(noise.NoiseSensitivityRelevant)
metrics.add("noise_sensitivity_irrelevant")(noise.NoiseSensitivityIrrelevant)
metrics.add("context_utilization")(context.ContextUtilization)
metrics.add("correctness_precision")(correctness.CorrectnessPrecision)
metrics.add("correctness_recall")(correctness.CorrectnessRecall)
metrics.add("correctness")(correctness.Correctness)
metrics.add("answer_correctness")(correctness.AnswerCorrectness)
metrics.add("relevance")(relevance.Relevance)
metrics.add("answer_relevance")(relevance.AnswerRelevance)
metrics.add("answer_relevance_direct")(relevance.AnswerRelevanceDirect)
metrics.add("context_recall")(context.ContextRecall)
metrics.add("context_precision")(context.ContextPrecision)
metrics.add("relevant_passage_rate")(context.RelevantPassageRate)
metrics.add("context_relevance")(relevance.ContextRelevance)
metrics.add("ragas_harmonic_mean")(ragas_mean.RagasHarmonicMean)
metrics.add("citation_precision")(citations.CitationPrecision)
metrics.add("citation_recall")(citations.CitationRecall)
metrics.add("citation_coverage")(citations.CitationCoverage)
metrics.add("invented_citations")(citations.InventedCitations)
metrics.add("abstained")(abstention.Abstained)
metrics.add("answer_coverage")(abstention.AnswerCoverage)
metrics.add("answerability_accuracy")(abstention.AnswerabilityAccuracy)
metrics.add("abstention_precision")(abstention.AbstentionPrecision)
metrics.add("abstention_recall")(abstention.AbstentionRecall)
metrics.add("false_refusals")(abstention.FalseRefusals)
metrics.add("precision_at_k")(retrieval.Precision)
metrics.add("recall_at_k")(retrieval.Recall)
metrics.add("hit_at_k")(retrieval.Hit)
metrics.add("reciprocal_rank_at_k")(retrieval.ReciprocalRank)
metrics.add("average_precision_at_k")(retrieval.AveragePrecision)
metrics.add("ndcg_at_k")(retrieval.Ndcg)
metrics.add("latency_ms")(cost.Latency)
metrics.add("tokens")(cost.Tokens)
metrics.add("cost_usd")(cost.AnswerCost)
metrics.add("judge_cost_usd_per_claim")(cost.JudgeCostPerClaim)
metrics.add("judge_ms_per_claim")(cost.JudgeTimePerClaim)


def score_all(case: JudgedTrace) -> dict[str, Score]:
    """Every registered metric on one trace, under its name with the cut-off filled in: ``precision_at_5``."""
    scores = (metrics.make(name).score(case) for name in metrics.names())
    return {score.metric: score for score in scores}


def metric_info(name: str) -> MetricInfo:
    """
    What a metric is, by its registered name or with the cut-off filled in.

    Raises:
        UnknownName: No such metric.
    """
    return metrics.make(generic_name(name)).info


__all__ = ["filled_name", "generic_name", "metric_info", "metrics", "score_all"]
