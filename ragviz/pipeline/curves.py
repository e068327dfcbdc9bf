"""Retrieval over a run at every cut-off, as arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from ragviz.contracts import View
from ragviz.pipeline.rankings import DEPTH, DTYPE, REPEATED, UNLABELLED, pack_ranking, unpack_rankings
from ragviz.stats.ranking import curves
from ragviz.store import Store

DEFAULT_KS = tuple(range(1, DEPTH + 1))
BATCH = 500


MEASURES = ("precision", "recall", "hit", "reciprocal_rank", "average_precision", "ndcg")
MANY = 100_000
"""Different rankings from which on measures are held in single precision."""


class RetrievalCurves(msgspec.Struct, frozen=True, kw_only=True):
    """
    Rank measures of a run's traces. Rows are the traces whose file says what was retrieved and what is relevant.

    A million traces have a few thousand different rankings: measures are worked out once for each of these.
    """

    ks: tuple[int, ...]
    positions: NDArray[np.int64]
    """Shape (n_traces,): place of each row's trace in the run, from 0; ``store.ids_at`` gives its id."""
    groups: NDArray[np.int64]
    """Shape (n_traces,): same value = same question, for clustered intervals."""
    ranking: NDArray[np.int64]
    """Shape (n_traces,): which of the different rankings each row has."""
    measures: Mapping[str, NDArray[Any]]
    """By name, shape (n_rankings, n_ks). NaN where the measure has no value: nothing is relevant to the question."""
    n_unlabelled: int
    """Traces left out: nothing is labelled, or the file cannot say what was retrieved."""
    padded: NDArray[np.int64]
    """Shape (n_ks,): places beyond the end of a list, over all traces."""
    duplicates: NDArray[np.int64]
    """Shape (n_ks,): repeated documents."""
    unjudged: NDArray[np.int64]
    """Shape (n_ks,): retrieved documents nobody labelled; they count as not relevant."""

    def at(self, name: str, k: int) -> NDArray[np.float64]:
        """One measure at one cut-off, shape (n_traces,)."""
        return np.asarray(self.measures[name][self.ranking, self.ks.index(k)], dtype=np.float64)

    def of(self, name: str) -> NDArray[np.float64]:
        """One measure at all cut-offs, shape (n_traces, n_ks); 160 MB for a million traces."""
        return np.asarray(self.measures[name][self.ranking], dtype=np.float64)

    def only(self, rows: NDArray[np.int64]) -> RetrievalCurves:
        """The same for some rows; the counts over all traces stay."""
        return replace(self, positions=self.positions[rows], groups=self.groups[rows], ranking=self.ranking[rows])


def retrieval_curves(store: Store, view: View, ks: Sequence[int] = DEFAULT_KS) -> RetrievalCurves:
    """
    All measures at all cut-offs, 1 to 20; equal, trace by trace, to the metrics ``precision_at_k`` and so on.

    Raises:
        ValueError: A cut-off outside 1..20.
    """
    if not ks or min(ks) < 1 or max(ks) > DEPTH:
        raise ValueError(f"cut-offs lie between 1 and {DEPTH}, got {list(ks)}")
    coded = store.rankings(view)
    if coded.lacking:
        _complete(store, view.run_id)
        coded = store.rankings(view)
    labelled = np.array([len(body) == DTYPE.itemsize for body in coded.bodies], dtype=bool)
    place = np.where(labelled, np.cumsum(labelled) - 1, -1)
    ranking = place[coded.codes] if len(coded.bodies) else np.empty(0, dtype=np.int64)
    positions = np.flatnonzero(ranking >= 0)
    ranking = ranking[positions]
    rows = unpack_rankings([body for body in coded.bodies if len(body) == DTYPE.itemsize])
    n_traces = np.bincount(ranking, minlength=len(rows))
    at = np.array(ks) - 1
    return RetrievalCurves(
        ks=tuple(ks), positions=positions, groups=store.columns(view, [])["group"][positions], ranking=ranking, measures=_measures(rows, ks),
        n_unlabelled=len(coded.codes) - len(positions),
        padded=np.array([(n_traces * np.maximum(0, k - rows["n_places"].astype(np.int64))).sum() for k in ks], dtype=np.int64),
        duplicates=_running(rows["flags"] == REPEATED, n_traces, at), unjudged=_running(rows["flags"] == UNLABELLED, n_traces, at),
    )


def _measures(rows: NDArray[np.void], ks: Sequence[int]) -> dict[str, NDArray[Any]]:
    """All measures of each ranking, in the order of ``MEASURES``."""
    dtype = np.float64 if len(rows) <= MANY else np.float32
    gains, n_relevant = rows["gains"].astype(np.float64), rows["n_relevant"].astype(np.int64)
    found = curves(gains, n_relevant, ideal=rows["ideal"].astype(np.float64), level=np.nextafter(0, 1), dtype=dtype)
    at, nothing = np.array(ks) - 1, n_relevant == 0
    running = np.cumsum(found.precision * (gains > 0), axis=1)[:, at]
    made = {
        "precision": found.precision[:, at], "recall": found.recall[:, at], "hit": _columns([found.hit(k) for k in ks], len(rows)),
        "reciprocal_rank": _columns([found.reciprocal_rank(k) for k in ks], len(rows)),
        "average_precision": running / np.maximum(n_relevant, 1)[:, None], "ndcg": found.ndcg[:, at],
    }
    return {name: made[name].astype(dtype) if name == "precision" else _blank(made[name].astype(dtype), nothing) for name in MEASURES}


def _complete(store: Store, run_id: str) -> None:
    """Runs that came in by another way than an import get their rankings now."""
    missing = store.without_ranking(run_id)
    for start in range(0, len(missing), BATCH):
        store.put_rankings(run_id, {trace.id: pack_ranking(trace) for trace in store.traces(run_id, missing[start : start + BATCH])})


def _columns(values: list[NDArray[np.float64]], n: int) -> NDArray[np.float64]:
    return np.column_stack(values).reshape(n, len(values))


def _running(places: NDArray[np.bool_], n_traces: NDArray[np.int64], at: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many of these lie within each cut-off, over all traces."""
    return np.cumsum(n_traces @ places.astype(np.int64))[at]


def _blank(values: NDArray[Any], where: NDArray[np.bool_]) -> NDArray[Any]:
    values[where] = np.nan
    return values
