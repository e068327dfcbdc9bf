"""What the Retrieval page shows, from rankings and curves: pure, so that each number can be redone by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log2

import numpy as np
from numpy.typing import NDArray

from ragviz.figures.plot_text import counted, number
from ragviz.figures.ranks import RankMark, RankRow
from ragviz.metrics.ranked import TEXT, Ranking, ranking_of
from ragviz.pipeline import RetrievalCurves
from ragviz.pipeline.column_means import codes
from ragviz.records import Interval, Trace
from ragviz.stats import ranking as measures
from ragviz.stats.bootstrap import FEWEST, SHARE, mean_interval

Floats = NDArray[np.float64]
DEPTH = 20

METRICS: Mapping[str, tuple[str, str]] = {
    "recall": ("Recall", "recall_at_k"), "ndcg": ("nDCG", "ndcg_at_k"), "average_precision": ("AP", "average_precision_at_k"),
    "reciprocal_rank": ("RR", "reciprocal_rank_at_k"), "precision": ("Precision", "precision_at_k"), "hit": ("Hit", "hit_at_k"),
}
"""Field of the curves: (label, registered metric)."""


@dataclass(frozen=True)
class Band:
    """A curve over k with its interval. Shapes (n_ks,); NaN where nothing has a value."""

    mean: Floats
    lo: Floats
    hi: Floats
    n: int


RESAMPLES = 2_000
MANY = 5_000
"""Questions from which on the bootstrap distribution of a mean is drawn as a normal one: the band differs by less than its line is wide."""


def bands(measures_of: Mapping[str, Floats], groups: NDArray[np.int64]) -> dict[str, Band]:
    """
    Mean and 95 % bootstrap band of several measures at every cut-off, all from the same draws of whole questions.

    Args:
        measures_of: Values by measure, each of shape (n_traces, n_ks); a row is NaN where the measure has no value.
        groups: Question of each row, as whole numbers from 0.
    """
    n_groups = int(groups.max()) + 1 if groups.size else 0
    draws = None
    if 1 < n_groups <= MANY:
        draws = np.random.default_rng(0).multinomial(n_groups, np.full(n_groups, 1 / n_groups), size=RESAMPLES).astype(np.float32)
    return {name: _band(values, groups, n_groups, draws) for name, values in measures_of.items()}


def curve_bands(found: RetrievalCurves, names: Sequence[str]) -> dict[str, Band]:
    """``bands`` of the curves of a run. Above ``MANY`` questions measure by measure and cut-off by cut-off, so that a million fit in memory."""
    groups = codes(found.groups)
    n_groups = int(groups.max()) + 1 if groups.size else 0
    if n_groups <= MANY:
        return bands({name: found.of(name) for name in names}, groups)
    if n_groups == groups.size:
        n = np.bincount(found.ranking, minlength=len(found.measures[names[0]]))
        return {name: _counted_band(np.asarray(found.measures[name], dtype=np.float64), n) for name in names}
    return {name: _large_band(found, name, groups, n_groups) for name in names}


def _counted_band(values: Floats, n: NDArray[np.int64]) -> Band:
    """Every question once: each different ranking counts ``n`` times."""
    known = ~np.isnan(values).any(axis=1) & (n > 0)
    rows, weights = values[known], n[known].astype(np.float64)
    total = weights.sum()
    if total < 1:
        nothing = np.full(values.shape[1], np.nan)
        return Band(nothing, nothing, nothing, 0)
    mean = weights @ rows / total
    half = 1.96 * np.sqrt(weights @ (rows - mean) ** 2) / total
    return Band(mean, np.clip(mean - half, 0, 1), np.clip(mean + half, 0, 1), int(total))


def _large_band(found: RetrievalCurves, name: str, groups: NDArray[np.int64], n_groups: int) -> Band:
    parts = [_band(found.at(name, k)[:, None], groups, n_groups, None) for k in found.ks]
    mean, lo, hi = (np.concatenate([getattr(part, end) for part in parts]) for end in ("mean", "lo", "hi"))
    return Band(mean, lo, hi, parts[0].n)


def _band(values: Floats, groups: NDArray[np.int64], n_groups: int, draws: NDArray[np.float32] | None) -> Band:
    known = ~np.isnan(values).any(axis=1)
    if not known.any():
        nothing = np.full(values.shape[1], np.nan)
        return Band(nothing, nothing, nothing, 0)
    rows, clusters = values[known], groups[known]
    mean = rows.mean(axis=0)
    sizes = np.bincount(clusters, minlength=n_groups).astype(np.float64)
    sums = np.stack([np.bincount(clusters, weights=rows[:, at], minlength=n_groups) for at in range(rows.shape[1])], axis=1)
    if draws is not None:
        drawn = draws @ sums / np.maximum(draws @ sizes, 1)[:, None]
        lo, hi = np.percentile(drawn, [2.5, 97.5], axis=0)
    else:
        pull = sums - sizes[:, None] * mean
        half = 1.96 * np.sqrt((pull**2).sum(axis=0)) / max(sizes.sum(), 1) if n_groups >= FEWEST else np.zeros_like(mean)
        lo, hi = mean - half, mean + half
    return Band(mean, np.clip(lo, 0, 1), np.clip(hi, 0, 1), int(known.sum()))


def interval_at(values: Floats, groups: NDArray[np.int64]) -> Interval | None:
    """The interval of one measure at one cut-off, by the same computation as on every other page."""
    known = ~np.isnan(values)
    return mean_interval(values[known], groups=groups[known], within=SHARE)


@dataclass
class Missed:
    """What was not found, over the questions that miss something."""

    never: Counter[str] = field(default_factory=Counter)
    """Relevant document: questions in whose list it is nowhere."""
    below: Counter[str] = field(default_factory=Counter)
    """Relevant document: questions in which it stands below the cut-off."""

    @property
    def total(self) -> Counter[str]:
        """Both together."""
        return self.never + self.below


def missed(traces: Iterable[Trace], k: int) -> Missed:
    """Count relevant documents that are not among the first ``k``."""
    found = Missed()
    for trace in traces:
        ranking = ranking_of(trace)
        if ranking is not None:
            found.never.update(name_of(label) for label in ranking.missed)
            found.below.update(slot.label_id for slot in ranking.slots[k:] if slot.relevant)
    return found


def failing(found: RetrievalCurves, k: int) -> NDArray[np.int64]:
    """Positions of the traces that miss something at k, worst nDCG first, then in file order."""
    at = found.ks.index(k)
    recall, ndcg = found.measures["recall"][:, at], found.measures["ndcg"][:, at]
    lacking = np.flatnonzero((recall < 1)[found.ranking])
    # Ranks of the different values instead of the values: a million of these are in order in a tenth of the time.
    rank = np.unique(ndcg, return_inverse=True)[1]
    order = rank.astype(np.uint16 if len(rank) < 2**16 else np.int64)[found.ranking[lacking]]
    return found.positions[lacking[np.argsort(order, kind="stable")]]


def name_of(label: str) -> str:
    """A document as people read it: its id, or the start of its text where it has none."""
    return f"“{label.removeprefix(TEXT)[:60]}…”" if label.startswith(TEXT) else label


def rank_row(trace: Trace, ranking: Ranking, k: int) -> RankRow:
    """One strip."""
    marks = [_mark(ranking, at) for at in range(DEPTH)]
    return RankRow(
        trace_id=trace.id, question=trace.question, marks=tuple(marks), found=sum(ranking.relevant[:k]), relevant=ranking.n_relevant,
        ndcg=measures.ndcg(ranking.gains, ranking.ideal, k=k), missing=tuple(name_of(label) for label in ranking.missed),
    )


def _mark(ranking: Ranking, at: int) -> RankMark:
    if at >= len(ranking.slots):
        return RankMark.PADDED
    slot = ranking.slots[at]
    if slot.duplicate_of is not None:
        return RankMark.DUPLICATE
    if slot.relevant:
        return RankMark.RELEVANT
    return RankMark.NOT_RELEVANT if slot.labelled else RankMark.UNLABELLED


def worked_example(ranking: Ranking, metric: str, k: int) -> list[str]:
    """The steps from a ranking to one number, a line each; the last one ends in the number."""
    ranks = [at for at, relevant in enumerate(ranking.relevant[:k], start=1) if relevant]
    where = f"ranks {', '.join(map(str, ranks))}" if ranks else "no rank"
    first = f"relevant at {where} of the first {k}; {counted(ranking.n_relevant, 'relevant passage')} in all"
    if not ranking.n_relevant and metric != "precision":
        return [first, "nothing is relevant: no value"]
    return [first, *_STEPS[metric](ranking, ranks, k)]


def _recall(ranking: Ranking, ranks: list[int], k: int) -> list[str]:
    return [f"R@{k} = {len(ranks)} / {ranking.n_relevant} = {number(len(ranks) / ranking.n_relevant)}"]


def _precision(_ranking: Ranking, ranks: list[int], k: int) -> list[str]:
    return [f"P@{k} = {len(ranks)} / {k} = {number(len(ranks) / k)}"]


def _hit(_ranking: Ranking, ranks: list[int], k: int) -> list[str]:
    return [f"hit@{k} = {int(bool(ranks))}"]


def _reciprocal_rank(_ranking: Ranking, ranks: list[int], k: int) -> list[str]:
    return [f"RR@{k} = 1 / {ranks[0]} = {number(1 / ranks[0])}" if ranks else f"RR@{k} = {number(0.0)}: nothing relevant is found"]


def _average_precision(ranking: Ranking, ranks: list[int], k: int) -> list[str]:
    parts = [f"{n}/{rank}" for n, rank in enumerate(ranks, start=1)]
    value = sum(n / rank for n, rank in enumerate(ranks, start=1)) / ranking.n_relevant
    return [f"precision at these ranks: {' + '.join(parts) or '0'}", f"AP@{k} = ({' + '.join(parts) or '0'}) / {ranking.n_relevant} = {number(value)}"]


def _ndcg(ranking: Ranking, _ranks: list[int], k: int) -> list[str]:
    got, best = _gain_line("DCG", ranking.gains[:k]), _gain_line("ideal", ranking.ideal[:k])
    value = measures.ndcg(ranking.gains, ranking.ideal, k=k)
    return [got, best, f"nDCG@{k} = {number(measures.dcg(ranking.gains, k=k))} / {number(measures.dcg(ranking.ideal, k=k))} = {number(value)}"]


def _gain_line(name: str, gains: Iterable[float]) -> str:
    terms = [(gain, rank) for rank, gain in enumerate(gains, start=1) if gain > 0]
    if not terms:
        return f"{name} = {number(0.0)}"
    formula = " + ".join(f"{gain:g}/log₂{rank + 1}" for gain, rank in terms)
    return f"{name} = {formula} = {number(sum(gain / log2(rank + 1) for gain, rank in terms))}"


_STEPS = {
    "recall": _recall, "precision": _precision, "hit": _hit, "reciprocal_rank": _reciprocal_rank, "average_precision": _average_precision, "ndcg": _ndcg,
}
