"""Judging a run; everything written after each batch of traces, so a stop loses one batch."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence

import msgspec

from ragviz.backends.budget import Budget
from ragviz.contracts import ClaimExtractor, Judge, Rater, View
from ragviz.errors import BudgetSpent, Cancelled
from ragviz.judges import provenance_of
from ragviz.pipeline.choices import claim_set_of, default_judge, make_judge, working_judge
from ragviz.pipeline.claiming import working_extractor
from ragviz.pipeline.rating import working_raters
from ragviz.pipeline.scoring import Progress, score_view
from ragviz.pipeline.work import Work
from ragviz.records import Policy, Provenance
from ragviz.store import Store
from ragviz.text.counts import counted

DEFAULT_RETRIEVAL_K = 5
LOCAL_BATCH, NETWORK_BATCH = 50, 8


class JudgeReport(msgspec.Struct, frozen=True, kw_only=True):
    """What judging a run came to."""

    run_id: str
    view: View
    judge: Provenance
    n_traces: int
    """Traces judged by this call."""
    n_already: int
    """Traces that this judge had completed before."""
    n_pairs: int
    n_cached: int
    """Of these, answered from the cache."""
    n_unjudged: int
    """Pairs the judge could not answer."""
    cost_usd: float
    """Of judging, splitting and rating, as far as prices are known."""
    seconds: float
    batches: tuple[str, ...] = ()
    """Batches of a service whose answers came in by this call."""
    by_step: Mapping[str, int] = {}
    """Of a cascade: pairs that each step decided, the cache's answers among them; {} for other judges."""


def view_of(
    store: Store, run_id: str, judge: Judge, *, k: int | None = None, policy: Policy = Policy.DEFAULT, claims: str | None = None,
) -> View:
    """The run seen through that judge; ``claims``: another claim set than the judge would read by itself."""
    return View(
        run_id=run_id, judge=provenance_of(judge).fingerprint, claim_set=claim_set_of(judge, store.traits(run_id), claims=claims), policy=policy, k=k,
        retrieval_k=k if k is not None else DEFAULT_RETRIEVAL_K,
    )


def best_view(store: Store, run_id: str, judge_name: str | Judge | None = None, *, api_key: str | None = None) -> View:
    """
    The view to show when nobody chose one: through the judge that is named, else the one that judged most of the run, else the one
    that would judge it.
    """
    if judge_name is None:
        there = store.views(run_id)
        if there:
            return there[0][0]
    return view_of(store, run_id, make_judge(judge_name or default_judge(store, run_id), api_key=api_key))


def judge_run(
    store: Store, run_id: str, judge_name: str | Judge | None = None, *, k: int | None = None, trace_ids: Sequence[str] | None = None,
    limit: int | None = None, policy: Policy = Policy.DEFAULT, claims: str | ClaimExtractor | None = None, rater_names: Sequence[str | Rater] = (),
    retry_unjudged: bool = False, anew: bool = False, api_key: str | None = None, on_progress: Progress | None = None, cancel: threading.Event | None = None,
    budget: Budget | None = None,
) -> JudgeReport:
    """
    Judge what the judge has not judged yet, and compute the results. Stopped and started again, it goes on where it was.

    Args:
        store: Where the run is.
        run_id: The run.
        judge_name: Name or a judge; None = the verdicts that came with the file where there are any, else ``local``.
        k: Only the first k passages count as evidence; None = all.
        trace_ids: Only these traces.
        limit: Only the first so many traces of the run.
        policy: The convention of the results.
        claims: Who splits texts into claims (``rules``, ``anthropic``); None = as the judge and the file have it.
        rater_names: Raters beside those that need no network: ``anthropic`` for all of Claude's.
        retry_unjudged: Ask again where the judge failed before.
        anew: Ask about everything again, past the cache, and append the answers; stopped and started again, it begins at the first trace.
        api_key: For judges that need one.
        on_progress: Told how many of how many traces are done.
        cancel: Stops between batches.
        budget: What may be spent on services, by all who take part.

    Raises:
        JudgeUnavailable: Judge, extractor or rater cannot work here.
        InputError: The judge reads only claims that came with the file, and others were asked for.
        Cancelled: Stopped; what was judged is stored.
        BudgetSpent: The same; says how many traces are left.
    """
    started = time.monotonic()
    work = start_work(
        store, run_id, judge_name, k=k, policy=policy, claims=claims, rater_names=rater_names, retry_unjudged=retry_unjudged, anew=anew, api_key=api_key, cancel=cancel,
        budget=budget,
    )
    wanted = wanted_ids(store, run_id, trace_ids, limit)
    view = work.view
    open_ = wanted if retry_unjudged or anew else kept(store.not_judged(run_id, view.judge, view.claim_set, k or 0), wanted)
    size = NETWORK_BATCH if work.over_network else LOCAL_BATCH
    for start in range(0, len(open_), size):
        if cancel is not None and cancel.is_set():
            raise Cancelled("judging was stopped", fix="start it again to go on from here")
        try:
            work.do(open_[start : start + size])
        except BudgetSpent as exc:
            raise left_over(exc.message, n_done=start, n_open=len(open_)) from exc
        if on_progress is not None:
            on_progress(min(start + size, len(open_)), len(open_))
    complete(work, wanted, set(open_), rate=bool(rater_names))
    return report_of(work, n_traces=len(open_), n_already=len(wanted) - len(open_), seconds=time.monotonic() - started)


