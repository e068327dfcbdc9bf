"""What a remedy will take, before anything is spent."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ragviz.backends.anthropic_client import AnthropicClient
from ragviz.backends.anthropic_prices import price
from ragviz.contracts import HostedRemedy, View
from ragviz.grounding import groundings
from ragviz.pipeline.planning import CHARS_PER_TOKEN, NETWORK_SECONDS_PER_CALL, PARALLEL_CALLS, SAMPLE
from ragviz.pipeline.remedy_settings import remedy_named
from ragviz.records import Attempt, Grounding, JudgedTrace, RemedySettings, Table
from ragviz.remedies.sheets import unaskable
from ragviz.store import Store

REPLY_TOKENS = {"constrained": 450, "structured": 400, "refine": 200}
SECONDS_PER_OFFLINE_TRACE = 0.003


class RemedyPlan(msgspec.Struct, frozen=True, kw_only=True):
    """An estimate; exact in calls up to 60 traces, extrapolated from evenly spread ones beyond. Judging is not in it."""

    remedy: str
    model: str | None
    n_traces: int
    n_untouched: int
    """Of these, left as they are without a call: nothing to ask, or the target is met."""
    calls: int
    """Fewest: each trace that is asked about, once."""
    most_calls: int
    """If every round is needed."""
    tokens_in: int
    """Of ``most_calls``, and so are the other three."""
    tokens_out: int
    cost_usd: float | None
    """None when the price of the model is not known; 0 on this machine."""
    seconds: float
    missing: tuple[str, str] | None
    """(reason, fix) when it cannot work here."""


def plan_remedy(
    store: Store, view: View, remedy_name: str, settings: RemedySettings, trace_ids: Sequence[str], *, client: AnthropicClient | None
) -> RemedyPlan:
    """
    Count calls, tokens, money and time of trying a remedy.

    Args:
        store: Where the run is.
        view: The run, seen through the judge whose findings count.
        remedy_name: Its name.
        settings: Of the remedy.
        trace_ids: The traces.
        client: Who would ask; its model has the price.
    """
    remedy = remedy_named(remedy_name)
    n = len(trace_ids)
    if not remedy.info.hosted:
        return RemedyPlan(remedy=remedy.info.name, model=None, n_traces=n, n_untouched=0, calls=0, most_calls=0, tokens_in=0, tokens_out=0, cost_usd=0.0,
                          seconds=n * SECONDS_PER_OFFLINE_TRACE, missing=None)
    asker = client or AnthropicClient(api_key=None)
    sample = list(trace_ids[:: max(1, n // SAMPLE)][:SAMPLE])
    cases = list(store.judged(view, sample))
    sizes = [size for case in cases if (size := _prompt_tokens(remedy, case, settings)) is not None]  # type: ignore[arg-type]
    factor = n / len(cases) if cases else 0.0
    calls = round(factor * len(sizes))
    rounds = settings.max_rounds if remedy.info.name == "refine" else 1
    tokens_in, tokens_out = round(factor * sum(sizes)) * rounds, calls * rounds * REPLY_TOKENS.get(remedy.info.name, 400)
    return RemedyPlan(
        remedy=remedy.info.name,
        model=asker.model,
        n_traces=n,
        n_untouched=n - calls,
        calls=calls,
        most_calls=calls * rounds,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost_usd=_money(asker.model, tokens_in, tokens_out, calls * rounds),
        seconds=calls * rounds * NETWORK_SECONDS_PER_CALL / PARALLEL_CALLS,
        missing=asker.missing(),
    )


def _prompt_tokens(remedy: HostedRemedy, case: JudgedTrace, settings: RemedySettings) -> float | None:
    """Of the first call; None where none would be made."""
    if unaskable(case):
        return None
    found = [g.grounding for g in groundings(case, Table.RESPONSE_X_PASSAGES).values()]
    judged = [g for g in found if g is not Grounding.UNJUDGED]
    faithfulness = sum(g.is_supported for g in judged) / len(judged) if judged else None
    first = Attempt(round=0, response=case.trace.response, faithfulness=faithfulness, n_claims=len(found))
    prompt = remedy.prompt(case, settings, [first], token=lambda: "0" * 16)
    return None if prompt is None else (len(prompt.system) + len(prompt.user)) / CHARS_PER_TOKEN


def _money(model: str, tokens_in: int, tokens_out: int, calls: int) -> float | None:
    """Priced call by call: some models charge more for long prompts, and no single call here is the sum of all."""
    if not calls:
        return 0.0
    one = price(model, round(tokens_in / calls), round(tokens_out / calls))
    return None if one is None else one * calls
