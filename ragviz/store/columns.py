"""Whole columns of a run as arrays: read from blocks, held in memory up to a limit, and only the blocks that changed read again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy import Connection, func, select

from ragviz.contracts import View
from ragviz.errors import StoreError
from ragviz.store import blocks, runs, schema, told
from ragviz.store.blocks import SIZE, VERDICT_COLUMNS, Column
from ragviz.store.coded import Rankings, Words
from ragviz.store.engine import Database
from ragviz.store.moments import Moment, moment, version
from ragviz.store.packing import unpack
from ragviz.store.refreshing import Held, Look, nothing, refreshed
from ragviz.store.selecting import Scope, scope_of

MOST_BYTES = 160 * 2**20
"""Of columns in memory; the ones that were not asked for longest go first."""
MOST_SCOPES = 1_000
_B = schema.block.c


class Columns:
    """The columns of all runs of a store. Arrays are shared and read-only."""

    def __init__(self, db: Database, *, most_bytes: int = MOST_BYTES) -> None:
        self._db = db
        self._most = most_bytes
        self._held: OrderedDict[tuple[int, int, str], Held] = OrderedDict()
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

    def told_at(self, view: View, now: Moment) -> int:
        """
        A number that changes when traces of the run are told anew, not when something is said of them: by the versions of the blocks that
        both leave or make void. Of that moment, or a later one.
        """
        known, n_let_go = self._told.get(view.run_id), self._n_let_go
        if known is None or known[0] != now:
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
        there = self._there(view, set(asked.values()))
        if there is not None:
            return {name: there[stored] for name, stored in asked.items()}
        with self._look(view) as look:
            of_traces = [name for name in set(asked.values()) if blocks.is_of_traces(name)]
            of_view = [name for name in set(asked.values()) if not blocks.is_of_traces(name)]
            found = self._some(look, 0, of_traces) | self._some(look, look.scope.view_key, of_view)
        self._keep(view.run_id, look)
        return {name: found[stored] for name, stored in asked.items()}

    def _there(self, view: View, names: set[str]) -> dict[str, Column | Words] | None:
        """Columns that are in memory and as the run is now; None where one has to be read. A look into the database takes longer than most of a click's sums."""
        now = moment(self._db, view.run_id)
        with self._lock:
            known = self._scopes.get(view)
            if known is None or known[0] != now:
                return None
            scope, found = known[1], {}
            for name in names:
                owner = 0 if blocks.is_of_traces(name) else scope.view_key
                if owner is None:
                    return None
                held = self._held.get((scope.run, owner, name))
                if held is None or held.version != now[2] or len(held.values) != scope.n_traces:
                    return None
                self._held.move_to_end((scope.run, owner, name))
                found[name] = _shown(name, held)
        return found

    def tag(self, view: View, name: str) -> Words | None:
        """
        Values of a tag, where their blocks are all there: making these reads every trace. None also of tags that have no column (versions, splits while
        they change) or one that says less than traces can be filtered by.
        """
        column = told.column_of_tag(name)
        if column is None:
            return None
        n_blocks = -(-moment(self._db, view.run_id)[1] // SIZE)
        with self._db.read() as conn:
            run = runs.run_key(conn, view.run_id, self._db.where)
            n = conn.execute(select(func.count()).where(_B.run == run, _B.view == 0, _B.name == blocks.marked(column))).scalar_one()
        found = self.get(view, [column])[column] if n == n_blocks else None
        assert found is None or isinstance(found, Words)
        return found

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
    def _look(self, view: View) -> Iterator[Look]:
        with self._db.read() as conn:
            now = version(conn, view.run_id, self._db.where)  # first: what is read afterwards is as new, or newer
            yield Look(conn, self._scope(conn, view, now), now)

    def _scope(self, conn: Connection, view: View, now: Moment) -> Scope:
        """Nothing of it changes without the run's version; a click on a large run asks a hundred times."""
        known, n_let_go = self._scopes.get(view), self._n_let_go
        if known is None or known[0] != now:
            known = now, scope_of(conn, view, self._db.where)
            if len(self._scopes) >= MOST_SCOPES:
                self._scopes.clear()
            if n_let_go == self._n_let_go:
                self._scopes[view] = known
        return known[1]

    def _some(self, look: Look, owner: int | None, names: Sequence[str]) -> dict[str, Column | Words]:
        if owner is None:
            return {name: nothing(name, look.scope.n_traces) for name in names}
        found = self._read(look, owner, names)
        return {name: _shown(name, one) for name, one in found.items()}

    def _read(self, look: Look, owner: int, names: Sequence[str]) -> dict[str, Held]:
        run, n_traces = look.scope.run, look.scope.n_traces
        with self._lock:
            n_let_go = self._n_let_go
            held = {name: self._held.get((run, owner, name)) for name in names}
        stale = {name: old for name, old in held.items() if old is None or old.version != look.version or len(old.values) != n_traces}
        found = {name: old for name, old in held.items() if old is not None} | (refreshed(look, owner, stale) if stale else {})
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

    def _keep(self, run_id: str, look: Look) -> None:
        """Store what was made, unless the run has moved on meanwhile. Somebody else may be writing: then it is made again next time."""
        if not look.made:
            return
        rows = [(look.scope.run, owner, n, blocks.marked(name), look.version, raw) for (owner, n, name), raw in look.made.items()]
        try:
            with self._db.write(counted=False) as conn:
                if version(conn, run_id, self._db.where)[2] == look.version:
                    self._db.insert_many(conn, schema.block, ("run", "view", "n", "name", "version", "body"), rows, new_only=True)
        except StoreError:
            return


def _shown(name: str, held: Held) -> Column | Words:
    return Words(tuple(word.decode() for word in held.words), held.values) if blocks.is_word(name) else held.values


def stored_name(name: str, retrieval_k: int) -> str:
    """The name a metric is stored under: ``recall_at_k`` is ``recall_at_5`` where the view's k is 5."""
    return f"{name.removesuffix('_at_k')}_at_{retrieval_k}" if name.endswith("_at_k") else name
