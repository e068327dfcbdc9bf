"""Trends: versions over time, what stepped with which version, and the traces behind it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ragviz.compare.trend import Part, Trend, trend
from ragviz.contracts import View
from ragviz.figures.plot_text import count, counted
from ragviz.pipeline.trends import By, Facts, parts_by_run, parts_within, related, run_facts, ways
from ragviz.records import RunManifest
from ragviz.ui import address, resources, widgets
from ragviz.ui.views import trends_changes, trends_charts, trends_feedback, trends_missing, trends_scores

BY, RUNS = "by", "runs"
MOST_RUNS = 60
MOST_TRACES = 200_000
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
    if run.n_traces > MOST_TRACES:
        line.caption(counted(run.n_traces, "trace"))
        widgets.note(f"This page reads when and what every trace was asked, for runs of up to {count(MOST_TRACES)} traces.", key="large")
        return
    facts = facts_of(run)
    mine = _related(run)
    by = _choose_way(facts, mine, right)
    with middle:
        every = by is By.RUN and _choose_runs(mine)
    runs = resources.runs()[:MOST_RUNS] if every else mine
    if by is None or (by is By.RUN and len(runs) < 2):
        line.caption(counted(run.n_traces, "trace"))
        trends_missing.nothing_to_follow(run, facts, alone=len(resources.runs()) < 2)
        trends_feedback.draw(view, run)
        return
    parts, found, left_out = _followed(view, run, facts, runs, by)
    if found is None:
        line.caption(counted(run.n_traces, "trace"))
        trends_missing.nothing_judged(left_out)
        trends_feedback.draw(view, run)
        return
    line.caption(_facts_line(parts, found, by))
    shown = {p.run_id for p in parts}
    trends_missing.remarks(parts, facts, by, left_out, [r.name for r in runs if r.run_id in shown])
    trends_changes.draw(parts, found, by, facts.version_tag)
    trends_charts.draw(parts, found, chosen=run.run_id)
    trends_charts.draw_mix(parts, found)
    trends_feedback.draw(view, run)


def facts_of(run: RunManifest) -> Facts:
    """Read once; traces of a run do not change, so nothing but their number matters."""
    return resources.lasting(lambda: run_facts(resources.store(), run.run_id), "facts", run.run_id, version=run.n_traces)


def _related(run: RunManifest) -> list[RunManifest]:
    known = {r.run_id: r for r in resources.runs()[:MOST_RUNS] if r.n_traces <= MOST_TRACES} | {run.run_id: run}
    ids = resources.lasting(lambda: [r.run_id for r in related(list(known.values()), run, lambda run_id: facts_of(known[run_id]))], "related", run.run_id,
                            version=sorted((r.run_id, r.name, r.n_traces) for r in known.values()))
    return [known[run_id] for run_id in ids]


def _choose_way(facts: Facts, mine: Sequence[RunManifest], place: object) -> By | None:
    """What a point is: a run, or a version or time inside the selected one. None where there is nothing to choose from."""
    offered = ([By.RUN] if len(resources.runs()) > 1 else []) + ways(facts)
    if not offered:
        return None
    default = By.RUN if len(mine) > 1 else next((by for by in offered if by is not By.RUN), By.RUN)
    with place:  # type: ignore[attr-defined]
        return By(address.select_box("A point is", BY, [by.value for by in offered], default=default.value, labels={by.value: label for by, label in ONE.items()}))


def _choose_runs(mine: Sequence[RunManifest]) -> bool:
    """True for all runs of the store. Other systems' runs are left out unless they are asked for."""
    n = len(resources.runs())
    if len(mine) == n:
        return False
    labels = {"": f"of this system ({count(len(mine))})", "all": f"all ({count(min(n, MOST_RUNS))})"}
    return address.select_box("Runs", RUNS, ["", "all"], labels=labels) == "all"


def _followed(view: View, run: RunManifest, facts: Facts, runs: Sequence[RunManifest], by: By) -> tuple[list[Part], Trend | None, list[RunManifest]]:
    """The parts, what is to be said of them (None of fewer than two), and the runs that the sidebar's judge has not judged."""
    store = resources.store()
    if by is not By.RUN:
        trends_scores.compute([view])
        return *resources.shared(lambda: _with_trend(parts_within(store, view, facts, by)), "trend", view, by, run_id=view.run_id), []
    judged = {r.run_id for r in runs if any((o.fingerprint, o.claim_set) == (view.judge, view.claim_set) for o in resources.judge_options(r.run_id))}
    seen = [(r, replace(view, run_id=r.run_id)) for r in runs if r.run_id in judged]
    trends_scores.compute([v for _, v in seen])
    by_id = {r.run_id: r for r in runs}
    views = tuple(v for _, v in seen)
    parts, found = resources.shared(lambda: _with_trend(parts_by_run(store, seen, lambda run_id: facts_of(by_id[run_id]))), "trend", views)
    return parts, found, [r for r in runs if r.run_id not in judged and r.run_id != run.run_id] + ([run] if run.run_id not in judged else [])


def _with_trend(parts: list[Part]) -> tuple[list[Part], Trend | None]:
    """Both from the same look into the store: a trend of few values must not be taken for one of all."""
    return parts, trend(parts) if len(parts) > 1 else None


def _facts_line(parts: Sequence[Part], found: Trend, by: By) -> str:
    n = sum(p.n for p in parts)
    said = f"{count(len(parts))} {LABELS[by]}, {counted(n, 'trace')}"
    if not found.looked_at:
        return f"{said}; too few traces to look for changes"
    return f"{said}; {counted(len(found.changes), 'version' if by in (By.RUN, By.VERSION) else by.value)} changed something beyond chance"
