"""Which traces of two large runs belong together, and what their pairs are grouped by: every trace read once, without passages' texts, and kept as numbers."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragviz.compare.corpora import Gathered, Names, packed_corpora_differ
from ragviz.compare.fairness import Unfairness
from ragviz.compare.pairing import Places, pair_places, question_key
from ragviz.contracts import View
from ragviz.diagnosis.slices import of_tags, of_the_question
from ragviz.records.ids import group_code
from ragviz.stats.coded import first_met
from ragviz.store import Store
from ragviz.store.outlines import outlines

STEP = 500
"""Traces between two reports."""
OnRead = Callable[[int], None]


class Matched(NamedTuple):
    """Two runs, trace by trace."""

    places: Places
    base_ids: list[str]
    candidate_ids: list[str]
    """Of all traces, in file order."""
    groups: NDArray[np.int64]
    """Cluster of each pair (same question), from 0 as they are met."""
    members: Mapping[tuple[str, str], NDArray[np.int64]]
    """Places of the pairs by a property of the baseline's trace and its value, ascending; in the order in which they are met."""
    corpus: Unfairness | None
    """Whether the documents differ."""


class _Read(NamedTuple):
    """One run."""

    ids: list[str]
    questions: NDArray[np.int64]
    """Equal for the same question."""
    properties: _Properties | None
    texts: Gathered


def match(base: tuple[Store, View], candidate: tuple[Store, View], *, smallest: Callable[[int], int], on_read: tuple[OnRead, OnRead]) -> Matched:
    """
    Read both runs and pair them.

    Args:
        base: A store and a run in it, seen through a judge.
        candidate: The same of the other.
        smallest: How many pairs a part has at least, of so many; smaller ones are left out.
        on_read: Told how many traces of the base, and how many of the candidate, are read.
    """
    names = Names()
    mine, theirs = _read(base, names, on_read[0], grouped=True), _read(candidate, names, on_read[1], grouped=False)

    def words(place: int) -> str:
        return next(trace.question for trace in base[0].traces(base[1].run_id, [mine.ids[place]]))

    places = pair_places(mine.questions, theirs.questions, mine.ids, theirs.ids, question=words)
    assert mine.properties is not None
    return Matched(
        places, mine.ids, theirs.ids, groups=first_met(mine.questions[places.base]), members=mine.properties.members(places.base, smallest(len(places.base))),
        corpus=packed_corpora_differ(names, mine.texts.seen(), theirs.texts.seen()),
    )


def _read(side: tuple[Store, View], names: Names, on_read: OnRead, *, grouped: bool) -> _Read:
    ids, questions, texts = list[str](), array("q"), Gathered()
    properties = _Properties() if grouped else None
    store, view = side
    for n, row in enumerate(outlines(store, view.run_id), start=1):
        ids.append(row.id)
        questions.append(group_code(question_key(row)))
        for doc, passage, content in row.passages or ():
            texts.add(names.code(doc, passage), content)
        if properties is not None:
            properties.add(of_the_question(row.question, row.n_words, None if row.passages is None else len(row.passages)) | of_tags(row.tags))
        if n % STEP == 0:
            texts.settle()
            on_read(n)
    return _Read(ids, np.array(questions, dtype=np.int64), properties, texts)


class _Properties:
    """Properties of traces, each value once."""

    def __init__(self) -> None:
        self._n = 0
        self._values: dict[str, dict[str, int]] = {}
        self._codes: dict[str, array[int]] = {}

    def add(self, properties: Mapping[str, str]) -> None:
        """Those of the next trace."""
        for name, value in properties.items():
            codes = self._codes.get(name)
            if codes is None:
                codes, self._values[name] = array("i"), {}
                self._codes[name] = codes
            if len(codes) < self._n:
                codes.extend([-1] * (self._n - len(codes)))
            known = self._values[name]
            codes.append(known.setdefault(value, len(known)))
        self._n += 1

    def members(self, wanted: NDArray[np.int64], smallest: int) -> dict[tuple[str, str], NDArray[np.int64]]:
        """Among the traces at these places: which of them have each property and value, of the values that ``smallest`` of them have."""
        found = []
        for rank, (name, codes) in enumerate(self._codes.items()):
            column = np.full(self._n, -1, dtype=np.int32)
            column[: len(codes)] = np.frombuffer(codes, dtype=np.int32)
            column = column[wanted]
            sizes = np.bincount(column[column >= 0], minlength=len(self._values[name]))
            for code, value in enumerate(self._values[name]):
                if sizes[code] >= max(smallest, 1):
                    places = np.flatnonzero(column == code)
                    found.append((int(places[0]), rank, (name, value), places))
        return {key: places for _, _, key, places in sorted(found, key=lambda row: row[:2])}
