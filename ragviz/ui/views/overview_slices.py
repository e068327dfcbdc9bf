"""Worst slices: groups of traces whose faithfulness is lower than the rest's, corrected for looking at many."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from ragviz.contracts import View
from ragviz.diagnosis.meanings import TERMS
from ragviz.diagnosis.slices import SMALL, TAG, Slice, worst_slices
from ragviz.figures.forest import HEAD, ForestRow, slice_forest
from ragviz.figures.plot_text import count
from ragviz.records import Trace
from ragviz.store import TraceFilter
from ragviz.ui import filters, resources, sampled, slices, widgets

MOST_TRACES, SAMPLE = 20_000, 3_000
"""Slices look into every trace; above this that takes longer than a page may, and a sample is looked into."""
SHOWN = 6
MOST_OF_IT = 0.8
"""A slice of more than this share of the run is the run."""


def render(view: View, n_traces: int, part: TraceFilter) -> None:
    """The box."""
    drawn = sampled.sample(view, above=MOST_TRACES, size=SAMPLE)
    with widgets.box(
        "slices",
        "Worst slices",
        f"{'of the whole run, ' if part.tags else ''}n ≥ {SMALL if n_traces >= 4 * SMALL else 5}, Holm-adjusted",
        height="stretch",
        hint=TERMS["holm"],
    ):
        found, overall = resources.shared(lambda: _slices(view, n_traces, drawn), "slices", view, run_id=view.run_id, heavy=True)
        if drawn is not None:
            st.caption(f"{drawn.words.capitalize()}; numbers of traces are of the sample, those of tags of the whole run.")
        if not found or overall is None:
            st.caption("No slice fares worse than the rest, or none is large enough to say so.")
            return
        _draw(view, found, overall, whole=drawn is None)
        sure = sum(s.p_holm < 0.05 for s in found)
        st.caption(f"{sure} of {len(found)} beyond chance (p below 0.05, corrected)." if sure else "None of them beyond chance after correction.")


def _slices(view: View, n_traces: int, drawn: sampled.Sample | None) -> tuple[list[Slice], float | None]:
    store = resources.store()
    values = store.values(view, "faithfulness", store.trace_ids(view.run_id) if drawn is None else drawn.ids)
    if not values:
        return [], None
    groups: dict[str, str] = {}

    def one_by_one() -> Iterator[Trace]:
        for trace in store.traces(view.run_id, None if drawn is None else drawn.ids):
            groups[trace.id] = trace.group or trace.question
            yield trace

    found = worst_slices(one_by_one(), values, smallest=SMALL if n_traces >= 4 * SMALL else 5, limit=4 * SHOWN, groups=groups)
    return [s for s in found if s.ci95 is not None and s.n <= MOST_OF_IT * len(values)][:SHOWN], sum(values.values()) / len(values)


def _draw(view: View, found: list[Slice], overall: float, *, whole: bool) -> None:
    rows = []
    for s in found:
        assert s.ci95 is not None
        rows.append(ForestRow(key=f"{s.name}={s.value}", label=_label(s), value=s.mean, lo=s.ci95.lo, hi=s.ci95.hi, n=s.n))
    picture, links = st.columns([0.86, 0.14], gap=None)
    figure = slice_forest(rows, overall=overall, metric="faithf.", colours=widgets.colours(), label_width=150, show_n=False)
    with picture:
        widgets.chart(figure, key="forest-slices", alt="; ".join(f"{r.label} {r.value:.2f} of {r.n}" for r in rows))
    with links.container(key="rows-slices", gap=None, horizontal_alignment="right"):
        st.container(height=HEAD, border=False).markdown("")
        for at, s in enumerate(found):
            tag = s.name.startswith(TAG)
            where = TraceFilter(tags={s.name.removeprefix(TAG): s.value}) if tag else slices.of(view.run_id, s.name, s.value) if whole else None
            if where is not None:
                widgets.row_link(f"**{count(resources.count(view, where))}**", "traces", key=f"slice-{at}", **filters.to_params(where))
            else:
                st.markdown(count(s.n), width="content")


def _label(s: Slice) -> str:
    return f"{s.name.removeprefix(TAG)}: {s.value}"
