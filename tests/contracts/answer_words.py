"""A metric somebody else might add: the whole of it is this file and one line that registers it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ragviz.metrics.scoring import ok
from ragviz.records import Direction, JudgedTrace, MetricInfo, Score


@dataclass(frozen=True)
class AnswerWords:
    """Number of words of the answer."""

    info = MetricInfo(
        name="answer_words", version="1", label="Answer words", summary="How long is the answer?", formula="number of words", edge_cases="Empty answer: 0.",
        source="this test", range=(0.0, math.inf), better=Direction.NEITHER, group="cost",
    )

    def score(self, case: JudgedTrace) -> Score:
        """Words of one answer."""
        return ok(self.info, case, len(case.trace.response.split()), support=1)
