"""How far two runs differ: metric by metric over all pairs or one slice of them, and one metric slice by slice."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from ragviz.compare.columns import MOST_SLICES
from ragviz.compare.families import SIDES, headline_place, is_cost, is_judging, judging_cost, way_of
from ragviz.compare.noise import JudgeNoise
from ragviz.compare.paired import MetricDifference, SliceDifference
from ragviz.compare.parts import Parts
from ragviz.compare.report import Comparison
from ragviz.diagnosis.meanings import TERMS
from ragviz.figures.differences import DifferenceRow, difference_forest
from ragviz.figures.plot_text import count, counted, cut, signed, visible
from ragviz.metrics import metric_info
from ragviz.records import RunManifest
from ragviz.text.sums import decimals
from ragviz.ui import address, vocabulary, widgets
from ragviz.ui.views import compare_noise

SURE = 0.05
SHOWN = 10
BOX = 320
"""px: width of the select boxes."""
SLICE, OF = "slice", "of"
"""Query parameters: the part of the pairs that is looked at, and the metric that is shown by slice."""


def choose_metrics(n: int) -> bool:
    """Whether all metrics are shown, or the headline only."""
    return address.segments("Metrics", "all", ["headline", "all"], labels={"headline": "headline", "all": f"all {n}"}, default="headline") == "all"


def draw(
    found: Comparison, parts: Parts, run: RunManifest, base: RunManifest, *, every: bool, noise: JudgeNoise | None,
) -> None:
    """The box of differences. A slice narrows it to the pairs that have it."""
    with widgets.box(
        "differences",
        "Differences",
        "candidate minus baseline over paired traces; bootstrap clustered by question; p from a permutation test",
        hint=f"{TERMS['holm']}  \n{TERMS['interval']}",
    ):
        part = _choose_part(parts)
        shown = [m for m in _of_part(found, parts, part, every=every) if m.n]
        shown.sort(key=lambda m: place if (place := headline_place(m.metric)) is not None else 100)
        if not shown:
            st.caption("The two runs share no question with a value on both sides.")
            return
        quality = [m for m in shown if not is_cost(m.metric)]
        rows = [_row(label_of(m.metric), m, noise.half_width(m.metric, m.n) if noise else 0.0) for m in quality]
        if rows:
            widgets.chart(
                difference_forest(rows, base=base.name, candidate=run.name, colours=widgets.colours()), key=f"differences-{every}-{part}", alt=_alt(rows)
            )
        st.caption(
            f"{SIDES} Filled: beyond chance, p corrected among the headline metrics; the other metrics are corrected for all. Hollow: within chance"
            + (" or judge noise." if noise and noise.spread else ".") + " Only traces with a value in both runs count."
        )
        compare_noise.said(noise, found.noise)
    costs = [m for m in shown if is_cost(m.metric) and not is_judging(m.metric) and (m.base or m.candidate)]
    if costs:
        _costs(costs, run, base, key=f"costs-{part}")
    if every and (told := judging_cost(shown)):
        st.caption(told)


def _costs(costs: list[MetricDifference], run: RunManifest, base: RunManifest, *, key: str) -> None:
    """Time and money, each in a unit of its own: drawn as shares of the baseline's mean, and never called better or worse."""
    with widgets.box("costs", "Time and money", "no quality: an answer that took longer is none that got worse; drawn in percent of the baseline's mean"):
        rows = [_cost_row(m) for m in costs]
        widgets.chart(
            difference_forest(rows, base=base.name, candidate=run.name, colours=widgets.colours(), ends=("more", "less"), percent=True), key=key, alt=_alt(rows)
        )


def _choose_part(parts: Parts) -> tuple[str, str] | None:
    sizes = parts.sizes
    known = {f"{name}={value}": (name, value) for name, value in sizes}
    if not known:
        return None
    labels = {"": "all pairs"} | {word: f"{_name(*key)} ({count(sizes[key])})" for word, key in known.items()}
    with st.container(key="cap-slice"):
        return known.get(address.select_box("Only pairs with", SLICE, ["", *known], labels=labels, width=BOX))


