"""Traces: search, filter, sort and page through all traces of a run. The whole state is in the URL."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pyarrow as pa
import streamlit as st

from ragviz.contracts import View
from ragviz.figures.plot_text import count, counted, cut, visible
from ragviz.store import TraceFilter, TraceRow
from ragviz.text.sums import places_of_sums
from ragviz.text.unmarked import unmarked
from ragviz.ui import address, filters, held_out, marks, openers, resources, selection, slices, tables, tags, vocabulary, widgets
from ragviz.ui.views import data_export, traces_more

SIZES = ("50", "100")
SORTS = {
    "order": "order of the file",
    "faithfulness": "faithfulness",
    "correctness": "correctness",
    "relevance": "relevance",
    "recall_at_k": "recall@k",
    "n_contradicted": "contradicted claims",
    "n_not_supported": "claims not supported",
    "n_unjudged": "unjudged claims",
    "n_claims": "claims",
    "started_at": "time",
    "latency_ms": "latency",
    "cost_usd": "cost",
}
WORST_FIRST_IS_DOWN = ("n_contradicted", "n_not_supported", "n_unjudged", "n_claims", "started_at", "latency_ms", "cost_usd")
CLEARED = {"q": "words", "failing": "failures", "range": "scores", "lacking": "missing scores", "since": "first day", "until": "last day"}


@widgets.plainly
def render() -> None:
    """The whole page."""
    view, run = resources.view(), resources.run()
    if view is None or run is None:
        widgets.page_head("Traces")
        widgets.no_run("Here you search, filter and sort them.")
        return
    where = slices.here(run.run_id)
    line, controls = widgets.page_head("Traces", controls=3, widths=(0.16, 0.13, 0.08))
    with controls[0]:
        sort = address.select_box("Sort by", "sort", list(SORTS), default="order", labels=SORTS)
    with controls[1]:
        down = "down" if sort in WORST_FIRST_IS_DOWN else "up"
        way = address.select_box("Order", "way", ["up", "down"], default=down, labels={"up": "lowest first", "down": "highest first"})
    with controls[2]:
        size = int(address.select_box("Rows", "rows", SIZES, default="50"))
    _filter_row(view, run.run_id)
    found = resources.count(view, where)
    traces_more.draw(view, run, where, found)
    line.caption(f"{counted(found, 'trace')} of {count(run.n_traces)}" + ("" if found == run.n_traces else " pass the filters"))
    if not found:
        _nothing(where)
        return
    n_pages = -(-found // size)
    page = address.page_number(n_pages, draw=False)
    rows = resources.page(view, where, sort=sort, descending=way == "down", limit=size, offset=(page - 1) * size)
    rows, closed = held_out.masked(run.run_id, rows)
    if closed:
        _held_out(run.run_id, closed)
    _table(view, where, rows, sort=sort, way=way, page=page)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small", key="cap-foot"):
        address.page_number(n_pages)
        st.caption(
            f"Rows {count((page - 1) * size + 1)} to {count((page - 1) * size + len(rows))}; their heads sort these only. {tables.READ_ALL}",
            width="content",
        )
        # The table's own buttons take clicks only; this way in works with the keyboard, and so do "previous" and "next" there.
        widgets.link("Go through these in the Inspector", "inspector", key="go-through", trace=rows[0].id, **_kept(where, sort=sort, way=way))
        _download(view, where, found)


def _held_out(run_id: str, closed: Sequence[TraceRow]) -> None:
    """Words of held-out traces are hidden until somebody asks for them by name."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="cap-closed"):
        st.caption(
            f"{counted(len(closed), 'row')} here {'is' if len(closed) == 1 else 'are'} held out: the words are hidden, the numbers are not.", width="content"
        )
        place = st.popover("Show them…", key="open-held-out", on_change="rerun")
    if place.open:
        with place:
            held_out.ask(run_id, [(r.id, r.question) for r in closed], place="Traces", key="traces")


def _filter_row(view: View, run_id: str) -> None:
    """Search and five filters; every one starts the list again at page 1."""
    search, quadrant, cause, verdict, tag, source = st.columns([0.25, 0.19, 0.17, 0.15, 0.12, 0.12], gap="small")
    with search:
        address.search_box("Search", "q", placeholder="words, or “in a row” in quotes", type="search")
    per_quadrant = resources.counts_by(view, "quadrant")
    labels = {name: f"{label} {count(per_quadrant.get(name, 0))}" for name, (label, _) in vocabulary.QUADRANTS.items()}
    if resources.without_reference(view):
        # Their rows say where they stand; the filter names what all of them lack.
        labels["unknown"] = f"No quadrant {count(per_quadrant.get('unknown', 0))}"
    with quadrant:
        address.multi_select("Quadrant", "quadrant", list(vocabulary.QUADRANTS), labels=labels, placeholder="any")
    with cause:
        address.multi_select("Cause", "cause", list(vocabulary.CAUSES), labels=dict(vocabulary.CAUSES), placeholder="any")
    with verdict:
        address.multi_select("Has a claim that is", "verdict", list(vocabulary.VERDICTS), labels=dict(vocabulary.VERDICTS), placeholder="any verdict")
    with tag:
        tags.choose(run_id)
    with source:
        names = _sources(run_id)
        address.select_box("Source", "source", ["", *names], labels={"": "any"} | {n: cut(visible(n), 40) for n in names}, disabled=not names)


