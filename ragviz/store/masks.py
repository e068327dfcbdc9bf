"""The same lists as ``queries``, for large runs: filters and orders over whole columns instead of joins over a million rows."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Text, cast, func, select

from ragviz.contracts import View
from ragviz.records import SPLIT_TAG, Grounding
from ragviz.records.ids import digest
from ragviz.store import runs, schema, told
from ragviz.store.blocks import UNKNOWN, VERDICT_COLUMNS, WORDS, Column
from ragviz.store.coded import Words
from ragviz.store.columns import Columns
from ragviz.store.engine import Database
from ragviz.store.filters import FAILING_QUADRANTS, FAILING_VERDICTS, OF_TRACES, Neighbours, TraceFilter
from ragviz.store.moments import Moment, moment
from ragviz.store.packing import pack
from ragviz.store.ranked import Ranked
from ragviz.store.results import column_of
from ragviz.store.selecting import RESULT_SORTS, keys, scope_of

FROM = 20_000
"""Traces from which on columns answer faster than joins."""
MOST_HELD = 200
"""Masks in memory, as bits: 125 kB each for a million traces."""
FARTHEST = 20
"""Times as many keys as a run has, of other runs between its own, up to which all of them are gone through to tell these apart."""
Mask = NDArray[np.bool_]


class Lists:
    """Lists and counts of large runs."""

    def __init__(self, db: Database, columns: Columns) -> None:
        self._db = db
        self._columns = columns
        self._held: OrderedDict[tuple[str, ...], tuple[tuple[int, ...], NDArray[np.uint8]]] = OrderedDict()
        self._large: set[str] = set()
        """Runs that were large when they were last asked for: the answers are the same, should one be so no more."""
        self._lock = threading.Lock()

    def let_go(self) -> None:
        """Hold nothing any more."""
        with self._lock:
            self._held.clear()
            self._large.clear()

    def serve(self, view: View, sort: str = "") -> bool:
        """True where this is the faster way. A run that is not there is for ``queries`` to complain about."""
        if sort == "id":
            return False
        if view.run_id in self._large:
            return True
        with self._db.read() as conn:
            n = conn.execute(select(schema.run.c.n_traces).where(schema.run.c.run_id == view.run_id)).scalar()
        if n is None or n < FROM:
            return False
        self._large.add(view.run_id)
        return True

    def mask(self, view: View, where: TraceFilter) -> Mask:
        """Which traces pass, in file order."""
        now = moment(self._db, view.run_id)
        return self._remembered(("mask", digest((repr(view), repr(where)))), now, lambda: self._mask(view, where, now))

    def _remembered(self, name: tuple[str, ...], stamp: tuple[int, ...], make: Any) -> Mask:
        with self._lock:
            known = self._held.get(name)
            if known is not None and known[0] == stamp:
                self._held.move_to_end(name)
                return np.unpackbits(known[1], count=stamp[1]).view(np.bool_)
        made: Mask = make()
        with self._lock:
            self._held[name] = (stamp, np.packbits(made))
            self._held.move_to_end(name)
            while len(self._held) > MOST_HELD:
                self._held.popitem(last=False)
        return made

    def _mask(self, view: View, where: TraceFilter, now: Moment) -> Mask:
        passing = np.ones(now[1], dtype=np.bool_)
        numbers = {name: self._number(view, name) for name in (*(name for name, _, _ in where.ranges), *where.lacking)}
        found = self._together(view, where, numbers.values())
        for name, wanted in (("quadrant", where.quadrants), ("cause", where.causes)):
            if wanted:
                passing &= _words(found[name]).one_of(wanted)
        if where.verdicts:
            passing &= np.logical_or.reduce([_plain(found[f"n_{Grounding(v)}"]) > 0 for v in where.verdicts])
        if where.failing:
            by_claim = np.logical_or.reduce([_plain(found[f"n_{verdict}"]) > 0 for verdict in FAILING_VERDICTS])
            quadrants = _words(found["quadrant"])
            passing &= quadrants.one_of(FAILING_QUADRANTS) | (quadrants.one_of(("unknown",)) & by_claim)
        for name, lo, hi in where.ranges:
            values = _plain(found[numbers[name]])
            passing &= ~np.isnan(values)
            passing &= values >= lo if lo is not None else True
            passing &= values <= hi if hi is not None else True
        if where.lacking:
            passing &= np.logical_or.reduce([np.isnan(_plain(found[numbers[name]])) for name in where.lacking])
        if where.refusals:
            passing &= ~_words(found["quadrant"]).one_of(("abstained",)) | _refused(_plain(found["abstention_precision"]), where.refusals)
        for part in (*(TraceFilter(tags={name: value}) for name, value in where.tags.items()), *_alone(where)):
            passing &= self._among(view, part, now)
        return passing

    def _together(self, view: View, where: TraceFilter, numbers: Iterable[str]) -> dict[str, Column | Words]:
        """All columns that a filter looks at, in one look into the store: a look takes longer than most of what is done with a column."""
        verdicts = (*where.verdicts, *(FAILING_VERDICTS if where.failing else ()))
        asked = [*numbers, *(f"n_{Grounding(verdict)}" for verdict in verdicts)]
        asked += ["quadrant"] if where.quadrants or where.failing or where.refusals else []
        asked += (["cause"] if where.causes else []) + (["abstention_precision"] if where.refusals else [])
        return self._columns.get(view, dict.fromkeys(asked)) if asked else {}

    def _among(self, view: View, where: TraceFilter, now: Moment) -> Mask:
        """
        Which traces have a tag, source, words or id: what was imported changes only when a trace is told anew, so this outlives verdicts.
        Splits are tags that do change.
        """
        run, n, version = now
        stamp = (run, n, version if SPLIT_TAG in where.tags else self._columns.told_at(view, now))

        def make() -> Mask:
            for name, value in where.tags.items():
                by_value = self._columns.tag(view, name)
                if by_value is not None and len(by_value.codes) == n:
                    return by_value.one_of([told.word_of(value)])
            with self._db.read() as conn:
                scope = scope_of(conn, view, self._db.where)
                # One long text of numbers is read in a tenth of the time that as many rows take.
                some = keys(scope, where, of_others=True).select().subquery()
                text = conn.execute(select(func.aggregate_strings(cast(some.c[0], Text), ","))).scalar()
                found = np.fromstring(text, dtype=np.int64, sep=",") if text else np.empty(0, dtype=np.int64)
            made = np.zeros(n, dtype=np.bool_)
            if scope.in_one_piece:
                at = found - scope.first_key
                made[at[at < n]] = True
            else:
                of_run = self._column(view, "key")[:n]
                made[: len(of_run)] = _among_keys(of_run, found)
            return made

        return self._remembered(("among", view.run_id, digest([pack(where).hex()])), stamp, make)

    def _column(self, view: View, name: str) -> Column:
        return _plain(self._columns.get(view, [name])[name])

    def _number(self, view: View, name: str) -> str:
        """The column of a score or number that is filtered or sorted by."""
        known = name in OF_TRACES or column_of(name, view.retrieval_k) in RESULT_SORTS
        if not known or name in WORDS:
            # The same complaint, in the same words, as for a small run.
            with self._db.read() as conn:
                keys(scope_of(conn, view, self._db.where), TraceFilter(ranges=((name, None, None),)))
        return name if name in OF_TRACES else column_of(name, view.retrieval_k)

    def count(self, view: View, where: TraceFilter) -> int:
        """How many traces pass."""
        return int(np.count_nonzero(self.mask(view, where)))

    def counts_by(self, view: View, column: str, where: TraceFilter) -> dict[str, int]:
        """Traces by quadrant or cause; without a result: ``unknown``."""
        counts = _words(self._columns.get(view, [column])[column]).counts(self.mask(view, where))
        unscored = counts.pop("", 0)
        if unscored:
            counts[UNKNOWN] = counts.get(UNKNOWN, 0) + unscored
        return counts

    def claim_counts(self, view: View, where: TraceFilter) -> dict[Grounding, int]:
        """Response claims by what became of them."""
        passing = np.flatnonzero(self.mask(view, where))
        found = self._columns.get(view, [f"n_{g}" for g in Grounding])
        return {g: int(np.nansum(_plain(found[f"n_{g}"]).take(passing))) for g in Grounding}

    def keys(self, view: View, where: TraceFilter, *, sort: str, descending: bool, limit: int, offset: int) -> list[int]:
        """Keys of one page."""
        if sort in ("order", ""):
            positions = np.flatnonzero(self.mask(view, where))
            shown = (positions[::-1] if descending else positions)[offset : offset + limit]
            return [int(key) for key in self._column(view, "key")[shown]]
        ranked = self._ranked(view, where, sort, descending=descending)
        return [int(key) for key in self._column(view, "key")[ranked.part(offset, limit)]]

    def _ranked(self, view: View, where: TraceFilter, sort: str, *, descending: bool) -> Ranked:
        positions = np.flatnonzero(self.mask(view, where))
        if sort in ("order", ""):
            return Ranked(positions, np.zeros(len(positions)), -positions if descending else positions, descending)
        values = self._order(view, sort)[positions]
        nothing = np.isnan(values)
        values = np.where(nothing, np.inf, -values if descending else values)
        return Ranked(positions, values, np.where(nothing | (not descending), positions, -positions), descending)

    def _order(self, view: View, sort: str) -> NDArray[np.float64]:
        """The column to sort by as numbers; words by the alphabet, and nothing for traces without a result."""
        if sort not in WORDS:
            return self._column(view, self._number(view, sort))
        found = _words(self._columns.get(view, [sort])[sort])
        place = np.argsort(np.argsort(np.array(found.words, dtype=object))).astype(np.float64)
        return np.where(np.isnan(self._column(view, VERDICT_COLUMNS[0])), np.nan, place[found.codes])

    def passing(self, view: View, where: TraceFilter) -> NDArray[np.int64]:
        """Positions of all traces that pass, in file order."""
        return np.flatnonzero(self.mask(view, where))

    def neighbours(self, view: View, where: TraceFilter, sort: str, trace_id: str, *, descending: bool) -> Neighbours:
        """The traces before and after one in a filtered, sorted list."""
        ranked, t = self._ranked(view, where, sort, descending=descending), schema.trace.c
        with self._db.read() as conn:
            run = runs.run_key(conn, view.run_id, self._db.where)
            position = conn.execute(select(t.position).where(t.run == run, t.trace_id == trace_id)).scalar()
            at = None if position is None else int(np.searchsorted(ranked.positions, position))
            if at is None or at >= len(ranked.positions) or ranked.positions[at] != position:
                return Neighbours(previous=None, next=None, position=None, total=len(ranked.positions))
            before, after, n_before = ranked.beside(at)
            wanted = [p for p in (before, after) if p is not None]
            ids: dict[int, str] = dict(conn.execute(select(t.position, t.trace_id).where(t.run == run, t.position.in_(wanted))).all())
        return Neighbours(
            previous=None if before is None else ids.get(before),
            next=None if after is None else ids.get(after),
            position=n_before + 1,
            total=len(ranked.positions),
        )


def _words(column: Column | Words) -> Words:
    assert isinstance(column, Words)
    return column


def _plain(column: Column | Words) -> Column:
    return column.plain() if isinstance(column, Words) else column


def _refused(right: Column, kinds: Sequence[str]) -> Mask:
    """Which traces decline in one of these ways, if they decline; ``right``: whether they should."""
    masks = {"right": right == 1, "wrong": right == 0, "unknown": (right != 1) & (right != 0)}
    found: Mask = np.logical_or.reduce([masks[kind] for kind in kinds if kind in masks] or [np.zeros(len(right), dtype=np.bool_)])
    return found


def _among_keys(of_run: NDArray[np.int64], found: NDArray[np.int64]) -> Mask:
    """
    Which keys of a run (ascending) were found; those of other runs are passed over. Places are marked instead of keys looked up, which takes ten
    times as long.
    """
    first, last = (int(of_run[0]), int(of_run[-1])) if len(of_run) else (0, -1)
    if last - first > FARTHEST * len(of_run):
        return np.isin(of_run, found)
    there = np.zeros(last - first + 1, dtype=np.bool_)
    there[found[(found >= first) & (found <= last)] - first] = True
    return there[of_run - first]


def _alone(where: TraceFilter) -> Sequence[TraceFilter]:
    """Each condition on what was imported by itself, so that each is remembered by itself."""
    found = []
    if where.source is not None:
        found.append(TraceFilter(source=where.source))
    if where.text:
        found.append(TraceFilter(text=where.text))
    if where.ids:
        found.append(TraceFilter(ids=where.ids))
    return found
