"""A judge whose answers are kept in a store of their own: work that was stopped goes on, and nothing is judged twice."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from ragviz.contracts import Availability, Judge, JudgeInfo
from ragviz.pipeline.asking import Asker
from ragviz.records import JOINED, Judgement, Pair
from ragviz.store import Store


class RememberedJudge:
    """
    Any judge behind the judgement cache of a store. What was finished is in the store before the next batch is asked.

    Says how many claims were really judged (``n_claims``), how long that took (``seconds``), and how many confidences are calibrated.
    """

    def __init__(self, judge: Judge, store: Store, *, run_id: str | None = None) -> None:
        """``run_id``: answers are forgotten when this run is deleted."""
        self._timed = _Timed(judge)
        self._run_id = run_id
        self._store = store
        self.n_pairs = 0
        self.n_known = 0
        self._n_confident = 0
        self._n_calibrated = 0

    @property
    def info(self) -> JudgeInfo:
        """Of the judge behind."""
        return self._timed.info

    @property
    def params(self) -> Mapping[str, object]:
        """Of the judge behind."""
        return self._timed.params

    def available(self) -> Availability:
        """Of the judge behind."""
        return self._timed.available()

    @property
    def seconds(self) -> float:
        """Time the judge behind took."""
        return self._timed.seconds

    @property
    def n_claims(self) -> int:
        """Claims the judge behind was asked about."""
        return self._timed.n_claims

    @property
    def calibrated(self) -> float | None:
        """Share of the confidences that were calibrated on labelled claims; None when there was no confidence at all."""
        return self._n_calibrated / self._n_confident if self._n_confident else None

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement per pair, from the cache where it is known."""
        # An asker of its own for each batch: one asker stops filling the cache after so many pairs, and here the cache is the point.
        asker = Asker(self._timed, self._store, run_id=self._run_id)
        said = asker.ask(pairs)
        self.n_pairs += len(pairs)
        self.n_known += asker.n_cached
        self._n_confident += sum(j.confidence is not None for j in said)
        self._n_calibrated += sum(j.confidence is not None and j.calibrated for j in said)
        return said


class _Timed:
    """Counts what reaches the judge itself."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.seconds = 0.0
        self.n_claims = 0

    @property
    def info(self) -> JudgeInfo:
        return self._judge.info

    @property
    def params(self) -> Mapping[str, object]:
        return self._judge.params

    def available(self) -> Availability:
        return self._judge.available()

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        started = time.perf_counter()
        said = self._judge.judge(pairs)
        self.seconds += time.perf_counter() - started
        # Joined premises are a second look at claims that were counted at the first.
        self.n_claims += len({(p.key.trace_id, p.key.claim_id) for p in pairs if not p.key.premise_id.startswith(JOINED)})
        return said
