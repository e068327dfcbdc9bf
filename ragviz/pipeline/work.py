"""One judge at work on one run: claims, pairs, two passes, ratings, results; everything of a batch of traces written together."""

from __future__ import annotations

import copy
import threading
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from ragviz.backends.budget import Budget
from ragviz.contracts import ClaimExtractor, Judge, Rater, View
from ragviz.errors import BudgetSpent, Cancelled
from ragviz.grounding import is_said_to_answer, with_claims
from ragviz.grounding.tables import joined_pairs, pairs_for, unjoin
from ragviz.judges import provenance_of
from ragviz.judges.cascade import CascadeJudge, deciding_step
from ragviz.pipeline.asking import Asker
from ragviz.pipeline.claiming import claims_of, listen
from ragviz.pipeline.rating import Ratings
from ragviz.pipeline.scoring import results_of
from ragviz.records import Claim, JudgedTrace, Judgement, LoadIssue, Pair, PairKey, Rating, Table, Trace, Verdict
from ragviz.store import Store


@dataclass
class _Tally:
    n_unjudged: int = 0
    judged_usd: float = 0.0
    by_step: Counter[str] = field(default_factory=Counter)


class Work:
    """One judge at work on one run."""

    def __init__(
        self, store: Store, view: View, judge: Judge, *, extractor: ClaimExtractor | None = None, asked_for: Sequence[Rater] = (),
        retry_unjudged: bool = False, anew: bool = False, cancel: threading.Event | None = None, budget: Budget | None = None,
    ) -> None:
        """
        Args:
            store: Where the run is.
            view: The run, seen through the judge.
            judge: Who judges.
            extractor: Who splits texts that were not split yet; None = the view's claim set says it.
            asked_for: Raters beside those that need no network.
            retry_unjudged: Ask again where the judge failed before.
            anew: Ask about everything again, past the cache; the answers are appended to what was said.
            cancel: What a service left unanswered because of it is not stored.
            budget: The same; raises ``BudgetSpent`` when a call was not made because of it.
        """
        self.store = store
        self.view = view
        self.judge = judge
        self.extractor = extractor
        self.provenance = provenance_of(judge)
        self.asker = Asker(judge, store, run_id=view.run_id, fresh=anew)
        # Annotated facts are judged exactly and at once; waiting for an embedding model beside them would be for traces without annotations only.
        self.ratings = Ratings(store, run_id=view.run_id, asked_for=asked_for, only_asked_for=judge.info.claim_set == "facts")
        self.retry = retry_unjudged
        self.anew = anew
        self.cancel = cancel
        self.budget = budget
        self._tally = _Tally()
        self._doubts: list[LoadIssue] = []
        listen(extractor, self._doubts)

    def seen_as(self, view: View) -> Work:
        """The same people at work on another view of the run; what they come to is counted together."""
        other = copy.copy(self)
        other.view = view
        return other

    @property
    def n_unjudged(self) -> int:
        """Pairs the judge could not answer."""
        return self._tally.n_unjudged

    @property
    def cost_usd(self) -> float:
        """Of judging, splitting and rating, as far as prices are known."""
        return self._tally.judged_usd + self.ratings.spent_usd + float(getattr(self.extractor, "spent_usd", 0.0))

    @property
    def by_step(self) -> dict[str, int]:
        """Pairs that each step of a cascade decided."""
        return dict(self._tally.by_step)

    def do(self, ids: Sequence[str]) -> None:
        """Judge, rate, score and store these traces."""
        cases = self.cases(ids)
        said = self.judge_cases(cases)
        self._stop_if_cancelled()
        self.finish(cases, said)

    def cases(self, ids: Sequence[str]) -> list[JudgedTrace]:
        """These traces with their claims, which are stored if they are new."""
        return self._with_claims(list(self.store.judged(self.view, ids)))

    def finish(self, cases: Sequence[JudgedTrace], said: Mapping[str, Sequence[Judgement]]) -> None:
        """Rate, score and store; these traces are complete with that."""
        made = self.ratings.add(cases)
        self._stop_if_cancelled()
        self.keep(cases, said, made)

    def keep(self, cases: Sequence[JudgedTrace], said: Mapping[str, Sequence[Judgement]], made: Sequence[Rating]) -> None:
        """Score these traces and store what was said of them, here or elsewhere; they are complete with that."""
        every = [judgement for some in said.values() for judgement in some]
        self._tally.n_unjudged += sum(judgement.verdict is Verdict.UNJUDGED for judgement in every)
        if isinstance(self.judge, CascadeJudge):
            self._tally.by_step.update(deciding_step(judgement) for judgement in every)
        self._tally.judged_usd += sum(judgement.cost.cost_usd or 0.0 for judgement in every)
        self.store.add_judged(self.view.run_id, self.provenance, said, claim_set=self.view.claim_set, scope=self.view.k or 0, repeats=self.anew)
        if made:
            self.store.add_ratings(self.view.run_id, made)
        done = [
            replace(case, judgements=_latest(case.judgements, said[case.trace.id]), ratings=(*case.ratings, *(r for r in made if r.trace_id == case.trace.id)))
            for case in cases
        ]
        self.store.put_results(self.view, results_of(self.store, self.view.run_id, done))

    def rate(self, ids: Sequence[str]) -> None:
        """Add the ratings that traces judged earlier lack; their results are then to be computed again."""
        made = self.ratings.add(self.cases(ids))
        self._stop_if_cancelled()
        if made:
            self.store.add_ratings(self.view.run_id, made)

    def _stop_if_cancelled(self) -> None:
        """What judges and raters on this machine said is whole; a service may have been cut short, and asking again is then cheaper than a gap."""
        if self.cancel is not None and self.cancel.is_set() and self.over_network:
            raise Cancelled("judging was stopped", fix="start it again to go on from here")
        if self.budget is not None and self.budget.n_refused:
            raise BudgetSpent(self.budget.refusal(), fix="raise --max-usd or --max-tokens and start again: what is judged stays")

    @property
    def over_network(self) -> bool:
        """Whether a service takes part: smaller batches then lose less when stopped."""
        return self.judge.info.network or self.ratings.over_network or hasattr(self.extractor, "spent_usd")

    def _with_claims(self, cases: list[JudgedTrace]) -> list[JudgedTrace]:
        had = self.store.claim_sets(self.view.run_id, self.view.claim_set, [case.trace.id for case in cases])
        lacking = [case.trace for case in cases if case.trace.id not in had]
        if lacking:
            self._doubts.clear()
            made = self.split(lacking, {case.trace.id for case in cases if is_said_to_answer(case)})
            self._stop_if_cancelled()
            self.keep_claims(made)
            if self._doubts:
                self.store.add_issues(self.view.run_id, self._doubts)
            had |= made
        return [with_claims(case, had[case.trace.id]) for case in cases]

    def split(self, traces: Sequence[Trace], answers: Collection[str] = ()) -> dict[str, list[Claim]]:
        """Claims of traces that were not split yet, by trace; nothing stored. ``answers``: those that answer, as a person says."""
        return claims_of(traces, self.view.claim_set, self.extractor, answers=answers)

    def keep_claims(self, made: Mapping[str, Sequence[Claim]]) -> None:
        """Store claims by trace; known ones stay."""
        self.store.add_claim_sets(self.view.run_id, {(trace_id, self.view.claim_set): claims for trace_id, claims in made.items()})

    def judge_cases(self, cases: Sequence[JudgedTrace]) -> dict[str, list[Judgement]]:
        """What the judge says of these traces' claims and did not say before, by trace; both passes, nothing stored but the cache."""
        said: dict[str, list[Judgement]] = {case.trace.id: [] for case in cases}
        known = {case.trace.id: {j.key: j for j in case.judgements if not self._asks_again(j)} for case in cases}
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
        return said

    def _asks_again(self, judgement: Judgement) -> bool:
        return self.anew or (self.retry and judgement.verdict is Verdict.UNJUDGED)


