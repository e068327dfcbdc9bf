"""Scores that say why: the few ways in which a metric may answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ragviz.grounding import is_said_to_answer
from ragviz.metrics.counting import Fate, abstained, lacks_answer
from ragviz.records import JudgedTrace, MetricInfo, Policy, Score, ScoreStatus, Side
from ragviz.text.counts import counted

AT_K = "_at_k"
NO_PASSAGES = "the file does not say what was retrieved"
NO_REFERENCE = "the file has no expected answer"
NO_ANSWER = "the file does not say what was answered"
SAID_TO_ANSWER = "a person says that it answers, and no claim of it is known"
NO_ANNOTATION = "the claims that came with the file do not cover this answer, so what it states cannot be told"


def filled_name(name: str, k: int) -> str:
    """``precision_at_k`` with its cut-off filled in: ``precision_at_5``. Other names stay as they are."""
    return f"{name[: -len(AT_K)]}_at_{k}" if name.endswith(AT_K) else name


def generic_name(name: str) -> str:
    """``precision_at_5`` back to the name it is registered under, ``precision_at_k``."""
    stem, _, cutoff = name.rpartition("_at_")
    return f"{stem}{AT_K}" if stem and cutoff.isdigit() else name


def ok(
    info: MetricInfo, case: JudgedTrace, value: float, *, support: int, numerator: float | None = None, unjudged: int = 0, reason: str = "",
    claim_ids: Sequence[str] = (),
) -> Score:
    """A score with a value. ``numerator`` only where value = numerator / support."""
    return Score(
        metric=filled_name(info.name, case.retrieval_k), metric_version=info.version, trace_id=case.trace.id, value=float(value),
        status=ScoreStatus.OK, support=support, numerator=numerator, unjudged=unjudged, reason=reason, claim_ids=tuple(claim_ids),
    )


def no_value(info: MetricInfo, case: JudgedTrace, status: ScoreStatus, reason: str, *, unjudged: int = 0) -> Score:
    """A score without a value, and why."""
    return Score(
        metric=filled_name(info.name, case.retrieval_k), metric_version=info.version, trace_id=case.trace.id, value=None, status=status,
        unjudged=unjudged, reason=reason,
    )


def missing(info: MetricInfo, case: JudgedTrace, reason: str) -> Score:
    """The file lacks what the metric needs."""
    return no_value(info, case, ScoreStatus.MISSING_INPUT, reason)


def no_passages(info: MetricInfo, case: JudgedTrace, side: Side) -> Score:
    """The file does not say what was retrieved, so that side's claims stay unjudged, and the coverage of a run says so."""
    return no_value(info, case, ScoreStatus.MISSING_INPUT, NO_PASSAGES, unjudged=sum(c.side is side for c in case.claims))


def undefined(info: MetricInfo, case: JudgedTrace, reason: str) -> Score:
    """There is nothing to divide by."""
    return no_value(info, case, ScoreStatus.UNDEFINED, reason)


def failed(info: MetricInfo, case: JudgedTrace, reason: str, *, unjudged: int) -> Score:
    """The judge or rater could not answer."""
    return no_value(info, case, ScoreStatus.FAILED, reason, unjudged=unjudged)


def why_untold(case: JudgedTrace) -> str:
    """Why nobody can tell whether the answer declines (``counting.abstained`` is None)."""
    return NO_ANSWER if lacks_answer(case) else NO_ANNOTATION


def no_claims(info: MetricInfo, case: JudgedTrace, side: Side, conventions: Mapping[Policy, float]) -> Score:
    """
    What an answer (or reference) without claims scores: nothing, unless the policy's own tool gives it a number.

    Args:
        info: The metric.
        case: The trace.
        side: Whose claims are missing.
        conventions: The number a tool gives in this situation, by policy.
    """
    if side is Side.RESPONSE and abstained(case) is None:
        return missing(info, case, why_untold(case))
    if side is Side.RESPONSE and is_said_to_answer(case):
        # No refusal, so no tool's convention for refusals holds.
        return undefined(info, case, SAID_TO_ANSWER)
    reason = "no claim in the answer: it declines or states nothing" if side is Side.RESPONSE else "no claim in the expected answer"
    value = conventions.get(case.policy)
    if value is None:
        return undefined(info, case, reason)
    return ok(info, case, value, support=0, reason=f"{reason}; {case.policy.value} scores this {value:g}")


def share(info: MetricInfo, case: JudgedTrace, fates: Mapping[str, Fate], hits: Sequence[Fate], *, better_when_hit: bool = True) -> Score:
    """
    The share of counted claims whose fate is among ``hits``.

    Claims without a verdict are left out of both numbers unless the policy counts them, and reported beside the value.
    Offenders are the claims that make the value worse.
    """
    in_it = {c: f for c, f in fates.items() if f.is_counted}
    unjudged = sum(f.is_unjudged for f in fates.values())
    if not in_it:
        return failed(info, case, f"none of {counted(len(fates), 'claim')} could be judged", unjudged=unjudged)
    good = [c for c, f in in_it.items() if f in hits]
    offenders = [c for c in in_it if (c in good) != better_when_hit]
    return ok(info, case, len(good) / len(in_it), support=len(in_it), numerator=len(good), unjudged=unjudged, claim_ids=sorted(offenders))
