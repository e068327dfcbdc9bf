"""
What pages show, fetched and remembered: the store, the jobs, and small query results.

The only place with ``st.cache_resource`` and ``st.cache_data``. Results belong to a view and to a data version that moves when a judgement, an annotation or an
import arrives, so no page shows yesterday's verdicts. While others write all the time, dear ones may be seconds old, and the page says so (``as_of``);
never for a reader who has just changed something.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple, TypeVar

import streamlit as st
from numpy.typing import NDArray
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ragviz.backends import encoder_choice
from ragviz.contracts import View
from ragviz.judges import fingerprint, judges
from ragviz.pipeline import standing as standings
from ragviz.pipeline.choices import JudgeChoice, judges_here
from ragviz.pipeline.jobs import Jobs
from ragviz.pipeline.standing import Standing
from ragviz.records import Grounding, JudgedTrace, RunManifest, TraceResult
from ragviz.store import Neighbours, Store, TraceFilter, TraceRow, Word, data_folder, open_store
from ragviz.ui import memory, selection
from ragviz.ui.judge_labels import judge_labels
from ragviz.ui.remembering import Answer, Remembered

T = TypeVar("T")

MOST_SMALL, MOST_LARGE = 16 * 2**20, 64 * 2**20
"""Bytes of small and of large results in memory."""

EVERYTHING = TraceFilter()


class JudgeOption(NamedTuple):
    """A judge whose word can be shown for a run."""

    label: str
    """Short and unique in its run: ``local 1``. This is what the URL carries."""
    fingerprint: str
    claim_set: str
    n_judged: int
    """Traces that judge has judged in the run."""


def store_location() -> str | None:
    """Where the store is: ``--store X`` behind ``--`` on Streamlit's command line, else RAGVIZ_STORE, else None (the user's data folder)."""
    arguments = sys.argv[1:]
    if "--store" in arguments[:-1]:
        return arguments[arguments.index("--store") + 1]
    return os.environ.get("RAGVIZ_STORE") or None


@st.cache_resource(show_spinner=False)
def store() -> Store:
    """The store of this process. The first that every page needs, so what else the whole process has to know is told here."""
    encoder_choice.look_in(lambda: data_folder(os.environ), forced=os.environ.get(encoder_choice.VARIABLE, ""))
    opened = open_store(store_location(), env=os.environ)
    opened.on_write(_written)
    return opened


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs:
    """The process-wide pool for judging and importing in the background."""
    return Jobs()


def api_key() -> str | None:
    """Key of the hosted judges, out of the environment; never sent to a browser."""
    return os.environ.get("ANTHROPIC_API_KEY") or None


def data_version() -> str:
    """A word that changes whenever anything was written to the store, by this process or another. Part of every cache key."""
    return store().data_version()


class _Memory:
    """What this process remembers, and how often a reader has changed something."""

    def __init__(self) -> None:
        self.small = Remembered(most=512, most_bytes=MOST_SMALL, copies=True)
        self.large = Remembered(most=128, most_bytes=MOST_LARGE, copies=False)
        self.lasting = Remembered(most=160, most_bytes=MOST_LARGE, copies=False)
        self.n_own = 0


@st.cache_resource(show_spinner=False)
def _memory() -> _Memory:
    return _Memory()


def _written() -> None:
    """A page wrote: whoever clicked there sees what follows from it. Jobs in the background are others."""
    if get_script_run_ctx(suppress_warning=True) is not None:
        refresh()


def refresh() -> None:
    """From now on nobody is shown what was worked out before."""
    _memory().n_own += 1


def _since() -> int:
    return _memory().n_own + jobs().n_over


def begin() -> None:
    """A page is going to be drawn."""
    _drawn.oldest_s = None


def as_of() -> datetime | None:
    """When the oldest of the figures that this page showed was worked out, in UTC; None where all are up to date."""
    oldest: float | None = getattr(_drawn, "oldest_s", None)
    return None if oldest is None else store().now() - timedelta(seconds=oldest)


_drawn = threading.local()


def _told(found: Answer) -> Any:
    """The value; its age is noted for the page."""
    if found.age_s is not None:
        _drawn.oldest_s = max(found.age_s, getattr(_drawn, "oldest_s", None) or 0.0)
    return found.value


def _key(parts: tuple[object, ...]) -> str:
    return "\x1f".join(map(repr, parts))


def query(make: Callable[[], T], *key: object, run_id: str | None = None) -> T:
    """
    A small result, computed once per data version; every caller gets a copy of its own.

    Args:
        make: Computes it.
        *key: All that it depends on.
        run_id: It depends on this run alone: what is written to others leaves it as it is.
    """
    return _told(_memory().small.get(_key(key), _version(run_id), make, since=_since()))  # type: ignore[no-any-return]


def shared(make: Callable[[], T], *key: object, run_id: str | None = None, version: object = None) -> T:
    """
    A large result of frozen records, computed once per data version and shared by all sessions: nobody may change it.

    Arguments as for ``query``; ``version``: changes whenever the result may, instead of everything that is written.
    """
    return _told(_memory().large.get(_key(key), _version(run_id) if version is None else repr(version), make, since=_since()))  # type: ignore[no-any-return]


def _version(run_id: str | None) -> str:
    return data_version() if run_id is None else store().run_version(run_id)


def lasting(make: Callable[[], T], *key: object, version: object = "") -> T:
    """
    A result that no later judgement changes, computed once and shared by all sessions: nobody may change it.

    ``key``: what it is of; ``version``: what else it depends on. Of each key the newest version alone is kept.
    """
    return _memory().lasting.get(_key(key), repr(version), make, patient=False).value  # type: ignore[no-any-return]


# ---------- what is selected ----------


def runs() -> list[RunManifest]:
    """All runs, newest first."""
    return query(store().runs, "runs")


def run() -> RunManifest | None:
    """The selected run, as ``choose_run`` decided it when this page began."""
    shown = selection.shown_run()
    return next((r for r in runs() if r.run_id == shown), None) or _wanted_run()


def choose_run() -> None:
    """Decide once which run this page is about; whatever is written while it is drawn, all its parts show that one."""
    chosen = _wanted_run()
    selection.show_run(chosen.run_id if chosen else None)


def _wanted_run() -> RunManifest | None:
    """By id or by name (the newest of that name); ``newest_run`` when the URL names none or an unknown one."""
    wanted = selection.current().run
    return next((r for r in runs() if wanted in (r.run_id, r.name)), None) or newest_run()


def newest_run() -> RunManifest | None:
    """The newest run that was made to its end, as long as there is one: nobody should be led onto a run that another job still fills."""
    every, open_ = runs(), query(store().unfinished_runs, "unfinished_runs")
    return next((r for r in every if r.run_id not in open_), every[0] if every else None)


def judge_options(run_id: str) -> list[JudgeOption]:
    """Judges with verdicts in that run, the most complete first."""
    return query(lambda: _judge_options(run_id), "judge_options", run_id)


def _judge_options(run_id: str) -> list[JudgeOption]:
    seen = store().views(run_id)
    labels = judge_labels([v.judge for v, _ in seen])
    return [JudgeOption(labels[v.judge], v.judge, v.claim_set, n) for v, n in seen]


@st.cache_resource(show_spinner=False)
def default_fingerprint() -> str:
    """Fingerprint of the default judge; loads no model."""
    return fingerprint(judges.make("local"))


def view(k: int | None = None) -> View | None:
    """
    The selected run seen through the selected judge and policy: the key of everything a page shows.

    Args:
        k: Only the first k passages count as evidence. None = all; the k of the URL belongs to the Inspector alone.

    Returns:
        None only when the store holds no run. A run nobody has judged yet is seen through the default judge, all unjudged.
    """
    chosen = run()
    if chosen is None:
        return None
    picked = selection.current()
    options = judge_options(chosen.run_id)
    option = next((o for o in options if picked.judge in (o.label, o.fingerprint)), options[0] if options else None)
    judge, claim_set = (option.fingerprint, option.claim_set) if option else (default_fingerprint(), "rules")
    return View(run_id=chosen.run_id, judge=judge, claim_set=claim_set, policy=picked.policy, k=k)


# ---------- queries, remembered ----------


def counts_by(seen: View, column: Literal["quadrant", "cause"], where: TraceFilter = EVERYTHING) -> dict[str, int]:
    """Traces per quadrant or cause."""
    return query(lambda: store().counts_by(seen, column, where), "counts_by", seen, column, where, run_id=seen.run_id)


def claim_counts(seen: View, where: TraceFilter = EVERYTHING) -> dict[Grounding, int]:
    """Claims of the answers per verdict."""
    return query(lambda: store().claim_counts(seen, where), "claim_counts", seen, where, run_id=seen.run_id)


def columns(seen: View, names: Sequence[str]) -> dict[str, NDArray[Any]]:
    """
    Scores as arrays over the run's traces in file order (NaN = no value), with ``quadrant`` and ``group``. The store holds them for all sessions and reads
    only what changed: they are read-only.
    """
    found = store().columns(seen, names)
    memory.make_room(len(found["quadrant"]))
    return found


def page(seen: View, where: TraceFilter = EVERYTHING, *, sort: str = "order", descending: bool = False, limit: int = 50, offset: int = 0) -> list[TraceRow]:
    """One page of traces."""
    found = (sort, descending, limit, offset)
    return query(lambda: store().page(seen, where, sort=sort, descending=descending, limit=limit, offset=offset), "page", seen, where, found, run_id=seen.run_id)


def count(seen: View, where: TraceFilter = EVERYTHING) -> int:
    """How many traces the filter leaves."""
    return query(lambda: store().count(seen, where), "count", seen, where, run_id=seen.run_id)


def neighbours(seen: View, where: TraceFilter, trace_id: str, *, sort: str = "order", descending: bool = False) -> Neighbours:
    """Previous and next trace of a filtered list, and where in it this one stands."""
    return query(lambda: store().neighbours(seen, where, sort, trace_id, descending=descending), "neighbours", seen, where, sort, trace_id, descending, run_id=seen.run_id)


def judged_trace(seen: View, trace_id: str) -> JudgedTrace | None:
    """One trace with claims, verdicts and annotations; None when the run has no such trace."""
    return shared(lambda: store().one(seen, trace_id), "judged_trace", seen, trace_id, run_id=seen.run_id)


def trace_result(seen: View, trace_id: str) -> TraceResult | None:
    """Stored scores, quadrant and cause of one trace; None when they are not computed yet."""
    return query(lambda: next(iter(store().results(seen, [trace_id])), None), "trace_result", seen, trace_id, run_id=seen.run_id)


def history(seen: View, trace_id: str, claim_id: str) -> list[Word]:
    """Everything ever said about one claim and when, newest first."""
    return query(lambda: store().words(seen.run_id, trace_id, claim_id, seen.claim_set), "history", seen.run_id, trace_id, claim_id, seen.claim_set, run_id=seen.run_id)


def standing(judge: str) -> Standing:
    """What the confidence of a judge (by fingerprint) is worth here."""
    return shared(lambda: standings.standing(store(), judge), "standing", judge)


@st.cache_data(show_spinner=False, ttl=30)
def judge_choices() -> list[JudgeChoice]:
    """Every judge of this installation with whether it could work now."""
    return judges_here(api_key=api_key())
