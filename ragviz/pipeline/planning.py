"""What judging a run will take, before anything is spent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from ragviz.backends.anthropic_prices import price
from ragviz.contracts import Availability, Judge, View
from ragviz.grounding.tables import joined_pairs
from ragviz.judges import provenance_of
from ragviz.judges.cascade import CascadeJudge
from ragviz.judges.hosted_prompt import sheets
from ragviz.pipeline.choices import default_judge, make_judge
from ragviz.pipeline.claiming import claims_of
from ragviz.pipeline.judging import view_of
from ragviz.pipeline.work import single_pairs
from ragviz.records import JudgedTrace, Judgement, Pair, Table
from ragviz.store import Store

SAMPLE = 60
"""Traces that are split and counted; the rest is multiplied."""
SECONDS_PER_PAIR = {"facts": 0.00005, "imported": 0.0002}
LOCAL_SECONDS_PER_PAIR = 0.004
NETWORK_SECONDS_PER_CALL, PARALLEL_CALLS = 6.0, 8
CHARS_PER_TOKEN = 4.0
PROMPT_TOKENS, ANSWER_TOKENS_PER_CLAIM = 900, 120


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """An estimate; exact up to 60 traces, extrapolated from evenly spread ones beyond."""

    judge: str
    claim_set: str
    availability: Availability
    n_traces: int
    """To be judged."""
    pairs: int
    calls: int
    """Requests to a service; 0 for judges on this machine."""
    tokens_in: int
    tokens_out: int
    seconds: float
    cost_usd: float | None
    """None when the price of the model is not known; 0 on this machine."""
    at_most: bool = False
    """True for a cascade: calls, tokens, seconds and money are those of every claim going to its last step."""
    expected_calls: int | None = None
    """Of a cascade: calls about what its first step leaves undecided, by that step's verdicts in the store; None where it has not judged all of the sample."""
    expected_usd: float | None = None
    """Money for these; None also where the price is not known."""


class _Takes(NamedTuple):
    """Calls and their tokens."""

    calls: float = 0.0
    tokens_in: float = 0.0
    tokens_out: float = 0.0

    def plus(self, other: _Takes) -> _Takes:
        return _Takes(*(a + b for a, b in zip(self, other, strict=True)))

    def times(self, factor: float) -> _Takes:
        return _Takes(*(factor * value for value in self))


def plan(
    store: Store, run_id: str, judge_name: str | Judge | None = None, *, k: int | None = None, limit: int | None = None, trace_ids: Sequence[str] | None = None,
    anew: bool = False, api_key: str | None = None,
) -> Plan:
    """Count pairs, calls, time and money of judging what the judge has not judged yet (``anew``: of everything), of the run or of ``trace_ids``."""
    judge = make_judge(judge_name or default_judge(store, run_id), api_key=api_key)
    view = view_of(store, run_id, judge, k=k)
    asked = (store.trace_ids(run_id) if trace_ids is None else trace_ids)[:limit]
    first = set(asked)
    open_ = list(asked) if anew else [t for t in store.not_judged(run_id, view.judge, view.claim_set, k or 0) if t in first]
    step = max(1, len(open_) // SAMPLE)
    sample = open_[::step][:SAMPLE]
    traces = list(store.traces(run_id, sample)) if sample else []
    claims = claims_of(traces, view.claim_set)
    cases = [JudgedTrace(trace=trace, claims=tuple(claims[trace.id]), k=k) for trace in traces]
    factor = len(open_) / len(sample) if sample else 0.0
    pairs = round(factor * sum(len(single_pairs(case, judge)) for case in cases))
    takes = _sum([_whole(case, judge) for case in cases]).times(factor) if judge.info.network else _Takes()
    expected = _after_first_step(store, view, judge, cases) if isinstance(judge, CascadeJudge) and judge.info.network else None
    calls = round(takes.calls)
    return Plan(
        judge=judge.info.name,
        claim_set=view.claim_set,
        availability=judge.available(),
        n_traces=len(open_),
        pairs=pairs,
        calls=calls,
        tokens_in=round(takes.tokens_in),
        tokens_out=round(takes.tokens_out),
        seconds=_seconds(judge, pairs, calls),
        cost_usd=_cost(judge, takes) if judge.info.network else 0.0,
        at_most=isinstance(judge, CascadeJudge) and judge.info.network,
        expected_calls=None if expected is None else round(factor * expected.calls),
        expected_usd=None if expected is None else _cost(judge, expected.times(factor)),
    )


def _sum(some: Sequence[_Takes]) -> _Takes:
    total = _Takes()
    for takes in some:
        total = total.plus(takes)
    return total


def _whole(case: JudgedTrace, judge: Judge) -> _Takes:
    """Every pair to the service; where a step of this machine wants the passages joined, these may go there, too."""
    joined = [
        pair
        for table in Table
        if judge.info.joined and table in judge.info.tables and table.against_passages
        for pair in joined_pairs(case.trace, case.claims, table, k=case.k)
    ]
    return _calls(single_pairs(case, judge)).plus(_calls(joined))


def _calls(pairs: Sequence[Pair]) -> _Takes:
    """Hosted judges ask about all claims of one side against one kind of premise at once."""
    takes = _Takes()
    for sheet in sheets(pairs):
        first = sheet.pairs[0][1]
        chars = len(first.question) + len(first.context) + sum(map(len, sheet.passages)) + sum(map(len, sheet.claims))
        takes = takes.plus(_Takes(1, PROMPT_TOKENS + chars / CHARS_PER_TOKEN, ANSWER_TOKENS_PER_CLAIM * len(sheet.claims)))
    return takes


def _after_first_step(store: Store, view: View, judge: CascadeJudge, cases: Sequence[JudgedTrace]) -> _Takes | None:
    """What the first step leaves, by what it said of these traces when it judged them; None where it has not."""
    seen = msgspec.structs.replace(view, judge=provenance_of(judge.steps[0]).fingerprint)
    said: dict[str, Mapping[object, Judgement]] = {c.trace.id: {j.key: j for j in c.judgements} for c in store.judged(seen, [c.trace.id for c in cases])}
    takes = []
    for case in cases:
        pairs, known = single_pairs(case, judge), said.get(case.trace.id, {})
        if any(pair.key not in known for pair in pairs):
            return None
        left = judge.undecided(pairs, {i: known[pair.key] for i, pair in enumerate(pairs)})
        takes.append(_calls([pairs[i] for i in sorted(left)]))
    return _sum(takes)


def _seconds(judge: Judge, pairs: int, calls: int) -> float:
    here = pairs * SECONDS_PER_PAIR.get(judge.info.name, LOCAL_SECONDS_PER_PAIR)
    if isinstance(judge, CascadeJudge):
        here = sum(pairs * SECONDS_PER_PAIR.get(step.info.name, LOCAL_SECONDS_PER_PAIR) for step in judge.steps if not step.info.network)
    elif judge.info.network:
        here = 0.0
    return here + calls * NETWORK_SECONDS_PER_CALL / PARALLEL_CALLS


def _cost(judge: Judge, takes: _Takes) -> float | None:
    """Of a cascade: all of it at the price of the last step, which is the dearest."""
    model = (judge.steps[-1] if isinstance(judge, CascadeJudge) else judge).params.get("model")
    return None if model is None else price(str(model), round(takes.tokens_in), round(takes.tokens_out))
