"""Lower part of the Retrieval page: rank strips, the contract of a metric with a worked example, and what is missed most."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import streamlit as st
from msgspec.structs import replace
from numpy.typing import NDArray

from ragviz.contracts import View
from ragviz.figures.plot_text import count, counted, cut, visible
from ragviz.figures.ranks import HEAD, LEGEND, rank_strips
from ragviz.metrics import metric_info
from ragviz.metrics.ranked import ranking_of
from ragviz.pipeline import RetrievalCurves
from ragviz.records import Trace
from ragviz.ui import address, held_out, resources, selection, tables, widgets
from ragviz.ui.views.retrieval_numbers import METRICS, Missed, missed, rank_row, worked_example

ROWS = 10
MOST_READ = 1_000
"""Questions looked into for what is missed."""
STRIPS = "rank-strips"
LEGEND_MARKS = dict(zip(LEGEND.values(), ("■", "□", "·", "=", "⟋"), strict=True))


def strips(view: View, lacking: NDArray[np.int64], k: int, example: str) -> None:
    """Ten questions that miss something, a strip each. A click makes one the worked example; "Open" leads to the Inspector."""
    legend = "   ".join(f"{mark} {words}" for words, mark in LEGEND_MARKS.items())
    with widgets.box("ranks", "Ranks per trace", f"{counted(len(lacking), 'question')} with something missing in the first {k}, worst first   ·   {legend}"):
        if not len(lacking):
            st.caption(f"Every labelled question has all its relevant passages among the first {k}.")
            return
        n_pages = -(-len(lacking) // ROWS)
        page = address.page_number(n_pages, draw=False)
        shown = resources.store().ids_at(view.run_id, lacking[(page - 1) * ROWS : page * ROWS].tolist())
        closed = held_out.closed_ids(view.run_id)
        rows = [rank_row(_masked(trace, closed), ranking, k) for trace in _traces(view, shown) if (ranking := ranking_of(trace)) is not None]
        picture, links = st.columns([0.945, 0.055], gap=None)
        with picture:
            event = st.plotly_chart(
                rank_strips(rows, k=k, colours=widgets.colours(), selected=example), theme=None, key=f"{STRIPS}-{page}-{k}", on_select="rerun",
                selection_mode="points", config={"displayModeBar": False},
                alt="; ".join(f"{row.trace_id}: {row.found} of {row.relevant} found in the first {k}" for row in rows),
            )
            _pick(event, example)
        with links.container(key="ranklinks", gap=None, horizontal_alignment="right"):
            st.container(height=HEAD, border=False)
            for row in rows:
                widgets.row_link("Open ›", "inspector", key=f"rank-{row.trace_id}", trace=row.trace_id)
        address.page_number(n_pages)


def _pick(event: Any, example: str) -> None:
    """A click on a strip goes to the URL."""
    points = event["selection"]["points"]
    if points and points[0].get("customdata"):
        key = points[0]["customdata"]
        picked = str(key[0] if isinstance(key, list) else key)
        if picked != example:
            address.put(example=picked)
            st.rerun()


def _masked(trace: Trace, closed: Collection[str]) -> Trace:
    return replace(trace, question=held_out.CLOSED) if trace.id in closed else trace


def _traces(view: View, ids: Sequence[str]) -> list[Trace]:
    """The traces in the order of ``ids``."""
    found = {
        trace.id: trace
        for trace in resources.shared(lambda: list(resources.store().traces(view.run_id, ids)), "traces", view.run_id, tuple(ids), run_id=view.run_id)
    }
    return [found[i] for i in ids if i in found]


def contract(view: View, found: RetrievalCurves, example: str, k: int) -> None:
    """What the chosen metric does with k, order, duplicates and missing labels, with this run's counts, and one trace worked out."""
    with st.container(border=True, key="box-contract", gap="xsmall"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="xsmall"):
            field = selection.choice(st.query_params, "m", list(METRICS)) or "ndcg"
            info = metric_info(METRICS[field][1])
            widgets.heading(f"Metric contract: {METRICS[field][0]}@{k}", info.summary)
            address.segments("Metric", "m", list(METRICS), labels={name: label for name, (label, _) in METRICS.items()}, default="ndcg", keep_page=True)
        terms, worked = st.columns([0.56, 0.44], gap="medium")
        with terms.container(key="terms", gap="xxsmall"):
            for name, words in _terms(found, field, k):
                left, right = st.columns([0.2, 0.8], gap=None)
                left.caption(name)
                right.markdown(words)
        with worked.container(key="example", gap="xxsmall"):
            _worked(view, example, field, k)
        st.caption(f"{info.formula}. Source: {info.source}.")


