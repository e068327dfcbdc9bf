"""Two judged runs, of one store or of two, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ragviz.compare.fairness import fingerprints, unfair
from ragviz.compare.noise import NoiseFloor
from ragviz.compare.report import Comparison, Judged, compare_runs
from ragviz.contracts import View
from ragviz.records import RunManifest, Trace
from ragviz.store import Store


class Seen(NamedTuple):
    """A run seen through a judge, wherever it is stored."""

    store: Store
    view: View

    @property
    def manifest(self) -> RunManifest:
        """The run."""
        return self.store.run(self.view.run_id)

    def judged(self) -> list[Judged]:
        """Traces with their results, in file order; those without a result yet are left out."""
        results = {result.trace_id: result for result in self.store.results(self.view)}
        return [(case, results[case.trace.id]) for case in self.store.judged(self.view) if case.trace.id in results]


def compare_seen(base: Seen, candidate: Seen, *, metrics: Sequence[str] | None = None, floor: NoiseFloor | None = None) -> Comparison:
    """
    Compare two judged runs.

    Args:
        base: What was.
        candidate: What is to be.
        metrics: Only these; None = all that both have.
        floor: The judge's noise, where it was measured.
    """
    found = unfair(fingerprints(base.manifest, base.view), fingerprints(candidate.manifest, candidate.view))
    return compare_runs(base.judged(), candidate.judged(), metrics=metrics, floor=floor, unfair=found, by=tags_of)


def tags_of(trace: Trace) -> Mapping[str, str]:
    """The properties that make slices: the trace's tags."""
    return trace.tags
