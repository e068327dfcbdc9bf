"""Hosted remedies in rounds: ask, read, judge the new answer, and again where the remedy wants it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from ragviz.backends.anthropic_client import AnthropicClient
from ragviz.contracts import HostedRemedy, Judge, Treated, View
from ragviz.errors import BackendError, BudgetSpent, Cancelled
from ragviz.grounding import groundings
from ragviz.judges.injected import redact
from ragviz.metrics import metrics
from ragviz.pipeline.claiming import claims_of, working_extractor
from ragviz.pipeline.remedy_asking import FENCE, Answered, Call, Caller
from ragviz.pipeline.work import Work
from ragviz.records import Attempt, Grounding, JudgedTrace, Remedied, RemedySettings, RemedyStatus, Table
from ragviz.remedies.sheets import unaskable
from ragviz.store import Store


@dataclass
class _Course:
    """One trace on its way."""

    first: JudgedTrace
    """As it was, without the sentences of passages that speak to a model."""
    case: JudgedTrace
    """With the latest answer and its verdicts."""
    attempts: list[Attempt]
    alarms: tuple[str, ...]
    obstacle: str = ""


class Rounds:
    """Takes traces through the rounds of one hosted remedy, several at a time."""

    def __init__(
        self, store: Store, remedy: HostedRemedy, client: AnthropicClient, *, settings: RemedySettings, view: View, judge: Judge, claims: str, turn: int,
        token: Callable[[], str], cancel: threading.Event | None, api_key: str | None,
    ) -> None:
        """
        Args:
            store: Keeps replies and verdicts.
            remedy: What is tried.
            client: Who asks.
            settings: Of the remedy.
            view: The new run, seen through the judge.
            judge: Who judges each new answer.
            claims: Who splits it.
            turn: See ``remedy_run``.
            token: Source of unguessable boundary words.
            cancel: Stops between calls.
            api_key: Of the extractor.
        """
        self.remedy = remedy
        self.client = client
        self.settings = settings
        self.caller = Caller(store, remedy, client, run_id=view.run_id, turn=turn, cancel=cancel)
        self.judge_usd = 0.0
        self._token = token
        self._cancel = cancel
        self._view = view
        self._extractor = working_extractor(claims, api_key=api_key, cancelled=cancel.is_set if cancel else None, budget=client.budget)
        self._work = Work(store, view, judge, extractor=self._extractor, cancel=cancel, budget=client.budget)

    def treat(self, cases: Sequence[JudgedTrace]) -> list[Treated]:
        """What becomes of each of these traces, in order."""
        courses = [self._start(case) for case in cases]
        open_ = [course for course in courses if not course.obstacle]
        while open_:
            asked = [(course, call) for course in open_ if (call := self._next(course)) is not None]
            if not asked:
                break
            answers = self.caller.ask([call for _, call in asked])
            for (course, _), answer in zip(asked, answers, strict=True):
                self._take(course, answer)
            open_ = [course for course, _ in asked]
            self._judge([course for course in open_ if not course.attempts[-1].failure])
        return [self._end(course) for course in courses]

    def _start(self, case: JudgedTrace) -> _Course:
        shown = [(p, redact(p.text)) for p in case.trace.passages or ()]
        passages = None if case.trace.passages is None else tuple(replace(p, text=found.text) if found else p for p, found in shown)
        trace = replace(case.trace, passages=passages)
        first = replace(case, trace=trace)
        return _Course(
            first, first, [_scored(Attempt(round=0, response=trace.response), first)], tuple(found.alarm for _, found in shown if found), unaskable(first)
        )

    def _next(self, course: _Course) -> Call | None:
        """The next call, once with the word its key is made with and once with a secret one."""
        known = self.remedy.prompt(course.case, self.settings, course.attempts, token=lambda: FENCE)
        real = self.remedy.prompt(course.case, self.settings, course.attempts, token=self._token)
        if known is None or real is None:
            return None
        case, round_ = course.case, len(course.attempts)
        return Call(known, real, round_, lambda reply: not self.remedy.read(reply, case, self.settings, round_=round_).failure)

    def _take(self, course: _Course, answer: Answered) -> None:
        round_ = len(course.attempts)
        if isinstance(answer.reply, BackendError):
            made = Attempt(round=round_, response=course.case.trace.response, failure=answer.reply.message, model=self.client.model)
        else:
            made = replace(self.remedy.read(answer.reply, course.case, self.settings, round_=round_), repeated=answer.repeated)
        course.attempts.append(made)

    def _judge(self, courses: Sequence[_Course]) -> None:
        """Verdicts on the new answers against the passages; the reference takes no part in a round."""
        traces = [replace(c.first.trace, response=c.attempts[-1].response, reference=None, claims=None, citations=None) for c in courses]
        if not traces:
            return
        made = claims_of(traces, self._view.claim_set, self._extractor)
        cases = [JudgedTrace(trace=t, claims=tuple(made[t.id]), k=self.settings.k, claim_set=self._view.claim_set) for t in traces]
        said = self._work.judge_cases(cases)
        if self.client.budget.n_refused:
            raise BudgetSpent(self.client.budget.refusal(), fix="raise the limit and start again: what was answered stays, and is not paid for twice")
        if self._cancel is not None and self._cancel.is_set() and self._work.over_network:
            # A service may have been cut short: what it left unjudged would be taken for its word.
            raise Cancelled("the remedy was stopped", fix="start it again to go on from here")
        for course, case in zip(courses, cases, strict=True):
            course.case = replace(case, judgements=tuple(said[case.trace.id]))
            self.judge_usd += sum(j.cost.cost_usd or 0.0 for j in said[case.trace.id])
            course.attempts[-1] = _scored(course.attempts[-1], course.case)

    def _end(self, course: _Course) -> Treated:
        trace, info = course.first.trace, self.remedy.info
        attempts = tuple(course.attempts)
        if course.obstacle:
            return Treated(response=trace.response, citations=trace.citations, remedied=Remedied(
                remedy=info.name, status=RemedyStatus.FAILED, before=trace.response, reason=course.obstacle, attempts=attempts, alarms=course.alarms,
            ))
        chosen = self.remedy.choose(attempts, self.settings)
        best, failures = attempts[chosen], [a.failure for a in attempts if a.failure]
        if chosen == 0:
            status = RemedyStatus.FAILED if failures else RemedyStatus.UNCHANGED
            reason = failures[-1] if failures else _why_unchanged(attempts, self.settings)
        else:
            status = RemedyStatus.ABSTAINED if best.abstained else RemedyStatus.CHANGED
            reason = _why_changed(best, failures, self.settings) if info.name == "refine" else ""
        return Treated(response=best.response, citations=trace.citations if chosen == 0 else None, remedied=Remedied(
            remedy=info.name, status=status, before=trace.response, reason=reason, attempts=attempts, chosen=chosen, alarms=course.alarms,
        ))


def _scored(attempt: Attempt, case: JudgedTrace) -> Attempt:
    """The attempt with its faithfulness, by the verdicts of its case."""
    found = [g.grounding for g in groundings(case, Table.RESPONSE_X_PASSAGES).values()]
    score = metrics.make("faithfulness").score(case)
    return replace(
        attempt, faithfulness=score.value, note="" if score.value is not None else score.reason, n_claims=len(found),
        n_supported=sum(g.is_supported for g in found), n_unjudged=sum(g is Grounding.UNJUDGED for g in found),
    )


def _why_unchanged(attempts: Sequence[Attempt], settings: RemedySettings) -> str:
    first = attempts[0]
    if first.faithfulness is None:
        return f"its faithfulness is not known: {first.note}"
    if first.faithfulness >= settings.target:
        return f"faithfulness {first.faithfulness:.2f} meets the target of {settings.target:.2f} already"
    if len(attempts) == 1:
        return "no claim is unsupported"
    return f"no round did better than the {first.faithfulness:.2f} it had"


def _why_changed(best: Attempt, failures: Sequence[str], settings: RemedySettings) -> str:
    if best.abstained or best.faithfulness is None:
        return "the model found nothing in the passages that answers the question"
    met = "meets" if best.faithfulness >= settings.target else "best effort: does not meet"
    words = f"faithfulness {best.faithfulness:.2f} {met} the target of {settings.target:.2f}"
    return f"{words}; a later round failed: {failures[-1]}" if failures else words
