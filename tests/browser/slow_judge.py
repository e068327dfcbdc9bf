"""A judge that takes as long as a test wants: what a hosted model feels like, without one."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from ragviz.contracts import Availability, JudgeInfo
from ragviz.judges import provenance_of
from ragviz.records import Evidence, Judgement, Pair, Span, Table, Verdict


def _lock_beside(store: str) -> Path:
    return Path(store).with_name("slow_judge.lock")


@contextmanager
def at_work(store: str) -> Iterator[None]:
    """As long as the block lasts, the slow judge of the server with this store does not answer."""
    with _lock_beside(store).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class SlowJudge:
    """Waits until nobody holds its lock, then supports every claim with the whole passage."""

    info = JudgeInfo(
        name="slow", version="1", summary="waits", deterministic=True, network=False, max_batch=100, tables=frozenset({Table.RESPONSE_X_PASSAGES})
    )
    params: Mapping[str, object] = {}

    def available(self) -> Availability:
        return Availability(ok=True)

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        if pairs:
            with _lock_beside(os.environ["RAGVIZ_STORE"]).open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
        by = provenance_of(self)
        return [
            Judgement(key=p.key, verdict=Verdict.ENTAILED, confidence=0.5, evidence=(Evidence(span=Span(0, len(p.premise)), quote=p.premise),), provenance=by)
            for p in pairs
        ]
