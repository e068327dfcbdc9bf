"""
Two large runs side by side: figures of all pairs from stored columns, one metric at a time; claims one by one only where the quadrant changed, up to a bound
that the record states.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragviz.compare.columns import PairedScores, clusters_of, smallest_slice
from ragviz.compare.fairness import Unfairness
from ragviz.compare.noise import NoiseFloor, check_noise
from ragviz.compare.pairing import pairing_of
from ragviz.compare.parts import PartFigures, part_figures
from ragviz.compare.report import NO_FLOOR, Changes, Comparison, changes_of, unknown_answers
from ragviz.errors import StoreError
from ragviz.pipeline.matching import Matched, match
from ragviz.pipeline.seen_runs import STEP, Seen
from ragviz.store.coded import Words
from ragviz.text.counts import counted

A_PAIR, ALL_METRICS = 35, 0.3
"""What the claims of one pair take, and all metrics of one pair: so many times the reading of a trace (measured)."""
OnStep = Callable[[int, int, str], None]
"""Told how much of the whole work is done, how much there is, and what is being done, in words."""
Floats = NDArray[np.float64]


class _Work:
    """One measure for all of it: the reading of a trace is 1."""

    def __init__(self, n_base: int, n_candidate: int, looked_into: int, told: OnStep | None) -> None:
        self._sizes = {"base": n_base, "candidate": n_candidate, "metrics": round(ALL_METRICS * n_base), "pairs": A_PAIR * looked_into}
        self._told = told

    def at(self, stage: str, share: float, words: str) -> None:
        """So much of a stage is done; the stages before it are."""
        if self._told is not None:
            names = list(self._sizes)
            before = sum(self._sizes[name] for name in names[: names.index(stage)])
            self._told(before + round(share * self._sizes[stage]), sum(self._sizes.values()), words)


class LargePair:
    """Two large runs while they are compared."""

    def __init__(self, base: Seen, candidate: Seen, *, looked_into: int, on_step: OnStep | None) -> None:
        self.base, self.candidate = base, candidate
        self._n = base.manifest.n_traces, candidate.manifest.n_traces
        self._looked_into = looked_into
        self._work = _Work(*self._n, min(looked_into, *self._n), on_step)

    def matched(self, *, smallest: Callable[[int], int] = smallest_slice) -> Matched:
        """Read and paired; parts of fewer than ``smallest(n)`` pairs are left out."""
        told = (partial(self._read, "base", "the baseline's", self._n[0]), partial(self._read, "candidate", "the candidate's", self._n[1]))
        return match((self.base.store, self.base.view), (self.candidate.store, self.candidate.view), smallest=smallest, on_read=told)

    def _read(self, stage: str, whose: str, n: int, done: int) -> None:
        self._work.at(stage, done / max(n, 1), f"Reading {whose} traces: {done:,} of {n:,}")

    def metrics(self) -> list[str]:
        """Those that both have, in the base's order."""
        theirs = set(self.candidate.metrics())
        return [name for name in self.base.metrics() if name in theirs]

    def values(self, matched: Matched, metric: str) -> tuple[Floats, Floats]:
        """Of one metric, by pair."""
        places = matched.places
        return self._column(self.base, metric, places.base, len(matched.base_ids)), self._column(
            self.candidate, metric, places.candidate, len(matched.candidate_ids)
        )

    @staticmethod
    def _column(seen: Seen, metric: str, places: NDArray[np.int64], n: int) -> Floats:
        column = seen.store.numbers(seen.view, [metric])[metric]
        _same_run(len(column), n)
        return np.asarray(column[places], dtype=np.float64)

    def scores(self, matched: Matched, metrics: Sequence[str]) -> PairedScores:
        """All values of all pairs."""
        both = {name: self.values(matched, name) for name in metrics}
        return PairedScores(
            base={name: b for name, (b, _) in both.items()},
            candidate={name: c for name, (_, c) in both.items()},
            groups=matched.groups,
            members=matched.members,
        )

    def figures(self, matched: Matched, metrics: Sequence[str], *, sliced: Collection[str] | None = None) -> PartFigures:
        """Differences of these metrics over all pairs, and of the ``sliced`` ones (None: of all) over their parts."""
        def told(done: int) -> None:
            self._work.at("metrics", done / max(len(metrics), 1), f"Working out the differences: {done} of {counted(len(metrics), 'metric')}")

        return part_figures(
            len(matched.groups),
            metrics,
            partial(self.values, matched),
            groups=clusters_of(matched.groups),
            members=matched.members,
            sliced=sliced,
            on_metric=told,
        )

    def changes(self, matched: Matched) -> tuple[Changes, int]:
        """What changed where the quadrant did, and in how many pairs that was looked for."""
        mine, theirs = (seen.store.coded(seen.view, "quadrant") for seen in (self.base, self.candidate))
        _same_run(len(mine.codes), len(matched.base_ids))
        _same_run(len(theirs.codes), len(matched.candidate_ids))
        words = sorted({*mine.words, *theirs.words})
        before, after = _recoded(mine, words)[matched.places.base], _recoded(theirs, words)[matched.places.candidate]
        moved = np.flatnonzero(before != after)[: self._looked_into].tolist()
        at_base, at_candidate = matched.places.base, matched.places.candidate
        return self._changes([(matched.base_ids[at_base[i]], matched.candidate_ids[at_candidate[i]]) for i in moved]), len(moved)

    def _changes(self, looked: Sequence[tuple[str, str]]) -> Changes:
        """Some hundred judged traces at a time: claims that are kept among ten thousand of them would hold 600 MiB back."""
        found = []
        for start in range(0, len(looked), STEP):
            some = looked[start : start + STEP]
            mine, theirs = (
                {case.trace.id: (case, result) for case, result in seen.judged(ids)}
                for seen, ids in ((self.base, [b for b, _ in some]), (self.candidate, [c for _, c in some]))
            )
            found.append(changes_of([(mine[b], theirs[c]) for b, c in some if b in mine and c in theirs]))
            done = start + len(some)
            self._work.at("pairs", done / len(looked), f"Looking into claims where the quadrant changed: {done:,} of {counted(len(looked), 'trace')}")
        answers = sorted((change for part in found for change in part.answers), key=lambda change: not change.worse)
        return Changes(
            claims=tuple(flip for part in found for flip in part.claims), traces=tuple(flip for part in found for flip in part.traces), answers=tuple(answers),
            n_same=sum(part.n_same for part in found),
        )

    def comparison(
        self, matched: Matched, figures: PartFigures, unfair: Sequence[Unfairness], *, wanted: Sequence[str], floor: NoiseFloor | None, slice_metric: str,
    ) -> Comparison:
        """The record of all of it. ``wanted``: metrics that it names."""
        changes, n_looked_into = self.changes(matched)
        known = any(u.name == "corpus" for u in unfair)
        # Where correctness was not worked out because nobody wanted it, the answers are compared all the same.
        n_valued = figures.whole["correctness"].n if "correctness" in figures.whole else len(matched.places.base) * ("correctness" in self.metrics())
        return Comparison(
            pairing=pairing_of(matched.places, matched.base_ids, matched.candidate_ids), metrics=tuple(figures.differences(wanted)),
            trace_flips=changes.traces, claim_flips=changes.claims, answers=changes.answers,
            answers_unknown=unknown_answers(len(matched.places.base), n_valued),
            noise=check_noise(floor or NO_FLOOR, observed=changes.n_idle, n=changes.n_same),
            unfair=(*unfair, *([matched.corpus] if matched.corpus is not None and not known else [])),
            slices=tuple(figures.by_slice(slice_metric)) if slice_metric in figures.by_part else (), n_looked_into=n_looked_into,
        )


def _recoded(column: Words, words: Sequence[str]) -> NDArray[Any]:
    places = {word: place for place, word in enumerate(words)}
    return np.array([places[word] for word in column.words], dtype=np.int32)[column.codes]


def _same_run(n_now: int, n_read: int) -> None:
    """Traces that came since they were read stand behind the others, and are left out."""
    if n_now < n_read:
        raise StoreError("a run was taken away while the two were compared", fix="open the page again")
