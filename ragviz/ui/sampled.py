"""Samples of runs too large to read trace by trace: drawn from a seed, so that everybody sees the same one, and never without saying so."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ragviz.contracts import View
from ragviz.figures.plot_text import count, counted
from ragviz.records.ids import group_code
from ragviz.store import TraceFilter
from ragviz.ui import resources

EVERYTHING = TraceFilter()


@dataclass(frozen=True)
class Sample:
    """Traces that stand for others."""

    ids: tuple[str, ...]
    """In file order."""
    of: int
    """Traces they were drawn from."""

    @property
    def words(self) -> str:
        """How to say it."""
        return f"from a seeded sample of {count(len(self.ids))} of {counted(self.of, 'trace')}"


def sample(view: View, *, above: int, size: int, part: TraceFilter = EVERYTHING) -> Sample | None:
    """
    A sample of a run or a slice of it.

    Args:
        view: The run.
        above: Up to so many traces all are read.
        size: How many are drawn otherwise.
        part: Only traces that pass.

    Returns:
        None where all can be read.
    """
    run_id = view.run_id
    n = resources.count(view, part)
    if n <= above:
        return None

    def drawn() -> Sample:
        store = resources.store()
        places = np.random.default_rng(group_code(f"{run_id} {size}")).choice(n, size=min(size, n), replace=False)
        places.sort()
        positions = places if part == EVERYTHING else store.positions(view, part)[places]
        return Sample(tuple(store.ids_at(run_id, [int(at) for at in positions])), n)

    return resources.shared(drawn, "sample", view, part, size, n, run_id=run_id)
