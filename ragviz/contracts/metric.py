"""What turns verdicts into numbers."""

from __future__ import annotations

from typing import Protocol

from ragviz.records import JudgedTrace, MetricInfo, Score


class Metric(Protocol):
    """
    A pure function of a judged trace: same case, same score; no I/O, no model.

    Laws: value in ``info.range``; None exactly when status is not OK, with a reason; depends only on declared needs;
    permuting claims changes nothing; an UNJUDGED pair never counts as evidence for either side.
    """

    @property
    def info(self) -> MetricInfo:
        """Definition in words."""
        ...

    def score(self, case: JudgedTrace) -> Score:
        """The metric on one trace."""
        ...
