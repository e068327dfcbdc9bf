"""Two judged runs, of one store or of two, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ragviz.compare.columns import PairedScores, codes_of, members_of
from ragviz.compare.fairness import Documents, Unfairness, documents, fingerprints, unfair
from ragviz.compare.noise import NoiseFloor, check_noise
from ragviz.compare.pairing import Pairing, Question, pair_traces, question_key
from ragviz.compare.report import NO_FLOOR, Comparison, Judged, changes_of, compare_runs, with_corpus
from ragviz.contracts import View
from ragviz.diagnosis.slices import dimensions
from ragviz.pipeline.scoring import Progress
from ragviz.records import RunManifest, Trace
from ragviz.store import Store

WHOLE_UP_TO = 20_000
"""Runs of up to so many traces are compared claim by claim throughout."""
LOOKED_INTO = 5_000
"""In larger runs so many pairs are: those whose quadrant changed, in file order."""
STEP = 500
OF_THE_QUESTION = ("question", "answer length", "passages")
"""Slices: the kind of question, and length of the answer and number of passages of the baseline. Tags come on top."""


class Seen(NamedTuple):
    """A run seen through a judge, wherever it is stored."""

    store: Store
    view: View

    @property
    def manifest(self) -> RunManifest:
        """The run."""
        return self.store.run(self.view.run_id)

    def judged(self, ids: Sequence[str] | None = None, *, on_progress: Progress | None = None) -> list[Judged]:
        """Traces with their results, in file order; those without a result yet are left out."""
        results = {result.trace_id: result for result in self.store.results(self.view, ids)}
        found: list[Judged] = []
        for case in self.store.judged(self.view, ids):
            if case.trace.id in results:
                found.append((case, results[case.trace.id]))
            if on_progress is not None and len(found) % STEP == 0:
                on_progress(len(found), len(results))
        return found


class _Outline(NamedTuple):
    """What a large run's comparison needs of its traces' texts."""

    questions: list[Question]
    documents: Documents


def compare_seen(
    base: Seen, candidate: Seen, *, metrics: Sequence[str] | None = None, floor: NoiseFloor | None = None, slice_metric: str = "faithfulness",
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
        on_progress: Told how many traces of the run that is being read are read.
    """
    found = unfair(fingerprints(base.manifest, base.view), fingerprints(candidate.manifest, candidate.view))
    if max(base.manifest.n_traces, candidate.manifest.n_traces) > WHOLE_UP_TO:
        return _compare_large(base, candidate, found, metrics=metrics, floor=floor, slice_metric=slice_metric, on_progress=on_progress)
    return compare_runs(
        base.judged(on_progress=on_progress), candidate.judged(on_progress=on_progress), metrics=metrics, floor=floor, unfair=found,
        slice_metric=slice_metric, by=properties_of,
    )


def properties_of(trace: Trace) -> Mapping[str, str]:
    """The properties of a baseline's trace that make slices."""
    return {name: value for name, value in dimensions(trace).items() if name in OF_THE_QUESTION or name.startswith("tag: ")}


def paired_scores_of(base: Seen, candidate: Seen, pairing: Pairing) -> PairedScores:
    """All metrics of the pairs as arrays, with the slices that the baseline's traces make."""
    mine, theirs = _columns(base), _columns(candidate)
    at_mine, at_theirs = _places(mine["id"], [b for b, _ in pairing.pairs]), _places(theirs["id"], [c for _, c in pairing.pairs])
    wanted = {b for b, _ in pairing.pairs}
    known = {t.id: (question_key(t), properties_of(t)) for t in base.store.traces(base.view.run_id) if t.id in wanted}
    rows = [known[b] for b, _ in pairing.pairs]
    return PairedScores(
        base={name: mine[name][at_mine] for name in _metrics(mine)}, candidate={name: theirs[name][at_theirs] for name in _metrics(theirs)},
        groups=codes_of([key for key, _ in rows]), members=members_of([properties for _, properties in rows]),
    )


def _columns(seen: Seen) -> dict[str, np.ndarray]:
    first = next(iter(seen.store.results(seen.view)), None)
    return seen.store.columns(seen.view, ["id", *(first.scores if first is not None else ())])


def _metrics(columns: Mapping[str, np.ndarray]) -> list[str]:
    return [name for name in columns if name not in ("id", "group", "quadrant")]


def _places(ids: np.ndarray, wanted: Sequence[str]) -> np.ndarray:
    places = {name: place for place, name in enumerate(ids)}
    return np.array([places[name] for name in wanted], dtype=np.int64)


def _compare_large(
    base: Seen, candidate: Seen, found: Sequence[Unfairness], *, metrics: Sequence[str] | None, floor: NoiseFloor | None, slice_metric: str,
    on_progress: Progress | None,
) -> Comparison:
    """Metrics over all pairs from stored columns; claims one by one only where the quadrant changed, up to a bound that the record states."""
    mine, theirs = _outline(base, on_progress), _outline(candidate, on_progress)
    pairing = pair_traces(mine.questions, theirs.questions)
    scores = paired_scores_of(base, candidate, pairing)
    before, after = (dict(zip(c["id"], c["quadrant"], strict=True)) for c in (base.store.columns(base.view, ["id"]), candidate.store.columns(candidate.view, ["id"])))
    moved = [(b, c) for b, c in pairing.pairs if before[b] != after[c]]
    looked = moved[:LOOKED_INTO]
    sides = [{case.trace.id: (case, result) for case, result in seen.judged(ids)} for seen, ids in (
        (base, [b for b, _ in looked]), (candidate, [c for _, c in looked]),
    )]
    changes = changes_of([(sides[0][b], sides[1][c]) for b, c in looked if b in sides[0] and c in sides[1]])
    wanted = scores.metrics if metrics is None else [m for m in metrics if m in scores.metrics]
    return Comparison(
        pairing=pairing, metrics=tuple(scores.differences(wanted)), trace_flips=changes.traces, claim_flips=changes.claims, answers=changes.answers,
        noise=check_noise(floor or NO_FLOOR, observed=changes.n_idle, n=changes.n_same), unfair=with_corpus(found, mine.documents, theirs.documents),
        slices=tuple(scores.by_slice(slice_metric)) if slice_metric in scores.metrics else (), n_looked_into=len(looked),
    )


def _outline(seen: Seen, on_progress: Progress | None) -> _Outline:
    rows: list[Question] = []
    texts: dict[tuple[str, str], frozenset[str]] = {}
    total = seen.manifest.n_traces
    for n, trace in enumerate(seen.store.traces(seen.view.run_id), start=1):
        rows.append(Question(trace.id, trace.question, trace.group))
        for key, found in documents([trace]).items():
            texts[key] = texts.get(key, frozenset()) | found
        if on_progress is not None and n % STEP == 0:
            on_progress(n, total)
    return _Outline(rows, texts)
