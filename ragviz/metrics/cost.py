"""Time, tokens and money: of the answer (from the file) and of judging it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from ragviz.metrics.scoring import missing, ok
from ragviz.records import Direction, JudgedTrace, MetricInfo, Score, Table, Usage

UP = (0.0, math.inf)


def _info(name: str, label: str, summary: str, formula: str, edge_cases: str, *, needs: frozenset[Table] = frozenset()) -> MetricInfo:
    return MetricInfo(
        name=name,
        version="1",
        label=label,
        summary=summary,
        formula=formula,
        edge_cases=edge_cases,
        source="the file's usage fields and the judge's own account",
        range=UP,
        better=Direction.LOWER,
        group="cost",
        needs=needs,
    )


def _from_usage(info: MetricInfo, case: JudgedTrace, read: Callable[[Usage], float | None]) -> Score:
    value = read(case.trace.usage) if case.trace.usage is not None else None
    if value is None or not 0 <= value < math.inf:
        return missing(info, case, f"the file does not give {info.label.lower()}")
    return ok(info, case, value, support=1, numerator=value)


@dataclass(frozen=True)
class Latency:
    """Milliseconds from question to answer."""

    info = _info("latency_ms", "Latency (ms)", "How long did the answer take?", "milliseconds, from the file", "Not in the file: missing input.")

    def score(self, case: JudgedTrace) -> Score:
        """Latency of one trace."""
        return _from_usage(self.info, case, lambda u: u.latency_ms)


@dataclass(frozen=True)
class Tokens:
    """Tokens in and out."""

    info = _info("tokens", "Tokens", "How many tokens did the answer take?", "tokens in + tokens out, from the file", "One of both missing: the other alone.")

    def score(self, case: JudgedTrace) -> Score:
        """Tokens of one trace."""
        return _from_usage(self.info, case, _tokens)


def _tokens(usage: Usage) -> float | None:
    known = [t for t in (usage.tokens_in, usage.tokens_out) if t is not None]
    return float(sum(known)) if known else None


@dataclass(frozen=True)
class AnswerCost:
    """Money for the answer."""

    info = _info("cost_usd", "Cost (USD)", "What did the answer cost?", "US dollars, from the file", "Not in the file: missing input.")

    def score(self, case: JudgedTrace) -> Score:
        """Cost of one trace."""
        return _from_usage(self.info, case, lambda u: u.cost_usd)


@dataclass(frozen=True)
class JudgeCostPerClaim:
    """Money for judging, per claim."""

    info = _info(
        "judge_cost_usd_per_claim", "Judge cost per claim (USD)", "What does a verdict cost?", "sum of judgement costs / claims judged",
        "Judgements from the cache cost nothing. Judges that state no cost: missing input.", needs=frozenset(Table),
    )

    def score(self, case: JudgedTrace) -> Score:
        """Judge cost per claim of one trace."""
        return _per_claim(self.info, case, [0.0 if j.cost.cached else j.cost.cost_usd for j in case.judgements])


@dataclass(frozen=True)
class JudgeTimePerClaim:
    """Milliseconds of judging, per claim."""

    info = _info(
        "judge_ms_per_claim", "Judge time per claim (ms)", "How long does a verdict take?", "sum of judgement times / claims judged",
        "Judgements from the cache take no time. Judges that state no time: missing input.", needs=frozenset(Table),
    )

    def score(self, case: JudgedTrace) -> Score:
        """Judge time per claim of one trace."""
        return _per_claim(self.info, case, [0.0 if j.cost.cached else j.cost.elapsed_ms for j in case.judgements])


def _per_claim(info: MetricInfo, case: JudgedTrace, amounts: list[float | None]) -> Score:
    known = [a for a in amounts if a is not None]
    claims = {j.key.claim_id for j in case.judgements}
    if not known or not claims:
        return missing(info, case, f"the judge does not state its {'cost' if 'cost' in info.name else 'time'}")
    return ok(info, case, sum(known) / len(claims), support=len(claims), numerator=sum(known))
