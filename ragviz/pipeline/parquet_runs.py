"""
A folder of traces as Parquet in, a folder of judged traces as Parquet out: for runs that no single store should hold.

Each row group of the input becomes one file of the output, which appears when it is complete. Whatever dies, the same call goes on with
the files that are not there yet, so nothing is judged twice. Paths may be folders or addresses of an object store (``s3://bucket/folder``).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext

import msgspec

from ragviz.backends import ray_cluster
from ragviz.backends.parquet_folder import Folder
from ragviz.contracts import Judge, View
from ragviz.errors import BackendError, Cancelled, InputError, SetupError
from ragviz.judges import fingerprint
from ragviz.pipeline.choices import DEFAULT_JUDGE, claim_set_of, working_judge
from ragviz.pipeline.judged_rows import COLUMNS, row_of, trace_of
from ragviz.pipeline.judging import DEFAULT_RETRIEVAL_K
from ragviz.pipeline.scoring import Progress, result_of
from ragviz.pipeline.workers import Answer, Given, Hand, Order, answered
from ragviz.records import JudgedTrace, Verdict
from ragviz.records.codec import decode, encode
from ragviz.store.runs import traits_of

MARK = ".ragviz-judging.json"
"""In the folder that is written: who judges. Another judge needs another folder."""


class FolderReport(msgspec.Struct, frozen=True, kw_only=True):
    """What judging a folder came to."""

    judge: str
    fingerprint: str
    n_traces: int
    """Judged by this call."""
    n_already: int
    """Traces of row groups that were judged before."""
    n_pairs: int
    n_unjudged: int
    """Pairs the judge could not answer."""
    n_files: int
    """Files written."""
    seconds: float


class _Unit(msgspec.Struct, frozen=True, kw_only=True):
    file: str
    group: int
    out: str
    n_traces: int


class _Mark(msgspec.Struct, frozen=True, kw_only=True):
    fingerprint: str
    claim_set: str
    k: int | None


def judge_folder(
    source: str, target: str, judge_name: str | Judge | None = None, *, engine: str = "local", address: str | None = None, n_workers: int | None = None,
    k: int | None = None, claims: str | None = None, on_progress: Progress | None = None, cancel: threading.Event | None = None,
) -> FolderReport:
    """
    Judge the traces of Parquet files that ragviz exported, and write them with their verdicts.

    Args:
        source: Folder or address with ``*.parquet`` of ``ragviz export RUN traces.parquet``, in it or below.
        target: Folder or address that is written; must be seen by every worker under the same name.
        judge_name: A judge that needs no network; None = ``local``.
        engine: ``local``, in this process; ``ray``, on a cluster.
        address: As for ``judge_on_ray``, and so are ``n_workers``, ``k`` and ``claims``.
        n_workers: See there.
        k: See there.
        claims: See there.
        on_progress: Told how many of how many traces are done.
        cancel: Stops; files that are complete stay.

    Raises:
        InputError: No such folder, no traces of ragviz in it, or ``target`` was written by another judge.
        SetupError: Ray is missing, or the judge asks a service.
        BackendError: Ray gave up.
        Cancelled: Stopped; start again to go on.
    """
    started = time.monotonic()
    judge = working_judge(judge_name or DEFAULT_JUDGE)
    if judge.info.network:
        raise SetupError(
            f"the judge {judge.info.name} asks a service: a folder is judged by models that run here", fix="choose a judge without network, such as local"
        )
    inside, outside = Folder(source), Folder(target)
    units = _units(inside)
    view = View(run_id="folder", judge=fingerprint(judge), claim_set=_claim_set(inside, units, judge, claims), k=k, retrieval_k=k or DEFAULT_RETRIEVAL_K)
    _sign(outside, view)
    there = set(outside.files())
    open_ = [unit for unit in units if unit.out not in there]
    order = Order(view=view, judge=judge_name or DEFAULT_JUDGE)
    tally, total = Answer(), sum(unit.n_traces for unit in open_)
    stopped = cancel.is_set if cancel else lambda: False
    for answer in (
        _answers(open_, order, inside.address, outside.address, engine=engine, address=address, n_workers=n_workers, stopped=stopped) if open_ else ()
    ):
        if answer.fault:
            raise BackendError(answer.fault, fix=answer.fix)
        tally = Answer(
            n_traces=tally.n_traces + answer.n_traces, n_asked=tally.n_asked + answer.n_asked + answer.n_cached, n_unjudged=tally.n_unjudged + answer.n_unjudged
        )
        if on_progress is not None:
            on_progress(min(total, tally.n_traces), total)
    return FolderReport(
        judge=judge.info.name, fingerprint=view.judge, n_traces=total, n_already=sum(unit.n_traces for unit in units) - total, n_pairs=tally.n_asked,
        n_unjudged=tally.n_unjudged, n_files=len(open_), seconds=time.monotonic() - started,
    )


def _units(source: Folder) -> list[_Unit]:
    units = []
    for file in source.files():
        n_rows = source.row_groups(file)
        stem = file.removesuffix(".parquet").replace("/", "--")
        units += [_Unit(file=file, group=n, out=f"{stem}-{n:05d}.parquet", n_traces=rows) for n, rows in enumerate(n_rows) if rows]
    if not units:
        raise InputError(f"{source.address} holds no Parquet files with traces", fix="write some with: ragviz export RUN traces.parquet")
    return units


def _claim_set(source: Folder, units: Sequence[_Unit], judge: Judge, claims: str | None) -> str:
    """As for a run whose traces are like the first ones: all files of a folder are judged alike."""
    first = [trace_of(row, units[0].file) for row in source.rows(units[0].file, units[0].group)]
    return claim_set_of(judge, traits_of(first), claims=claims)


def _sign(target: Folder, view: View) -> None:
    mark = _Mark(fingerprint=view.judge, claim_set=view.claim_set, k=view.k)
    known = target.read(MARK)
    if known is None:
        target.write(MARK, encode(mark))
    elif decode(known, _Mark) != mark:
        raise InputError(f"{target.address} holds verdicts of another judge, claim set or k", fix="write to an empty folder")


def _answers(
    units: Sequence[_Unit], order: Order, source: str, target: str, *, engine: str, address: str | None, n_workers: int | None, stopped: Callable[[], bool],
) -> Iterator[Answer]:
    with ray_cluster.joined(address, n_workers=n_workers) if engine == "ray" else nullcontext() as cluster:
        raw: Iterable[bytes]
        if cluster is None:
            here = FolderWorker(order, source, target)
            raw = (here(encode(unit)) for unit in units)
        else:
            raw = cluster.stream([encode(unit) for unit in units], FolderWorker, order, source, target, stopped=stopped)
        for answer in raw:
            yield decode(answer, Answer)
            if stopped():
                raise Cancelled("judging was stopped", fix="start it again to go on from here")


class FolderWorker:
    """Judges row groups: reads one, writes one file."""

    def __init__(self, order: Order, source: str, target: str) -> None:
        self._order = order
        self._source, self._target = Folder(source), Folder(target)
        self._hand: Hand | None = None

    def __call__(self, unit: bytes) -> bytes:
        """``unit``: which row group of which file, and what to write, as JSON."""
        return answered(lambda: self._answer(decode(unit, _Unit)))

    def _answer(self, unit: _Unit) -> Answer:
        self._hand = self._hand or Hand(self._order)
        view = self._order.view
        traces = [trace_of(row, unit.file) for row in self._source.rows(unit.file, unit.group)]
        given = [
            Given(case=JudgedTrace(trace=trace, k=view.k, retrieval_k=view.retrieval_k, policy=view.policy, claim_set=view.claim_set), is_split=False)
            for trace in traces
        ]
        cases, answer = self._hand.judged(given)
        rows = []
        for case, said in zip(cases, answer.said, strict=True):
            whole = msgspec.structs.replace(case, judgements=tuple(said.judgements), ratings=tuple(said.ratings))
            rows.append(row_of(whole, result_of(whole), said, view=view, provenance=self._hand.provenance))
        self._target.write_rows(unit.out, rows, COLUMNS)
        n_unjudged = sum(j.verdict is Verdict.UNJUDGED for said in answer.said for j in said.judgements)
        return Answer(n_asked=answer.n_asked, n_cached=answer.n_cached, n_traces=len(rows), n_unjudged=n_unjudged)
