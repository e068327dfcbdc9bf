"""What judging a run will take, before anything is spent."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ragviz.contracts import Availability, Judge
from ragviz.pipeline.choices import default_judge, make_judge
from ragviz.pipeline.claiming import claims_of
from ragviz.pipeline.judging import view_of
from ragviz.pipeline.work import single_pairs
from ragviz.records import JudgedTrace
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
    calls = round(factor * sum(_calls(case, judge) for case in cases)) if judge.info.network else 0
    tokens_in, tokens_out = (round(factor * total) for total in _tokens(cases)) if judge.info.network else (0, 0)
    return Plan(
        judge=judge.info.name, claim_set=view.claim_set, availability=judge.available(), n_traces=len(open_), pairs=pairs, calls=calls,
        tokens_in=tokens_in, tokens_out=tokens_out, seconds=_seconds(judge, pairs, calls),
        cost_usd=_cost(judge, tokens_in, tokens_out) if judge.info.network else 0.0,
    )


def _calls(case: JudgedTrace, judge: Judge) -> int:
    """Hosted judges ask about all claims of one side against one kind of premise at once."""
    return len({pair.key.table for pair in single_pairs(case, judge)})


def _tokens(cases: Sequence[JudgedTrace]) -> tuple[float, float]:
    tokens_in = tokens_out = 0.0
    for case in cases:
        texts = [case.trace.question, case.trace.response, case.trace.reference or "", *(p.text for p in case.trace.first_passages(case.k))]
        tokens_in += 2 * PROMPT_TOKENS + 2 * sum(map(len, texts)) / CHARS_PER_TOKEN
        tokens_out += 2 * ANSWER_TOKENS_PER_CLAIM * len(case.claims)
    return tokens_in, tokens_out


def _seconds(judge: Judge, pairs: int, calls: int) -> float:
    if judge.info.network:
        return calls * NETWORK_SECONDS_PER_CALL / PARALLEL_CALLS
    return pairs * SECONDS_PER_PAIR.get(judge.info.name, LOCAL_SECONDS_PER_PAIR)


def _cost(judge: Judge, tokens_in: int, tokens_out: int) -> float | None:
    model = judge.params.get("model")
    if model is None:
        return None
    from genai_prices import Usage, calc_price  # noqa: PLC0415 - the price list takes 100 ms to load

    try:
        price = calc_price(Usage(input_tokens=tokens_in, output_tokens=tokens_out), model_ref=str(model), provider_id="anthropic")
    except LookupError:
        return None
    return float(price.total_price)
