"""
The far side of an engine: who judges batches in another process or on another machine, and who hands them the traces.

A worker does what ``Work`` does, with nothing stored but its own cache; what it says is written by the one who gave the order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from ragviz import __version__
from ragviz.contracts import Judge, View
from ragviz.errors import JudgeUnavailable, RagvizError, SetupError
from ragviz.grounding import is_said_to_answer, with_claims
from ragviz.judges import fingerprint
from ragviz.pipeline.choices import working_judge
from ragviz.pipeline.rating import working_raters
from ragviz.pipeline.work import Work
from ragviz.records import Claim, JudgedTrace, Judgement, Rating
from ragviz.records.codec import decode, encode
from ragviz.store import Store, open_store


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """What every worker of one judging must know."""

    view: View
    judge: str | Judge
    """Its name, or a judge that can be sent to another process."""
    rater_names: tuple[str, ...] = ()
    retry_unjudged: bool = False
    anew: bool = False
    version: str = __version__
    """Of the ragviz that gives the order."""


class Given(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A trace on its way to a worker."""

    case: JudgedTrace
    is_split: bool = True
    """Whether its claims were split before."""


class Said(msgspec.Struct, kw_only=True, omit_defaults=True):
    """All that is new about one trace."""

    trace_id: str
    claims: list[Claim] | None = None
    """None: they were known."""
    judgements: list[Judgement] = []
    ratings: list[Rating] = []


class Answer(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What a worker says of one batch."""

    said: list[Said] = []
    n_asked: int = 0
    n_cached: int = 0
    n_traces: int = 0
    """Written by the worker itself."""
    n_unjudged: int = 0
    """Pairs of these."""
    fault: str = ""
    """Why it could not; then nothing was said."""
    fix: str = ""


class Hand:
    """A judge at work away from the store. Holds the model."""

    def __init__(self, order: Order) -> None:
        """
        Raises:
            SetupError: Another ragviz runs here, or the judge is another one here than where the order was given.
        """
        if order.version != __version__:
            raise SetupError(f"a worker runs ragviz {__version__}, the command {order.version}", fix="install the same version on every node")
        judge = working_judge(order.judge)
        if fingerprint(judge) != order.view.judge:
            raise JudgeUnavailable(f"the judge {judge.info.name} of a worker is not the one of this machine (another model, or without embeddings)",
                                   fix="install the same extras on every node")
        self._work = Work(
            open_store(":memory:"), order.view, judge, asked_for=working_raters(order.rater_names), retry_unjudged=order.retry_unjudged, anew=order.anew
        )
        self.provenance = self._work.provenance

    def judged(self, given: Sequence[Given]) -> tuple[list[JudgedTrace], Answer]:
        """The traces with their claims, and all that is new about them."""
        work, asker = self._work, self._work.asker
        before = asker.n_asked, asker.n_cached
        made = work.split([one.case.trace for one in given if not one.is_split], {one.case.trace.id for one in given if is_said_to_answer(one.case)})
        cases = [one.case if one.is_split else with_claims(one.case, made[one.case.trace.id]) for one in given]
        judgements = work.judge_cases(cases)
        ratings: dict[str, list[Rating]] = {case.trace.id: [] for case in cases}
        for rating in work.ratings.add(cases):
            ratings[rating.trace_id].append(rating)
        said = [Said(trace_id=i, claims=made.get(i), judgements=judgements[i], ratings=ratings[i]) for i in (case.trace.id for case in cases)]
        return cases, Answer(said=said, n_asked=asker.n_asked - before[0], n_cached=asker.n_cached - before[1])


class StoreReader:
    """Hands out traces of a store. Lives where the store is: a file is not to be opened over a network."""

    def __init__(self, address: str, view: View) -> None:
        self._store = open_store(address)
        self._view = view

    def given(self, ids: Sequence[str]) -> bytes:
        """These traces as they are now."""
        return encode(given_of(self._store, self._view, ids))


def given_of(store: Store, view: View, ids: Sequence[str]) -> list[Given]:
    """These traces of a store with what was said of them; ids that it does not have are left out."""
    had = store.claim_sets(view.run_id, view.claim_set, ids)
    return [Given(case=with_claims(case, had.get(case.trace.id, ())), is_split=case.trace.id in had) for case in store.judged(view, ids)]


class StoreWorker:
    """Judges batches of a store: ids in, what is new about them out."""

    def __init__(self, order: Order, reader: Callable[..., bytes]) -> None:
        """``reader``: calls a method of the ``StoreReader`` by name."""
        self._order = order
        self._reader = reader
        self._hand: Hand | None = None

    def __call__(self, unit: bytes) -> bytes:
        """``unit``: ids as JSON. A fault that people can do something about is an answer too."""
        return answered(lambda: self._answer(decode(unit, list[str])))

    def _answer(self, ids: list[str]) -> Answer:
        self._hand = self._hand or Hand(self._order)
        return self._hand.judged(decode(self._reader("given", ids), list[Given]))[1]


def answered(work: Callable[[], Any]) -> bytes:
    """The answer of some work as bytes; what it raises on purpose becomes one."""
    try:
        return encode(work())
    except RagvizError as exc:
        return encode(Answer(fault=exc.message, fix=exc.fix))
