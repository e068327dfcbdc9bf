"""
How a claim counts under each policy. The verdicts are the same; only the convention differs.

==========  ==========================  ===========  ===========  =============  =================================================
policy      conflicted                  unjudged     contradicted  not supported  no claims (refusal)
==========  ==========================  ===========  ===========  =============  =================================================
default     supported, and flagged      left out     against       against        no value
strict      not supported               against      against       against        no value
ragas       supported                   left out     against       against        no value; relevance 0
deepeval    supported                   left out     against       supported      faithfulness 1 (an undecided claim passes there)
ragchecker  supported                   against      against       against        0 for every share
==========  ==========================  ===========  ===========  =============  =================================================
"""

from __future__ import annotations

from enum import Enum

from ragviz.grounding import groundings, remembered, word_on_answer
from ragviz.records import Grounding, JudgedTrace, Policy, Side, Table
from ragviz.text.polarity import is_refusal


class Fate(Enum):
    """How one claim enters a share."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_SUPPORTED = "not_supported"
    UNJUDGED_LEFT_OUT = "unjudged, left out"
    UNJUDGED_AGAINST = "unjudged, counted as not supported"

    @property
    def is_counted(self) -> bool:
        """True when the claim is part of the denominator."""
        return self is not Fate.UNJUDGED_LEFT_OUT

    @property
    def is_unjudged(self) -> bool:
        """True when nobody has a verdict on it, whatever the policy makes of that."""
        return self in (Fate.UNJUDGED_LEFT_OUT, Fate.UNJUDGED_AGAINST)


AGAINST = (Fate.CONTRADICTED, Fate.NOT_SUPPORTED, Fate.UNJUDGED_AGAINST)
"""The fates that lower faithfulness."""


def counts_unjudged(policy: Policy) -> bool:
    """True when the policy counts a claim without a verdict as not supported."""
    return policy in (Policy.STRICT, Policy.RAGCHECKER)


def fate_of(grounding: Grounding, policy: Policy, *, undecided_passes: bool = False) -> Fate:
    """
    How a claim of that grounding counts.

    Args:
        grounding: What is known of the claim.
        policy: The convention.
        undecided_passes: True for metrics that DeepEval defines itself: there, under its policy, "not supported" counts as supported.
    """
    if grounding is Grounding.UNJUDGED:
        return Fate.UNJUDGED_AGAINST if counts_unjudged(policy) else Fate.UNJUDGED_LEFT_OUT
    if grounding is Grounding.CONFLICTED:
        return Fate.NOT_SUPPORTED if policy is Policy.STRICT else Fate.SUPPORTED
    if grounding is Grounding.SUPPORTED:
        return Fate.SUPPORTED
    if grounding is Grounding.CONTRADICTED:
        return Fate.CONTRADICTED
    return Fate.SUPPORTED if undecided_passes and policy is Policy.DEEPEVAL else Fate.NOT_SUPPORTED


def fates(case: JudgedTrace, table: Table, *, undecided_passes: bool = False) -> dict[str, Fate]:
    """The fate of each claim of the table's side under the case's policy, in claim order."""
    def compute() -> dict[str, Fate]:
        return {c: fate_of(g.grounding, case.policy, undecided_passes=undecided_passes) for c, g in groundings(case, table).items()}

    return dict(remembered(case, ("fates", table, undecided_passes), compute))


def has_claims(case: JudgedTrace, side: Side) -> bool:
    """True when that side states anything that can be checked."""
    return any(c.side is side for c in case.claims)


def abstained(case: JudgedTrace) -> bool | None:
    """
    True when the answer declines or states nothing (an empty reply too), False when it makes a claim, None when nobody can tell: the file does not
    say what was answered, or this claim set does not cover it.

    A person's word on the answer as a whole stands above all that. Claims that came with a file say nothing of an answer they do not cover: some tools list
    only the faults they found. Annotated facts do,
    where the trace is annotated at all.
    """
    word = word_on_answer(case.annotations) if case.annotations else None
    if word is not None:
        return word.declines
    if has_claims(case, Side.RESPONSE):
        return False
    if case.trace.is_unanswered:
        return None
    response = case.trace.response
    if not response.strip() or is_refusal(response):
        return True
    came_with_file = case.trace.claims or ()
    annotated = case.trace.facets is not None or any(c.attribute is not None for c in came_with_file)
    if case.claim_set == "facts" or (case.claim_set == "" and annotated):
        return True if annotated else None
    if case.claim_set == "imported" or (case.claim_set == "" and case.trace.claims is not None):
        return None
    return True


def lacks_answer(case: JudgedTrace) -> bool:
    """True when the file does not say what was answered, and no claim of the answer came with it either."""
    return case.trace.is_unanswered and not has_claims(case, Side.RESPONSE)


def has_reference(case: JudgedTrace) -> bool:
    """True when there is an expected answer, as text or as claims."""
    reference = case.trace.reference
    if reference is not None and reference.strip():
        return True
    return has_claims(case, Side.REFERENCE) or any(c.side is Side.REFERENCE for c in case.trace.claims or ())


def knows_passages(case: JudgedTrace, table: Table) -> bool:
    """True when the file says what was retrieved, in words, or brings verdicts on it, or a person gave theirs."""
    if case.trace.passages is not None and case.trace.passages_are != "ids":
        return True
    return any(j.key.table is table for j in case.judgements) or any(n.table is table and n.claim_id for n in case.annotations)