def single_pairs(case: JudgedTrace, judge: Judge, *, claims: Sequence[Claim] | None = None) -> list[Pair]:
    """First pass: each claim against each passage, the reference, the answer. The ``imported`` judge is asked only what the file answers."""
    asked = case.claims if claims is None else claims
    ids = {claim.id for claim in asked}
    pairs = [
        pair for table in Table if table in judge.info.tables
        for pair in pairs_for(case.trace, _of_interest(case, ids, table), table, k=case.k) if pair.key.claim_id in ids
    ]
    return [pair for pair in pairs if pair.imported is not None] if judge.info.claim_set == "imported" else pairs


def _of_interest(case: JudgedTrace, ids: Collection[str], table: Table) -> list[Claim]:
    """The claims asked about and the other side's, whose facts are premises: a pair of every claim and passage of a large trace takes a second to make."""
    if any(c.verdicts for c in case.trace.claims or ()):
        return list(case.claims)  # a file tells equal claims apart by their order
    return [c for c in case.claims if c.id in ids or c.side is not table.side]


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
        for pair in joined_pairs(case.trace, _of_interest(case, ids, table), table, k=case.k)
        if pair.key.claim_id in ids and (table, pair.key.claim_id) not in settled and (pair.imported is not None or not imported)
    ]


def _latest(earlier: Sequence[Judgement], said: Sequence[Judgement]) -> tuple[Judgement, ...]:
    last: dict[PairKey, Judgement] = {judgement.key: judgement for judgement in (*earlier, *said)}
    return tuple(last.values())
