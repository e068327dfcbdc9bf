"""Citations: what the cited source says of each claim, whether another one would, and sources that do not exist."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np
import pyarrow as pa
import streamlit as st

from ragviz.contracts import View
from ragviz.figures.plot_text import count, counted, interval, number, percent
from ragviz.metrics import metric_info
from ragviz.metrics.cited import CitedVerdict
from ragviz.pipeline.column_means import clusters, mean_of
from ragviz.records import Interval
from ragviz.stats.bootstrap import SHARE, ratio_interval, why_none
from ragviz.ui import address, held_out, marks, openers, resources, sampled, tables, vocabulary, widgets
from ragviz.ui.views.citations_numbers import LABELS, CitedRow, Kind, rows
from ragviz.ui.widgets import StripPart

METRICS = ("citation_precision", "citation_recall", "citation_coverage", "invented_citations")
MOST_TRACES, SAMPLE = 20_000, 1_500
"""Up to so many traces every claim is read, above that those of a sample."""
ROWS = 50
NEEDS_LOOK = (Kind.INVENTED, Kind.CONTRADICTED, Kind.ELSEWHERE, Kind.UNSUPPORTED, Kind.UNCITED)


@widgets.plainly
def render() -> None:
    """The whole page."""
    view, run = resources.view(), resources.run()
    line, _ = widgets.page_head("Citations")
    if view is None or run is None:
        widgets.no_run("Answers that cite their sources are checked here.")
        return
    drawn = sampled.sample(view, above=MOST_TRACES, size=SAMPLE)
    with st.spinner("Reading the citations", show_time=True):
        found = resources.shared(
            lambda: rows(resources.store().judged(view, None if drawn is None else drawn.ids)), "citations", view, run_id=view.run_id, heavy=True
        )
    if not found:
        line.caption(f"{counted(run.n_traces, 'trace')}, none with a citation and a judged claim")
        widgets.empty_state(
            "No citations in this run",
            "Recognised are marks such as [1], [1, 3-5], [Source 2], (doc 2), links, and lists of sources at the end.",
            widgets.Action(label="See its traces", page="traces"),
        )
        return
    counts = Counter(row.kind for row in found)
    cited = sum(bool(row.marks) for row in found)
    line.caption(
        f"{counted(len(found), 'claim')} in {counted(len({r.trace_id for r in found}), 'answer')} that cite; {count(cited)} of these claims carry a mark"
    )
    _means(view)
    if drawn is not None:
        off = sum(n for kind, n in counts.items() if kind not in (Kind.SUPPORTED, Kind.UNJUDGED))
        widgets.note(
            f"The means above are of the whole run. Claim by claim this page is read {drawn.words}: {count(off)} of {counted(len(found), 'claim')} "
            f"there need a look "
            f"({_share_of_claims(found)} of all claims in answers that cite, 95 % interval, clustered by answer).", key="large",
        )
    _list(view.run_id, found, counts)


def _share_of_claims(found: Sequence[CitedRow]) -> str:
    """The interval of the share of claims that need a look, over answers drawn by chance."""
    traces, at = np.unique([row.trace_id for row in found], return_inverse=True)
    off = np.array([row.kind not in (Kind.SUPPORTED, Kind.UNJUDGED) for row in found], dtype=np.float64)
    ends = ratio_interval(np.bincount(at, weights=off, minlength=len(traces)), np.bincount(at, minlength=len(traces)), within=SHARE)
    return f"{percent(ends.lo)} to {percent(ends.hi)}" if ends else "an unknown share"


def _means(view: View) -> None:
    """The four means with interval and n; an undefined one is a dash."""
    parts = []
    for name, (value, ends, n) in resources.query(lambda: _computed(view), "citation-means", view, run_id=view.run_id).items():
        shown = interval(ends.lo, ends.hi) if ends else f"{why_none(n)} for an interval" if n else "no value"
        parts.append(StripPart(number=number(value), what=f"{metric_info(name).label.lower()}{vocabulary.arrow(name)}", remark=f"{shown} · n {count(n)}"))
    widgets.number_strip(parts, key="citation-means")


def _computed(view: View) -> dict[str, tuple[float | None, Interval | None, int]]:
    columns = resources.columns(view, METRICS)
    groups = clusters(columns["group"])
    return {name: mean_of(np.asarray(columns[name], dtype=np.float64), groups) for name in METRICS}


def _list(run_id: str, found: Sequence[CitedRow], counts: Counter[Kind]) -> None:
    """Claims of one kind; "Open" leads to the claim in the Inspector."""
    labels = {kind.value: f"{LABELS[kind]} **{count(counts.get(kind, 0))}**" for kind in Kind}
    first = next((kind for kind in NEEDS_LOOK if counts.get(kind)), Kind.SUPPORTED)
    picked = Kind(address.pills("Kind", "kind", [k.value for k in Kind], labels=labels, default=first.value, required=True) or first.value)
    shown = [row for row in found if row.kind is picked]
    widgets.heading(LABELS[picked], _meaning(picked))
    if not shown:
        st.caption("No claim.")
        return
    n_pages = -(-len(shown) // ROWS)
    page = address.page_number(n_pages, draw=False)
    part = shown[(page - 1) * ROWS : page * ROWS]
    key = f"cited-{picked}-{page}-{len(shown)}"
    tables.show(
        table(part, held_out.closed_ids(run_id)),
        row_height=28,
        height="content",
        key=key,
        placeholder="–",
        alt=f"Claims: {LABELS[picked]}",
        column_config={
            "open": openers.opening(f"{key}-open", "inspector", [{"trace": r.trace_id, "claim": r.claim_id} for r in part], pinned=True),
            "question": st.column_config.TextColumn(width=270),
            "claim": st.column_config.TextColumn(width=340),
            "cites": st.column_config.TextColumn(width=70),
            "source": st.column_config.TextColumn(width=140),
            "its source": st.column_config.TextColumn(width=126),
            "any source": st.column_config.TextColumn(width=116),
        },
    )
    address.page_number(n_pages)


def _meaning(kind: Kind) -> str:
    return {
        Kind.INVENTED: "the mark names nothing that was retrieved", Kind.CONTRADICTED: "the cited source says otherwise",
        Kind.ELSEWHERE: "right, but another passage says so, not the cited one", Kind.UNSUPPORTED: "neither the cited source nor another one says so",
        Kind.UNCITED: "a passage says so, the answer does not say which", Kind.UNJUDGED: "no verdict yet", Kind.SUPPORTED: "nothing to do",
    }[kind]


def table(part: Sequence[CitedRow], closed: Collection[str] = ()) -> pa.Table:
    """One row a claim; of the closed traces no words."""
    return tables.of_rows(
        [
            {
                "open": "Open ›",
                "question": held_out.CLOSED if row.trace_id in closed else row.question,
                "claim": held_out.CLOSED if row.trace_id in closed else row.claim,
                "cites": row.marks or "–",
                "source": row.sources or "–",
                "its source": verdict(row.cited),
                "any source": marks.chip(row.any_source),
            }
            for row in part
        ]
    )


def verdict(cited: CitedVerdict | None) -> str:
    """The verdict of the cited sources, in the marks of all pages."""
    if cited is None:
        return "–"
    return "∅ not found" if cited is CitedVerdict.SOURCE_NOT_FOUND else marks.chip(cited.value)
