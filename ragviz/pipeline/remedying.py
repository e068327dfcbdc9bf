"""A remedy tried on traces of a run: the answers it makes become a new run, judged by the same judge, that can be compared with the old one."""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
import time
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from ragviz import __version__
from ragviz.backends.anthropic_client import AnthropicClient
from ragviz.backends.budget import Budget
from ragviz.contracts import HostedRemedy, Judge, Remedy, View
from ragviz.errors import Cancelled, InputError, JudgeUnavailable
from ragviz.pipeline.judging import judge_run
from ragviz.pipeline.rankings import pack_ranking
from ragviz.pipeline.remade_traces import remade
from ragviz.pipeline.remedy_rounds import Rounds
from ragviz.pipeline.remedy_settings import remedy_named, verifier
from ragviz.pipeline.scoring import Progress
from ragviz.records import (
    RemedyNote,
    RemedySettings,
    RemedyStatus,
    RunManifest,
)
from ragviz.records.codec import encode
from ragviz.records.ids import digest
from ragviz.store import Store

OFFLINE_BATCH, HOSTED_BATCH = 200, 8


class RemedyReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a remedy came to."""

    run_id: str
    """The new run."""
    run: str
    parent: str
    """Run id."""
    remedy: str
    before: View
    after: View
    """The new run, seen through the same judge."""
    n_traces: int
    n_already: int
    """Of these, done by an earlier call that was stopped."""
    statuses: dict[str, int]
    """Traces by ``RemedyStatus``."""
    n_calls: int
    """Made by this call."""
    n_repeated: int
    """Answered from stored replies."""
    cost_usd: float
    """Of this call's requests, as far as prices are known."""
    unpriced_calls: int
    tokens: int
    judge_usd: float
    """Of judging before and after."""
    seconds: float


def remedy_run(
    store: Store, run_id: str, remedy_name: str | Remedy | HostedRemedy, *, settings: RemedySettings | None = None, trace_ids: Sequence[str] | None = None,
    judge_name: str | Judge | None = None, claims: str | None = None, seen: View | None = None, client: AnthropicClient | None = None, api_key: str | None = None,
    run_name: str | None = None, turn: int = 1, on_progress: Progress | None = None, cancel: threading.Event | None = None, budget: Budget | None = None,
) -> RemedyReport:
    """
    Try a remedy. Stopped, killed or out of budget, the same call goes on where it was: no reply is asked for twice, no trace is done twice.

    Args:
        store: Where the run is and the new one goes.
        run_id: The run whose answers failed.
        remedy_name: Name, or a remedy.
        settings: Of the remedy.
        trace_ids: Only these traces; None = all of the run.
        judge_name: Who says what is unsupported, before and after; None = as for ``judge_run``. One that reads only what came with the file
            cannot read new answers: ``local`` takes its place.
        claims: Who splits texts, as for ``judge_run``.
        seen: Verdicts that a remedy without a model acts on, of any judge and with people's words; None = those of ``judge_name``.
        client: Who asks the model, with its budget; only hosted remedies need one.
        api_key: Of the judge, where it needs one.
        run_name: What the new run is called; None = after the old one and the remedy.
        turn: 2 makes the calls that failed in turn 1 again, as a run of its own; good replies are used again.
        on_progress: Told how many of how many traces are done.
        cancel: Stops between calls.
        budget: What the judge may spend; None = out of the client's budget.

    Raises:
        UnknownName: No such run, remedy or judge.
        InputError: No trace is chosen, a setting is missing, or the run is itself not finished.
        JudgeUnavailable: Key or package of a hosted remedy is missing; the judge cannot work here.
        BackendError: The service refuses all calls.
        Cancelled: Stopped; what was done is stored.
        BudgetSpent: The same; the client's budget limits the judge too, where that is a hosted one.
    """
    started = time.monotonic()
    remedy = remedy_named(remedy_name)
    work = _Remedying(store, store.run(run_id), remedy, settings=settings or RemedySettings(), ids=_chosen(store, run_id, trace_ids), turn=turn, cancel=cancel)
    work.budget = budget or (client.budget if client is not None else None)
    work.prepare(judge_name, claims=claims, seen=seen, client=client, api_key=api_key, run_name=run_name)
    work.treat_all(on_progress)
    return work.finish(time.monotonic() - started)


def _chosen(store: Store, run_id: str, trace_ids: Sequence[str] | None) -> list[str]:
    every = store.trace_ids(run_id)
    wanted = every if trace_ids is None else [i for i in every if i in set(trace_ids)]
    if not wanted:
        raise InputError("no trace is chosen", fix="choose traces with a claim that is not supported, or all of them")
    return wanted


