"""
What pages show, fetched and remembered: the store, the jobs, and small query results.

The only place with ``st.cache_resource`` and ``st.cache_data``. Results are keyed by view and by a data version
that moves when a judgement, an annotation or an import arrives, so no page shows yesterday's verdicts.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from ragviz.contracts import View
from ragviz.pipeline import Jobs, JudgeChoice, judges_here
from ragviz.records import Annotation, Grounding, JudgedTrace, Judgement, Policy, RunManifest, TraceResult
from ragviz.store import Neighbours, Store, TraceFilter, TraceRow, open_store
from ragviz.ui import selection

_KEYS = {View: repr, TraceFilter: repr}
"""How Streamlit's cache tells two arguments apart: these records print all they hold."""


class JudgeOption(NamedTuple):
    """A judge whose word can be shown for a run."""

    label: str
    """Short and unique in its run: ``local 1``. This is what the URL carries."""
    fingerprint: str
    claim_set: str
    n_judged: int
    """Judgements of that judge in the run."""


def store_location() -> str | None:
    """Where the store is: ``--store X`` behind ``--`` on Streamlit's command line, else RAGVIZ_STORE, else None (the user's data folder)."""
    arguments = sys.argv[1:]
    if "--store" in arguments[:-1]:
        return arguments[arguments.index("--store") + 1]
    return os.environ.get("RAGVIZ_STORE") or None


@st.cache_resource(show_spinner=False)
def store() -> Store:
    """The store of this process."""
    return open_store(store_location())


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs:
    """The process-wide pool for judging and importing in the background."""
    return Jobs()


def data_version() -> str:
    """A word that changes whenever anything was written to the store, by this process or another. Part of every cache key."""
    return store().data_version()


# ---------- what is selected ----------


@st.cache_data(show_spinner=False, max_entries=8)
def _runs(_version: str) -> list[RunManifest]:
    return store().runs()


def runs() -> list[RunManifest]:
    """All runs, newest first."""
    return _runs(data_version())


def run() -> RunManifest | None:
    """The selected run: by id or by name (the newest of that name); the newest one when the URL names none or an unknown one."""
    every, wanted = runs(), selection.current().run
    return next((r for r in every if wanted in (r.run_id, r.name)), every[0] if every else None)


@st.cache_data(show_spinner=False, max_entries=64)
def _judge_options(run_id: str, _version: str) -> list[JudgeOption]:
    seen = sorted(store().views(run_id), key=lambda pair: -pair[1])
    labels = judge_labels([v.judge for v, _ in seen])
    return [JudgeOption(labels[v.judge], v.judge, v.claim_set, n) for v, n in seen]


def judge_labels(fingerprints: Sequence[str]) -> dict[str, str]:
    """The shortest label that tells judges apart: name, else name and version, else with the model, else with the settings' hash."""
    parts = {f: [*f.split(":"), "-", "-", "-", "-"] for f in dict.fromkeys(fingerprints)}
    tries = {f: [p[0], f"{p[0]} {p[1]}", f"{p[0]} {p[1]} {p[3]}", f"{p[0]} {p[1]} {p[3]} {p[2][:6]}", f] for f, p in parts.items()}
    labels: dict[str, str] = {}
    for fingerprint, candidates in tries.items():
        others = [c for f, cs in tries.items() if f != fingerprint for c in cs]
        labels[fingerprint] = next((c for c in candidates if c not in others), fingerprint)
    return labels


def judge_options(run_id: str) -> list[JudgeOption]:
    """Judges with verdicts in that run, most verdicts first."""
    return _judge_options(run_id, data_version())


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
    fingerprint, claim_set = (option.fingerprint, option.claim_set) if option else (default_fingerprint(), "rules")
    return View(run_id=chosen.run_id, judge=fingerprint, claim_set=claim_set, policy=picked.policy, k=k)


# ---------- queries, remembered ----------


@st.cache_data(show_spinner=False, max_entries=256, hash_funcs=_KEYS)
def _counts_by(seen: View, column: str, where: TraceFilter, _version: str) -> dict[str, int]:
    return store().counts_by(seen, column, where)


