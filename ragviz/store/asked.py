"""What pages ask of a store. Small runs are answered by the database's indexes, large ones from whole columns; the answers are the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ragviz.contracts import View
from ragviz.records import Grounding, Passage, Trace
from ragviz.store import distinct, labelled, neighbours, queries, runs, traces
from ragviz.store.coded import Rankings, Words
from ragviz.store.columns import Columns
from ragviz.store.engine import Database
from ragviz.store.filters import Neighbours, TraceFilter, TraceRow
from ragviz.store.masks import Lists
from ragviz.store.moments import moment
from ragviz.store.selecting import is_empty

EVERYTHING = TraceFilter()
ORDER = ("order", "")


class Asked:
    """Lists, counts and columns of runs."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._columns = Columns(database)
        self._lists = Lists(database, self._columns)

    def let_go(self) -> None:
        """Hold nothing in memory any more of what was read and asked: columns with their words, which traces pass a filter, statements with their values."""
        self._db.let_go()
        self._columns.let_go()
        self._lists.let_go()

    def data_version(self) -> str:
        """A word that changes with everything that is written, by this process or another; a key for caches."""
        return self._db.data_version()

    def run_version(self, run_id: str) -> str:
        """A word that changes with everything that is written to one run: what is said of others leaves it as it is."""
        key, n, version = moment(self._db, run_id)
        return f"{key}.{n}.{version}"

    def _by_columns(self, view: View, where: TraceFilter, sort: str = "") -> bool:
        """True where columns answer faster, or alone."""
        return bool(where.refusals) or self._lists.serve(view, sort)

    def page(
        self, view: View, where: TraceFilter = EVERYTHING, *, sort: str = "order", descending: bool = False, limit: int = 50, offset: int = 0,
    ) -> list[TraceRow]:
        """Rows of the Traces page. Traces without a value for the sort column come last, both ways."""
        if (sort in ORDER and is_empty(where)) or not self._by_columns(view, where, sort):
            return queries.page(self._db, view, where, sort=sort, descending=descending, limit=limit, offset=offset)
        return queries.rows(self._db, view, self._lists.keys(view, where, sort=sort, descending=descending, limit=limit, offset=offset))

    def count(self, view: View, where: TraceFilter = EVERYTHING) -> int:
        """How many traces pass."""
        return queries.count(self._db, view, where) if is_empty(where) or not self._by_columns(view, where) else self._lists.count(view, where)

    def passing(self, view: View, where: TraceFilter) -> list[str]:
        """Ids of all traces that pass, in file order."""
        return self.ids_at(view.run_id, self.positions(view, where).tolist()) if where.refusals else queries.passing(self._db, view, where)

    def positions(self, view: View, where: TraceFilter) -> NDArray[np.int64]:
        """Places in the run, from 0, of all traces that pass, in file order."""
        return self._lists.passing(view, where)

    def n_missing(self, view: View) -> int:
        """How many traces have no result in this view, from the kept counts."""
        return queries.n_missing(self._db, view)

    def lacking(self, views: Sequence[View]) -> list[View]:
        """Those of many views in which traces have no result."""
        return queries.lacking(self._db, views)

    def mask(self, view: View, where: TraceFilter) -> NDArray[np.bool_]:
        """Which traces pass, in file order. Shared: read-only."""
        return self._lists.mask(view, where)

    def values(self, view: View, metric: str, ids: Sequence[str]) -> dict[str, float]:
        """One metric of some traces; those without a value, and unknown ids, are left out."""
        places = self.positions_of(view.run_id, ids)
        column = self._columns.get(view, [metric])[metric]
        assert not isinstance(column, Words)
        found = {i: float(column[at]) for i, at in places.items()}
        return {i: value for i, value in found.items() if not np.isnan(value)}

    def positions_of(self, run_id: str, ids: Sequence[str]) -> dict[str, int]:
        """Places in the run, from 0, of those traces that exist."""
        with self._db.read() as conn:
            return traces.positions_in(conn, runs.run_key(conn, run_id, self._db.where), ids)

    def ids_at(self, run_id: str, positions: Sequence[int]) -> list[str]:
        """Ids of the traces at these places of the run."""
        return queries.ids_at(self._db, run_id, positions)

    def counts_by(self, view: View, column: Literal["quadrant", "cause"], where: TraceFilter = EVERYTHING) -> dict[str, int]:
        """Traces by quadrant or cause."""
        if is_empty(where) or not self._by_columns(view, where):
            return queries.counts_by(self._db, view, column, where)
        return self._lists.counts_by(view, column, where)

    def claim_counts(self, view: View, where: TraceFilter | None = None) -> dict[Grounding, int]:
        """Response claims by what became of them."""
        if where is None or is_empty(where) or not self._by_columns(view, where):
            return queries.claim_counts(self._db, view, where or EVERYTHING)
        return self._lists.claim_counts(view, where)

    def columns(self, view: View, names: Iterable[str]) -> dict[str, NDArray[Any]]:
        """
        Whole columns in file order: numbers as float64 with NaN for "no value", ``group`` as int64 (equal = the same question), ``quadrant`` and ``cause``
        as words. ``quadrant`` and ``group`` are always there. Shared: read-only.

        ``names``: metrics; also ``id`` (words, read each time), ``cause``, ``started_at``, ``latency_ms``, ``cost_usd``, ``n_claims``, ``n_supported``
        and so on.
        """
        wanted = dict.fromkeys(("quadrant", "group", *names))
        found = self._columns.get(view, [name for name in wanted if name != "id"])
        ids = {"id": np.array(traces.ids(self._db, view.run_id), dtype=object)} if "id" in wanted else {}
        return {name: column.plain() if isinstance(column, Words) else column for name, column in found.items()} | ids

    def numbers(self, view: View, names: Iterable[str]) -> dict[str, NDArray[Any]]:
        """The same of numbers alone, without the words of a million traces."""
        return {name: column for name, column in self._columns.get(view, names).items() if not isinstance(column, Words)}

    def coded(self, view: View, name: Literal["quadrant", "cause"]) -> Words:
        """The same for a column of words, as codes: at a million traces a fraction of the memory."""
        found = self._columns.get(view, [name])[name]
        assert isinstance(found, Words)
        return found

    def rankings(self, view: View) -> Rankings:
        """Rankings of all traces of a run, each different one once."""
        return self._columns.rankings(view)

    def labelled(self, run_id: str, positions: Sequence[int]) -> Iterator[Trace]:
        """The traces at these places with their ids and relevance labels alone, in no particular order; texts only where labels go by text."""
        return labelled.labelled(self._db, run_id, positions)

    def distinct_passages(self, run_id: str, *, max_traces: int, max_passages: int) -> tuple[int, list[Passage]]:
        """How many traces were read from the run's start, and the different passages they retrieved; reading ends with either limit."""
        return distinct.distinct_passages(self._db, run_id, max_traces=max_traces, max_passages=max_passages)

    def prepare(self, view: View, *, n_new: int | None = None) -> None:
        """
        Make the columns that pages read, so that nobody waits for them, also where hundreds of runs are read at once; what is there costs one look.

        ``n_new``: so many results are new (None: all). A run that grows by a few traces at a time is not prepared each time, unless it is large, and then
        without what its last traces tell.
        """
        whole = n_new is None or 2 * n_new >= self.count(view)
        if whole or self._lists.serve(view):
            self._columns.prepare(view, growing=not whole)

    def neighbours(self, view: View, where: TraceFilter, sort: str, trace_id: str, *, descending: bool = False) -> Neighbours:
        """The traces before and after one in a filtered, sorted list."""
        if (sort in ORDER and is_empty(where)) or not self._by_columns(view, where, sort):
            return neighbours.neighbours(self._db, view, where, sort, trace_id, descending=descending)
        return self._lists.neighbours(view, where, sort, trace_id, descending=descending)
