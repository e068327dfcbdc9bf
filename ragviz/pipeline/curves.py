"""Retrieval over a run at every cut-off, as arrays."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from ragviz.contracts import View
from ragviz.metrics.ranked import Ranking, ranking_of
from ragviz.stats.ranking import curves
from ragviz.store import Store

DEFAULT_KS = tuple(range(1, 21))


class RetrievalCurves(msgspec.Struct, frozen=True, kw_only=True):
    """Rank measures of a run's traces. Rows are the traces whose file says what was retrieved and what is relevant."""

    ks: tuple[int, ...]
    ids: tuple[str, ...]
    groups: tuple[str, ...]
    """Same value = same question, for clustered intervals."""
    precision: NDArray[np.float64]
    """Shape (n_traces, n_ks), as all below. NaN where the measure has no value: nothing is relevant to the question."""
    recall: NDArray[np.float64]
    hit: NDArray[np.float64]
    reciprocal_rank: NDArray[np.float64]
    average_precision: NDArray[np.float64]
    ndcg: NDArray[np.float64]
    n_unlabelled: int
    """Traces left out: nothing is labelled, or the file cannot say what was retrieved."""
    padded: NDArray[np.int64]
    """Shape (n_ks,): places beyond the end of a list, over all traces."""
    duplicates: NDArray[np.int64]
    """Shape (n_ks,): repeated documents."""
    unjudged: NDArray[np.int64]
    """Shape (n_ks,): retrieved documents nobody labelled; they count as not relevant."""


def retrieval_curves(store: Store, view: View, ks: Sequence[int] = DEFAULT_KS) -> RetrievalCurves:
    """All measures at all cut-offs; equal, trace by trace, to the metrics ``precision_at_k`` and so on."""
    depth = max(ks)
    ids: list[str] = []
    groups: list[str] = []
    gains: list[NDArray[np.float64]] = []
    ideal: list[NDArray[np.float64]] = []
    counts: list[tuple[int, int, list[int], list[int]]] = []
    n_unlabelled = 0
    for trace in store.traces(view.run_id):
        ranking = ranking_of(trace)
        if ranking is None:
            n_unlabelled += 1
            continue
        ids.append(trace.id)
        groups.append(trace.group if trace.group is not None else trace.question)
        gains.append(_padded(ranking.gains, depth))
        ideal.append(_padded(ranking.ideal, depth))
        counts.append((len(ranking.slots), ranking.n_relevant, *_counts(ranking, ks)))
    table = np.array(gains).reshape(len(ids), depth)
    n_relevant = np.array([n for _, n, _, _ in counts], dtype=np.int64)
    found = curves(table, n_relevant, ideal=np.array(ideal).reshape(len(ids), depth), level=np.nextafter(0, 1), dtype=np.float64)
    at = np.array(ks) - 1
    nothing = n_relevant == 0
    shape = (len(ids), len(ks))
    hits = (table > 0).astype(np.float64)
    running = np.cumsum(found.precision * hits, axis=1)
    share = np.divide(running, n_relevant[:, None], out=np.full((len(ids), depth), np.nan), where=n_relevant[:, None] > 0)
    return RetrievalCurves(
        ks=tuple(ks), ids=tuple(ids), groups=tuple(groups), precision=found.precision[:, at].astype(np.float64),
        recall=_blank(found.recall[:, at], nothing), hit=_blank(np.column_stack([found.hit(k) for k in ks]).reshape(shape), nothing),
        reciprocal_rank=_blank(np.column_stack([found.reciprocal_rank(k) for k in ks]).reshape(shape), nothing),
        average_precision=share[:, at], ndcg=_blank(found.ndcg[:, at], nothing), n_unlabelled=n_unlabelled,
        padded=np.array([sum(max(0, k - n) for n, *_ in counts) for k in ks], dtype=np.int64),
        duplicates=np.array([row[2] for row in counts], dtype=np.int64).reshape(shape).sum(axis=0),
        unjudged=np.array([row[3] for row in counts], dtype=np.int64).reshape(shape).sum(axis=0),
    )


def _padded(values: Sequence[float], depth: int) -> NDArray[np.float64]:
    row = np.zeros(depth)
    some = values[:depth]
    row[: len(some)] = some
    return row


def _counts(ranking: Ranking, ks: Sequence[int]) -> tuple[list[int], list[int]]:
    return [ranking.duplicates(k) for k in ks], [ranking.unlabelled(k) for k in ks]


def _blank(values: NDArray[np.floating], where: NDArray[np.bool_]) -> NDArray[np.float64]:
    made = values.astype(np.float64)
    made[where] = np.nan
    return made
