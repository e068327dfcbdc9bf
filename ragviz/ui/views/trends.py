"""Trends: versions over time, what stepped with which version, and the traces behind it."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from ragviz.compare.trend import Trend, Version
from ragviz.contracts import View
from ragviz.figures.plot_text import count, counted
from ragviz.pipeline.jobs import Handle
from ragviz.pipeline.trend_facts import By, Offer, offer, run_facts
from ragviz.pipeline.trends import Followed, follow, parts_by_run, parts_within, related
from ragviz.records import RunManifest
from ragviz.store import Store
from ragviz.ui import address, memory, resources, widgets
from ragviz.ui.views import trends_changes, trends_charts, trends_feedback, trends_missing, trends_scores

BY, RUNS = "by", "runs"
MOST_RUNS = 400
"""A year of nightly runs, and some. The newest are looked at."""
LARGE = 100_000
"""Traces from which on the ways of dividing a run take long enough to be worked out ahead."""
AHEAD_S = 1.0
"""Processor time within which that is done."""
LABELS = {By.RUN: "runs", By.VERSION: "versions in this run", By.MONTH: "months", By.WEEK: "weeks", By.DAY: "days"}
ONE = {By.RUN: "a run", By.VERSION: "a version in this run", By.MONTH: "a month", By.WEEK: "a week", By.DAY: "a day"}


@widgets.plainly
def render() -> None:
    """The whole page."""
    view, run = resources.view(), resources.run()
    if view is None or run is None:
        widgets.page_head("Trends")
        widgets.no_run("Its versions are followed over time here.")
        return
    line, (middle, right) = widgets.page_head("Trends", controls=2, widths=(0.2, 0.2))
    memory.make_room(run.n_traces)
    told = _offer(run)
    mine = _related(run)
    by = _choose_way(told, mine, right)
    with middle:
        every = by is By.RUN and _choose_runs(mine)
    runs = resources.runs()[:MOST_RUNS] if every else mine
    if by is None or (by is By.RUN and len(runs) < 2):
        line.caption(counted(run.n_traces, "trace"))
        trends_missing.nothing_to_follow(run, told, alone=len(resources.runs()) < 2)
        trends_feedback.draw(view, run)
        return
    followed, left_out = (_followed(view, runs), _not_judged(view, run, runs)) if by is By.RUN else (_divided(view, run, by, told.ways), [])
    if followed.trend is None:
        line.caption(counted(run.n_traces, "trace"))
        trends_missing.nothing_judged(left_out)
        trends_feedback.draw(view, run)
        return
    versions, found = followed.versions, followed.trend
    line.caption(_facts_line(versions, found, by))
    shown = {v.run_id for v in versions}
    trends_missing.remarks(
        versions, told, by, left_out, [r.name for r in runs if r.run_id in shown], beyond=max(0, len(resources.runs()) - MOST_RUNS) if by is By.RUN else 0
    )
    trends_changes.draw(followed, by, told.version_tag)
    trends_charts.draw(versions, found, chosen=run.run_id)
    trends_charts.draw_mix(versions, found)
    trends_feedback.draw(view, run)
    if by is By.RUN and run.n_traces >= LARGE:
        _work_ahead(view, told.ways)


def _offer(run: RunManifest) -> Offer:
    """What there is to follow in the run. Its traces may be told anew, so it hangs on all that is written to it."""
    return resources.query(lambda: offer(run_facts(resources.store(), run.run_id)), "trend offer", run.run_id, run_id=run.run_id)


def _related(run: RunManifest) -> list[RunManifest]:
    """
    Their questions are read only where names do not say it. While another program imports, run after run, those of some seconds ago are followed,
    and the page says so.
    """
    # A remedy's run holds the answers that failed, in most cases: beside whole runs it would read as a step.
    known = {r.run_id: r for r in resources.runs()[:MOST_RUNS] if r.remedy is None} | {run.run_id: run}
    ids = resources.shared(
        lambda: [r.run_id for r in related(list(known.values()), run, _groups)],
        "related",
        run.run_id,
        version=sorted((r.run_id, r.name, r.n_traces) for r in known.values()),
    )
    return [known[run_id] for run_id in ids if run_id in known]


def _groups(run_id: str) -> NDArray[np.int64]:
    return run_facts(resources.store(), run_id).groups


def _choose_way(told: Offer, mine: Sequence[RunManifest], place: object) -> By | None:
    """What a point is: a run, or a version or time inside the selected one. None where there is nothing to choose from."""
    offered = ([By.RUN] if len(resources.runs()) > 1 else []) + list(told.ways)
    if not offered:
        return None
    default = By.RUN if len(mine) > 1 else next((by for by in offered if by is not By.RUN), By.RUN)
    with place:  # type: ignore[attr-defined]
        return By(
            address.select_box("A point is", BY, [by.value for by in offered], default=default.value, labels={by.value: label for by, label in ONE.items()})
        )


def _choose_runs(mine: Sequence[RunManifest]) -> bool:
    """True for all runs of the store. Other systems' runs, and those that remedies made, are left out unless they are asked for."""
    n = len(resources.runs())
    if len(mine) == n:
        return False
    labels = {"": f"of this system ({count(len(mine))})", "all": f"all ({count(min(n, MOST_RUNS))})"}
    return address.select_box("Runs", RUNS, ["", "all"], labels=labels) == "all"


