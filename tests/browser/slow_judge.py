"""A judge that takes its time: what a hosted model feels like, without one."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from ragviz.contracts import Availability, JudgeInfo
from ragviz.judges import provenance_of
from ragviz.records import Evidence, Judgement, Pair, Span, Table, Verdict


class SlowJudge:
    """Sleeps three seconds a call, then supports every claim with the whole passage."""

    info = JudgeInfo(
        name="slow", version="1", summary="sleeps", deterministic=True, network=False, max_batch=100, tables=frozenset({Table.RESPONSE_X_PASSAGES})
    )
    params: Mapping[str, object] = {}

    def available(self) -> Availability:
        return Availability(ok=True)

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        if pairs:
            time.sleep(3)
        by = provenance_of(self)
        return [
            Judgement(key=p.key, verdict=Verdict.ENTAILED, confidence=0.5, evidence=(Evidence(span=Span(0, len(p.premise)), quote=p.premise),), provenance=by)
            for p in pairs
        ]
