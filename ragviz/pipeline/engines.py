"""
Where batches run when they do not run in this process: in further ones of this machine, or on Ray. One writer, whatever the number of workers: this
process.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypedDict, Unpack

from ragviz.backends import processes, ray_cluster
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

SMALLEST, LARGEST, LARGEST_HERE = 10, 500, 50
"""Traces in a batch. On this machine a batch costs nothing to hand out, and Ctrl+C waits for it."""
UNITS_PER_WORKER = 40
"""Batches a worker gets, if the run is large enough: few enough that Ray's own work does not show, many enough that a lost one costs little."""


class Workers(Protocol):
    """Who does batches: ``backends.processes.Processes`` or ``backends.ray_cluster.Cluster``."""

    n_workers: int

    def beside_me(self, made: type, *args: object) -> Callable[..., Any]:
        """An object whose methods, called by name, everybody may use."""
        ...

    def stream(
        self, units: Sequence[bytes], worker: Callable[..., Callable[[bytes], bytes]], *args: object, stopped: Callable[[], bool] = ...
    ) -> Iterator[bytes]:
        """An answer for each unit, as they come in."""
        ...


class Options(TypedDict, total=False):
    """What ``judge_run`` has, too."""

    k: int | None
    """Only the first k passages."""
    trace_ids: Sequence[str] | None
    """Only these traces."""
    limit: int | None
    """Only the first traces."""
    policy: Policy
    """The convention of the results."""
    claims: str | None
    """Who splits texts: ``rules``."""
    rater_names: Sequence[str]
    """Raters that were asked for, without network."""
    retry_unjudged: bool
    """Ask again where the judge failed before."""
    anew: bool
    """Ask about everything again."""
    on_progress: Progress | None
    """Told how many of how many traces are done."""
    cancel: threading.Event | None
    """Stops; what came in is stored."""


def judge_in_processes(store: Store, run_id: str, judge_name: str | Judge | None = None, *, n_workers: int, **options: Unpack[Options]) -> JudgeReport:
    """
    As ``judge_run``, with the judge in several processes of this machine: twice as quick on two processors. Verdicts are the same, and are stored as they
    come in.

    A process that dies loses a few batches, which are done again; this one killed and started again goes on where it was.

    Args:
        store: As for ``judge_run``; other processes open it at its address.
        run_id: The run.
        judge_name: A judge that needs no network.
        n_workers: Processes that hold the model.
        **options: See ``Options``.

    Raises:
        SetupError: The judge asks a service.
        BackendError: Processes die one after another.
        Cancelled: Stopped; start again to go on.
    """
    return _judge(store, run_id, judge_name, lambda: processes.joined(n_workers), LARGEST_HERE, **options)


def judge_on_ray(
    store: Store, run_id: str, judge_name: str | Judge | None = None, *, address: str | None = None, n_workers: int | None = None, **options: Unpack[Options],
) -> JudgeReport:
    """
    The same with the judge in processes of a Ray cluster.

    Args:
        store: Where the run is; this machine hands its traces out.
        run_id: The run.
        judge_name: A judge that needs no network.
        address: Of a cluster that runs (``auto`` on one of its nodes); None starts one on this machine.
        n_workers: Processes that hold the model; None = one for each processor of the cluster.
        **options: See ``Options``.

    Raises:
        SetupError: Ray is missing, or the judge asks a service.
        BackendError: Ray gave up.
        Cancelled: Stopped; start again to go on.
    """
    return _judge(store, run_id, judge_name, lambda: ray_cluster.joined(address, n_workers=n_workers), LARGEST, **options)


def _judge(
    store: Store, run_id: str, judge_name: str | Judge | None, joined: Callable[[], AbstractContextManager[Workers]], largest: int, *, k: int | None = None,
    trace_ids: Sequence[str] | None = None, limit: int | None = None, policy: Policy = Policy.DEFAULT, claims: str | None = None,
    rater_names: Sequence[str] = (), retry_unjudged: bool = False, anew: bool = False, on_progress: Progress | None = None,
    cancel: threading.Event | None = None,
) -> JudgeReport:
    started = time.monotonic()
    asked = judge_name or default_judge(store, run_id)
    work = start_work(
        store, run_id, asked, k=k, policy=policy, claims=claims, rater_names=rater_names, retry_unjudged=retry_unjudged, anew=anew, api_key=None, cancel=cancel
    )
    refuse_network(work)
    wanted = wanted_ids(store, run_id, trace_ids, limit)
    view = work.view
    open_ = wanted if retry_unjudged or anew else kept(store.not_judged(run_id, view.judge, view.claim_set, k or 0), wanted)
    if open_:
        must_be_here = getattr(work.judge, "must_be_here", None)
        if must_be_here is not None:
            must_be_here()
        order = Order(view=view, judge=asked, rater_names=tuple(rater_names), retry_unjudged=retry_unjudged, anew=anew)
        with joined() as workers:
            reader = workers.beside_me(StoreReader, store.full_address, view)
            units = [encode(some) for some in in_units(open_, workers.n_workers, largest)]
            keeper = _Keeper(work, open_, on_progress)
            for answer in workers.stream(units, StoreWorker, order, reader, stopped=cancel.is_set if cancel else lambda: False):
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
        raise SetupError(f"{work.judge.info.name} or a rater asks a service: further workers are for models that run on them",
                         fix="leave --engine and --workers out, or choose a judge without network, such as local")


def in_units(ids: Sequence[str], n_workers: int, largest: int = LARGEST) -> list[Sequence[str]]:
    """Traces in batches that keep every worker busy to the end."""
    size = min(largest, max(SMALLEST, len(ids) // (n_workers * UNITS_PER_WORKER)))
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

