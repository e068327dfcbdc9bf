"""Held-out traces: how often they were looked at, said beside every number that rests on them. A set that was looked at often is no longer unseen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from ragviz.records import SPLIT_TAG, Look, LookKind, Split, Trace
from ragviz.store import Store
from ragviz.store.looks import add_look, looks_at
from ragviz.store.splits import questions_of, set_split

MAX_NAME = 80


class HeldOut(msgspec.Struct, frozen=True, kw_only=True):
    """Held-out traces among those a number rests on, and every look at one of them."""

    n: int
    looks: tuple[Look, ...] = ()

    def times(self, kind: LookKind) -> int:
        """How many looks of that kind."""
        return sum(look.kind is kind for look in self.looks)

    @property
    def words(self) -> str:
        """One sentence, without its full stop."""
        if not self.looks:
            return f"{self.n:,} held-out, never looked at"
        people = len({look.who for look in self.looks})
        times = Counter(look.kind for look in self.looks)
        done = [f"{kind.value} {_times(times[kind])}" for kind in LookKind if times[kind]]
        return f"{self.n:,} held-out: {', '.join(done)} by {people} {'person' if people == 1 else 'people'}, last on {self.looks[-1].at:%Y-%m-%d}"

    def to_json(self) -> dict[str, Any]:
        """For machines."""
        return {
            "n": self.n, **{kind.value: self.times(kind) for kind in LookKind}, "people": len({look.who for look in self.looks}),
            "last": self.looks[-1].at.isoformat() if self.looks else None,
        }


def _times(n: int) -> str:
    return {1: "once", 2: "twice"}.get(n, f"{n:,} times")


def is_held_out(trace: Trace) -> bool:
    """Whether its tag says so."""
    return Split.of(trace.tags.get(SPLIT_TAG)) is Split.HELD_OUT


def held_out(store: Store, run_id: str) -> HeldOut | None:
    """Of a run; None where it has none."""
    questions = questions_of(store, run_id, Split.HELD_OUT)
    return HeldOut(n=len(questions), looks=tuple(looks_at(store, questions))) if questions else None


def look_at(store: Store, questions: Sequence[str], *, who: str, kind: LookKind, place: str) -> HeldOut | None:
    """Note a look at held-out questions, and say how often they were looked at, this time included; None where there are none."""
    if not questions:
        return None
    add_look(store, questions, who=who, kind=kind, place=place)
    return HeldOut(n=len(questions), looks=tuple(looks_at(store, questions)))


def move(store: Store, run_id: str, ids: Sequence[str], split: Split | None, *, who: str, place: str) -> int:
    """Put traces into a split; those that leave the held-out split are noted first. Says how many moved."""
    if split is not Split.HELD_OUT:
        leaving = [trace.question for trace in store.traces(run_id, ids) if is_held_out(trace)]
        add_look(store, leaving, who=who, kind=LookKind.MOVED, place=place)
    return set_split(store, run_id, ids, split)


def held_out_questions(traces: Iterable[Trace]) -> list[str]:
    """Questions of the held-out ones among traces of a file."""
    return [trace.question for trace in traces if is_held_out(trace)]
