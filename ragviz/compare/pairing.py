"""Which trace of one run answers the same question as which trace of another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray


class Asked(Protocol):
    """What pairing looks at: a trace, or a few columns of one."""

    @property
    def id(self) -> str:
        """Name of the trace in its run."""
        ...

    @property
    def question(self) -> str:
        """The question."""
        ...

    @property
    def group(self) -> str | None:
        """Id of the question, where the file has one."""
        ...


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """Traces of two runs, matched."""

    pairs: Sequence[tuple[str, str]]
    """(base id, candidate id), in the base's order: a tuple, or what reads like one."""
    only_base: tuple[str, ...] = ()
    only_candidate: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()
    """One sentence each: questions that occur several times and could not be told apart by id."""


def question_key(trace: Asked) -> str:
    """What two traces share when they answer the same question: their group, else the question with case and spaces folded."""
    return f"group:{trace.group}" if trace.group is not None else "question:" + " ".join(trace.question.split()).casefold()


class Places(NamedTuple):
    """Pairs by the place of each trace in its run, from 0, in the base's order."""

    base: NDArray[np.int64]
    candidate: NDArray[np.int64]
    ambiguous: tuple[str, ...]


def pair_traces(base: Sequence[Asked], candidate: Sequence[Asked]) -> Pairing:
    """
    Match traces by question id (group) where there is one, else by the question itself.

    Where a question occurs several times, equal trace ids decide; what is then left is matched in file order if both runs have equally many,
    and left unmatched otherwise. Both are listed as ambiguous.
    """
    numbers: dict[str, int] = {}
    mine, theirs = (np.array([numbers.setdefault(question_key(t), len(numbers)) for t in side], dtype=np.int64) for side in (base, candidate))
    my_ids, their_ids = [t.id for t in base], [t.id for t in candidate]
    return pairing_of(pair_places(mine, theirs, my_ids, their_ids, question=lambda place: base[place].question), my_ids, their_ids)


def pairing_of(found: Places, my_ids: Sequence[str], their_ids: Sequence[str]) -> Pairing:
    """The same by id; ``found`` is of traces with these ids."""
    return Pairing(
        pairs=tuple([(my_ids[b], their_ids[c]) for b, c in zip(found.base.tolist(), found.candidate.tolist(), strict=True)]),
        only_base=_others(my_ids, found.base), only_candidate=_others(their_ids, found.candidate), ambiguous=found.ambiguous,
    )


def _others(ids: Sequence[str], paired: NDArray[np.int64]) -> tuple[str, ...]:
    alone = np.ones(len(ids), dtype=np.bool_)
    alone[paired] = False
    return tuple([ids[place] for place in np.flatnonzero(alone).tolist()])


def pair_places(
    mine: NDArray[np.int64], theirs: NDArray[np.int64], my_ids: Sequence[str], their_ids: Sequence[str], *, question: Callable[[int], str]
) -> Places:
    """
    ``pair_traces`` of two runs of any size.

    Args:
        mine: The question of each trace of the base as a number: equal for the same question. Shape (n_base,).
        theirs: The same of the candidate, shape (n_candidate,).
        my_ids: Ids of the base's traces.
        their_ids: Ids of the candidate's.
        question: The words of the base's trace at a place; asked for remarks only.
    """
    codes = np.unique(np.concatenate([mine, theirs]), return_inverse=True)[1]
    ours, others = codes[: len(mine)], codes[len(mine) :]
    n_codes = int(codes.max(initial=-1)) + 1
    n_ours, n_others = np.bincount(ours, minlength=n_codes), np.bincount(others, minlength=n_codes)
    partner = np.full(len(mine), -1, dtype=np.int64)
    once, place = (n_ours == 1) & (n_others == 1), np.zeros(n_codes, dtype=np.int64)
    place[others] = np.arange(len(others))
    easy = once[ours]
    partner[easy] = place[ours[easy]]
    remarks = []
    several = (n_ours > 0) & (n_others > 0) & ~once
    by_code = _grouped(others, several)
    for code, left in _grouped(ours, several).items():
        matched, remark = _match(left, by_code[code], my_ids, their_ids, question)
        partner[[b for b, _ in matched]] = [c for _, c in matched]
        remarks += [remark] if remark else []
    paired = np.flatnonzero(partner >= 0)
    return Places(paired, partner[paired], tuple(remarks))


def _grouped(codes: NDArray[np.int64], wanted: NDArray[np.bool_]) -> dict[int, list[int]]:
    """Places by code, of the ``wanted`` codes alone; both in the order in which they are met."""
    found: dict[int, list[int]] = {}
    places = np.flatnonzero(wanted[codes])
    for code, place in zip(codes[places].tolist(), places.tolist(), strict=True):
        found.setdefault(code, []).append(place)
    return found


def _match(
    ours: Sequence[int], theirs: Sequence[int], my_ids: Sequence[str], their_ids: Sequence[str], question: Callable[[int], str],
) -> tuple[list[tuple[int, int]], str]:
    """Pairs within one question, and a remark where ids could not tell."""
    by_id = {their_ids[place]: place for place in theirs}
    matched = [(place, by_id[my_ids[place]]) for place in ours if my_ids[place] in by_id]
    taken_ours, taken_theirs = {b for b, _ in matched}, {c for _, c in matched}
    left, right = [place for place in ours if place not in taken_ours], [place for place in theirs if place not in taken_theirs]
    if not left or not right:
        return matched, ""
    if len(left) == len(right):
        matched += zip(left, right, strict=True)
        return matched, "" if len(left) == 1 else f"{_short(question(ours[0]))} occurs {len(ours)} times in each run and was matched in file order"
    return matched, f"{_short(question(ours[0]))} occurs {len(ours)} times in one run and {len(theirs)} times in the other: {len(left)} left out"


def _short(question: str) -> str:
    text = " ".join(question.split())
    return f'"{text if len(text) <= 60 else text[:57] + "…"}"'
