"""Judging a run: claims, pairs, two passes, ratings, results; everything written after each batch, so a stop loses one batch."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from ragviz.contracts import Judge, View
from ragviz.errors import Cancelled
from ragviz.grounding.tables import joined_pairs, pairs_for, unjoin
from ragviz.judges import provenance_of
from ragviz.pipeline.asking import Asker
from ragviz.pipeline.choices import claim_set_of, default_judge, make_judge, working_judge
from ragviz.pipeline.claiming import claims_of
from ragviz.pipeline.rating import Ratings
from ragviz.pipeline.scoring import Progress, result_of, score_view
from ragviz.records import Claim, JudgedTrace, Judgement, Pair, PairKey, Policy, Provenance, Table, Verdict
from ragviz.store import Store

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
    seconds: float


def view_of(
    store: Store, run_id: str, judge: Judge, *, k: int | None = None, policy: Policy = Policy.DEFAULT,
) -> View:
    """The run seen through that judge."""
    return View(
        run_id=run_id, judge=provenance_of(judge).fingerprint, claim_set=claim_set_of(judge, store.traits(run_id)), policy=policy, k=k,
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
    limit: int | None = None, policy: Policy = Policy.DEFAULT, retry_unjudged: bool = False, api_key: str | None = None,
    on_progress: Progress | None = None, cancel: threading.Event | None = None,
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
        retry_unjudged: Ask again where the judge failed before.
        api_key: For judges that need one.
        on_progress: Told how many of how many traces are done.
        cancel: Stops between batches.

    Raises:
        JudgeUnavailable: The judge cannot work here.
        Cancelled: Stopped; what was judged is stored.
    """
    started = time.monotonic()
    judge = working_judge(judge_name or default_judge(store, run_id), api_key=api_key, cancelled=cancel.is_set if cancel else None)
    view = view_of(store, run_id, judge, k=k, policy=policy)
    wanted = _wanted(store, run_id, trace_ids, limit)
    open_ = wanted if retry_unjudged else _keep(store.not_judged(run_id, view.judge, view.claim_set, k or 0), wanted)
    work = _Work(store, view, judge, retry_unjudged=retry_unjudged)
    size = NETWORK_BATCH if judge.info.network else LOCAL_BATCH
    for start in range(0, len(open_), size):
        if cancel is not None and cancel.is_set():
            raise Cancelled("judging was stopped", fix="start it again to go on from here")
        work.do(open_[start : start + size])
        if on_progress is not None:
            on_progress(min(start + size, len(open_)), len(open_))
    # Traces judged earlier may still lack results: the program was stopped, or another policy is asked for.
    score_view(store, view, _keep(store.missing_results(view), wanted), cancel=cancel)
    return JudgeReport(
        run_id=run_id, view=view, judge=provenance_of(judge), n_traces=len(open_), n_already=len(wanted) - len(open_),
        n_pairs=work.asker.n_asked + work.asker.n_cached, n_cached=work.asker.n_cached, n_unjudged=work.n_unjudged, cost_usd=work.cost_usd,
        seconds=time.monotonic() - started,
    )


def _wanted(store: Store, run_id: str, trace_ids: Sequence[str] | None, limit: int | None) -> list[str]:
    every = list(trace_ids) if trace_ids is not None else store.trace_ids(run_id)
    return every[:limit]


def _keep(found: Sequence[str], wanted: Sequence[str]) -> list[str]:
    allowed = set(wanted)
    return [trace_id for trace_id in found if trace_id in allowed]


