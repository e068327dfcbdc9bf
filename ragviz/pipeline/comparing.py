"""Two judged runs, of one store or of two, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from ragviz.compare.columns import PairedScores, codes_of, members_of
from ragviz.compare.fairness import Unfairness, fingerprints, unfair
from ragviz.compare.noise import NoiseFloor
from ragviz.compare.packed_pairs import PackedPairs
from ragviz.compare.pairing import Pairing, question_key
from ragviz.compare.parts import Parts
from ragviz.compare.report import Comparison, compare_runs
from ragviz.diagnosis.slices import of_tags, of_the_question
from ragviz.pipeline.comparing_large import LargePair, OnStep
from ragviz.pipeline.scoring import Progress
from ragviz.pipeline.seen_runs import Seen
from ragviz.pipeline.split_versions import split_otherwise
from ragviz.records import RunManifest, Trace
from ragviz.store.outlines import Outline, outlines

__all__ = ["Compared", "InParts", "OnStep", "Seen", "compare_in_parts", "compare_seen", "compare_with_scores", "is_large", "paired_scores_of", "properties_of"]

WHOLE_UP_TO = 20_000
"""Runs of up to so many traces are compared claim by claim throughout."""
LOOKED_INTO = 5_000
"""In larger runs so many pairs are: those whose quadrant changed, in file order."""
SLICE_METRIC = "faithfulness"
Columns = Mapping[str, NDArray[Any]]


class _Asked(NamedTuple):
    """What one trace's pair is grouped by."""

    key: str
    """Equal for the same question."""
    properties: Mapping[str, str]
    """Those that make slices."""


class Compared(NamedTuple):
    """Two runs side by side, and the scores of their pairs for whoever looks at parts of them."""

    found: Comparison
    scores: PairedScores


class InParts(NamedTuple):
    """Two runs side by side, and the differences within parts of their pairs."""

    found: Comparison
    parts: Parts


def is_large(base: RunManifest, candidate: RunManifest) -> bool:
    """Whether the comparison is made from stored columns, and takes longer than a reader would wait."""
    return max(base.n_traces, candidate.n_traces) > WHOLE_UP_TO


def compare_seen(
    base: Seen, candidate: Seen, *, metrics: Sequence[str] | None = None, floor: NoiseFloor | None = None, slice_metric: str = SLICE_METRIC,
    on_progress: Progress | None = None,
) -> Comparison:
    """
    Compare two judged runs.

    Args:
        base: What was.
        candidate: What is to be.
        metrics: Only these; None = all that both have.
        floor: The judge's noise, where it was measured.
        slice_metric: The metric whose difference is given by slice.
        on_progress: Told how much is done, the reading of a trace being one, and how much there is.
    """
    if not is_large(base.manifest, candidate.manifest):
        return _compare_small(base, candidate, metrics=metrics, floor=floor, slice_metric=slice_metric, on_progress=on_progress)
    pair = _large(base, candidate, None if on_progress is None else lambda done, total, _: on_progress(done, total))
    matched, both = pair.matched(), pair.metrics()
    wanted = both if metrics is None else [m for m in metrics if m in both]
    figures = pair.figures(matched, [m for m in both if m in wanted or m == slice_metric], sliced=[slice_metric])
    return pair.comparison(matched, figures, _unfair(base, candidate), wanted=wanted, floor=floor, slice_metric=slice_metric)


def compare_with_scores(base: Seen, candidate: Seen, *, on_progress: Progress | None = None) -> Compared:
    """``compare_seen`` and ``paired_scores_of`` in one go: large runs are read once."""
    if not is_large(base.manifest, candidate.manifest):
        found = compare_seen(base, candidate, on_progress=on_progress)
        return Compared(found, paired_scores_of(base, candidate, found.pairing))
    pair = _large(base, candidate, None if on_progress is None else lambda done, total, _: on_progress(done, total))
    matched, both = pair.matched(smallest=lambda _: 1), pair.metrics()
    figures = pair.figures(matched, both, sliced=[SLICE_METRIC])
    found = pair.comparison(matched, figures, _unfair(base, candidate), wanted=both, floor=None, slice_metric=SLICE_METRIC)
    return Compared(found, pair.scores(matched, both))