def _terms(found: RetrievalCurves, field: str, k: int) -> list[tuple[str, str]]:
    at = found.ks.index(k)
    terms = [
        ("k", f"always {k}; short lists are padded as not relevant: {counted(int(found.padded[at]), 'place')}"),
        ("order", "the list's own; equal scores are never sorted anew"),
        ("duplicates", f"count once, at the first rank; {count(int(found.duplicates[at]))} found"),
        ("no label", f"a passage without a label is not relevant here: {count(int(found.unjudged[at]))} in the first {k}"),
        ("no result", f"the question counts as 0; {counted(int(found.padded[0]), 'question')}"),
        ("unlabelled", f"questions are left out of the mean; {counted(found.n_unlabelled, 'question')}"),
    ]
    if field == "ndcg":
        terms.insert(3, ("ideal", "from all labelled passages, not only the retrieved ones"))
    if field in ("recall", "average_precision"):
        terms.insert(3, ("out of", "all relevant passages, retrieved or not"))
    return terms


def _worked(view: View, example: str, field: str, k: int) -> None:
    traces = _traces(view, [example])
    ranking = ranking_of(traces[0]) if traces else None
    if ranking is None:
        st.caption("No labelled question to work out.")
        return
    st.text(f"Worked example, {cut(visible(traces[0].id), 40)}")
    *steps, last = worked_example(ranking, field, k)
    for step in steps:
        st.caption(_own(step))
    st.markdown(f"**{_own(last)}**")


def _own(words: str) -> str:
    """A line of a worked example for Markdown. It holds nothing out of a file, so no invisible sign has to part the R@5 in it."""
    return widgets.md(words, limit=400).replace("\u2060", "")


def often_missed(view: View, lacking: NDArray[np.int64], k: int) -> None:
    """Relevant documents by how many questions lack them in the first k."""
    store, worst = resources.store(), lacking[:MOST_READ].tolist()
    lost = resources.shared(
        lambda: missed(store.labelled(view.run_id, worst), k), "missed", view.run_id, k, len(worst), run_id=view.run_id,
    ) if worst else Missed()
    total = lost.total
    small = f"relevant, yet not in the first {k}" + (f"; the {count(MOST_READ)} worst questions" if len(lacking) > MOST_READ else "")
    with widgets.box("missed", "Most often missed", small):
        if not total:
            st.caption("Nothing is missed.")
            return
        names = [name for name, _ in total.most_common(8)]
        table = tables.of_columns(
            {
                "passage": names,
                "missed in": [total[n] for n in names],
                "never retrieved": [lost.never[n] for n in names],
                f"after rank {k}": [lost.below[n] for n in names],
            }
        )
        tables.show(table, row_height=28, height="content", key=f"missed-{k}", alt="Relevant passages that are missed most often",
                     column_config={"passage": st.column_config.TextColumn(width=150)})
        if len(total) > len(names):
            st.download_button(
                f"All {count(len(total))} as CSV",
                data=lambda: as_csv(missed(store.labelled(view.run_id, worst), k)),
                file_name="missed_passages.csv",
                mime="text/csv",
                key="missed-csv",
                type="tertiary",
                on_click="ignore",
            )


def as_csv(lost: Missed) -> str:
    """All of them for a spreadsheet; no cell starts a formula."""
    return tables.as_csv(
        ("passage", "missed in", "never retrieved", "after the cut-off"),
        ((name, n, lost.never[name], lost.below[name]) for name, n in lost.total.most_common()),
    )
