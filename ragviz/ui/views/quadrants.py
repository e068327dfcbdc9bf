"""Quadrants: faithfulness against correctness, relevance as shape, with movable thresholds; each spot opens its traces."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from ragviz.contracts import View
from ragviz.diagnosis.meanings import QUADRANTS_EXPLAINED, TERMS
from ragviz.diagnosis.quadrants import Thresholds
from ragviz.diagnosis.standings import WITHOUT_REFERENCE
from ragviz.figures.plot_text import count, counted
from ragviz.figures.quadrant import QuadrantPlot, quadrant_heat, quadrant_scatter
from ragviz.figures.spots import ALL, MAX_SPOTS, Spots, Window, bands, binned, gather, spot_of, zoomed
from ragviz.figures.theme import CLICKABLE
from ragviz.store import TraceRow
from ragviz.ui import address, held_out, resources, selection, vocabulary, widgets, written
from ragviz.ui.views import quadrants_odds, quadrants_side
from ragviz.ui.views.quadrants_numbers import CELLS, GROUNDED, NAMES, Mode, Plane, has_correctness, plane

PLOT = "quadrant-plot"
_CELLS = np.array(CELLS, dtype=object)


@widgets.plainly
def render() -> None:
    """The whole page."""
    view = resources.view()
    if view is None:
        widgets.page_head("Quadrants")
        widgets.no_run("This page shows where its answers go wrong.")
        return
    line, controls = widgets.page_head("Quadrants", controls=3, widths=(0.15, 0.15, 0.15))
    columns = resources.columns(view, NAMES)
    limits = _thresholds(controls, has_reference=has_correctness(columns))
    placed = resources.shared(lambda: plane(columns, limits), "plane", view, limits, run_id=view.run_id)
    if placed.mode is Mode.NOTHING:
        line.caption("Nothing to place yet.")
        _nothing(placed)
        return
    labels = _labels(placed.mode)
    counts = placed.counts()
    cell = _cells(labels, counts, placed.mode)
    line.caption(_facts(placed), help=QUADRANTS_EXPLAINED if placed.mode is Mode.FULL else None)
    held_out.note(view.run_id)
    doubted = quadrants_odds.doubt(view, limits) if placed.mode is Mode.FULL else None
    left, right = st.columns([0.68, 0.32], gap="small")
    with right:
        focus = quadrants_side.draw(view, placed, limits, labels=labels, cell=cell)
    with left:
        _plot(view, placed, limits, _Picked(cell, counts, focus), doubted=doubted.each if doubted else None)
        quadrants_side.remark(placed, limits, columns, doubted)
    quadrants_side.not_in_plot(placed, columns)


def _thresholds(places: list[object], *, has_reference: bool) -> Thresholds:
    """A slider for each figure that places traces; none for correctness where no trace has one."""
    names = [("faithfulness", "tf"), *([("correctness", "tc")] if has_reference else []), ("relevance", "tr")]
    values = {}
    for place, (name, param) in zip(places[-len(names):], names, strict=True):
        with place:  # type: ignore[attr-defined]
            values[name] = address.share_slider(
                f"{name.capitalize()} threshold", param, default=0.5, help=f"{TERMS['relevance']}  \n{TERMS['threshold']}" if name == names[-1][0] else None
            )
    return Thresholds(**values)


def _labels(mode: Mode) -> Mapping[str, tuple[str, str]]:
    return vocabulary.QUADRANTS if mode is Mode.FULL else GROUNDED


def _cells(labels: Mapping[str, tuple[str, str]], counts: Mapping[str, int], mode: Mode) -> str:
    """Pills, one a cell; the most frequent failure is picked until somebody picks another."""
    failing = vocabulary.FAILING if mode is Mode.FULL else ("not_grounded", "partly_grounded", "off_topic")
    fallback = max(failing, key=lambda name: counts.get(name, 0))
    shown = {name: f"{label} **{count(counts.get(name, 0))}**" for name, (label, _) in labels.items()}
    return address.pills("Cell", "cell", list(labels), labels=shown, default=fallback, required=True) or fallback


def _facts(placed: Plane) -> str:
    n = placed.n_placed
    if placed.mode is Mode.NO_REFERENCE:
        return f"{counted(n, 'judged trace')} · {WITHOUT_REFERENCE}"
    return f"{counted(n, 'judged trace')} with a reference · the area of a spot is the number of traces there"


def _nothing(placed: Plane) -> None:
    missing = (
        "No claim has a verdict yet, or no answer makes a claim."
        if np.isnan(placed.x).all()
        else "It has verdicts, but neither references nor a relevance of the answers."
    )
    widgets.empty_state(
        "This run has no quadrants", missing, widgets.Action(label="Judge it", page="data"), widgets.Action(label="See its traces", page="traces")
    )


@dataclass(frozen=True)
class _Picked:
    """What the side of the page has picked."""

    cell: str
    counts: Mapping[str, int]
    focus: TraceRow | None


def _closed(view: View) -> NDArray[np.bool_] | None:
    """Held-out traces that nobody opened in this session, per trace in file order: the place of a single one is not shown. None where there are none."""
    ids = held_out.closed_ids(view.run_id)
    if not ids:
        return None
    every = resources.query(lambda: resources.store().trace_ids(view.run_id), "trace ids", view.run_id, run_id=view.run_id)
    return np.fromiter((trace_id in ids for trace_id in every), dtype=np.bool_, count=len(every))


def _n(closed: NDArray[np.bool_] | None) -> str:
    """Tells one set of closed traces from another."""
    return "" if closed is None else np.packbits(closed).tobytes().hex()


def _spots(placed: Plane, limits: Thresholds, window: Window, doubted: NDArray[np.bool_] | None, shown: NDArray[np.bool_]) -> Spots:
    at = np.flatnonzero(shown & window.inside(placed.x, placed.y))
    return gather(placed.x[at], placed.y[at], bands(placed.relevance[at], limits.relevance), _CELLS[placed.cell[at]], None if doubted is None else doubted[at])


def _plot(view: View, placed: Plane, limits: Thresholds, picked: _Picked, *, doubted: NDArray[np.bool_] | None) -> None:
    """Spots, or counts per area where there are too many; a click goes to the URL."""
    drawn = placed.in_plot
    window = _window()
    closed = _closed(view)
    shown = drawn if closed is None else drawn & ~closed
    spots = resources.shared(lambda: _spots(placed, limits, window, doubted, shown), "spots", view, limits, window, _n(closed), run_id=view.run_id)
    plot = QuadrantPlot(
        faithfulness=limits.faithfulness, correctness=limits.correctness, relevance=limits.relevance, counts=picked.counts, selected=picked.cell, window=window,
        focus=_ring(picked.focus, placed.mode, held_out.closed_ids(view.run_id)), has_reference=placed.mode is Mode.FULL,
    )
    off_topic = placed.inside("off_topic") if closed is None else placed.inside("off_topic") & ~closed
    off, rest = placed.relevance[off_topic], placed.relevance[shown]
    with st.container(border=True, key="box-plot", gap="xsmall"):
        if len(spots) > MAX_SPOTS:
            figure = quadrant_heat(binned(placed.x[shown], placed.y[shown], window), off, rest, plot, colours=widgets.colours())
        else:
            figure = quadrant_scatter(spots, off, rest, plot, colours=widgets.colours())
        heat = len(spots) > MAX_SPOTS
        st.plotly_chart(
            figure,
            theme=None,
            key=PLOT,
            on_select=_clicked,
            selection_mode=("points", "box") if heat else "points",
            config=dict(CLICKABLE) | {"displayModeBar": heat},
            alt=f"{counted(int(drawn.sum()), 'trace')} by faithfulness and {'correctness' if placed.mode is Mode.FULL else 'relevance'}; the list beside shows the picked cell",
        )
        _legend(limits, spots, heat=heat, window=window)
        if closed is not None:
            st.caption(
                f"{counted(int((drawn & closed).sum()), 'held-out trace')} not drawn: counts include them, the place of a single one is hidden "
                f"until it is opened."
            )


def _ring(focus: TraceRow | None, mode: Mode, closed: Collection[str]) -> tuple[float, float, str] | None:
    if focus is None or focus.id in closed:
        return None
    x, y = focus.scores.get("faithfulness"), focus.scores.get("correctness" if mode is Mode.FULL else "relevance")
    return None if x is None or y is None else (x, y, focus.id)


def _legend(limits: Thresholds, spots: Spots, *, heat: bool, window: Window) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", gap="small", key="cap-legend"):
        if heat:
            st.caption(
                f"{count(len(spots))} spots are too many to draw: darker areas hold more traces. Click an area, or draw a box with the tool above, "
                f"to look closer.",
                width="content",
            )
        else:
            high = max(0.75, limits.relevance)
            st.caption(f"● relevance {high:g} or more", width="content")
            if limits.relevance < high:
                st.caption(f"◆ {limits.relevance:.2f} to {high:g}", width="content")
            if (spots.band == 0).any():
                st.caption(f"▼ below {limits.relevance:.2f}: off-topic", width="content")
            if spots.hollow.any():
                st.caption("○ hollow: may be in another quadrant", width="content")
            st.caption("teal: the picked cell · the lines follow the sliders", width="content")
        if not window.is_all:
            with st.container(key="link-whole", width="content"):
                st.button("Whole plane", key="whole-plane", type="tertiary", on_click=address.clear, args=(("win",),))


def _window() -> Window:
    """The part of the plane in the URL: x0,x1,y0,y1."""
    try:
        x0, x1, y0, y1 = (float(part) for part in (selection.text(st.query_params, "win") or "").split(","))
    except ValueError:
        return ALL
    fits = 0 <= x0 < x1 <= 1 and 0 <= y0 < y1 <= 1
    return Window(x0, x1, y0, y1) if fits else ALL


def _clicked() -> None:
    """A click on a spot picks it, one on an area goes closer, a box goes to its edges. Clicking a spot again lets go of it."""
    late = written.catch_up()
    picked = st.session_state[PLOT]["selection"]
    boxes = picked.get("box") or []
    if boxes:
        (x0, x1), (y0, y1) = (sorted(min(max(float(v), 0.0), 1.0) for v in boxes[0][axis][:2]) for axis in ("x", "y"))
        if x1 - x0 > 0.001 and y1 - y0 > 0.001:
            address.put(win=f"{x0:.4f},{x1:.4f},{y0:.4f},{y1:.4f}")
        return
    points = picked.get("points") or []
    if not points:
        # A browser that has not seen the picture with the picked spot yet speaks of the one before, in whose place stands a picture without a choice.
        if not late:
            address.put(at=None)
        return
    key = points[0].get("customdata")
    key = key[0] if isinstance(key, list) else key
    if str(key).startswith("off|"):
        address.put(cell="off_topic", at=None, lp=None)
        return
    place = spot_of(str(key))
    if place is None:
        return
    if points[0].get("curve_number", 0) == 1:  # the invisible markers over the counts
        near = zoomed(_window(), *place)
        address.put(win=f"{near.x0},{near.x1},{near.y0},{near.y1}")
    else:
        address.put(at=str(key), lp=None)
