"""Two judged runs, of one store or of two, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragviz.compare.columns import PairedScores, codes_of, members_of
from ragviz.compare.fairness import Documents, Unfairness, fingerprints, unfair
from ragviz.compare.noise import NoiseFloor, check_noise
from ragviz.compare.pairing import Pairing, Question, pair_traces, question_key
from ragviz.compare.report import NO_FLOOR, Changes, Comparison, Judged, changes_of, compare_runs, with_corpus
from ragviz.contracts import View
from ragviz.diagnosis.slices import of_tags, of_the_question
from ragviz.pipeline.scoring import Progress
from ragviz.records import RunManifest, Trace
from ragviz.store import Store
from ragviz.store.outlines import Outline, outlines

WHOLE_UP_TO = 20_000
"""Runs of up to so many traces are compared claim by claim throughout."""
LOOKED_INTO = 5_000
"""In larger runs so many pairs are: those whose quadrant changed, in file order."""
STEP = 500
Columns = Mapping[str, NDArray[Any]]


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


class _Asked(NamedTuple):
    """What one trace's pair is grouped by."""

    key: str
    """Equal for the same question."""
    properties: Mapping[str, str]
    """Those that make slices."""


class _Outline(NamedTuple):
    """What a large run's comparison needs of its traces' texts."""

    questions: list[Question]
    asked: Mapping[str, _Asked]
    documents: Documents


class Compared(NamedTuple):
    """Two runs side by side, and the scores of their pairs for whoever looks at parts of them."""

    found: Comparison
    scores: PairedScores


def is_large(base: RunManifest, candidate: RunManifest) -> bool:
    """Whether the comparison is made from stored columns, and takes longer than a reader would wait."""
    return max(base.n_traces, candidate.n_traces) > WHOLE_UP_TO


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
    if is_large(base.manifest, candidate.manifest):
        return _compare_large(base, candidate, metrics=metrics, floor=floor, slice_metric=slice_metric, on_progress=on_progress).found
    return compare_runs(
        base.judged(on_progress=on_progress), candidate.judged(on_progress=on_progress), metrics=metrics, floor=floor, unfair=_unfair(base, candidate),
        slice_metric=slice_metric, by=properties_of,
    )


def compare_with_scores(base: Seen, candidate: Seen, *, on_progress: Progress | None = None) -> Compared:
    """``compare_seen`` and ``paired_scores_of`` in one go: large runs are read once."""
    if is_large(base.manifest, candidate.manifest):
        return _compare_large(base, candidate, on_progress=on_progress)
    found = compare_seen(base, candidate, on_progress=on_progress)
    return Compared(found, paired_scores_of(base, candidate, found.pairing))


def _unfair(base: Seen, candidate: Seen) -> Sequence[Unfairness]:
    return unfair(fingerprints(base.manifest, base.view), fingerprints(candidate.manifest, candidate.view))


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
    first = next(iter(seen.store.results(seen.view)), None)
    return seen.store.columns(seen.view, ["id", *(first.scores if first is not None else ())])


def _metrics(columns: Columns) -> list[str]:
    return [name for name in columns if name not in ("id", "group", "quadrant")]


def _places(ids: NDArray[Any], wanted: Sequence[str]) -> NDArray[np.int64]:
    places = {name: place for place, name in enumerate(ids)}
    return np.array([places[name] for name in wanted], dtype=np.int64)


def _compare_large(
    base: Seen, candidate: Seen, *, metrics: Sequence[str] | None = None, floor: NoiseFloor | None = None, slice_metric: str = "faithfulness",
    on_progress: Progress | None,
) -> Compared:
    """Metrics over all pairs from stored columns; claims one by one only where the quadrant changed, up to a bound that the record states."""
    mine, theirs = _outline(base, on_progress), _outline(candidate, on_progress)
    pairing = pair_traces(mine.questions, theirs.questions)
    columns = _columns(base), _columns(candidate)
    scores = _paired(*columns, pairing, mine.asked)
    before, after = (dict(zip(c["id"], c["quadrant"], strict=True)) for c in columns)
    moved = [(b, c) for b, c in pairing.pairs if before[b] != after[c]]
    looked = moved[:LOOKED_INTO]
    changes = _changes(base, candidate, looked)
    wanted = scores.metrics if metrics is None else [m for m in metrics if m in scores.metrics]
    found = Comparison(
        pairing=pairing, metrics=tuple(scores.differences(wanted)), trace_flips=changes.traces, claim_flips=changes.claims, answers=changes.answers,
        noise=check_noise(floor or NO_FLOOR, observed=changes.n_idle, n=changes.n_same), unfair=with_corpus(_unfair(base, candidate), mine.documents, theirs.documents),
        slices=tuple(scores.by_slice(slice_metric)) if slice_metric in scores.metrics else (), n_looked_into=len(looked),
    )
    return Compared(found, scores)


def _changes(base: Seen, candidate: Seen, looked: Sequence[tuple[str, str]]) -> Changes:
    """What changed in these pairs. Some hundred judged traces at a time: claims that are kept among ten thousand of them would hold 600 MiB back."""
    found = []
    for start in range(0, len(looked), STEP):
        some = looked[start : start + STEP]
        mine, theirs = ({case.trace.id: (case, result) for case, result in seen.judged(ids)} for seen, ids in ((base, [b for b, _ in some]), (candidate, [c for _, c in some])))
        found.append(changes_of([(mine[b], theirs[c]) for b, c in some if b in mine and c in theirs]))
    answers = sorted((change for part in found for change in part.answers), key=lambda change: not change.worse)
    return Changes(
        claims=tuple(flip for part in found for flip in part.claims), traces=tuple(flip for part in found for flip in part.traces), answers=tuple(answers),
        n_same=sum(part.n_same for part in found),
    )


def _outline(seen: Seen, on_progress: Progress | None) -> _Outline:
    """What is read of every trace: no text of a passage."""
    questions: list[Question] = []
    texts: dict[tuple[str, str], set[str]] = {}
    total = seen.manifest.n_traces

    def rows() -> Iterator[Outline]:
        for n, row in enumerate(outlines(seen.store, seen.view.run_id), start=1):
            questions.append(Question(row.id, row.question, row.group))
            for doc, passage, content in row.passages or ():
                texts.setdefault((doc, passage), set()).add(content)
            if on_progress is not None and n % STEP == 0:
                on_progress(n, total)
            yield row

    return _Outline(questions, _asked(rows()), {key: frozenset(found) for key, found in texts.items()})
