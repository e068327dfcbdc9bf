"""
Judging a run through a service's batches: sent, noted in the store, waited for, taken in.

Killed at any point and started again with the same arguments, it goes on where it was: what was sent is not sent again, what came in is
not stored twice. Only a batch whose receipt never arrived (killed while it was being sent) is sent a second time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from ragviz.backends.budget import Budget
from ragviz.contracts import ClaimExtractor, Judge, Rater
from ragviz.errors import SetupError
from ragviz.judges.hosted import AnthropicJudge
from ragviz.pipeline.batches import FIRST_WAIT_S, Batches, Say
from ragviz.pipeline.judging import JudgeReport, complete, kept, left_over, report_of, start_work, wanted_ids
from ragviz.pipeline.scoring import Progress
from ragviz.records import Policy
from ragviz.store import Store


def judge_in_batches(
    store: Store, run_id: str, judge_name: str | Judge | None = None, *, k: int | None = None, limit: int | None = None, policy: Policy = Policy.DEFAULT,
    claims: str | ClaimExtractor | None = None, rater_names: Sequence[str | Rater] = (), api_key: str | None = None, on_progress: Progress | None = None,
    say: Say = lambda _: None, cancel: threading.Event | None = None, first_wait_s: float = FIRST_WAIT_S, budget: Budget | None = None,
) -> JudgeReport:
    """
    As ``judge_run``, at half the price and within a day. Claims and ratings, where they are asked for, are single calls all the same.

    Args:
        store: As for ``judge_run``, and so are the others that it has.
        run_id: The run.
        judge_name: A hosted judge.
        k: Only the first k passages.
        limit: Only the first traces.
        policy: The convention of the results.
        claims: Who splits texts.
        rater_names: Raters that were asked for.
        api_key: Of the service.
        on_progress: Told how many of how many traces are done.
        say: Told in words what is under way.
        cancel: Stops the waiting; batches that were sent go on, and the next call takes them in.
        first_wait_s: Time between the first two looks; it grows up to a minute.
        budget: What may be spent. Batches cannot be stopped, so calls count with the most they can cost before they are sent, those of
            batches under way too; what would not fit is not sent.

    Raises:
        SetupError: The judge has no batches.
        JudgeUnavailable: Package or key is missing.
        BackendError: A batch was not taken, or cannot be asked about.
        Cancelled: Stopped; start again to go on.
        BudgetSpent: Everything that was sent is judged and stored; says how many traces were not sent.
    """
    started = time.monotonic()
    work = start_work(store, run_id, judge_name, k=k, policy=policy, claims=claims, rater_names=rater_names, api_key=api_key, cancel=cancel, budget=budget)
    if not isinstance(work.judge, AnthropicJudge):
        raise SetupError(f"the judge {work.judge.info.name} has no batches", fix="use --judge anthropic, or leave --batch out")
    wanted = wanted_ids(store, run_id, None, limit)
    open_ = kept(store.not_judged(run_id, work.view.judge, work.view.claim_set, k or 0), wanted)
    batches = Batches(work, work.judge, say=say, first_wait_s=first_wait_s, on_done=_counter(on_progress, len(open_), set(open_)))
    batches.send_missing(open_)
    taken = batches.take_in_all()
    if batches.unsent:
        raise left_over(batches.over, n_done=len(open_) - len(batches.unsent), n_open=len(open_))
    complete(work, wanted, set(open_), rate=bool(rater_names))
    return report_of(work, n_traces=len(open_), n_already=len(wanted) - len(open_), seconds=time.monotonic() - started, batches=taken)


def _counter(on_progress: Progress | None, total: int, counted: set[str]) -> Callable[[Sequence[str]], None]:
    done: set[str] = set()

    def count(ids: Sequence[str]) -> None:
        done.update(counted.intersection(ids))
        if on_progress is not None:
            on_progress(len(done), total)

    return count
