"""Columns of a run brought up to date: what they were before, and the blocks that changed since read, or made, anew."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from sqlalchemy import Connection, null, select

from ragviz.store import blocks, schema
from ragviz.store.blocks import SIZE, UNKNOWN, VERDICT_COLUMNS, Column, Place
from ragviz.store.coded import Words
from ragviz.store.moments import Moment
from ragviz.store.packing import unpack
from ragviz.store.selecting import Scope

_B = schema.block.c


@dataclass
class Held:
    """A column in memory."""

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
        """Counted once: no column changes."""
        return sum(map(sys.getsizeof, self.words))


@dataclass(frozen=True)
class Look:
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


def refreshed(look: Look, owner: int, old: dict[str, Held | None]) -> dict[str, Held]:
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
    return {name: _joined(name, Held(look.version, stamps[name], _empty(name, n_traces)), before, parts[name]) for name, before in old.items()}


def nothing(name: str, n: int) -> Column | Words:
    """A column of a view for which nothing was computed."""
    return Words((UNKNOWN if name == "quadrant" else "",), np.zeros(n, dtype=np.int32)) if name in blocks.WORDS else np.full(n, np.nan)


def _empty(name: str, n: int) -> Column:
    if blocks.is_coded(name):
        return np.zeros(n, dtype=np.int32)
    return np.zeros(n, dtype=np.int64) if name in blocks.WHOLE else np.full(n, np.nan)


def _joined(name: str, made: Held, before: Held | None, parts: dict[int, bytes]) -> Held:
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
    return Held(made.version, made.stamps, values, tuple(places))
