"""The same verdicts under every convention, side by side, and the traces on which the conventions differ. Worked out only when it is opened."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from ragviz.contracts import View
from ragviz.figures.plot_text import count, counted, number
from ragviz.metrics import metric_info
from ragviz.metrics.policies import PolicyComparison, compare_policies
from ragviz.records import Policy
from ragviz.store import TraceFilter
from ragviz.ui import address, resources, scope, selection, vocabulary

METRICS = ("faithfulness", "hallucination", "correctness", "context_precision", "context_recall")
MOST_TRACES = 3_000
ROWS = 50


def render(view: View, n_traces: int, part: TraceFilter) -> None:
    """The expander."""
    box = st.expander("The same verdicts under every policy", key="policies", on_change="rerun")
    if not box.open:
        return
    with box:
        if n_traces > MOST_TRACES:
            st.caption(f"Worked out for runs and slices of up to {count(MOST_TRACES)} traces: choose a slice above.")
            return
        with st.spinner("Counting under each policy", show_time=True):
            found = resources.shared(lambda: compared(view, part), "policies", view, part)
        st.caption("Nothing is judged again: policies differ in how refusals, contradictions, conflicted and unjudged claims are counted. Means are macro.")
        st.dataframe(means(found), hide_index=True, row_height=28, height="content", key="policy-means", alt="Each metric under each policy", placeholder="–")
        labels = {c.metric: f"{metric_info(c.metric).label} **{count(len(c.differing))}**" for c in found}
        metric = address.pills("Metric", "pm", list(labels), labels=labels, default=METRICS[0], required=True) or METRICS[0]
        _differing(view, next(c for c in found if c.metric == metric))


def compared(view: View, part: TraceFilter) -> list[PolicyComparison]:
    """Every metric of the table over the run or the slice, as far as it has values."""
    store = resources.store()
    cases = list(store.judged(view, store.passing(view, part) if part.tags else None))
    groups = [case.trace.group or case.trace.question for case in cases]
    return [compare_policies(cases, metric, groups) for metric in METRICS]


def means(found: list[PolicyComparison]) -> pd.DataFrame:
    """One row a metric; n in brackets where it is not the same under all policies."""
    rows = []
    for c in found:
        same_n = len({s.n for s in c.summaries.values()}) == 1
        cells = {scope.POLICY_LABELS[p]: _cell(c.summaries[p.value].macro, None if same_n else c.summaries[p.value].n) for p in Policy}
        first = next(iter(c.summaries.values()))
        rows.append({"metric": metric_info(c.metric).label + vocabulary.arrow(c.metric), **cells, "traces with a value": count(first.n) if same_n else "differ", "traces that differ": count(len(c.differing))})
    return pd.DataFrame(rows)


def _cell(value: float | None, n: int | None) -> str | None:
    return None if value is None else number(value) + ("" if n is None else f" (n {count(n)})")


def _differing(view: View, found: PolicyComparison) -> None:
    if not found.differing:
        st.caption("No trace differs.")
        return
    ids = list(found.differing)[:ROWS]
    rows = resources.page(view, TraceFilter(ids=tuple(ids)), limit=ROWS)
    st.caption(f"{counted(len(found.differing), 'trace')} differ" + (f"; the first {ROWS}" if len(found.differing) > ROWS else ""))
    key = f"policy-{found.metric}-{len(rows)}"
    values = {scope.POLICY_LABELS[p]: [found.differing[r.id][p.value] for r in rows] for p in Policy}
    st.dataframe(
        pd.DataFrame({"open": ["Open ›"] * len(rows), "question": [r.question for r in rows], **values}), hide_index=True, row_height=28, key=key, placeholder="–",
        alt="Traces whose value depends on the policy",
        column_config={
            "open": st.column_config.ButtonColumn("", type="tertiary", width=58, key=f"{key}-open"), "question": st.column_config.TextColumn(width=360),
            **{name: st.column_config.NumberColumn(format="%.2f") for name in values},
        },
    )
    click = st.session_state.get(f"{key}-open")
    if click is not None and 0 <= click["row"] < len(rows):
        selection.open_page("inspector", trace=rows[click["row"]].id)
