"""P, R, hit, RR, AP and nDCG at one fixed cut-off, from labelled passages. trec_eval's conventions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ragviz.grounding import remembered
from ragviz.metrics.ranked import Ranking, ranking_of
from ragviz.metrics.scoring import NO_PASSAGES, missing, ok, undefined
from ragviz.records import JudgedTrace, MetricInfo, Score
from ragviz.stats import ranking as measures

EDGES = (
    "k never varies: a list shorter than k is padded with places that are not relevant. A repeated document counts once, at its first rank; "
    "its other places stay and count as not relevant. The order of the list is the rank; equal scores are never re-sorted. "
    "Unlabelled passages count as not relevant and their number is given. Nothing retrieved: 0. Nothing labelled for the question: missing input. "
    "{empty}"
)
NONE_RELEVANT = "Labelled, but nothing is relevant: no value."


def _info(name: str, label: str, summary: str, formula: str, source: str, *, empty: str = NONE_RELEVANT) -> MetricInfo:
    return MetricInfo(
        name=name, version="1", label=label, summary=summary, formula=formula, edge_cases=EDGES.format(empty=empty), source=source, group="retrieval"
    )


NO_LABELS = "no passage is labelled as relevant or not"


def _score(info: MetricInfo, case: JudgedTrace, measure: Callable[[Ranking, int], float | None]) -> Score:
    if case.trace.passages is None:
        return missing(info, case, NO_PASSAGES)
    if case.trace.passages_are == "cited":
        return missing(info, case, "the file holds only the passages that were cited, not the retrieved list")
    ranking = remembered(case, "ranking", lambda: ranking_of(case.trace))
    if ranking is None:
        return missing(info, case, NO_LABELS)
    k = case.retrieval_k
    value = measure(ranking, k)
    if value is None:
        return undefined(info, case, "no passage is relevant to this question")
    support = k if info.name == "precision_at_k" else max(1, ranking.n_relevant)
    numerator = sum(ranking.relevant[:k]) if info.name in ("precision_at_k", "recall_at_k") else None
    return ok(
        info, case, value, support=support, numerator=numerator, unjudged=ranking.unlabelled(k), reason=_remarks(ranking, k), claim_ids=ranking.missed
    )


def _remarks(ranking: Ranking, k: int) -> str:
    """What a reader should know of the list behind the number, in words."""
    parts = []
    duplicates = ranking.duplicates(k)
    if duplicates:
        parts.append(f"{duplicates} duplicate{'s' if duplicates > 1 else ''}")
    if len(ranking.slots) < k:
        parts.append(f"{k - len(ranking.slots)} of {k} places padded")
    if ranking.equal_scores:
        parts.append("equal scores, kept in list order")
    if ranking.only_retrieved_labelled:
        parts.append("only retrieved passages are labelled, what was missed is unknown")
    return "; ".join(parts)


@dataclass(frozen=True)
class Precision:
    """P@k."""

    info = _info(
        "precision_at_k", "P@k", "How much of the first k is relevant?", "relevant among the first k / k",
        "Manning et al., Introduction to Information Retrieval, ch. 8; trec_eval P_k", empty="Labelled, but nothing is relevant: 0.",
    )

    def score(self, case: JudgedTrace) -> Score:
        """Precision at the case's cut-off."""
        return _score(self.info, case, lambda r, k: measures.precision(r.relevant, k=k))


@dataclass(frozen=True)
class Recall:
    """R@k."""

    info = _info(
        "recall_at_k", "R@k", "How much of what is relevant is among the first k?", "relevant among the first k / all relevant documents",
        "Manning et al., ch. 8; trec_eval recall_k",
    )

    def score(self, case: JudgedTrace) -> Score:
        """Recall at the case's cut-off."""
        return _score(self.info, case, lambda r, k: measures.recall(r.relevant, r.n_relevant, k=k))


@dataclass(frozen=True)
class Hit:
    """hit@k."""

    info = _info(
        "hit_at_k", "hit@k", "Is anything relevant among the first k?", "1 if any of the first k is relevant, else 0", "success@k of trec_eval; hit rate"
    )

    def score(self, case: JudgedTrace) -> Score:
        """Hit at the case's cut-off."""
        return _score(self.info, case, lambda r, k: measures.hit(r.relevant, k=k) if r.n_relevant else None)


@dataclass(frozen=True)
class ReciprocalRank:
    """RR@k."""

    info = _info(
        "reciprocal_rank_at_k", "RR@k", "How early is the first relevant passage?", "1 / rank of the first relevant among the first k; 0 if there is none",
        "Voorhees 1999, TREC-8 question answering track; trec_eval recip_rank",
    )

    def score(self, case: JudgedTrace) -> Score:
        """Reciprocal rank at the case's cut-off."""
        return _score(self.info, case, lambda r, k: measures.reciprocal_rank(r.relevant, k=k) if r.n_relevant else None)


@dataclass(frozen=True)
class AveragePrecision:
    """AP@k."""

    info = _info(
        "average_precision_at_k", "AP@k", "Are the relevant passages early, all of them?",
        "sum over relevant ranks i <= k of P@i / all relevant documents", "Manning et al., ch. 8; trec_eval map_cut_k",
    )

    def score(self, case: JudgedTrace) -> Score:
        """Average precision at the case's cut-off."""
        return _score(self.info, case, lambda r, k: measures.average_precision(r.relevant, r.n_relevant, k=k))


@dataclass(frozen=True)
class Ndcg:
    """nDCG@k."""

    info = _info(
        "ndcg_at_k", "nDCG@k", "Is the best first?",
        "DCG / ideal DCG, DCG = sum over ranks i <= k of gain_i / log2(i + 1), gain = relevance level; ideal from all judged documents, cut at k",
        "Järvelin & Kekäläinen 2002, ACM TOIS 20(4); trec_eval ndcg_cut_k",
    )

    def score(self, case: JudgedTrace) -> Score:
        """Discounted gain at the case's cut-off."""
        return _score(self.info, case, lambda r, k: measures.ndcg(r.gains, r.ideal, k=k))
