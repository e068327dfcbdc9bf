"""Ratings that metrics need beside verdicts: does the answer fit the question, and how near is it to the expected one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ragviz.backends.budget import Budget
from ragviz.contracts import DECLINES, Ask, Rater
from ragviz.errors import JudgeUnavailable
from ragviz.grounding import is_said_to_answer
from ragviz.judges import raters
from ragviz.pipeline.asking import rate
from ragviz.pipeline.choices import settings_for
from ragviz.records import RESPONSE, JudgedTrace, Rating, RatingKind
from ragviz.store import Store


def working_raters(
    names: Sequence[str | Rater], *, api_key: str | None = None, cancelled: Callable[[], bool] | None = None, budget: Budget | None = None,
) -> list[Rater]:
    """
    Raters by name. A name that several begin with stands for all of them: ``anthropic``, or ``anthropic:<model>``.

    Raises:
        UnknownName: No such rater.
        JudgeUnavailable: One cannot work here.
    """
    made: list[Rater] = []
    for name in names:
        if not isinstance(name, str):
            made.append(name)
            continue
        first, colon, model = name.partition(":")
        family = [known + colon + model for known in raters.names() if known.startswith(f"{first}_")]
        made += [raters.make(one, **settings_for(raters, one, api_key=api_key, cancelled=cancelled, budget=budget)) for one in family or [name]]
    for rater in made:
        if not (state := rater.available()).ok:
            raise JudgeUnavailable(f"rater {rater.info.name!r} cannot work here: {state.reason}", fix=state.fix)
    return made


class Ratings:
    """The raters of this installation that need no network, and those that were asked for; asked only for what no rater has said yet."""

    def __init__(self, store: Store, *, run_id: str, keep: bool = True, asked_for: Sequence[Rater] = (), only_asked_for: bool = False) -> None:
        """``only_asked_for``: without those that nobody named, which load a model."""
        self._store = store
        self._run_id = run_id
        self._keep = keep
        self._raters: list[Rater] = [] if only_asked_for else [
            rater for name in raters.names() if not (rater := raters.make(name)).info.network and rater.available().ok
        ]
        self._raters += [rater for rater in asked_for if rater.info.name not in {known.info.name for known in self._raters}]

    @property
    def over_network(self) -> bool:
        """Whether a service takes part."""
        return any(rater.info.network for rater in self._raters)

    @property
    def spent_usd(self) -> float:
        """What hosted raters have cost so far, as far as prices are known."""
        return sum(float(getattr(rater, "spent_usd", 0.0)) for rater in self._raters)

    def add(self, cases: Sequence[JudgedTrace]) -> list[Rating]:
        """The ratings these traces lack."""
        made: list[Rating] = []
        for rater in self._raters:
            asks = [ask for case in cases for kind in sorted(rater.kinds) for ask in _asks(case, kind)]
            made += rate(rater, asks, self._store, run_id=self._run_id, keep=self._keep)
        return made


def _asks(case: JudgedTrace, kind: RatingKind) -> list[Ask]:
    trace = case.trace
    answers = is_said_to_answer(case)
    rated = {rating.target_id for rating in case.ratings if rating.kind is kind and rating.value is not None and not (answers and rating.reason == DECLINES)}
    if kind is RatingKind.QUESTION_TO_PASSAGE:
        passages = trace.first_passages(case.k) if trace.question.strip() else ()
        return [Ask(kind=kind, trace_id=trace.id, target_id=p.id, left=trace.question, right=p.text) for p in passages if p.id not in rated]
    if rated or not trace.response.strip():
        return []
    if kind is RatingKind.QUESTION_TO_RESPONSE:
        return [_ask(case, kind, trace.question)] if trace.question.strip() else []
    exact = any(claim.fact is not None for claim in case.claims)
    if kind is RatingKind.QUESTION_TO_RESPONSE_DIRECT:
        # Where the file says which attributes are asked for, and claims carry attributes, relevance is exact without a rater.
        return [] if (exact and trace.facets is not None) or not trace.question.strip() else [_ask(case, kind, trace.question)]
    return [] if exact or not (trace.reference or "").strip() else [_ask(case, kind, trace.reference or "")]


def _ask(case: JudgedTrace, kind: RatingKind, left: str) -> Ask:
    return Ask(kind=kind, trace_id=case.trace.id, target_id=RESPONSE, left=left, right=case.trace.response, is_answer=is_said_to_answer(case))
