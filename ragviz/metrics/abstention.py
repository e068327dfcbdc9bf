"""Did the answer decline, and should it have?"""

from __future__ import annotations

from dataclasses import dataclass

from ragviz.metrics.counting import abstained
from ragviz.metrics.scoring import missing, ok, undefined, why_untold
from ragviz.records import Direction, JudgedTrace, MetricInfo, Score

NO_LABEL = "the file does not say whether the question can be answered"


def _info(name: str, label: str, summary: str, formula: str, edge_cases: str, *, better: Direction) -> MetricInfo:
    return MetricInfo(
        name=name, version="1", label=label, summary=summary, formula=formula, edge_cases=edge_cases, better=better, group="abstention",
        source="Rajpurkar et al. 2018, arXiv:1806.03822; selective prediction, Geifman & El-Yaniv 2017, arXiv:1705.08500",
    )


def _share(info: MetricInfo, case: JudgedTrace, *, among: bool | None, hit: bool | None, outside: str) -> Score:
    if case.trace.answerable is None:
        return missing(info, case, NO_LABEL)
    if among is None or hit is None:
        return missing(info, case, why_untold(case))
    return ok(info, case, float(hit), support=1, numerator=float(hit)) if among else undefined(info, case, outside)


@dataclass(frozen=True)
class Abstained:
    """1 when the answer declines."""

    info = _info(
        "abstained",
        "Abstained",
        "Does the answer decline?",
        "1 when the answer makes no claim, else 0",
        "A refusal that cites a source is still a refusal, and so is an empty reply. No answer in the file: missing input. Whether declining was "
        "right is another figure.",
        better=Direction.NEITHER,
    )

    def score(self, case: JudgedTrace) -> Score:
        """1 or 0 for one trace."""
        declined = abstained(case)
        if declined is None:
            return missing(self.info, case, why_untold(case))
        return ok(self.info, case, float(declined), support=1, numerator=float(declined))


@dataclass(frozen=True)
class AnswerCoverage:
    """1 when the question was answered."""

    info = _info(
        "answer_coverage", "Answer coverage", "Are questions answered at all?", "answered questions / questions; 1 - abstained",
        "Counts answers, right or wrong.", better=Direction.NEITHER,
    )

    def score(self, case: JudgedTrace) -> Score:
        """1 or 0 for one trace."""
        declined = abstained(case)
        if declined is None:
            return missing(self.info, case, why_untold(case))
        return ok(self.info, case, float(not declined), support=1, numerator=float(not declined))


@dataclass(frozen=True)
class AnswerabilityAccuracy:
    """1 when the answer declined exactly if it should have."""

    info = _info(
        "answerability_accuracy", "Answerability accuracy", "Does it decline exactly when it should?",
        "(answerable and answered + unanswerable and declined) / labelled questions", "Needs the answerability label.", better=Direction.HIGHER,
    )

    def score(self, case: JudgedTrace) -> Score:
        """1 or 0 for one trace."""
        declined = abstained(case)
        right = None if declined is None else declined != case.trace.answerable
        return _share(self.info, case, among=declined is not None or None, hit=right, outside="")


@dataclass(frozen=True)
class AbstentionPrecision:
    """Of the refusals, the share that was right."""

    info = _info(
        "abstention_precision", "Abstention precision", "Of the refusals, how many were right?", "declined and unanswerable / declined",
        "Defined for traces that declined. Needs the answerability label.", better=Direction.HIGHER,
    )

    def score(self, case: JudgedTrace) -> Score:
        """1 or 0 for one trace that declined."""
        return _share(self.info, case, among=abstained(case), hit=not case.trace.answerable, outside="the question was answered")


@dataclass(frozen=True)
class AbstentionRecall:
    """Of the unanswerable questions, the share that was declined."""

    info = _info(
        "abstention_recall", "Abstention recall", "Of the unanswerable questions, how many were declined?", "declined and unanswerable / unanswerable",
        "Defined for unanswerable questions. Needs the answerability label.", better=Direction.HIGHER,
    )

    def score(self, case: JudgedTrace) -> Score:
        """1 or 0 for one unanswerable question."""
        return _share(self.info, case, among=not case.trace.answerable, hit=abstained(case), outside="the question can be answered")


@dataclass(frozen=True)
class FalseRefusals:
    """Of the answerable questions, the share that was declined."""

    info = _info(
        "false_refusals", "False refusals", "Of the answerable questions, how many were declined?", "declined and answerable / answerable",
        "Defined for answerable questions. Needs the answerability label.", better=Direction.LOWER,
    )

    def score(self, case: JudgedTrace) -> Score:
        """1 or 0 for one answerable question."""
        return _share(self.info, case, among=case.trace.answerable, hit=abstained(case), outside="the question cannot be answered")