def start_work(
    store: Store, run_id: str, judge_name: str | Judge | None, *, k: int | None, policy: Policy, claims: str | ClaimExtractor | None,
    rater_names: Sequence[str | Rater], retry_unjudged: bool = False, anew: bool = False, api_key: str | None, cancel: threading.Event | None,
    budget: Budget | None = None,
) -> Work:
    """Everybody who takes part, refused now if one of them could not work. Arguments as for ``judge_run``."""
    cancelled = cancel.is_set if cancel else None
    judge = working_judge(judge_name or default_judge(store, run_id), api_key=api_key, cancelled=cancelled, budget=budget)
    extractor = working_extractor(claims, api_key=api_key, cancelled=cancelled, budget=budget)
    view = view_of(store, run_id, judge, k=k, policy=policy, claims=extractor.name if extractor else None)
    asked_for = working_raters(rater_names, api_key=api_key, cancelled=cancelled, budget=budget)
    return Work(store, view, judge, extractor=extractor, asked_for=asked_for, retry_unjudged=retry_unjudged, anew=anew, cancel=cancel, budget=budget)


def left_over(reason: str, *, n_done: int, n_open: int) -> BudgetSpent:
    """What is told when the budget ends the work."""
    return BudgetSpent(f"{reason}: {n_done:,} of {counted(n_open, 'trace')} {'is' if n_done == 1 else 'are'} judged, {n_open - n_done:,} {'is' if n_open - n_done == 1 else 'are'} left",
                       fix="raise --max-usd or --max-tokens and start again: what is judged stays, and answers that came in are not paid for twice")


def complete(work: Work, wanted: Sequence[str], fresh: set[str], *, rate: bool) -> None:
    """
    Ratings and results of traces judged earlier: the program was stopped, another policy or other raters are asked for.

    Args:
        work: Who is at work.
        wanted: The traces in question.
        fresh: Of these, the ones that are up to date.
        rate: Whether ratings may be missing.
    """
    earlier = [trace_id for trace_id in wanted if trace_id not in fresh] if rate else []
    for start in range(0, len(earlier), NETWORK_BATCH):
        if work.cancel is not None and work.cancel.is_set():
            raise Cancelled("judging was stopped", fix="start it again to go on from here")
        work.rate(earlier[start : start + NETWORK_BATCH])
    score_view(work.store, work.view, kept(work.store.missing_results(work.view), wanted), cancel=work.cancel)
    work.store.prepare(work.view, n_new=len(fresh))


def report_of(work: Work, *, n_traces: int, n_already: int, seconds: float, batches: Sequence[str] = ()) -> JudgeReport:
    """What the work came to."""
    asker = work.asker
    return JudgeReport(
        run_id=work.view.run_id, view=work.view, judge=work.provenance, n_traces=n_traces, n_already=n_already, n_pairs=asker.n_asked + asker.n_cached,
        n_cached=asker.n_cached, n_unjudged=work.n_unjudged, cost_usd=work.cost_usd, seconds=seconds, batches=tuple(batches), by_step=work.by_step,
    )


def wanted_ids(store: Store, run_id: str, trace_ids: Sequence[str] | None, limit: int | None) -> list[str]:
    """The traces that are asked for, in file order."""
    every = list(trace_ids) if trace_ids is not None else store.trace_ids(run_id)
    return every[:limit]


def kept(found: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """Those found that are wanted."""
    allowed = set(wanted)
    return [trace_id for trace_id in found if trace_id in allowed]
