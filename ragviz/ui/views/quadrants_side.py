"""Beside the quadrants: the traces of the picked cell or spot, what they share, and what the picture leaves out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from ragviz.contracts import View
from ragviz.diagnosis.quadrants import Thresholds
from ragviz.figures.plot_text import count, counted, cut, number, share, visible
from ragviz.figures.spots import spot_of
from ragviz.store import TraceFilter, TraceRow
from ragviz.text.unmarked import unmarked
from ragviz.ui import address, filters, held_out, marks, presses, resources, selection, tables, vocabulary, widgets
from ragviz.ui.views.overview_numbers import refusals
from ragviz.ui.views.quadrants_numbers import Mode, Plane, cell_filter, spot_filter, stability
from ragviz.ui.views.quadrants_odds import Doubt
from ragviz.ui.widgets import StripPart

ROWS = 10


def draw(
    view: View, placed: Plane, limits: Thresholds, *, labels: Mapping[str, tuple[str, str]], cell: str,
) -> TraceRow | None:
    """The list, the picked trace and what its neighbours share. Returns the picked trace, for the ring in the picture."""
    place = spot_of(selection.text(st.query_params, "at") or "")
    label, meaning = labels[cell]
    where = cell_filter(cell, limits, placed.mode) if place is None else spot_filter(*place, placed.mode)
    found = resources.count(view, where)
    if place is not None:
        label, meaning = f"Spot {number(place[0], digits=2)}, {number(place[1], digits=2)}", "The traces at one place of the picture."
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="xsmall"):
        widgets.heading(label, f"{counted(found, 'trace')}, {share(found, placed.cell.size)}")
        if found:
            widgets.link("Open all in Traces", "traces", key="cell", **filters.to_params(where))
    with st.container(key="cap-meaning"):
        st.caption(meaning)
    if place is not None:
        with st.container(key="link-let-go", width="content"):
            st.button("Back to the whole cell", key="let-go", type="tertiary", on_click=address.clear, args=(("at", "lp"),))
    picked = _list(view, where, found, placed.mode)
    if picked is not None:
        _card(view, picked, where)
        _shared(view, where, found)
    return picked


def _list(view: View, where: TraceFilter, found: int, mode: Mode) -> TraceRow | None:
    """Ten rows; one is always selected."""
    if not found:
        st.caption("No trace is here.")
        return None
    n_pages = -(-found // ROWS)
    page = address.page_number(n_pages, name="lp", draw=False)
    rows, _ = held_out.masked(view.run_id, resources.page(view, where, limit=ROWS, offset=(page - 1) * ROWS))
    upright, head = ("correctness", "correct.") if mode is Mode.FULL else ("relevance", "relev.")
    closed = held_out.closed_ids(view.run_id)

    def figure_of(row: TraceRow, name: str) -> float | None:
        return None if row.id in closed else row.scores.get(name)

    table = tables.of_columns({
        "question": [r.question for r in rows], "faithf.": [figure_of(r, "faithfulness") for r in rows], head: [figure_of(r, upright) for r in rows],
    })
    key = tables.key_of("cell", [repr(view), repr(where), *(r.id for r in rows)])
    figure = st.column_config.NumberColumn(format="%.2f", width=58)
    event = tables.show(
        table,
        row_height=28,
        height="content",
        key=key,
        on_select="rerun",
        selection_mode="single-row-required",
        alt="Traces of the picked cell",
        placeholder="–",
        column_config={"question": st.column_config.TextColumn(width=200), "faithf.": figure, head: figure},
    )
    address.page_number(n_pages, name="lp")
    chosen = event["selection"]["rows"]
    return rows[chosen[0]] if chosen and chosen[0] < len(rows) else rows[0]


def _card(view: View, row: TraceRow, where: TraceFilter) -> None:
    with st.container(border=True, key="box-trace", gap="xsmall"):
        with st.container(horizontal=True, horizontal_alignment="distribute", gap="xsmall"):
            st.text(cut(visible(row.id), 40), width="content")
            st.caption(counted(row.n_claims, "claim"), width="content")
        st.text(cut(visible(row.question), 200))
        if row.worst_claim:
            st.text(f"{marks.chip(row.worst_verdict)}: {cut(visible(unmarked(row.worst_claim)), 220)}")
        closed = row.id in held_out.closed_ids(view.run_id)
        known = None if closed else resources.trace_result(view, row.id)
        if closed:
            st.caption("Its words and its place are hidden. The Inspector asks before it opens.")
        if known is not None and known.cause_detail and known.cause not in ("", "none"):
            st.caption(f"{vocabulary.cause(known.cause)}: {widgets.md(known.cause_detail, limit=300)}")
        if presses.pressed(st.button, "Open in Inspector", key="open-trace", about=row.id, type="primary"):
            selection.open_page("inspector", trace=row.id, **filters.to_params(where))


def _shared(view: View, where: TraceFilter, found: int) -> None:
    """Root causes in the cell, each with its traces."""
    causes = {name: n for name, n in resources.counts_by(view, "cause", where).items() if n and name}
    if not causes or set(causes) == {"none"}:
        return
    with widgets.box("shared", "What they share", "root causes"):
        for name, n in sorted(causes.items(), key=lambda pair: -pair[1])[:5]:
            with st.container(horizontal=True, horizontal_alignment="distribute", gap="xsmall", key=f"legend-{name}"):
                st.markdown(vocabulary.CAUSES.get(name, name), width="content")
                narrowed = filters.to_params(where) | {"cause": name}
                widgets.link(f"{counted(n, 'trace')}, {share(n, found, digits=0)}", "traces", key=f"shared-{name}", **narrowed)


def remark(placed: Plane, limits: Thresholds, columns: Mapping[str, NDArray[Any]], doubted: Doubt | None) -> None:
    """
    How much the cells depend on where the lines are, on single verdicts, and on how often the judge is wrong.

    Args:
        placed: The plane.
        limits: Its thresholds.
        columns: With the numbers of claims.
        doubted: Traces that may be in another quadrant; None = not looked into.
    """
    found = stability(placed, limits, np.asarray(columns["n_claims"] - columns["n_unjudged"], dtype=np.float64))
    words = []
    if doubted is not None and doubted.n:
        about = "" if doubted.sample is None else "about "
        between = f"95 % interval {count(round(doubted.interval.lo))} to {count(round(doubted.interval.hi))}, " if doubted.interval else ""
        source = "" if doubted.sample is None else f" ({between}{doubted.sample.words})"
        words.append(
            f"**{about}{counted(round(doubted.n), 'trace')}**{source} may be in another quadrant (chance above 1 in 5), if each verdict is wrong "
            f"as often as its confidence says, "
            "or 1 time in 10 where it states none."
        )
    elif doubted is not None:
        words.append(_none_in_doubt(doubted))
    if found.near or found.one_claim:
        words.append(
            f"**{counted(found.near, 'trace')}** within 0.05 of a line. For **{counted(found.one_claim, 'trace')}** a single claim judged "
            f"otherwise would move the "
            "answer across the faithfulness line."
        )
    if words:
        widgets.note("  \n".join(words), key="stability")


def _none_in_doubt(doubted: Doubt) -> str:
    """Nothing found is a finding; of a sample it is a bound: 0 of n leaves up to about 3 in n at 95 % (the rule of three)."""
    if doubted.sample is None:
        return "**No trace** has a chance above 1 in 5 to be in another quadrant, if each verdict is wrong as often as its confidence says, or 1 time in 10 where it states none."
    n, of = len(doubted.sample.ids), doubted.sample.of
    return (
        f"**None** of {counted(n, 'trace')} (a seeded sample of {count(of)}) has a chance above 1 in 5 to be in another quadrant, if each verdict "
        f"is wrong as often as its confidence "
        f"says, or 1 time in 10 where it states none. In the whole run there may still be up to about {count(round(3 / n * of))} (95 %, rule of three)."
    )


def not_in_plot(placed: Plane, columns: Mapping[str, NDArray[Any]]) -> None:
    """What the picture leaves out, and why."""
    declined = refusals(columns)
    unknown = placed.inside("unknown")
    unjudged = int((unknown & np.isnan(placed.x)).sum())
    no_reference = int((unknown & ~np.isnan(placed.x) & np.isnan(placed.y)).sum()) if placed.mode is Mode.FULL else 0
    rest = int(unknown.sum()) - unjudged - no_reference
    open_all: dict[str, Any] = {"page": "traces", "params": (("quadrant", "abstained"),)}
    open_wrong: dict[str, Any] = {"page": "traces", "params": (("quadrant", "abstained"), ("refusal", "wrong"))}
    left_out = declined.total + int(unknown.sum())
    reasons = [words for n, words in ((declined.total, "declined"), (no_reference, "no correctness"), (unjudged, "no verdict"), (rest, "no relevance")) if n]
    parts = [
        StripPart(number=count(left_out), what="trace not in the plot" if left_out == 1 else "traces not in the plot", remark=", ".join(reasons) or "every trace is drawn"),
        StripPart(
            number=count(declined.total),
            what="abstention" if declined.total == 1 else "abstentions",
            remark="open" if declined.total else "every question was answered",
            **(open_all if declined.total else {}),
        ),
        StripPart(
            number=count(declined.wrong),
            what="false refusal" if declined.wrong == 1 else "false refusals",
            remark=f"{count(declined.right)} right, {count(declined.unknown)} unknown",
            **(open_wrong if declined.wrong else {}),
        ),
    ]
    if placed.mode is Mode.FULL:
        parts.append(StripPart(number=count(no_reference), what="without correctness", remark="no reference, or none of it judged"))
    parts.append(StripPart(number=count(unjudged), what="without a verdict", remark="judge again on the Data page" if unjudged else "every claim has one",
                           page="data" if unjudged else None))
    if rest:
        parts.append(StripPart(number=count(rest), what="without relevance", remark="no rating of the answer"))
    widgets.number_strip(parts, key="not-in-plot")