def compare_in_parts(base: Seen, candidate: Seen, *, on_step: OnStep | None = None) -> InParts:
    """
    ``compare_seen``, with what a page asks besides: the differences within any part of the pairs. Of large runs all of these are worked out, and no value
    is kept.

    Args:
        base: What was.
        candidate: What is to be.
        on_step: Told how much is done, how much there is, and what is being done, in words.
    """
    if not is_large(base.manifest, candidate.manifest):
        found, scores = compare_with_scores(base, candidate)
        return InParts(found, scores)
    pair = _large(base, candidate, on_step)
    matched, both = pair.matched(), pair.metrics()
    figures = pair.figures(matched, both)
    found = pair.comparison(matched, figures, _unfair(base, candidate), wanted=both, floor=None, slice_metric=SLICE_METRIC)
    return InParts(replace(found, pairing=replace(found.pairing, pairs=PackedPairs(found.pairing.pairs))), figures)


def _large(base: Seen, candidate: Seen, on_step: OnStep | None) -> LargePair:
    return LargePair(base, candidate, looked_into=LOOKED_INTO, on_step=on_step)


def _compare_small(
    base: Seen, candidate: Seen, *, metrics: Sequence[str] | None, floor: NoiseFloor | None, slice_metric: str, on_progress: Progress | None,
) -> Comparison:
    n, m = base.manifest.n_traces, candidate.manifest.n_traces
    told = [None if on_progress is None else partial(_told, on_progress, before, n + m) for before in (0, n)]
    return compare_runs(
        base.judged(on_progress=told[0]), candidate.judged(on_progress=told[1]), metrics=metrics, floor=floor, unfair=_unfair(base, candidate),
        slice_metric=slice_metric, by=properties_of,
    )


def _told(on_progress: Progress, before: int, total: int, done: int, _of_this: int | None) -> None:
    """One way through both runs."""
    on_progress(before + done, total)


def _unfair(base: Seen, candidate: Seen) -> Sequence[Unfairness]:
    known = unfair(fingerprints(base.manifest, base.view), fingerprints(candidate.manifest, candidate.view))
    split = None if any(u.name == "claim_set" for u in known) else split_otherwise(base, candidate)
    return known if split is None else [*known, split]


def properties_of(trace: Trace) -> Mapping[str, str]:
    """The properties of a baseline's trace that make slices."""
    return of_the_question(trace.question, len(trace.response.split()), None if trace.passages is None else len(trace.passages)) | of_tags(trace.tags)


def paired_scores_of(base: Seen, candidate: Seen, pairing: Pairing) -> PairedScores:
    """All metrics of the pairs as arrays, with the slices that the baseline's traces make."""
    return _paired(_columns(base), _columns(candidate), pairing, _asked(outlines(base.store, base.view.run_id)))


def _paired(mine: Columns, theirs: Columns, pairing: Pairing, known: Mapping[str, _Asked]) -> PairedScores:
    at_mine, at_theirs = _places(mine["id"], [b for b, _ in pairing.pairs]), _places(theirs["id"], [c for _, c in pairing.pairs])
    rows = [known[b] for b, _ in pairing.pairs]
    return PairedScores(
        base={name: mine[name][at_mine] for name in _metrics(mine)}, candidate={name: theirs[name][at_theirs] for name in _metrics(theirs)},
        groups=codes_of([row.key for row in rows]), members=members_of([row.properties for row in rows]),
    )


def _asked(rows: Iterable[Outline]) -> dict[str, _Asked]:
    """What pairs of traces are grouped by, by trace id. The same properties come again and again, and are kept once."""
    shared: dict[tuple[tuple[str, str], ...], Mapping[str, str]] = {}
    found = {}
    for row in rows:
        made = of_the_question(row.question, row.n_words, None if row.passages is None else len(row.passages)) | of_tags(row.tags)
        found[row.id] = _Asked(question_key(row), shared.setdefault(tuple(made.items()), made))
    return found


def _columns(seen: Seen) -> Columns:
    return seen.store.columns(seen.view, ["id", *seen.metrics()])


def _metrics(columns: Columns) -> list[str]:
    return [name for name in columns if name not in ("id", "group", "quadrant")]


def _places(ids: NDArray[Any], wanted: Sequence[str]) -> NDArray[np.int64]:
    places = {name: place for place, name in enumerate(ids)}
    return np.array([places[name] for name in wanted], dtype=np.int64)


