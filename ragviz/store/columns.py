"""Whole columns of a run as arrays: read from blocks, held in memory up to a limit, and only the blocks that changed read again."""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, null, select

from ragviz.contracts import View
from ragviz.errors import StoreError
from ragviz.store import blocks, runs, schema, told
from ragviz.store.blocks import SIZE, UNKNOWN, VERDICT_COLUMNS, Column, Place
from ragviz.store.engine import Database
from ragviz.store.packing import unpack
from ragviz.store.selecting import Scope, scope_of

MOST_BYTES = 160 * 2**20
"""Of columns in memory; the ones that were not asked for longest go first."""
MOST_SCOPES = 1_000
Moment = tuple[int, int, int]
"""``runs.version``: key of a run, its traces, its version. A run that takes the id of one that is gone has another key."""
_B = schema.block.c


@dataclass(frozen=True)
class Words:
    """A column of a few different words: quadrants, causes."""

    words: tuple[str, ...]
    codes: NDArray[np.int32]
    """Shape (n_traces,): place of the word in ``words``."""

    def one_of(self, wanted: Iterable[str]) -> NDArray[np.bool_]:
        """Which traces have one of these words."""
        asked = set(wanted)
        passing = np.array([word in asked for word in self.words], dtype=np.bool_)
        return passing[self.codes]

    def counts(self, where: NDArray[np.bool_] | None = None) -> dict[str, int]:
        """Traces per word, only words that occur; ``where``: only these traces."""
        n = np.bincount(self.codes if where is None else self.codes.take(np.flatnonzero(where)), minlength=len(self.words))
        return {word: int(k) for word, k in zip(self.words, n, strict=True) if k}

    def plain(self) -> NDArray[np.object_]:
        """One word a trace."""
        return np.array(self.words, dtype=object)[self.codes]


@dataclass(frozen=True)
class Rankings:
    """Packed rankings, each different one once."""

    bodies: tuple[bytes, ...]
    codes: NDArray[np.int32]
    """Shape (n_traces,): place of the ranking in ``bodies``."""

    @property
    def lacking(self) -> bool:
        """True where some were not worked out."""
        return blocks.NOT_RANKED in self.bodies and bool((self.codes == self.bodies.index(blocks.NOT_RANKED)).any())


@dataclass
class _Held:
    version: int
    """Of the run, when it was last compared with the database."""
    stamps: dict[int, int]
    values: Column
    words: tuple[bytes, ...] = ()

    @property
    def n_bytes(self) -> int:
        """A word, or a packed ranking, takes its letters and what Python adds to each."""
        return self.values.nbytes + self.n_bytes_of_words

    @cached_property
    def n_bytes_of_words(self) -> int:
        return sum(map(sys.getsizeof, self.words))


@dataclass(frozen=True)
class _Look:
    """One look into the database, and the blocks that had to be made in it: by view, number and name."""

    conn: Connection
    scope: Scope
    moment: Moment
    made: dict[tuple[int, int, str], bytes] = field(default_factory=dict)

    @property
    def version(self) -> int:
        """Of the run."""
        return self.moment[2]

    def make(self, owner: int, n: int, names: Sequence[str]) -> dict[str, bytes]:
        """These columns' block ``n``."""
        place = Place(run=self.scope.run, view=self.scope.view_key, metrics=unpack(self.scope.names, list[str]), n=n)
        found = blocks.make(self.conn, place, names)
        self.made.update({(owner, n, name): raw for name, raw in found.items()})
        return found


