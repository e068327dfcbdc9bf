"""
What pages show, fetched and remembered: what is selected, and small query results. The only door of a page to the store (``process``) and to what is
remembered of it (``answers``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import streamlit as st
from numpy.typing import NDArray

from ragviz.contracts import View
from ragviz.judges import fingerprint, judges
from ragviz.pipeline import standing as standings
from ragviz.pipeline.choices import JudgeChoice, judges_here
from ragviz.pipeline.standing import Standing
from ragviz.records import Grounding, JudgedTrace, RunManifest, TraceResult
from ragviz.store import Neighbours, TraceFilter, TraceRow, Word
from ragviz.ui import memory, selection
from ragviz.ui.answers import as_of, begin, huge, huge_by_job, newest, query, shared
from ragviz.ui.judge_labels import judge_labels
from ragviz.ui.process import all_runs, api_key, data_version, jobs, refresh, store, store_location

__all__ = [
    "EVERYTHING", "JudgeOption", "api_key", "as_of", "begin", "choose_run", "claim_counts", "columns", "count", "counts_by", "data_version", "default_fingerprint", "gone_run", "history", "huge",
    "huge_by_job", "jobs", "judge_choices", "judge_options", "judged_trace", "neighbours", "newest", "newest_run", "numbers", "page", "query", "refresh", "run", "runs", "shared",
    "standing", "store", "store_location", "trace_result", "view", "without_reference",
]

EVERYTHING = TraceFilter()


class JudgeOption(NamedTuple):
    """A judge whose word can be shown for a run."""

    label: str
    """Short and unique in its run: ``local 1``. This is what the URL carries."""
    fingerprint: str
    claim_set: str
    n_judged: int
    """Traces that judge has judged in the run."""


# ---------- what is selected ----------


def runs() -> list[RunManifest]:
    """All runs, newest first."""
    return query(all_runs, "runs")


def run() -> RunManifest | None:
    """The selected run, as ``choose_run`` decided it when this page began."""
    shown = selection.shown_run()
    return next((r for r in runs() if r.run_id == shown), None) or _wanted_run()


def choose_run() -> None:
    """Decide once which run this page is about; whatever is written while it is drawn, all its parts show that one."""
    chosen = _wanted_run()
    selection.show_run(chosen.run_id if chosen else None, gone=gone_run() is not None)


def _wanted_run() -> RunManifest | None:
    """By id or by name (the newest of that name); ``newest_run`` when the URL names none or an unknown one."""
    wanted = selection.current().run
    return next((r for r in runs() if wanted in (r.run_id, r.name)), None) or newest_run()


def gone_run() -> str | None:
    """The run that the URL names and the store does not hold: deleted, or of another store; None where it names none or one that is there."""
    wanted = selection.current().run
    return wanted if wanted is not None and not any(wanted in (r.run_id, r.name) for r in runs()) else None


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


def numbers(seen: View, names: Sequence[str]) -> dict[str, NDArray[Any]]:
    """The same of numbers alone."""
    found = store().numbers(seen, names)
    memory.make_room(max(map(len, found.values()), default=0))
    return found


def page(seen: View, where: TraceFilter = EVERYTHING, *, sort: str = "order", descending: bool = False, limit: int = 50, offset: int = 0) -> list[TraceRow]:
    """One page of traces."""
    found = (sort, descending, limit, offset)
    return query(
        lambda: store().page(seen, where, sort=sort, descending=descending, limit=limit, offset=offset), "page", seen, where, found, run_id=seen.run_id
    )


def count(seen: View, where: TraceFilter = EVERYTHING) -> int:
    """How many traces the filter leaves."""
    return query(lambda: store().count(seen, where), "count", seen, where, run_id=seen.run_id)


def without_reference(seen: View) -> bool:
    """Whether no answer of the run has a correctness, so that all pages say where answers stand by faithfulness and relevance alone."""
    return count(seen, TraceFilter(ranges=(("correctness", 0.0, None),))) == 0


def neighbours(seen: View, where: TraceFilter, trace_id: str, *, sort: str = "order", descending: bool = False) -> Neighbours:
    """Previous and next trace of a filtered list, and where in it this one stands."""
    return query(
        lambda: store().neighbours(seen, where, sort, trace_id, descending=descending),
        "neighbours",
        seen,
        where,
        sort,
        trace_id,
        descending,
        run_id=seen.run_id,
    )


def judged_trace(seen: View, trace_id: str) -> JudgedTrace | None:
    """One trace with claims, verdicts and annotations; None when the run has no such trace."""
    return shared(lambda: store().one(seen, trace_id), "judged_trace", seen, trace_id, run_id=seen.run_id)


def trace_result(seen: View, trace_id: str) -> TraceResult | None:
    """Stored scores, quadrant and cause of one trace; None when they are not computed yet."""
    return query(lambda: next(iter(store().results(seen, [trace_id])), None), "trace_result", seen, trace_id, run_id=seen.run_id)


def history(seen: View, trace_id: str, claim_id: str) -> list[Word]:
    """Everything ever said about one claim and when, newest first."""
    return query(
        lambda: store().words(seen.run_id, trace_id, claim_id, seen.claim_set), "history", seen.run_id, trace_id, claim_id, seen.claim_set, run_id=seen.run_id
    )


def standing(judge: str) -> Standing:
    """What the confidence of a judge (by fingerprint) is worth here."""
    return shared(lambda: standings.standing(store(), judge), "standing", judge)


@st.cache_data(show_spinner=False, ttl=30)
def judge_choices() -> list[JudgeChoice]:
    """Every judge of this installation with whether it could work now."""
    return judges_here(api_key=api_key())
