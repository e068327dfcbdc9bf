"""Ratings that metrics need beside verdicts: does the answer fit the question, and how near is it to the expected one."""

from __future__ import annotations

from collections.abc import Sequence

from ragviz.contracts import Ask, Rater
from ragviz.judges import raters
from ragviz.pipeline.asking import rate
from ragviz.records import RESPONSE, JudgedTrace, Rating, RatingKind
from ragviz.store import Store


class Ratings:
    """The raters of this installation that need no network, asked only for what no rater has said yet."""

    def __init__(self, store: Store, *, run_id: str, keep: bool = True) -> None:
        self._store = store
        self._run_id = run_id
        self._keep = keep
        self._raters: list[Rater] = [rater for name in raters.names() if not (rater := raters.make(name)).info.network and rater.available().ok]

    def add(self, cases: Sequence[JudgedTrace]) -> list[Rating]:
        """The ratings these traces lack."""
        made: list[Rating] = []
        for rater in self._raters:
            asks = [ask for case in cases for kind in sorted(rater.kinds) for ask in _asks(case, kind)]
            made += rate(rater, asks, self._store, run_id=self._run_id, keep=self._keep)
        return made


def _asks(case: JudgedTrace, kind: RatingKind) -> list[Ask]:
    trace = case.trace
    if any(rating.kind is kind for rating in case.ratings) or not trace.response.strip():
        return []
    if kind is RatingKind.QUESTION_TO_RESPONSE_DIRECT:
        # Where the file says which attributes are asked for, and claims carry attributes, relevance is exact without a rater.
        exact = trace.facets is not None and any(claim.fact is not None for claim in case.claims)
        return [] if exact or not trace.question.strip() else [_ask(case, kind, trace.question)]
    if kind is RatingKind.RESPONSE_TO_REFERENCE:
        exact = any(claim.fact is not None for claim in case.claims)
        return [] if exact or not (trace.reference or "").strip() else [_ask(case, kind, trace.reference or "")]
    return []


def _ask(case: JudgedTrace, kind: RatingKind, left: str) -> Ask:
    return Ask(kind=kind, trace_id=case.trace.id, target_id=RESPONSE, left=left, right=case.trace.response)