class Columns:
    """The columns of all runs of a store. Arrays are shared and read-only."""

    def __init__(self, db: Database, *, most_bytes: int = MOST_BYTES) -> None:
        self._db = db
        self._most = most_bytes
        self._held: OrderedDict[tuple[int, int, str], _Held] = OrderedDict()
        self.n_bytes = 0
        """Held now: numbers, and the words that they stand for."""
        self._n_let_go = 0
        self._scopes: dict[View, tuple[Moment, Scope]] = {}
        self._told: dict[str, tuple[Moment, int]] = {}
        self._lock = threading.Lock()

    def let_go(self) -> None:
        """Hold nothing any more, nor keep what others are reading at this moment."""
        with self._lock:
            self._held.clear()
            self._scopes.clear()
            self._told.clear()
            self.n_bytes = 0
            self._n_let_go += 1

    def rankings(self, view: View) -> Rankings:
        """The rankings of a run."""
        with self._look(view) as look:
            held = self._read(look, 0, ["ranking"])["ranking"]
        self._keep(view.run_id, look)
        return Rankings(held.words, held.values)

    def told_at(self, view: View, moment: Moment) -> int:
        """
        A number that changes when traces of the run are told anew, not when something is said of them: by the versions of the blocks that
        both leave or make void. Of that moment, or a later one.
        """
        known, n_let_go = self._told.get(view.run_id), self._n_let_go
        if known is None or known[0] != moment:
            with self._look(view) as look:
                held = self._read(look, 0, ["key"])["key"]
            self._keep(view.run_id, look)
            known = look.moment, hash(tuple(sorted(held.stamps.items())))
            if n_let_go == self._n_let_go:
                self._told[view.run_id] = known
        return known[1]

    def get(self, view: View, names: Iterable[str]) -> dict[str, Column | Words]:
        """
        Columns in file order, shape (n_traces,): float64 with NaN for "no value", int64 for ``group`` and ``key``, ``Words`` for quadrant, cause and
        words of ``told``.

        ``names``: metrics (``recall_at_k`` is the one of the view's cut-off), counts of claims, and what the traces have themselves.
        """
        asked = {name: stored_name(name, view.retrieval_k) for name in names}
        with self._look(view) as look:
            of_traces = [name for name in set(asked.values()) if blocks.is_of_traces(name)]
            of_view = [name for name in set(asked.values()) if not blocks.is_of_traces(name)]
            found = self._some(look, 0, of_traces) | self._some(look, look.scope.view_key, of_view)
        self._keep(view.run_id, look)
        return {name: found[stored] for name, stored in asked.items()}

    def prepare(self, view: View, *, growing: bool = False) -> None:
        """
        Make all blocks of a view that are not there, so that nobody waits for them; of a ``growing`` run not the dear ones of its last block,
        which the next trace makes void.
        """
        n_blocks, n = 1, 0
        while n < n_blocks:
            with self._look(view) as look:
                scope, n_blocks = look.scope, -(-look.scope.n_traces // SIZE)
                of_traces = [*blocks.OF_TRACES, *(() if growing and n == n_blocks - 1 else told.names_in(look.conn, scope.run))]
                for owner, names in ((0, of_traces), (scope.view_key, [*blocks.WORDS, *VERDICT_COLUMNS, *unpack(scope.names, list[str])])):
                    if owner is not None and n < n_blocks:
                        there = set(look.conn.execute(select(_B.name).where(_B.run == scope.run, _B.view == owner, _B.n == n)).scalars())
                        look.make(owner, n, [name for name in names if blocks.marked(name) not in there])
            self._keep(view.run_id, look)
            n += 1

    @contextmanager
    def _look(self, view: View) -> Iterator[_Look]:
        with self._db.read() as conn:
            moment = runs.version(conn, view.run_id, self._db.where)  # first: what is read afterwards is as new, or newer
            yield _Look(conn, self._scope(conn, view, moment), moment)

    def _scope(self, conn: Connection, view: View, moment: Moment) -> Scope:
        """Nothing of it changes without the run's version; a click on a large run asks a hundred times."""
        known, n_let_go = self._scopes.get(view), self._n_let_go
        if known is None or known[0] != moment:
            known = moment, scope_of(conn, view, self._db.where)
            if len(self._scopes) >= MOST_SCOPES:
                self._scopes.clear()
            if n_let_go == self._n_let_go:
                self._scopes[view] = known
        return known[1]

    def _some(self, look: _Look, owner: int | None, names: Sequence[str]) -> dict[str, Column | Words]:
        if owner is None:
            return {name: _nothing(name, look.scope.n_traces) for name in names}
        found = self._read(look, owner, names)
        return {name: Words(tuple(w.decode() for w in one.words), one.values) if blocks.is_word(name) else one.values for name, one in found.items()}

    def _read(self, look: _Look, owner: int, names: Sequence[str]) -> dict[str, _Held]:
        run, n_traces = look.scope.run, look.scope.n_traces
        with self._lock:
            n_let_go = self._n_let_go
            held = {name: self._held.get((run, owner, name)) for name in names}
        stale = {name: old for name, old in held.items() if old is None or old.version != look.version or len(old.values) != n_traces}
        found = {name: old for name, old in held.items() if old is not None} | (self._refreshed(look, owner, stale) if stale else {})
        with self._lock:
            for name, one in found.items() if n_let_go == self._n_let_go else ():
                before = self._held.get((run, owner, name))
                self.n_bytes += one.n_bytes - (0 if before is None else before.n_bytes)
                self._held[run, owner, name] = one
                self._held.move_to_end((run, owner, name))
            while self.n_bytes > self._most and len(self._held) > 1:
                _, gone = self._held.popitem(last=False)
                self.n_bytes -= gone.n_bytes
        return found

    def _refreshed(self, look: _Look, owner: int, old: dict[str, _Held | None]) -> dict[str, _Held]:
        """The columns with the blocks that changed read, or made, anew."""
        run, n_traces = look.scope.run, look.scope.n_traces
        stamps: dict[str, dict[int, int]] = {name: {} for name in old}
        parts: dict[str, dict[int, bytes]] = {name: {} for name in old}
        # Of a small run that nobody has looked at, stamps and blocks at once: a team's year of runs is read in half as many statements.
        at_once = n_traces <= SIZE and not any(old.values())
        body = _B.body if at_once else null()
        asked = [blocks.marked(name) for name in old]
        for kept, n, stamp, raw in look.conn.execute(select(_B.name, _B.n, _B.version, body).where(_B.run == run, _B.view == owner, _B.name.in_(asked))):
            stamps[blocks.unmarked(kept)][n] = stamp
            if at_once:
                parts[blocks.unmarked(kept)][n] = raw
        there = {*(name for name in old if blocks.is_of_traces(name)), *blocks.WORDS, *VERDICT_COLUMNS, *unpack(look.scope.names, list[str])}
        for n in range(-(-n_traces // SIZE)):
            lacking = [name for name in old if name in there and n not in stamps[name]]
            for name, raw in (look.make(owner, n, lacking) if lacking else {}).items():
                parts[name][n] = raw
        wanted = {
            name: [
                n for n, stamp in stamps[name].items() if before is None or before.stamps.get(n) != stamp or len(before.values) < min((n + 1) * SIZE, n_traces)
            ]
            for name, before in old.items()
        }
        # Of a small run all columns at once: a team's year of runs is read in as many statements. Of a large one each by itself, since they take memory.
        lots = [list(old)] if n_traces <= SIZE else [[name] for name in old]
        for names in () if at_once else lots:
            query = select(_B.name, _B.n, _B.body).where(_B.run == run, _B.view == owner, _B.name.in_([blocks.marked(name) for name in names if wanted[name]]))
            some = sorted({n for name in names for n in wanted[name]})
            for kept, n, raw in (
                look.conn.execute(query if all(len(wanted[name]) == len(stamps[name]) for name in names) else query.where(_B.n.in_(some))) if some else ()
            ):
                parts[blocks.unmarked(kept)][n] = raw
        for name in old:
            for n in parts[name]:
                stamps[name].setdefault(n, look.version)
        return {name: _joined(name, _Held(look.version, stamps[name], _empty(name, n_traces)), before, parts[name]) for name, before in old.items()}

    def _keep(self, run_id: str, look: _Look) -> None:
        """Store what was made, unless the run has moved on meanwhile. Somebody else may be writing: then it is made again next time."""
        if not look.made:
            return
        rows = [(look.scope.run, owner, n, blocks.marked(name), look.version, raw) for (owner, n, name), raw in look.made.items()]
        try:
            with self._db.write(counted=False) as conn:
                if runs.version(conn, run_id, self._db.where)[2] == look.version:
                    self._db.insert_many(conn, schema.block, ("run", "view", "n", "name", "version", "body"), rows, new_only=True)
        except StoreError:
            return


def stored_name(name: str, retrieval_k: int) -> str:
    """The name a metric is stored under: ``recall_at_k`` is ``recall_at_5`` where the view's k is 5."""
    return f"{name.removesuffix('_at_k')}_at_{retrieval_k}" if name.endswith("_at_k") else name


def _nothing(name: str, n: int) -> Column | Words:
    """A column of a view for which nothing was computed."""
    return Words((UNKNOWN if name == "quadrant" else "",), np.zeros(n, dtype=np.int32)) if name in blocks.WORDS else np.full(n, np.nan)


def _empty(name: str, n: int) -> Column:
    if blocks.is_coded(name):
        return np.zeros(n, dtype=np.int32)
    return np.zeros(n, dtype=np.int64) if name in blocks.WHOLE else np.full(n, np.nan)


def _joined(name: str, made: _Held, before: _Held | None, parts: dict[int, bytes]) -> _Held:
    """A column out of what it was before and the blocks that changed."""
    places = {word: at for at, word in enumerate(before.words if before else ())}
    values = made.values
    if before is not None:
        n = min(len(before.values), len(values))
        values[:n] = before.values[:n]
    for at, raw in parts.items():
        if blocks.is_coded(name):
            words, codes = blocks.unpack_words(raw)
            part: Column = np.array([places.setdefault(word, len(places)) for word in words], dtype=np.int32)[codes]
        else:
            part = blocks.unpack_numbers(name, raw)
        values[at * SIZE : at * SIZE + len(part)] = part
    values.flags.writeable = False
    return _Held(made.version, made.stamps, values, tuple(places))
