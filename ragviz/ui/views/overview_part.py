"""What the Overview speaks of: the whole run or a slice of it, with what is summed over its columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragviz.contracts import View
from ragviz.store import TraceFilter
from ragviz.ui import resources
from ragviz.ui.views import overview_numbers as numbers


class Part(Mapping[str, NDArray[Any]]):
    """The columns of the whole run, or of the slice, read when the first of them is asked for: a second look at the same figures needs none."""

    def __init__(self, view: View, part: TraceFilter) -> None:
        self._view, self._where = view, part
        self.n_traces = resources.count(view, part)

    @cached_property
    def _columns(self) -> dict[str, NDArray[Any]]:
        store = resources.store()
        names = ("group", *numbers.names(self._view.retrieval_k))
        whole, quadrants = resources.numbers(self._view, names), store.coded(self._view, "quadrant")
        if not self._where.tags:
            return whole | {"quadrant": quadrants.plain()}
        # Places instead of a mask: a dozen columns of a million traces are cut out in a third of the time.
        kept = np.flatnonzero(store.mask(self._view, self._where))
        return {name: values.take(kept) for name, values in whole.items()} | {"quadrant": quadrants.at(kept).plain()}

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def silent(self) -> int:
        """Traces without a verdict: nothing in them is judged, or they were not looked at."""
        def found() -> int:
            n_claims = self["n_claims"]
            return int(((n_claims == 0) & (self["quadrant"] == "unknown")).sum() + np.isnan(n_claims).sum())

        return resources.query(found, "silent", self._view, self._where, run_id=self._view.run_id)

    def refusals(self) -> numbers.Refusals:
        """Answers that decline."""
        return resources.query(lambda: numbers.refusals(self), "refusals", self._view, self._where, run_id=self._view.run_id)
