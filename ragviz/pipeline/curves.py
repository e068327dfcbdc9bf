"""Retrieval over a run at every cut-off, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from ragviz.contracts import View
from ragviz.pipeline.rankings import DEPTH, REPEATED, UNLABELLED, pack_ranking, unpack_rankings
from ragviz.stats.ranking import curves
from ragviz.store import Store

DEFAULT_KS = tuple(range(1, DEPTH + 1))
BATCH = 500


class RetrievalCurves(msgspec.Struct, frozen=True, kw_only=True):
    """Rank measures of a run's traces. Rows are the traces whose file says what was retrieved and what is relevant."""

    ks: tuple[int, ...]
    positions: NDArray[np.int64]
    """Shape (n_traces,): place of each row's trace in the run, from 0; ``store.trace_ids(run_id)[position]`` is its id."""
    groups: NDArray[np.int64]
    """Shape (n_traces,): same value = same question, for clustered intervals."""
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
    """
    All measures at all cut-offs, 1 to 20; equal, trace by trace, to the metrics ``precision_at_k`` and so on.

    Raises:
        ValueError: A cut-off outside 1..20.
    """
    if not ks or min(ks) < 1 or max(ks) > DEPTH:
        raise ValueError(f"cut-offs lie between 1 and {DEPTH}, got {list(ks)}")
    _complete(store, view.run_id)
    positions, groups, bodies = store.rankings(view.run_id)
    labelled = np.array([len(body) > 0 for body in bodies], dtype=bool)
    rows = unpack_rankings([body for body in bodies if body])
    gains, n_relevant = rows["gains"].astype(np.float64), rows["n_relevant"].astype(np.int64)
    found = curves(gains, n_relevant, ideal=rows["ideal"].astype(np.float64), level=np.nextafter(0, 1), dtype=np.float64)
    at, nothing = np.array(ks) - 1, n_relevant == 0
    running = np.cumsum(found.precision * (gains > 0), axis=1)[:, at]
    places = rows["n_places"].astype(np.int64)
    return RetrievalCurves(
        ks=tuple(ks), positions=positions[labelled], groups=groups[labelled], precision=_plain(found.precision[:, at]),
        recall=_blank(found.recall[:, at], nothing), hit=_blank(_columns([found.hit(k) for k in ks], len(rows)), nothing),
        reciprocal_rank=_blank(_columns([found.reciprocal_rank(k) for k in ks], len(rows)), nothing),
        average_precision=_blank(running / np.maximum(n_relevant, 1)[:, None], nothing), ndcg=_blank(found.ndcg[:, at], nothing),
        n_unlabelled=int((~labelled).sum()), padded=np.array([np.maximum(0, k - places).sum() for k in ks], dtype=np.int64),
        duplicates=_running(rows["flags"] == REPEATED, at), unjudged=_running(rows["flags"] == UNLABELLED, at),
    )


def _complete(store: Store, run_id: str) -> None:
    """Runs that came in by another way than an import get their rankings now."""
    missing = store.without_ranking(run_id)
    for start in range(0, len(missing), BATCH):
        store.put_rankings(run_id, {trace.id: pack_ranking(trace) for trace in store.traces(run_id, missing[start : start + BATCH])})


def _plain(values: NDArray[Any]) -> NDArray[np.float64]:
    return np.array(values, dtype=np.float64)


def _columns(values: list[NDArray[np.float64]], n: int) -> NDArray[np.float64]:
    return np.column_stack(values).reshape(n, len(values))


def _running(places: NDArray[np.bool_], at: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many of these lie within each cut-off, over all traces."""
    return np.cumsum(places.sum(axis=0, dtype=np.int64))[at]


def _blank(values: NDArray[Any], where: NDArray[np.bool_]) -> NDArray[np.float64]:
    made = _plain(values)
    made[where] = np.nan
    return made
