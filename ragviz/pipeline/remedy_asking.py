"""Calls of a remedy: each reply is stored the moment it is there, so that no call is ever made twice."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from ragviz.backends.anthropic_client import KEY_REFUSED, AnthropicClient, Prompt, Reply
from ragviz.contracts import HostedRemedy
from ragviz.errors import BackendError, BudgetSpent, Cancelled, JudgeUnavailable
from ragviz.records import Provenance
from ragviz.records.ids import digest
from ragviz.store import Store

PARALLEL_CALLS = 8
FENCE = "fence"
"""Stands for the boundary word in keys: the word itself is new in every call."""


class Call(NamedTuple):
    """One call: what it is known by, and what is sent."""

    key_prompt: Prompt
    """With ``FENCE`` as boundary word."""
    prompt: Prompt
    round: int
    is_useful: Callable[[Reply], bool]
    """False for a reply that is refused, cut off or unreadable."""


class Answered(NamedTuple):
    """What a call came to."""

    reply: Reply | BackendError
    repeated: bool
    """Known from before."""


class Caller:
    """Makes the calls of one remedied run."""

    def __init__(self, store: Store, remedy: HostedRemedy, client: AnthropicClient, *, run_id: str, turn: int, cancel: threading.Event | None) -> None:
        """
        Args:
            store: Keeps the replies.
            remedy: Whose calls these are.
            client: Who sends them; its budget is the limit.
            run_id: Replies are forgotten with this run.
            turn: From the second on, calls that failed are made again.
            cancel: Asked before each call.
        """
        self._store = store
        self._remedy = remedy
        self._client = client
        self._run_id = run_id
        self._turn = turn
        self._cancel = cancel
        self._worked = False
        self._lock = threading.Lock()
        self.n_calls = 0
        self.n_unpriced = 0
        self.spent_usd = 0.0
        self.spent_tokens = 0
        self.n_repeated = 0
        info = remedy.info
        self._provenance = Provenance(
            judge=f"remedy {info.name}", judge_version=info.version, params_hash="-", model=client.model, prompt_version=info.prompt_version
        )

    def key(self, call: Call, turn: int) -> str:
        """Content of the call, round and turn; no ids, so equal questions share a reply."""
        p, info = call.key_prompt, self._remedy.info
        return digest((self._client.model, info.name, info.version, str(call.round), str(turn), p.system, p.user, str(p.max_tokens)))

    def known(self, calls: Sequence[Call]) -> list[dict[int, Reply]]:
        """Replies to each call by turn."""
        keys = {(n, turn): self.key(call, turn) for n, call in enumerate(calls) for turn in range(1, self._turn + 1)}
        found = self._store.judgement_cache.get_replies(list(keys.values()))
        return [{turn: found[keys[n, turn]] for turn in range(1, self._turn + 1) if keys[n, turn] in found} for n in range(len(calls))]

    def ask(self, calls: Sequence[Call]) -> list[Answered]:
        """
        A reply or a failure for each call, in order. A stored one counts unless it was of no use and this is a later turn.

        Raises:
            Cancelled: Stopped; replies that came are stored.
            BudgetSpent: The same.
            BackendError: The service refuses every call for a reason that waiting does not cure.
            JudgeUnavailable: The key is missing or refused.
        """
        stored = self.known(calls)
        kept = {n: reply for n, call in enumerate(calls) if (reply := self._kept(call, stored[n])) is not None}
        open_ = {n: self.key(call, self._turn) for n, call in enumerate(calls) if n not in kept}
        first: dict[str, int] = {}
        for n, key in open_.items():
            first.setdefault(key, n)
        fresh: dict[int, Reply | BackendError] = {}
        if first:
            with ThreadPoolExecutor(min(PARALLEL_CALLS, len(first)), thread_name_prefix="ragviz-remedy") as pool:
                fresh = dict(zip(first.values(), pool.map(lambda n: self._one(calls[n]), first.values()), strict=True))
            self._stop_if_hopeless(fresh)
        self.n_repeated += len(calls) - len(first)
        return [Answered(fresh[first[open_[n]]], repeated=first[open_[n]] != n) if n in open_ else Answered(kept[n], repeated=True) for n in range(len(calls))]

    def _kept(self, call: Call, by_turn: dict[int, Reply]) -> Reply | None:
        """The first useful reply; else that of this turn, whatever it is worth."""
        return next((reply for _, reply in sorted(by_turn.items()) if call.is_useful(reply)), by_turn.get(self._turn))

    def _one(self, call: Call) -> Reply | BackendError:
        if self._cancel is not None and self._cancel.is_set():
            return BackendError("stopped before this call")
        try:
            reply = self._client.ask(call.prompt, self._remedy.schema)
        except BackendError as exc:
            return exc
        self._store.judgement_cache.put_reply(self.key(call, self._turn), reply, self._provenance, run_id=self._run_id)
        self._worked = True
        with self._lock:
            self.n_calls += 1
            self.n_unpriced += reply.cost_usd is None
            self.spent_usd += reply.cost_usd or 0.0
            self.spent_tokens += (reply.tokens_in or 0) + (reply.tokens_out or 0)
        return reply

    def _stop_if_hopeless(self, fresh: dict[int, Reply | BackendError]) -> None:
        faults = [found for found in fresh.values() if isinstance(found, BackendError)]
        if self._cancel is not None and self._cancel.is_set():
            raise Cancelled("the remedy was stopped", fix="start it again to go on from here")
        if self._client.budget.n_refused:
            reason = self._client.budget.refusal() or next(fault.message for fault in faults)
            raise BudgetSpent(reason, fix="raise the limit and start again: what was answered stays, and is not paid for twice")
        refused = next((fault for fault in faults if fault.message == KEY_REFUSED), None)
        if refused is not None:
            raise JudgeUnavailable(f"the remedy cannot ask: {refused.message}", fix=refused.fix)
        if faults and not self._worked and not any(fault.retryable for fault in faults):
            raise faults[0]