def _sources(run_id: str) -> list[str]:
    found = resources.query(lambda: dict(resources.store().labels(run_id, "source", limit=tags.MAX_OPTIONS)), "source-names", run_id, run_id=run_id)
    names = [name for names in found.values() for name in names]
    asked = selection.text(st.query_params, "source")
    return [*names, *([asked] if asked and asked not in names else [])]


def _download(view: View, where: TraceFilter, found: int) -> None:
    """All traces that pass, not only this page."""
    for kind in ("csv", "jsonl"):
        st.download_button(
            f"{count(found)} as {data_export.FORMATS[kind]}", data=partial(data_export.write, resources.store(), view, where, kind), file_name=f"traces.{kind}",
            mime=data_export.MIME[kind], key=f"download-{kind}", on_click="ignore",
        )


def _nothing(where: TraceFilter) -> None:
    """No trace passes: the filters are named, each can be cleared, and all at once."""
    said = filters.describe(where, vocabulary.LABELS)
    with st.container(border=True, key="box-nothing", horizontal_alignment="center", gap="xsmall"):
        st.space("small")
        st.markdown("**No trace passes these filters**", width="content")
        st.caption(widgets.md(" · ".join(words for _, words in said), limit=300) or "The run holds no trace.", width="content")
        with st.container(horizontal=True, horizontal_alignment="center", gap="xsmall"):
            if said:
                st.button("Clear all", key="clear-all", type="primary", on_click=address.clear, args=((*filters.NAMES, address.PAGE),))
            if len(said) > 1:
                for name, _ in said:
                    st.button(f"Clear {CLEARED.get(name, name)}", key=f"clear-{name}", on_click=address.clear, args=((name, address.PAGE),))
        st.space("small")


def _table(view: View, where: TraceFilter, rows: Sequence[TraceRow], *, sort: str, way: str, page: int) -> None:
    """One page of rows; "Open" leads to the Inspector, which knows the filter and pages on through it."""
    key = tables.key_of("traces", (repr(view), repr(where), sort, way, page, *(r.id for r in rows)))
    kept = _kept(where, sort=sort, way=way)
    text, figure = st.column_config.TextColumn, st.column_config.NumberColumn
    tables.show(
        frame(rows, without_reference=resources.without_reference(view)), row_height=28, height="content", key=key, alt="Traces", placeholder="–",
        column_config={
            "open": openers.opening(f"{key}-open", "inspector", [{"trace": r.id, **kept} for r in rows], pinned=True),
            "question": text(width=262), "quadrant": text(width=96), "worst claim": text(width=206), "verdict": text(width=110), "cause": text(width=126),
            **{name: figure(format="%.2f", width=58) for name in ("faithf.", "correct.", "relev.", "recall")}, "claims": figure(width=54),
            "trace": text(width=100), "answer": text(width=260), "started": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm", width=124),
            "latency ms": figure(format="%.0f", width=84), "cost $": figure(format=f"%.{places_of_sums(r.cost_usd for r in rows)}f", width=84),
        },
    )


def _kept(where: TraceFilter, *, sort: str, way: str) -> dict[str, str]:
    """Filter and order as query parameters: the Inspector goes on through the same list."""
    return filters.to_params(where) | ({} if sort == "order" else {"sort": sort}) | ({"way": way} if way == "down" else {})


def frame(rows: Sequence[TraceRow], *, without_reference: bool = False) -> pa.Table:
    """Rows as shown. Columns that no row fills are left out. ``without_reference``: where answers stand is told without one."""
    def score(row: TraceRow, name: str) -> float | None:
        return next((v for n, v in row.scores.items() if n == name or n.startswith(f"{name}_at_")), None)

    table = tables.of_columns({
        "open": ["Open ›"] * len(rows), "question": [r.question for r in rows],
        "quadrant": [vocabulary.stands(r, without_reference=without_reference) for r in rows], "worst claim": [unmarked(r.worst_claim) or "–" for r in rows],
        "verdict": [marks.chip(r.worst_verdict) for r in rows], "cause": [vocabulary.cause(r.cause) for r in rows],
        "faithf.": [score(r, "faithfulness") for r in rows], "correct.": [score(r, "correctness") for r in rows],
        "relev.": [score(r, "relevance") for r in rows], "recall": [score(r, "recall") for r in rows], "claims": [r.n_claims for r in rows],
        "trace": [r.id for r in rows], "answer": [r.response_preview for r in rows],
        "started": [r.started_at for r in rows], "latency ms": [r.latency_ms for r in rows], "cost $": [r.cost_usd for r in rows],
    })
    optional = ["correct.", "relev.", "recall", "started", "latency ms", "cost $"]
    return tables.without_empty(table, optional)
