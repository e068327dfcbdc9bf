"""The words of an answer that declines, and answers that a remedy leaves as they are."""

from __future__ import annotations

from ragviz.contracts import Treated
from ragviz.records import JudgedTrace, Remedied, RemedyStatus, RemovedClaim

ABSTENTION = "I cannot answer this from the sources that were found."
"""``text.polarity.is_refusal`` knows it for a refusal."""


def unchanged(case: JudgedTrace, remedy: str, reason: str) -> Treated:
    """The answer as it was, and why nothing was done."""
    trace = case.trace
    return Treated(
        response=trace.response,
        citations=trace.citations,
        claims=case.claims,
        remedied=Remedied(remedy=remedy, status=RemedyStatus.UNCHANGED, before=trace.response, reason=reason),
    )


def abstained(case: JudgedTrace, remedy: str, reason: str, removed: tuple[RemovedClaim, ...] = ()) -> Treated:
    """An explicit abstention in place of the answer."""
    remedied = Remedied(remedy=remedy, status=RemedyStatus.ABSTAINED, before=case.trace.response, reason=reason, removed=removed)
    return Treated(response=ABSTENTION, citations=(), remedied=remedied)