class _Remedying:
    """One remedy at work on some traces of one run."""

    def __init__(
        self, store: Store, parent: RunManifest, remedy: Remedy | HostedRemedy, *, settings: RemedySettings, ids: list[str], turn: int, cancel: threading.Event | None,
    ) -> None:
        self.store = store
        self.parent = parent
        self.remedy = remedy
        self.settings = settings
        self.ids = ids
        self.turn = turn
        self.cancel = cancel
        self.rounds: Rounds | None = None
        self.budget: Budget | None = None
        self.judge_usd = 0.0
        self.n_already = 0

    def prepare(
        self, judge_name: str | Judge | None, *, claims: str | None, seen: View | None, client: AnthropicClient | None, api_key: str | None, run_name: str | None,
    ) -> None:
        """Refuse what cannot work before anything is spent; judge the old answers where nobody did; make the new run."""
        self.judge, self.claims = verifier(
            self.store, self.parent.run_id, judge_name, claims=claims, api_key=api_key, cancel=self.cancel, budget=self.budget,
        )
        self.api_key = api_key
        hosted = self.remedy.info.hosted
        if hosted:
            lacking = (client or AnthropicClient(api_key=None)).missing()
            if lacking:
                raise JudgeUnavailable(f"the remedy {self.remedy.info.name} asks a hosted model: {lacking[0]}", fix=lacking[1])
        done = judge_run(
            self.store, self.parent.run_id, self.judge, k=self.settings.k, trace_ids=self.ids, claims=self.claims, api_key=api_key, cancel=self.cancel, budget=self.budget,
        )
        self.before = done.view
        self.judge_usd += done.cost_usd
        self.acts_on = seen if seen is not None and not hosted else self.before
        info = self.remedy.info
        note = RemedyNote(
            parent=self.parent.run_id, parent_name=self.parent.name, remedy=info.name, version=info.version, prompt_version=info.prompt_version,
            model=client.model if client and hosted else None, settings=self.settings, judge=self.acts_on.judge, claim_set=self.acts_on.claim_set, turn=self.turn,
        )
        name = run_name or f"{self.parent.name} · {info.name}" + (f" ({self.turn})" if self.turn > 1 else "")
        whole = self.ids == self.store.trace_ids(self.parent.run_id)
        self.manifest = RunManifest(
            run_id=_run_id(name, note, self.ids), name=name, created_at=self.store.now(), ragviz_version=__version__, format=self.parent.format, files=self.parent.files,
            questions_hash=self.parent.questions_hash if whole else "", corpus_hash=self.parent.corpus_hash if whole else "", remedy=note,
        )
        self.store.create_run(self.manifest)
        self.manifest = replace(self.manifest, created_at=self.store.run(self.manifest.run_id).created_at)
        if hosted and client is not None:
            self.rounds = Rounds(
                self.store, self.remedy, client, settings=self.settings, view=replace(self.before, run_id=self.manifest.run_id), judge=self.judge, claims=self.claims,  # type: ignore[arg-type]
                turn=self.turn, token=lambda: secrets.token_hex(8), cancel=self.cancel, api_key=api_key,
            )

    def treat_all(self, on_progress: Progress | None) -> None:
        """Every trace that was not done yet; each batch is stored whole."""
        there = set(self.store.trace_ids(self.manifest.run_id))
        self.n_already = len(there)
        open_ = [i for i in self.ids if i not in there]
        size = HOSTED_BATCH if self.rounds else OFFLINE_BATCH
        for start in range(0, len(open_), size):
            if self.cancel is not None and self.cancel.is_set():
                raise Cancelled("the remedy was stopped", fix="start it again to go on from here")
            if on_progress is not None:
                on_progress(self.n_already + start, len(self.ids))
            cases = list(self.store.judged(self.acts_on, open_[start : start + size]))
            treated = self.rounds.treat(cases) if self.rounds else [self.remedy.treat(case, self.settings) for case in cases]  # type: ignore[union-attr]
            made = [remade(case.trace, found) for case, found in zip(cases, treated, strict=True)]
            self.store.add_traces(self.manifest.run_id, made, packed={trace.id: pack_ranking(trace) for trace in made})
        if on_progress is not None:
            on_progress(len(self.ids), len(self.ids))

    def finish(self, seconds: float) -> RemedyReport:
        """Close the run, judge the new answers, and count."""
        fingerprints, statuses = hashlib.sha256(), dict.fromkeys(RemedyStatus, 0)
        for trace in self.store.traces(self.manifest.run_id):
            fingerprints.update(digest((trace.question, trace.response, *(p.text for p in trace.passages or ()))).encode())
            if trace.remedied is not None:
                statuses[trace.remedied.status] += 1
        self.store.finish_run(replace(self.manifest, traces_hash=fingerprints.hexdigest()[:32], n_traces=len(self.ids)))
        done = judge_run(self.store, self.manifest.run_id, self.judge, k=self.settings.k, claims=self.claims, api_key=self.api_key, cancel=self.cancel, budget=self.budget)
        self.judge_usd += done.cost_usd + (self.rounds.judge_usd if self.rounds else 0.0)
        caller = self.rounds.caller if self.rounds else None
        return RemedyReport(
            run_id=self.manifest.run_id, run=self.manifest.name, parent=self.parent.run_id, remedy=self.remedy.info.name, before=self.before, after=done.view,
            n_traces=len(self.ids), n_already=self.n_already, statuses={status.value: n for status, n in statuses.items()},
            n_calls=caller.n_calls if caller else 0, n_repeated=caller.n_repeated if caller else 0, cost_usd=caller.spent_usd if caller else 0.0,
            unpriced_calls=caller.n_unpriced if caller else 0, tokens=caller.spent_tokens if caller else 0, judge_usd=self.judge_usd, seconds=seconds,
        )


def _run_id(name: str, note: RemedyNote, ids: Sequence[str]) -> str:
    """From what is done to what: the same remedy on the same traces is the same run, and goes on."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "run"
    return f"{slug}-{digest((encode(note).decode(), name, *ids), length=8)}"
