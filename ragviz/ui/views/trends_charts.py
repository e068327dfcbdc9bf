"""A small chart per quantity, grouped by what it tells, and the mix of questions."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ragviz.compare.mix import Mix, MixPoint
from ragviz.compare.quantities import QUANTITIES, Quantity
from ragviz.compare.trend import Trend, Version
from ragviz.figures.mix import MixBar, mix_line
from ragviz.figures.plot_text import count, number, percent, plain
from ragviz.figures.trend import MANY, TrendMark, TrendPoint, trend_line
from ragviz.ui import widgets
from ragviz.ui.views.trends_words import alt_of, form_of, hover_of, value_of

FAMILIES = (
    ("quality", "Quality", "means with their 95 % intervals, bootstrap clustered by question"),
    ("sources", "Answers and sources", "how often it declines, how often passages disagree, how old they are"),
    ("effort", "Length, time and cost", "geometric means: such numbers have long tails"),
)
PER_ROW, MOST_PER_ROW = 3, 4
MIXES, MIXES_PER_ROW = 6, 3


def draw(parts: Sequence[Version], found: Trend, *, chosen: str) -> None:
    """Small charts; quantities that nothing gives are named, not drawn empty."""
    at = next((i for i, p in enumerate(parts) if p.key == chosen), None)
    for family, title, small in FAMILIES:
        of_family = [q for q in QUANTITIES if q.family == family]
        known = [q for q in of_family if q.name in found.means]
        if not known:
            continue
        nothing = [q for q in known if _always_zero(found, q)]
        shown = [q for q in known if q not in nothing]
        widgets.heading(title, small)
        # Four stand in one row: three and one alone would look as if something were missing.
        per_row = PER_ROW if len(shown) <= PER_ROW or len(shown) in (5, 6, 9) else MOST_PER_ROW
        for start in range(0, len(shown), per_row):
            for place, q in zip(st.columns(per_row, gap="small"), shown[start : start + per_row], strict=False):
                with place:
                    _chart(parts, found, q, at)
        missing = [q.label.lower() for q in of_family if q.name not in found.means and q.name != "reported"]
        said = [f"Always 0: {', '.join(q.label.lower() for q in nothing)}."] if nothing else []
        said += [f"Not in these files: {', '.join(missing)}."] if missing else []
        if said:
            st.caption(" ".join(said))


def _always_zero(found: Trend, q: Quantity) -> bool:
    """A share that is 0 throughout needs no picture: a line on the ground says less than a word."""
    values = [m.value for m in found.means[q.name] if m.value is not None]
    return q.unit == "%" and bool(values) and not any(values)


def _chart(parts: Sequence[Version], found: Trend, q: Quantity, at: int | None) -> None:
    means = found.means[q.name]
    latest = next((m for m in reversed(means) if m.value is not None), None)
    arrow = {1: " ↑", -1: " ↓", 0: ""}[q.better]
    form = form_of(q.name, means) if len(parts) > MANY else None
    points = [
        TrendPoint(
            label=p.label, value=m.value, lo=m.ci95.lo if m.ci95 else None, hi=m.ci95.hi if m.ci95 else None, n=m.n,
            hover=hover_of(p, q.name, m, brief=len(parts) > MANY) if form is None else "",
        )
        for p, m in zip(parts, means, strict=True)
    ]
    marks = [TrendMark(at=c.after, worse=s.worse) for c in found.changes for s in c.shifts if s.quantity == q.name]
    with st.container(border=True, key=f"box-trend-{q.name}", gap=None):
        with st.container(horizontal=True, key=f"cap-trend-{q.name}", gap="xsmall"):
            st.markdown(f"**{q.label}**{arrow}", width="content")
            st.caption(f"last {value_of(q.name, latest.value if latest else None)}, n {count(latest.n if latest else 0)}", width="content")
        figure = trend_line(
            points, marks=marks, colours=widgets.colours(), chosen=at, low=0.0, high=None if q.unit not in ("%", "") else 1.0, percent=q.unit == "%", form=form
        )
        widgets.chart(figure, key=f"trend-{q.name}-{len(parts)}", alt=alt_of(parts, q.name, means), hover=True)


def draw_mix(parts: Sequence[Version], found: Trend) -> None:
    """Distance of each version's mix from the first one's, beside what chance explains."""
    widgets.heading(
        "What was asked",
        "Jensen-Shannon distance of each version's mix to the first one's; the grey ground is what two samples of one mix show by chance, 95 times of 100",
    )
    if not found.mixes:
        st.caption("Too few traces to compare mixes: 20 in two versions are needed.")
        return
    for start in range(0, min(len(found.mixes), MIXES), MIXES_PER_ROW):
        for place, mix in zip(st.columns(MIXES_PER_ROW, gap="small"), found.mixes[start : min(start + MIXES_PER_ROW, MIXES)], strict=False):
            with place:
                _mix(parts, mix)


def _mix(parts: Sequence[Version], mix: Mix) -> None:
    changed = [i for i, p in enumerate(mix.points) if p.changed]
    bars = [
        MixBar(label=part.label, distance=p.distance, noise=p.noise, changed=p.changed, n=p.n, hover=_hover(part, p))
        for part, p in zip(parts, mix.points, strict=True)
    ]
    name = "Kind of question" if mix.dimension == "question" else f"{mix.dimension.removeprefix('tag: ')}"
    with st.container(border=True, key=f"box-mix-{mix.dimension}", gap=None):
        with st.container(horizontal=True, key=f"cap-mix-{mix.dimension}", gap="xsmall"):
            st.markdown(f"**{widgets.md(name, limit=40)}**", width="content")
            st.caption(
                f"changed in {count(len(changed))} of {count(sum(p.distance is not None for p in mix.points))}" if changed else "as at first", width="content"
            )
        widgets.chart(
            mix_line(bars, colours=widgets.colours()),
            key=f"mix-{mix.dimension}-{len(parts)}",
            alt=f"Mix by {plain(name)}: {len(changed)} versions differ from {plain(parts[mix.reference].label)}",
            hover=True,
        )
        if changed:
            far = max(changed, key=lambda i: mix.points[i].distance or 0.0)
            st.caption(
                f"Farthest: {widgets.md(parts[far].label, limit=30)}, "
                + ", ".join(widgets.md(_moved(m.kind, m.before, m.after), limit=80) for m in mix.points[far].moved[:2])
            )


def _moved(kind: str, before: float, after: float) -> str:
    return f"{kind} {percent(before, digits=0)} → {percent(after, digits=0)}"


def _hover(part: Version, point: MixPoint) -> str:
    moved = ", ".join(plain(_moved(m.kind, m.before, m.after), limit=60) for m in point.moved)
    return f"{plain(part.label, limit=40, inside=True)}: {number(point.distance)}, chance {number(point.noise)}, n {count(point.n)}; {moved}"
