"""The batches of one judge and one run: filled and sent, noted in the store, waited for, taken in."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from ragviz.backends.anthropic_batches import MAX_BYTES, MAX_REQUESTS, BatchClient, results, send, size, state
from ragviz.errors import BackendError, Cancelled
from ragviz.judges.hosted import AnthropicJudge
from ragviz.pipeline.spending import NOTHING, AtMost, at_most
from ragviz.pipeline.work import Work, single_pairs
from ragviz.records import JudgedTrace, Judgement, Pair, Verdict
from ragviz.store import PendingBatch
from ragviz.text.counts import counted

TRACES_AT_ONCE = 50
FIRST_WAIT_S, LONGEST_WAIT_S = 5.0, 60.0
MAX_FAULTS = 20
"""Times in a row that a batch may fail to be asked about before waiting ends: a day is long, and networks come and go."""

Say = Callable[[str], None]


class Outgoing:
    """A batch that is being filled; all calls about a trace are in the same one."""

    def __init__(self) -> None:
        # Every message of a batch has the same boundary word, which nobody could know who wrote a passage; it is kept, so that the
        # very same messages, and with them the ids of the answers, can be made again.
        self.fence = secrets.token_hex(8)
        self.requests: dict[str, dict[str, Any]] = {}
        self.trace_ids: list[str] = []
        self.left_out: list[Any] = []
        self.n_bytes = 0
        self.at_most = NOTHING

    def fits(self, asked: dict[str, dict[str, Any]], n_bytes: int) -> bool:
        """Whether these calls have room; an empty batch takes any."""
        return not self.requests or (len(self.requests) + len(asked) <= MAX_REQUESTS and self.n_bytes + n_bytes <= MAX_BYTES)


class Batches:
    """Sends, notes, waits, takes in."""

    def __init__(self, work: Work, judge: AnthropicJudge, *, say: Say, first_wait_s: float, on_done: Callable[[Sequence[str]], None]) -> None:
        self.work = work
        self.judge = judge
        self.say = say
        self.first_wait_s = first_wait_s
        self.on_done = on_done
        self.unsent: list[str] = []
        """Traces for which the budget is too small."""
        self.over = ""
        """Why."""
        self._committed = NOTHING

    def pending(self) -> list[PendingBatch]:
        """What this judge waits for in this run."""
        return self.work.store.pending(self.work.view.run_id, self.work.view.judge)

    def send_missing(self, open_: Sequence[str]) -> None:
        """Send what is neither judged nor under way."""
        for batch in self.pending():
            if state(self.judge.client, batch.batch_id) is None:
                self.say(f"batch {batch.batch_id} is no longer known to the service: its calls ({batch.n_requests:,}) are sent again")
                self.work.store.remove_pending(batch.batch_id)
        under_way = {trace_id for b in self.pending() if (b.k, b.claim_set) == (self.work.view.k, self.work.view.claim_set) for trace_id in b.trace_ids}
        missing = [trace_id for trace_id in open_ if trace_id not in under_way]
        for batch in self.pending():
            self._committed = self._committed.plus(AtMost(batch.max_tokens, batch.max_usd))
        outgoing = Outgoing()
        for some in _in_pieces(missing):
            if self.over:  # splitting the rest into claims may cost money as well
                self.unsent += some
                continue
            for case in self.work.cases(some):
                outgoing = self._add(outgoing, case)
            self._stop_if_cancelled()
        if self.unsent:
            self.say(
                f"{self.over}, at the most that these calls can cost: {counted(len(self.unsent), 'trace')} {'is' if len(self.unsent) == 1 else 'are'} not sent"
            )
        self._send(outgoing)

    def _add(self, outgoing: Outgoing, case: JudgedTrace) -> Outgoing:
        """One trace into the batch, or into a new one where it is full. A trace that needs no call is finished at once."""
        known = {j.key for j in case.judgements}
        pairs = [pair for pair in single_pairs(case, self.judge) if pair.key not in known]
        cached = list(self.work.asker.known(pairs).values())
        if cached:
            self.work.store.add_judged(self.work.view.run_id, self.work.provenance, {case.trace.id: cached}, claim_set=self.work.view.claim_set)
            case = replace(case, judgements=(*case.judgements, *cached))
            known |= {j.key for j in cached}
            pairs = [pair for pair in pairs if pair.key not in known]
        asked, said = self._calls(pairs, outgoing.fence)
        n_bytes = sum(map(size, asked.values()))
        if not outgoing.fits(asked, n_bytes):
            self._send(outgoing)
            outgoing = Outgoing()
            asked, said = self._calls(pairs, outgoing.fence)
        if not asked:
            self.work.finish([case], {case.trace.id: said})
            self.on_done([case.trace.id])
            return outgoing
        cost = at_most(asked.values(), model=self.judge.client.model)
        if not self._affords(cost):
            self.unsent.append(case.trace.id)
            return outgoing
        outgoing.at_most = outgoing.at_most.plus(cost)
        outgoing.requests |= asked
        outgoing.n_bytes += n_bytes
        outgoing.trace_ids.append(case.trace.id)
        outgoing.left_out += sorted(known)
        return outgoing

    def _affords(self, cost: AtMost) -> bool:
        """Whether so much more may be sent; commits it then. After the first refusal nothing follows: what is left is the end of the run, not holes in it."""
        total = self._committed.plus(cost)
        if not self.over and self.work.budget is not None:
            self.over = self.work.budget.would_exceed(usd=total.usd, tokens=total.tokens)
        if not self.over:
            self._committed = total
        return not self.over

    def _calls(self, pairs: Sequence[Pair], fence: str) -> tuple[dict[str, dict[str, Any]], list[Judgement]]:
        """The calls that judging these pairs takes; and the judgements, which say something only if there is no call."""
        client = BatchClient(self.judge.client)
        said = AnthropicJudge(client=client, token=lambda: fence).judge(pairs)
        return client.asked, said

    def _send(self, outgoing: Outgoing) -> None:
        if not outgoing.requests:
            return
        view, store = self.work.view, self.work.store
        batch_id = send(self.judge.client, outgoing.requests)
        store.add_pending(
            view.run_id,
            PendingBatch(
                batch_id=batch_id,
                fingerprint=view.judge,
                claim_set=view.claim_set,
                k=view.k,
                trace_ids=tuple(outgoing.trace_ids),
                left_out=tuple(outgoing.left_out),
                fence=outgoing.fence,
                n_requests=len(outgoing.requests),
                sent_at=store.now().isoformat(),
                max_tokens=outgoing.at_most.tokens,
                max_usd=outgoing.at_most.usd or 0.0,
            ),
        )
        self.say(f"batch {batch_id}: {counted(len(outgoing.requests), 'call')} about {counted(len(outgoing.trace_ids), 'trace')} sent")

    def take_in_all(self) -> list[str]:
        """Wait until no batch is under way; the ids of those taken in."""
        taken: list[str] = []
        wait_s, faults, told = self.first_wait_s, 0, ""
        while batches := self.pending():
            try:
                ended = [batch for batch in batches if self._has_ended(batch)]
                for batch in ended:
                    self._take_in(batch)
                    taken.append(batch.batch_id)
                faults = 0
            except BackendError as exc:
                faults += 1
                if not exc.retryable or faults > MAX_FAULTS:
                    raise BackendError(exc.message, fix=exc.fix or "run the same command again to go on", retryable=exc.retryable) from exc
                ended = []
            open_ = ", ".join(batch.batch_id for batch in batches if batch not in ended)
            if open_:
                if open_ != told:
                    self.say(f"waiting for {open_}; stop at any time, the same command goes on from here")
                    told = open_
                self._stop_if_cancelled()
                self._pause(wait_s)
                wait_s = min(LONGEST_WAIT_S, wait_s * 1.5)
        return taken

    def _has_ended(self, batch: PendingBatch) -> bool:
        found = state(self.judge.client, batch.batch_id)
        if found is None:
            raise BackendError(f"batch {batch.batch_id} is no longer known to the service", fix="run the same command again: its calls are then sent anew")
        return found.ended

    def _take_in(self, batch: PendingBatch) -> None:
        """Make the same messages again, give each its answer, and store what is not known yet."""
        answers = results(self.judge.client, batch.batch_id)
        client = BatchClient(self.judge.client, answers)
        replay = AnthropicJudge(client=client, token=lambda: batch.fence)
        view = replace(self.work.view, k=batch.k, claim_set=batch.claim_set)
        store, left_out = self.work.store, set(batch.left_out)
        done = set(batch.trace_ids).difference(store.not_judged(view.run_id, view.judge, view.claim_set, view.k or 0))
        work = self.work.seen_as(view)
        for some in _in_pieces([trace_id for trace_id in batch.trace_ids if trace_id not in done]):
            cases = work.cases(some)
            said: dict[str, list[Judgement]] = {case.trace.id: [] for case in cases}
            pairs = [pair for case in cases for pair in single_pairs(case, replay) if pair.key not in left_out]
            known = {j.key for case in cases for j in case.judgements if j.verdict is not Verdict.UNJUDGED}
            fresh = [(pair, judgement) for pair, judgement in zip(pairs, replay.judge(pairs), strict=True) if pair.key not in known]
            for _, judgement in fresh:
                said[judgement.key.trace_id].append(judgement)
            work.asker.keep([pair for pair, _ in fresh], [judgement for _, judgement in fresh])
            work.finish(cases, said)
            self.on_done(some)
        store.remove_pending(batch.batch_id)

    def _stop_if_cancelled(self) -> None:
        if self.work.cancel is not None and self.work.cancel.is_set():
            raise Cancelled("judging was stopped; batches that were sent go on", fix="start it again to take their answers in")

    def _pause(self, seconds: float) -> None:
        if self.work.cancel is not None:
            self.work.cancel.wait(seconds)
        else:
            time.sleep(seconds)


def _in_pieces(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(ids), TRACES_AT_ONCE):
        yield ids[start : start + TRACES_AT_ONCE]