def counts_by(seen: View, column: str, where: TraceFilter | None = None) -> dict[str, int]:
    """Traces per value of ``quadrant`` or ``cause``."""
    return _counts_by(seen, column, where or TraceFilter(), data_version())


@st.cache_data(show_spinner=False, max_entries=256, hash_funcs=_KEYS)
def _claim_counts(seen: View, where: TraceFilter, _version: str) -> dict[Grounding, int]:
    return store().claim_counts(seen, where)


def claim_counts(seen: View, where: TraceFilter | None = None) -> dict[Grounding, int]:
    """Claims of the answers per verdict."""
    return _claim_counts(seen, where or TraceFilter(), data_version())


@st.cache_data(show_spinner=False, max_entries=64, hash_funcs=_KEYS)
def _columns(seen: View, names: tuple[str, ...], _version: str) -> dict[str, NDArray[np.generic]]:
    return store().columns(seen, names)


def columns(seen: View, names: Sequence[str]) -> dict[str, NDArray[np.generic]]:
    """Scores as arrays over the run's traces in file order (NaN = no value), with ``id``, ``quadrant``, ``group``."""
    return _columns(seen, tuple(names), data_version())


@st.cache_data(show_spinner=False, max_entries=256, hash_funcs=_KEYS)
def _page(seen: View, where: TraceFilter, sort: str, descending: bool, limit: int, offset: int, _version: str) -> list[TraceRow]:
    return store().page(seen, where, sort=sort, descending=descending, limit=limit, offset=offset)


def page(seen: View, where: TraceFilter | None = None, *, sort: str = "order", descending: bool = False, limit: int = 50, offset: int = 0) -> list[TraceRow]:
    """One page of traces."""
    return _page(seen, where or TraceFilter(), sort, descending, limit, offset, data_version())


@st.cache_data(show_spinner=False, max_entries=256, hash_funcs=_KEYS)
def _count(seen: View, where: TraceFilter, _version: str) -> int:
    return store().count(seen, where)


def count(seen: View, where: TraceFilter | None = None) -> int:
    """How many traces the filter leaves."""
    return _count(seen, where or TraceFilter(), data_version())


@st.cache_data(show_spinner=False, max_entries=256, hash_funcs=_KEYS)
def _neighbours(seen: View, where: TraceFilter, sort: str, trace_id: str, _version: str) -> Neighbours:
    return store().neighbours(seen, where, sort, trace_id)


def neighbours(seen: View, where: TraceFilter, trace_id: str, *, sort: str = "order") -> Neighbours:
    """Previous and next trace of a filtered list, and where in it this one stands."""
    return _neighbours(seen, where, sort, trace_id, data_version())


@st.cache_data(show_spinner=False, max_entries=32, max_size="100MB", hash_funcs=_KEYS)
def _judged_trace(seen: View, trace_id: str, _version: str) -> JudgedTrace | None:
    return store().one(seen, trace_id)


def judged_trace(seen: View, trace_id: str) -> JudgedTrace | None:
    """One trace with claims, verdicts and annotations; None when the run has no such trace."""
    return _judged_trace(seen, trace_id, data_version())


@st.cache_data(show_spinner=False, max_entries=256, hash_funcs=_KEYS)
def _trace_result(seen: View, trace_id: str, _version: str) -> TraceResult | None:
    return next(iter(store().results(seen, [trace_id])), None)


def trace_result(seen: View, trace_id: str) -> TraceResult | None:
    """Stored scores, quadrant and cause of one trace; None when they are not computed yet."""
    return _trace_result(seen, trace_id, data_version())


@st.cache_data(show_spinner=False, max_entries=256)
def _history(run_id: str, trace_id: str, claim_id: str, claim_set: str, _version: str) -> list[Judgement | Annotation]:
    return store().history(run_id, trace_id, claim_id, claim_set)


def history(seen: View, trace_id: str, claim_id: str) -> list[Judgement | Annotation]:
    """Everything ever said about one claim, newest first."""
    return _history(seen.run_id, trace_id, claim_id, seen.claim_set, data_version())


@st.cache_data(show_spinner=False, ttl=30)
def judge_choices() -> list[JudgeChoice]:
    """Every judge of this installation with whether it could work now."""
    return judges_here()
