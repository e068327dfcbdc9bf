"""Which trace of one run answers the same question as which trace of another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import msgspec


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


class Question(NamedTuple):
    """Those columns alone."""

    id: str
    question: str
    group: str | None


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """Traces of two runs, matched."""

    pairs: tuple[tuple[str, str], ...]
    """(base id, candidate id), in the base's order."""
    only_base: tuple[str, ...] = ()
    only_candidate: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()
    """One sentence each: questions that occur several times and could not be told apart by id."""


def question_key(trace: Asked) -> str:
    """What two traces share when they answer the same question: their group, else the question with case and spaces folded."""
    return f"group:{trace.group}" if trace.group is not None else "question:" + " ".join(trace.question.split()).casefold()


def pair_traces(base: Sequence[Asked], candidate: Sequence[Asked]) -> Pairing:
    """
    Match traces by question id (group) where there is one, else by the question itself.

    Where a question occurs several times, equal trace ids decide; what is then left is matched in file order if both runs have equally many,
    and left unmatched otherwise. Both are listed as ambiguous.
    """
    waiting: defaultdict[str, list[Asked]] = defaultdict(list)
    for trace in candidate:
        waiting[question_key(trace)].append(trace)
    mine: defaultdict[str, list[Asked]] = defaultdict(list)
    for trace in base:
        mine[question_key(trace)].append(trace)
    found: dict[str, str] = {}
    ambiguous = []
    for key, ours in mine.items():
        matched, doubt = _match(ours, waiting.get(key, []))
        found.update(matched)
        if doubt:
            ambiguous.append(doubt)
    taken = set(found.values())
    return Pairing(
        pairs=tuple((t.id, found[t.id]) for t in base if t.id in found),
        only_base=tuple(t.id for t in base if t.id not in found),
        only_candidate=tuple(t.id for t in candidate if t.id not in taken),
        ambiguous=tuple(ambiguous),
    )


def _match(ours: Sequence[Asked], theirs: Sequence[Asked]) -> tuple[dict[str, str], str]:
    """Pairs within one question, and a remark where ids could not tell."""
    if not theirs:
        return {}, ""
    by_id = {t.id for t in theirs}
    matched = {t.id: t.id for t in ours if t.id in by_id}
    left = [t.id for t in ours if t.id not in matched]
    right = [t.id for t in theirs if t.id not in matched]
    if not left or not right:
        return matched, ""
    if len(left) == len(right):
        matched.update(zip(left, right, strict=True))
        if len(left) == 1:
            return matched, ""
        return matched, f"{_short(ours[0].question)} occurs {len(ours)} times in each run and was matched in file order"
    return matched, f"{_short(ours[0].question)} occurs {len(ours)} times in one run and {len(theirs)} times in the other: {len(left)} left out"


def _short(question: str) -> str:
    text = " ".join(question.split())
    return f'"{text if len(text) <= 60 else text[:57] + "…"}"'