def _of_part(found: Comparison, parts: Parts, part: tuple[str, str] | None, *, every: bool) -> list[MetricDifference]:
    if part is None:
        return [m for m in found.metrics if every or headline_place(m.metric) is not None]
    return parts.of_part([name for name in parts.metrics if every or headline_place(name) is not None], part)


def slices(found: Comparison, parts: Parts, run: RunManifest, base: RunManifest) -> None:
    """The box of one metric by slice: the largest losses, then the largest gains."""
    names = [m.metric for m in found.metrics if m.n and headline_place(m.metric) is not None] or [m.metric for m in found.metrics if m.n]
    if not names or not parts.sizes:
        return
    with widgets.box(
        "slices-compared",
        "By slice",
        "the same difference within parts of the questions, as the baseline's traces have them; largest loss first",
        hint=TERMS["holm"],
    ):
        with st.container(key="cap-of"):
            metric = address.select_box("Metric", OF, names, default=names[0], labels={name: label_of(name) for name in names}, width=BOX)
        every = parts.by_slice(metric)
        if not every:
            st.caption("No slice is large enough to say anything.")
            return
        rows = [_row(_name(s.name, s.value), s.difference, 0.0) for s in shown_of(every)]
        widgets.chart(
            difference_forest(rows, base=base.name, candidate=run.name, colours=widgets.colours(), first="slice"), key=f"slices-{metric}", alt=_alt(rows)
        )
        sure = sum((s.difference.p_holm or 1.0) < SURE for s in every)
        largest = "the largest " if len(every) == MOST_SLICES else ""
        middle = f" {counted(len(every) - len(rows), 'slice')} in between not shown." if len(every) > len(rows) else ""
        st.caption(f"{SIDES} {sure} of {largest}{counted(len(every), 'slice')} beyond chance; p is corrected for all of them.{middle}")


def shown_of(every: list[SliceDifference]) -> list[SliceDifference]:
    """The ends of the list: losses first, and the largest gains last."""
    return every if len(every) <= SHOWN else [*every[: SHOWN - 3], *every[-3:]]


def _name(name: str, value: str) -> str:
    return f"{cut(visible(name.removeprefix('tag: ')), 24)}: {cut(visible(value), 32)}"


def label_of(metric: str) -> str:
    """Label and arrow of a metric, its cut-off filled in."""
    return f"{metric_info(metric).label}{vocabulary.arrow(metric)}".replace("@k", f"@{metric.rpartition('_')[2]}")


def _cost_row(m: MetricDifference) -> DifferenceRow:
    row = _row(label_of(m.metric), m, 0.0)
    return replace(
        row, unit=abs(m.base) if m.base else 1.0, digits=max(decimals(m.metric, v) for v in (m.base or 0.0, m.candidate or 0.0)) if m.base or m.candidate else 0
    )


def _alt(rows: list[DifferenceRow]) -> str:
    return "; ".join(f"{r.label} {signed(r.difference, digits=r.digits)}{'' if r.beyond else ' within chance'}" for r in rows if r.difference is not None)


def _row(label: str, m: MetricDifference, noise: float) -> DifferenceRow:
    """Beyond chance: the interval leaves 0 out, that survives the correction, and the difference is larger than the judge's ``noise``."""
    lo, hi = (m.ci95.lo, m.ci95.hi) if m.ci95 else (None, None)
    return DifferenceRow(
        label=label, base=m.base, candidate=m.candidate, pairs=m.n, difference=m.difference, lo=lo, hi=hi, p=m.p_holm, sign=way_of(m),
        beyond=m.verdict in ("better", "worse", "different") and m.p_holm is not None and m.p_holm < SURE and abs(m.difference or 0.0) > noise,
    )
