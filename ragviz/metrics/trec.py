"""Rank measures of a run file against qrels, as trec_eval gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from ragviz.stats.ranking import curves

DEFAULT_KS = (1, 2, 3, 5, 10, 20)
MEASURES = ("P", "R", "nDCG", "AP", "RR", "hit")
UNCUT = ("AP", "RR", "nDCG")
"""Also over the whole list, as trec_eval's map, recip_rank and ndcg."""
CHUNK = 2048
"""Queries worked on at once: long result lists need not all fit in memory as an array."""


class QueryCounts(TypedDict):
    """How many queries the means rest on."""

    judged: int
    retrieved: int
    missing: int


class RunEvaluation(TypedDict):
    """What ``ragviz retrieval --json`` prints."""

    k: list[int]
    per_query: dict[str, dict[str, float]]
    mean: dict[str, float]
    queries: QueryCounts


def evaluate_run(
    run: Mapping[str, Mapping[str, float]], qrels: Mapping[str, Mapping[str, int]], ks: Sequence[int] = DEFAULT_KS, relevance_level: int = 1
) -> RunEvaluation:
    """
    P, R, nDCG, AP, RR and hit at each cut-off; AP, RR and nDCG over the whole list too.

    Order is trec_eval's: by score, highest first, then by document id, both descending; scores compare in single precision as there.
    Every judged query counts: one without results scores 0, and so does one without a relevant document. Queries of the run without judgements
    are left out. nDCG takes the levels themselves as gains, negative ones as 0, whatever ``relevance_level`` is.

    Args:
        run: Scores by query and document.
        qrels: Relevance levels by query and document.
        ks: Cut-offs, each >= 1.
        relevance_level: A document is relevant from this level on (trec_eval -l).

    Returns:
        Values by query and their means over all judged queries. ``missing`` counts judged queries without results.

    Raises:
        ValueError: No cut-off, or one below 1.
    """
    cutoffs = sorted(set(ks))
    if not cutoffs or cutoffs[0] < 1:
        raise ValueError(f"cut-offs are whole numbers from 1 on, got {list(ks)}")
    queries = list(qrels)
    names = [f"{measure}@{k}" for k in cutoffs for measure in MEASURES] + list(UNCUT)
    rows: list[list[float]] = []
    for start in range(0, len(queries), CHUNK):
        rows += _rows(run, qrels, queries[start : start + CHUNK], cutoffs, relevance_level)
    means = np.mean(rows, axis=0).tolist() if rows else [0.0] * len(names)
    retrieved = sum(bool(run.get(q)) for q in queries)
    return {
        "k": cutoffs,
        "per_query": {q: dict(zip(names, row, strict=True)) for q, row in zip(queries, rows, strict=True)},
        "mean": dict(zip(names, means, strict=True)),
        "queries": {"judged": len(queries), "retrieved": retrieved, "missing": len(queries) - retrieved},
    }


def trec_order(scores: Mapping[str, float]) -> list[str]:
    """Documents as trec_eval ranks them."""
    with np.errstate(over="ignore"):  # beyond single precision is endless there too
        single = np.fromiter(scores.values(), np.float64, len(scores)).astype(np.float32).tolist()
    ranked = sorted(zip(single, scores, strict=True), reverse=True)
    return [document for _, document in ranked]


def _rows(
    run: Mapping[str, Mapping[str, float]], qrels: Mapping[str, Mapping[str, int]], queries: Sequence[str], cutoffs: Sequence[int], level: int
) -> list[list[float]]:
    """Values of some queries, in the order of the names."""
    rankings = [trec_order(run.get(query, {})) for query in queries]
    # No list goes on for ever: beyond its end only the denominator of P grows, however large k is.
    depth = max(1, *(len(ranked) for ranked in rankings), *(len(qrels[query]) for query in queries))
    gains, n_relevant, ideal = _arrays(rankings, [qrels[query] for query in queries], depth, level)
    whole = curves(gains, n_relevant, ideal=ideal, level=level, dtype=np.float64)
    columns: list[NDArray[np.floating]] = []
    for k in cutoffs:
        end = min(k, depth)
        cut = curves(gains[:, :end], n_relevant, ideal=ideal, level=level, dtype=np.float64)
        last = end - 1
        precision = cut.precision[:, last] if end == k else np.rint(cut.precision[:, last] * end) / k
        columns += [precision, cut.recall[:, last], cut.ndcg[:, last], cut.average_precision, cut.reciprocal_rank(end), cut.hit(end)]
    columns += [whole.average_precision, whole.reciprocal_rank(depth), whole.ndcg[:, -1]]
    values: list[list[float]] = np.column_stack(columns).tolist()
    return values


def _arrays(
    rankings: Sequence[Sequence[str]], judged: Sequence[Mapping[str, int]], depth: int, level: int
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    """Gains by rank, number of relevant documents, and ideal gains of each query."""
    # What nobody judged stays below the relevance level even where that is 0; nDCG cuts negative gains at 0 by itself.
    unjudged = min(-1, level - 1)
    gains = np.full((len(rankings), depth), unjudged, np.float64)
    ideal = np.zeros((len(rankings), depth), np.float64)
    n_relevant = np.zeros(len(rankings), np.int64)
    for row, (ranked, levels) in enumerate(zip(rankings, judged, strict=True)):
        n_relevant[row] = sum(value >= level for value in levels.values())
        best = sorted((value for value in levels.values() if value > 0), reverse=True)
        ideal[row, : len(best)] = best
        gains[row, : len(ranked)] = [levels.get(document, unjudged) for document in ranked]
    return gains, n_relevant, ideal
