"""What a file lacks for a trend, and how to add it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ragviz.compare.trend import Version
from ragviz.compare.version_names import are_numbered
from ragviz.figures.plot_text import count, counted
from ragviz.pipeline.trend_facts import By, Offer
from ragviz.records import RunManifest
from ragviz.ui import widgets

HOW_TIME = 'give each trace a time (`"started_at": "2026-03-12T09:30:00Z"`, or a `timestamp` column)'
HOW_VERSION = 'give each trace the version of the system (`"tags": {"version": "2.4.1"}`, or a `version` column; in spans a `metadata` or `tag` of that name)'


def nothing_to_follow(run: RunManifest, told: Offer, *, alone: bool) -> None:
    """One run without times and versions: what is missing, and three ways on."""
    n = told.n
    has = []
    has.append(
        f"{counted(told.with_time, 'trace')} of {count(n)} {'says' if told.with_time == 1 else 'say'} when it was asked"
        + (", all within one day" if told.with_time else "")
    )
    has.append(f"{counted(told.with_version, 'trace')} of {count(n)} name a version" + (", all the same" if told.with_version else ""))
    widgets.empty_state(
        "Nothing to follow yet",
        f"A trend needs two runs of one system, or times or versions inside one. In {widgets.md(run.name, limit=60)}, {'; '.join(has)}.",
        widgets.Action(label="Load another version", page="data"),
        widgets.Action(label="See its traces", page="traces"),
        key="trends",
    )
    widgets.note(
        f"To follow one run over time, {HOW_TIME}. To follow versions, {HOW_VERSION}."
        + ("" if alone else " Other runs of the store ask other questions; choose all runs above to hold them side by side all the same."),
        key="how",
    )


def nothing_judged(left_out: Sequence[RunManifest]) -> None:
    """The runs are there, but the judge in the sidebar knows fewer than two of them."""
    names = ", ".join(widgets.md(r.name, limit=30) for r in left_out[:5])
    widgets.empty_state(
        "Not judged yet",
        f"The judge in the sidebar has not judged {names or 'two of these runs'}. Judge them on the Data page, or choose a judge that knows them all.",
        widgets.Action(label="Judge runs", page="data"),
        key="trends",
    )


def remarks(parts: Sequence[Version], told: Offer, by: By, left_out: Sequence[RunManifest], names: Sequence[str], *, beyond: int = 0) -> None:
    """What the reader should know before the charts. ``names``: of the runs that are parts; ``beyond``: so many older runs of the store were not looked at."""
    said = [f"{counted(beyond, 'older run')} of the store {'is' if beyond == 1 else 'are'} not looked at"] if beyond else []
    if left_out:
        names = ", ".join(widgets.md(r.name, limit=30) for r in left_out[:4])
        said.append(f"{counted(len(left_out), 'run')} not judged by the judge in the sidebar {'is' if len(left_out) == 1 else 'are'} left out: {names}")
    untimed = [p for p in parts if p.at is None]
    if untimed and by in (By.RUN, By.VERSION):
        said.append(f"{counted(len(untimed), 'version')} of {count(len(parts))} without times, so {_order(by, names)}. To fix the order, {HOW_TIME}")
    if by is By.RUN and untimed and not told.with_version:
        said.append(f"To see deployment versions instead of run names, {HOW_VERSION}")
    n_known = told.with_version if by is By.VERSION else told.with_time
    if by is not By.RUN and n_known < told.n:
        said.append(
            f"{counted(told.n - n_known, 'trace')} without a {'version' if by is By.VERSION else 'time'} {'is' if told.n - n_known == 1 else 'are'} left out"
        )
    if said:
        with st.container(gap="xsmall"):
            widgets.note("  \n".join(f"{sentence}." for sentence in said), key="trends")


def _order(by: By, names: Sequence[str]) -> str:
    """What stands in for the time, as ``parts_by_run`` and ``parts_within`` do it."""
    if by is By.VERSION or are_numbered(names):
        return f"all are in the order of the numbers in their names{', and of the words where there are none' if by is By.VERSION else ''}"
    return "all are in the order of their import, which need not be that in which they were made"
