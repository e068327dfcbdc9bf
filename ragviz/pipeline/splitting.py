"""What imported traces are kept for: one split for all, or the one a column names."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ragviz.records import SPLIT_TAG, LoadIssue, Split, Trace
from ragviz.store import Store
from ragviz.store.splits import set_split

Rows = list[Trace | LoadIssue]


class Splitter:
    """Gives traces the tag of their split as they pass; afterwards also those the run had already."""

    def __init__(self, split: Split | None = None, column: str | None = None) -> None:
        """
        Args:
            split: Of all traces.
            column: Tag of each trace that names its split, in our words or those of training sets (train, dev, test).
        """
        self._split = split
        self._column = column
        self._named: dict[str, Split] = {}

    def through(self, batches: Iterator[Rows]) -> Iterator[Rows]:
        """The same rows, tagged; a word in the column that names no split is told once and its traces are left alone."""
        if self._split is None and self._column is None:
            yield from batches
            return
        told: set[str] = set()
        for batch in batches:
            found: Rows = []
            for row in batch:
                split = None if isinstance(row, LoadIssue) else self._of(row)
                if isinstance(row, LoadIssue) or split is not None:
                    found.append(row if isinstance(row, LoadIssue) or split is None else replace(row, tags={**row.tags, SPLIT_TAG: split.value}))
                    continue
                word = row.tags.get(self._column or "", "")
                if word not in told:
                    told.add(word)
                    found.append(self._no_split(row, word))
                found.append(row)
            yield found

    def _of(self, trace: Trace) -> Split | None:
        split = self._split or Split.of_column(trace.tags.get(self._column or ""))
        if split is not None:
            self._named[trace.id] = split
        return split

    def _no_split(self, row: Trace, word: str) -> LoadIssue:
        what = f'column {self._column} says "{word[:60]}", which names no split' if word else f"no column {self._column}, so these traces are in no split"
        return LoadIssue(
            where=row.origin or row.id, message=what, fix=f"write one of {', '.join(Split)}; train, dev, validation and test are understood too", rejected=False
        )

    def settle(self, store: Store, run_id: str, *, n_known: int) -> None:
        """Traces that were in the run before this import (``n_known`` of them) get their tag too."""
        if not n_known:
            return
        for split in Split:
            ids = [trace_id for trace_id, named in self._named.items() if named is split]
            if ids:
                set_split(store, run_id, ids, split)

    def whole_run(self, store: Store, run_id: str) -> None:
        """A run that came back as a whole: its traces are read through."""
        if self._split is not None or self._column is not None:
            for trace in store.traces(run_id):
                self._of(trace)
            self.settle(store, run_id, n_known=len(self._named))