class _Work:
    """One judge at work on one run."""

    def __init__(self, store: Store, view: View, judge: Judge, *, retry_unjudged: bool) -> None:
        self.store = store
        self.view = view
        self.judge = judge
        self.provenance = provenance_of(judge)
        self.asker = Asker(judge, store, run_id=view.run_id)
        self.ratings = Ratings(store, run_id=view.run_id)
        self.retry = retry_unjudged
        self.n_unjudged = 0
        self.cost_usd = 0.0

    def do(self, ids: Sequence[str]) -> None:
        """Judge, rate, score and store these traces."""
        cases = list(self.store.judged(self.view, ids))
        cases = self._with_claims(cases)
        said = self._judge(cases)
        made = self.ratings.add(cases)
        self.store.add_judged(self.view.run_id, self.provenance, said, claim_set=self.view.claim_set, scope=self.view.k or 0)
        if made:
            self.store.add_ratings(self.view.run_id, made)
        done = [
            replace(case, judgements=_latest(case.judgements, said[case.trace.id]), ratings=(*case.ratings, *(r for r in made if r.trace_id == case.trace.id)))
            for case in cases
        ]
        self.store.put_results(self.view, [result_of(case) for case in done])

    def _with_claims(self, cases: list[JudgedTrace]) -> list[JudgedTrace]:
        had = self.store.claim_sets(self.view.run_id, self.view.claim_set, [case.trace.id for case in cases])
        lacking = [case.trace for case in cases if case.trace.id not in had]
        if lacking:
            made = claims_of(lacking, self.view.claim_set)
            self.store.add_claim_sets(self.view.run_id, {(trace_id, self.view.claim_set): claims for trace_id, claims in made.items()})
            had |= made
        return [replace(case, claims=tuple(had[case.trace.id])) for case in cases]

    def _judge(self, cases: Sequence[JudgedTrace]) -> dict[str, list[Judgement]]:
        said: dict[str, list[Judgement]] = {case.trace.id: [] for case in cases}
        known = {case.trace.id: {j.key: j for j in case.judgements if not (self.retry and j.verdict is Verdict.UNJUDGED)} for case in cases}
        singles = [pair for case in cases for pair in single_pairs(case, self.judge) if pair.key not in known[case.trace.id]]
        for judgement in self.asker.ask(singles):
            known[judgement.key.trace_id][judgement.key] = judgement
            said[judgement.key.trace_id].append(judgement)
        joined = [
            pair for case in cases for pair in pairs_to_join(case, self.judge, known[case.trace.id].values()) if pair.key not in known[case.trace.id]
        ]
        traces = {case.trace.id: case.trace for case in cases}
        for judgement in self.asker.ask(joined):
            trace_id = judgement.key.trace_id
            said[trace_id].append(unjoin(judgement, traces[trace_id], self.view.k))
        every = [judgement for some in said.values() for judgement in some]
        self.n_unjudged += sum(judgement.verdict is Verdict.UNJUDGED for judgement in every)
        self.cost_usd += sum(judgement.cost.cost_usd or 0.0 for judgement in every)
        return said


def single_pairs(case: JudgedTrace, judge: Judge, *, claims: Sequence[Claim] | None = None) -> list[Pair]:
    """First pass: each claim against each passage, the reference, the answer. The ``imported`` judge is asked only what the file answers."""
    asked = case.claims if claims is None else claims
    ids = {claim.id for claim in asked}
    pairs = [
        pair for table in Table if table in judge.info.tables
        for pair in pairs_for(case.trace, case.claims, table, k=case.k) if pair.key.claim_id in ids
    ]
    return [pair for pair in pairs if pair.imported is not None] if judge.info.claim_set == "imported" else pairs


def pairs_to_join(case: JudgedTrace, judge: Judge, said: Iterable[Judgement], *, claims: Sequence[Claim] | None = None) -> list[Pair]:
    """Second pass: the joined passages, only for claims no single passage settles. ``imported``: what the file says of all passages together."""
    imported = judge.info.claim_set == "imported"
    if not (judge.info.joined or imported):
        return []
    inside = {passage.id for passage in case.trace.first_passages(case.k)}
    settled = {
        (j.key.table, j.key.claim_id) for j in said
        if j.key.premise_id in inside and j.verdict in (Verdict.ENTAILED, Verdict.CONTRADICTED)
    }
    ids = {claim.id for claim in (case.claims if claims is None else claims)}
    return [
        pair for table in Table if table in judge.info.tables and table.against_passages
        for pair in joined_pairs(case.trace, case.claims, table, k=case.k)
        if pair.key.claim_id in ids and (table, pair.key.claim_id) not in settled and (pair.imported is not None or not imported)
    ]


def _latest(earlier: Sequence[Judgement], said: Sequence[Judgement]) -> tuple[Judgement, ...]:
    last: dict[PairKey, Judgement] = {judgement.key: judgement for judgement in (*earlier, *said)}
    return tuple(last.values())