def _divided(view: View, run: RunManifest, by: By, ways: Sequence[By]) -> Followed:
    """
    The trend inside one run. Of a large one the other ways of dividing it are worked out, too, while there is time: choosing one of them then
    takes no longer than drawing it.
    """
    store = resources.store()
    trends_scores.compute([view])
    began = time.thread_time()
    found = _within(store, view, by)
    for way in ways if run.n_traces >= LARGE else ():
        if time.thread_time() - began < AHEAD_S:
            _within(store, view, way)
    return found


def _within(store: Store, view: View, by: By) -> Followed:
    return resources.shared(lambda: follow(store, parts_within(store, view, run_facts(store, view.run_id), by)), "trend", view, by, run_id=view.run_id)


def _work_ahead(view: View, ways: Sequence[By]) -> None:
    """Who looks at several runs may look into the large one next: its ways of dividing are worked out in the background, once."""
    store, jobs = resources.store(), resources.jobs()
    key = "\x1f".join(("trends ahead", repr(view), store.run_version(view.run_id)))

    def work(handle: Handle) -> None:
        for way in ways:
            if not handle.cancel.is_set():
                _within(store, view, way)

    if jobs.state(key) is None:
        jobs.submit(key, work, quiet=True)


def _followed(view: View, runs: Sequence[RunManifest]) -> Followed:
    """The trend over those runs that the sidebar's judge has judged."""
    store = resources.store()
    judged = _judged(view)
    seen = [(r, replace(view, run_id=r.run_id)) for r in runs if r.run_id in judged]
    views = tuple(v for _, v in seen)
    trends_scores.compute(views)
    return resources.shared(lambda: follow(store, parts_by_run(store, seen, lambda run_id: run_facts(store, run_id))), "trend", views)


def _not_judged(view: View, run: RunManifest, runs: Sequence[RunManifest]) -> list[RunManifest]:
    judged = _judged(view)
    return [r for r in {r.run_id: r for r in (*runs, run)}.values() if r.run_id not in judged]


def _judged(view: View) -> frozenset[str]:
    """The runs that the sidebar's judge has judged."""
    return resources.query(lambda: resources.store().judged_runs(view.judge, view.claim_set), "judged runs", view.judge, view.claim_set)


def _facts_line(versions: Sequence[Version], found: Trend, by: By) -> str:
    n = sum(v.n for v in versions)
    said = f"{count(len(versions))} {LABELS[by]}, {counted(n, 'trace')}"
    if not found.looked_at:
        return f"{said}; too few traces to look for changes"
    return f"{said}; {counted(len(found.changes), 'version' if by in (By.RUN, By.VERSION) else by.value)} changed something beyond chance"
