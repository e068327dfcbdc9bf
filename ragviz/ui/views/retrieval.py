"""Retrieval: quality over the cut-off, rank strips, what was missed, and what each metric promises."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from ragviz.contracts import View
from ragviz.figures.curves import curve
from ragviz.figures.plot_text import count, counted, interval, number
from ragviz.metrics.ranked import ranking_of
from ragviz.pipeline import RetrievalCurves, retrieval_curves
from ragviz.pipeline.column_means import codes
from ragviz.records import Interval, RunManifest
from ragviz.stats.bootstrap import why_none
from ragviz.ui import address, baseline, resources, selection, widgets
from ragviz.ui.views import retrieval_details, retrieval_slices
from ragviz.ui.views.retrieval_numbers import DEPTH, Band, curve_bands, failing, interval_at

CUT = "rk"
"""Query parameter of the cut-off; ``k`` belongs to the Inspector."""
EXAMPLE = "example"
EXACT = 200_000
"""Questions from which on the interval at a cut-off is read off the band: the two differ in the fifth digit."""
SHOWN = (("recall", "Recall@k"), ("hit", "Hit@k"), ("ndcg", "nDCG@k"), ("precision", "Precision@k"))


@widgets.plainly
def render() -> None:
    """The whole page."""
    view, run = resources.view(), resources.run()
    if view is None or run is None:
        widgets.page_head("Retrieval")
        widgets.no_run("Relevance labels in the file are enough for this page; no judge is needed.")
        return
    line, controls = widgets.page_head("Retrieval", controls=2, widths=(0.2, 0.14))
    with controls[0]:
        k = address.whole_slider("Cut-off, k", CUT, low=1, high=DEPTH, default=view.retrieval_k)
    with controls[1]:
        other = baseline.choose(run)
    with st.spinner("Reading the rankings", show_time=True):
        found = _curves(view)
    if not found.positions.size:
        line.caption(f"{counted(run.n_traces, 'trace')}, none with relevance labels")
        _no_labels(view)
        return
    line.caption(_facts(found))
    _quality(run, other, view, k)
    lacking = resources.shared(lambda: failing(found, k), "retrieval_failing", view.run_id, k, run_id=view.run_id)
    example = _example(view, found, lacking, k)
    retrieval_details.strips(view, lacking, k, example)
    left, right = st.columns([0.63, 0.37], gap="small")
    with left:
        retrieval_details.contract(view, found, example, k)
    with right:
        retrieval_details.often_missed(view, lacking, k)
    retrieval_slices.render(view, found, k)


def _curves(view: View) -> RetrievalCurves:
    return resources.shared(lambda: retrieval_curves(resources.store(), view), "retrieval_curves", view.run_id, run_id=view.run_id)


def _bands(view: View) -> dict[str, Band]:
    return resources.shared(lambda: curve_bands(_curves(view), [name for name, _ in SHOWN]), "retrieval_bands", view.run_id, run_id=view.run_id)


def _intervals(view: View, k: int) -> dict[str, Interval | None]:
    def make() -> dict[str, Interval | None]:
        found = _curves(view)
        if len(found.positions) > EXACT:
            return {name: _of_band(band, k) for name, band in _bands(view).items()}
        groups = codes(found.groups)
        return {name: interval_at(found.at(name, k), groups) for name, _ in SHOWN}

    return resources.query(make, "retrieval_intervals", view.run_id, k, run_id=view.run_id)


def _of_band(band: Band, k: int) -> Interval | None:
    return Interval(lo=float(band.lo[k - 1]), hi=float(band.hi[k - 1])) if band.n > 1 else None


def _example(view: View, found: RetrievalCurves, lacking: NDArray[np.int64], k: int) -> str:
    """The trace that is worked out: the one in the URL, else one that finds a part of what is relevant, else any."""
    store, asked = resources.store(), selection.text(st.query_params, EXAMPLE)
    if asked:
        place = store.positions_of(view.run_id, [asked]).get(asked)
        if place is not None and bool((lacking == place).any()):
            return asked
    recall = found.at("recall", k)
    some = np.flatnonzero((recall > 0) & (recall < 1))
    some = some if some.size else np.flatnonzero((recall > 0) & (found.at("ndcg", k) < 1))
    return store.ids_at(view.run_id, (found.positions[some[:1]] if some.size else found.positions[:1]).tolist())[0]


def _facts(found: RetrievalCurves) -> str:
    words = f"{counted(int(found.positions.size), 'question')} with labels"
    if found.n_unlabelled:
        words += f" · {counted(found.n_unlabelled, 'question')} without labels {'is' if found.n_unlabelled == 1 else 'are'} left out, not counted as 0"
    return words


def _quality(run: RunManifest, other: RunManifest | None, view: View, k: int) -> None:
    here, intervals = _bands(view), _intervals(view, k)
    there = _bands(View(run_id=other.run_id, judge=view.judge, claim_set=view.claim_set)) if other else {}
    small = "mean with 95 % bootstrap band, clustered by question; axes are cut where nothing is drawn"
    dashed = f" · solid: {widgets.md(run.name)}, dashed: {widgets.md(other.name)}" if other else ""
    with widgets.box("quality", "Quality over k", small + dashed):
        for place, (name, label) in zip(st.columns(len(SHOWN), gap="medium"), SHOWN, strict=True):
            b, ends = here[name], intervals[name]
            with place.container(key=f"curve-{name}", gap=None):
                with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom", gap=None):
                    st.markdown(f"**{label}**", width="content")
                    st.markdown(f"**{number(float(b.mean[k - 1]))}**", width="content")
                with st.container(horizontal=True, horizontal_alignment="distribute", gap=None):
                    st.caption(f"n {count(b.n)}", width="content")
                    st.caption(interval(ends.lo, ends.hi) if ends else f"{why_none(b.n)} for an interval" if b.n else "no value", width="content")
                base = there.get(name)
                figure = curve(b.mean, lo=b.lo, hi=b.hi, other=base.mean if base and base.n else None, k=k, colours=widgets.colours())
                widgets.chart(
                    figure, key=f"curve-{name}-{k}", alt=f"{label}: " + ", ".join(f"k {i}: {number(float(b.mean[i - 1]))}" for i in (1, 5, 10, 20)), hover=True
                )


def _no_labels(view: View) -> None:
    """Nothing is labelled: what would help."""
    one = next(iter(resources.store().traces(view.run_id)), None)
    reason = "The file does not say what was retrieved." if one is not None and one.passages is None and ranking_of(one) is None else (
        "No passage is labelled as relevant or not, so recall, precision and nDCG have nothing to count. They are undefined, not 0."
    )
    widgets.empty_state(
        "No relevance labels in this run",
        f"{reason} Labels can come as expected passage ids, graded labels, expected texts, or a qrels file loaded with the run.",
        widgets.Action(label="Load labels", page="data"),
        widgets.Action(label="See its traces", page="traces"),
    )
