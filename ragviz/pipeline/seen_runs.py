"""A run seen through a judge, wherever it is stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ragviz.compare.report import Judged
from ragviz.contracts import View
from ragviz.pipeline.scoring import Progress
from ragviz.records import RunManifest
from ragviz.store import Store

STEP = 500


class Seen(NamedTuple):
    """A run seen through a judge, wherever it is stored."""

    store: Store
    view: View

    @property
    def manifest(self) -> RunManifest:
        """The run."""
        return self.store.run(self.view.run_id)

    def judged(self, ids: Sequence[str] | None = None, *, on_progress: Progress | None = None) -> list[Judged]:
        """Traces with their results, in file order; those without a result yet are left out."""
        results = {result.trace_id: result for result in self.store.results(self.view, ids)}
        found: list[Judged] = []
        for case in self.store.judged(self.view, ids):
            if case.trace.id in results:
                found.append((case, results[case.trace.id]))
            if on_progress is not None and len(found) % STEP == 0:
                on_progress(len(found), len(results))
        return found

    def metrics(self) -> list[str]:
        """Names of its scores; none where nothing is scored yet."""
        first = next(iter(self.store.results(self.view)), None)
        return [] if first is None else list(first.scores)
