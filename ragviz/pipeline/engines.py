"""Where batches run when they do not run in this process: on Ray. One writer, whatever the number of workers: this process."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

from ragviz.backends import ray_cluster
from ragviz.contracts import Judge
from ragviz.errors import BackendError, SetupError
from ragviz.pipeline.choices import default_judge
from ragviz.pipeline.judging import JudgeReport, complete, kept, report_of, start_work, wanted_ids
from ragviz.pipeline.scoring import Progress
from ragviz.pipeline.work import Work
from ragviz.pipeline.workers import Answer, Order, StoreReader, StoreWorker
from ragviz.records import Claim, Policy
from ragviz.records.codec import decode, encode
from ragviz.store import Store

SMALLEST, LARGEST = 10, 500
UNITS_PER_WORKER = 40
"""Batches a worker gets, if the run is large enough: few enough that Ray's own work does not show, many enough that a lost one costs little."""


def judge_on_ray(
    store: Store, run_id: str, judge_name: str | Judge | None = None, *, address: str | None = None, n_workers: int | None = None, k: int | None = None,
    trace_ids: Sequence[str] | None = None, limit: int | None = None, policy: Policy = Policy.DEFAULT, claims: str | None = None,
    rater_names: Sequence[str] = (), retry_unjudged: bool = False, anew: bool = False, on_progress: Progress | None = None,
    cancel: threading.Event | None = None,
) -> JudgeReport:
    """
    As ``judge_run``, with the judge in several processes of a Ray cluster. Verdicts are the same, and are stored as they come in.

    A worker that dies loses one batch, which another one judges; this process killed and started again goes on where it was.

    Args:
        store: As for ``judge_run``, and so are the others that it has.
        run_id: The run.
        judge_name: A judge that needs no network.
        address: Of a cluster that runs (``auto`` on one of its nodes); None starts one on this machine.
        n_workers: Processes that hold the model; None = one for each processor of the cluster.
        k: Only the first k passages.
        trace_ids: Only these traces.
        limit: Only the first traces.
        policy: The convention of the results.
        claims: Who splits texts: ``rules``.
        rater_names: Raters that were asked for, without network.
        retry_unjudged: Ask again where the judge failed before.
        anew: Ask about everything again.
        on_progress: Told how many of how many traces are done.
        cancel: Stops; what came in is stored.

    Raises:
        SetupError: Ray is missing, or the judge asks a service.
        BackendError: Ray gave up.
        Cancelled: Stopped; start again to go on.
    """
    started = time.monotonic()
    asked = judge_name or default_judge(store, run_id)
    work = start_work(store, run_id, asked, k=k, policy=policy, claims=claims, rater_names=rater_names, retry_unjudged=retry_unjudged, anew=anew, api_key=None, cancel=cancel)
    refuse_network(work)
    wanted = wanted_ids(store, run_id, trace_ids, limit)
    view = work.view
    open_ = wanted if retry_unjudged or anew else kept(store.not_judged(run_id, view.judge, view.claim_set, k or 0), wanted)
    if open_:
        order = Order(view=view, judge=asked, rater_names=tuple(rater_names), retry_unjudged=retry_unjudged, anew=anew)
        with ray_cluster.joined(address, n_workers=n_workers) as cluster:
            reader = cluster.beside_me(StoreReader, store.full_address, view)
            units = [encode(some) for some in in_units(open_, cluster.n_workers)]
            keeper = _Keeper(work, open_, on_progress)
            for answer in cluster.stream(units, StoreWorker, order, reader, stopped=cancel.is_set if cancel else lambda: False):
                keeper.take(decode(answer, Answer))
    complete(work, wanted, set(open_), rate=bool(rater_names))
    return report_of(work, n_traces=len(open_), n_already=len(wanted) - len(open_), seconds=time.monotonic() - started)


def refuse_network(work: Work) -> None:
    """
    A service answers as quickly as it does, and more machines would only spend its limits sooner.

    Raises:
        SetupError: The judge, a rater or the splitter asks a service.
    """
    if work.over_network:
        raise SetupError(f"{work.judge.info.name} or a rater asks a service: the ray engine is for models that run on its workers",
                         fix="leave --engine out, or choose a judge without network, such as local")


def in_units(ids: Sequence[str], n_workers: int) -> list[Sequence[str]]:
    """Traces in batches that keep every worker busy to the end."""
    size = min(LARGEST, max(SMALLEST, len(ids) // (n_workers * UNITS_PER_WORKER)))
    return [ids[start : start + size] for start in range(0, len(ids), size)]


class _Keeper:
    """Takes answers in. A trace is taken once, however often Ray may have it judged."""

    def __init__(self, work: Work, open_: Sequence[str], on_progress: Progress | None) -> None:
        self._work = work
        self._total = len(open_)
        self._left = set(open_)
        self._on_progress = on_progress

    def take(self, answer: Answer) -> None:
        """
        Raises:
            BackendError: The worker could not.
        """
        if answer.fault:
            raise BackendError(answer.fault, fix=answer.fix)
        fresh = [said for said in answer.said if said.trace_id in self._left]
        self._left.difference_update(said.trace_id for said in fresh)
        work = self._work
        made: dict[str, list[Claim]] = {said.trace_id: said.claims for said in fresh if said.claims is not None}
        if made:
            work.keep_claims(made)
        work.asker.n_asked += answer.n_asked
        work.asker.n_cached += answer.n_cached
        if fresh:
            cases = work.cases([said.trace_id for said in fresh])
            work.keep(cases, {said.trace_id: said.judgements for said in fresh}, [rating for said in fresh for rating in said.ratings])
        if self._on_progress is not None:
            self._on_progress(self._total - len(self._left), self._total)

