"""Who asks what over versions, and the level of a quantity in each of them with the mix of questions taken out."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ragviz.stats.coded import Coded, all_different, closed_up, joined
from ragviz.stats.levels import Levels, Shapes, moments_by_kind
from ragviz.stats.numbering import numbered
from ragviz.stats.units import Known, Units

Floats = NDArray[np.float64]

ENOUGH = 20
"""Questions with a value below which a version takes no part in the search for steps: its mean is mostly chance."""


KEPT = 2
"""Sets of traces of which it is kept who takes part: 40 MB each, of a million."""


class Asking(Protocol):
    """What is read of a version here."""

    @property
    def groups(self) -> NDArray[np.int64]:
        """The question of each trace as a number."""
        ...

    @property
    def kinds(self) -> Mapping[str, Coded]:
        """By dimension: the kind of each trace."""
        ...


class Told(NamedTuple):
    """The values of one quantity in one version, without those that are unknown."""

    values: Floats
    where: NDArray[np.bool_] | None
    """Which traces have one; None: all."""

    def rows(self, column: NDArray[np.int64]) -> NDArray[np.int64]:
        """The same traces of another column."""
        return column if self.where is None else column[self.where]


def told(values: Floats) -> Told:
    """Without NaN."""
    known = ~np.isnan(values)
    return Told(values, None) if known.all() else Told(values[known], known)


class Asked:
    """What the traces of all versions ask."""

    def __init__(self, parts: Sequence[Asking]) -> None:
        ends = np.cumsum([0, *(len(p.groups) for p in parts)]).tolist()
        self._bounds = [slice(lo, hi) for lo, hi in pairwise(ends)]
        self._questions, n_different = _numbered([p.groups for p in parts])
        self._once = n_different == len(self._questions)
        """Nobody asks what another one asked: then there are kinds of questions alone, and sums by kind say everything."""
        self._kinds = _strata(parts, ends[-1])
        self._known: OrderedDict[bytes, Known | None] = OrderedDict()

    @cached_property
    def questions(self) -> list[NDArray[np.int64] | None]:
        """By version: the question of each trace; None where each is asked once in it."""
        if self._once:
            return [None] * len(self._bounds)
        return [None if all_different(found) else found for found in (self._questions[bound] for bound in self._bounds)]

    def levels(self, columns: Sequence[Told]) -> tuple[Levels, list[int]] | None:
        """
        Levels of the versions with enough questions that have a value, and which versions these are.

        ``columns``: by version. None below two versions with enough, or where all their values are alike.
        """
        return self._by_kind(columns) if self._once else self._by_question(columns)

    def _by_kind(self, columns: Sequence[Told]) -> tuple[Levels, list[int]] | None:
        """Every unit is one trace, so that what counts is counted and summed version by version."""
        which = [i for i, column in enumerate(columns) if len(column.values) >= ENOUGH]
        if len(which) < 2 or _alike([columns[i].values for i in which]):
            return None
        n_kinds, centre = int(self._kinds.max(initial=-1)) + 1, float(columns[which[0]].values.mean())
        table = np.zeros((3, n_kinds, len(which)))
        for at, i in enumerate(which):
            kinds, values = columns[i].rows(self._kinds[self._bounds[i]]), columns[i].values - centre
            table[0, :, at] = np.bincount(kinds, minlength=n_kinds)
            table[1, :, at] = np.bincount(kinds, weights=values, minlength=n_kinds)
            table[2, :, at] = np.bincount(kinds, weights=values * values, minlength=n_kinds)
        kinds, versions = np.nonzero(table[0])
        counts, sums, squares = table[:, kinds, versions]
        kinds = closed_up(kinds)
        return Shapes(kinds, versions, counts, np.ones(len(kinds), np.int64), n_versions=len(which)).levels(
            moments_by_kind(kinds, counts, sums, squares)
        ), which

    def _by_question(self, columns: Sequence[Told]) -> tuple[Levels, list[int]] | None:
        where = np.concatenate(
            [np.ones(bound.stop - bound.start, np.bool_) if c.where is None else c.where for c, bound in zip(columns, self._bounds, strict=True)]
        )
        known = self._among(where)
        if known is None or _alike([columns[i].values for i in known.which]):
            return None
        return known.levels(np.concatenate([columns[i].values for i in known.which])), known.which

    @cached_property
    def _units(self) -> Units:
        versions = np.repeat(np.arange(len(self._bounds)), [bound.stop - bound.start for bound in self._bounds])
        return Units(versions, self._questions, self._kinds, n_versions=len(self._bounds))

    def _among(self, where: NDArray[np.bool_]) -> Known | None:
        """
        Who takes part where these traces have a value. The last answers are kept: quantities that come from the same verdicts are known of
        the same traces.
        """
        stamp = np.packbits(where).tobytes()
        if stamp not in self._known:
            found = self._units.known(where, enough=ENOUGH) if where.any() else None
            self._known[stamp] = found if found is not None and len(found.which) > 1 else None
        self._known.move_to_end(stamp)
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        return self._known[stamp]


def _numbered(groups: Sequence[NDArray[np.int64]]) -> tuple[NDArray[np.int64], int]:
    """
    The questions of all traces as numbers from 0, and how many are different. Runs of one file of questions have the same ones in the same order,
    which are numbered once.
    """
    if len(groups) > 1 and all(np.array_equal(some, groups[0]) for some in groups[1:]):
        of_one, different = numbered(groups[0])
        return np.tile(of_one, len(groups)), len(different)
    of_all, different = numbered(np.concatenate(groups) if groups else np.zeros(0, np.int64))
    return of_all, len(different)


def _alike(columns: Sequence[Floats]) -> bool:
    return max(float(values.max()) for values in columns) - min(float(values.min()) for values in columns) < 1e-12


def _strata(parts: Sequence[Asking], n: int) -> NDArray[np.int64]:
    """The kind of each question in all dimensions together, as a number."""
    found = np.zeros(n, dtype=np.int64)
    for name in sorted({name for p in parts for name in p.kinds}):
        column = joined([p.kinds.get(name, Coded((), np.full(len(p.groups), -1, dtype=np.int32))) for p in parts])
        found = closed_up(found * (len(column.words) + 1) + column.codes + 1)
    return found
