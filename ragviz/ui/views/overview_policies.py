"""The same verdicts under every convention, side by side, and the traces on which the conventions differ. Worked out only when it is opened."""

from __future__ import annotations

import pyarrow as pa
import streamlit as st

from ragviz.contracts import View
from ragviz.figures.plot_text import count, counted, interval, number
from ragviz.metrics import metric_info
from ragviz.metrics.policies import PolicyComparison, compare_policies
from ragviz.records import Policy, Summary
from ragviz.store import TraceFilter
from ragviz.ui import address, held_out, openers, resources, sampled, scope, tables, vocabulary

METRICS = ("faithfulness", "hallucination", "correctness", "context_precision", "context_recall")
MOST_TRACES, SAMPLE = 3_000, 1_000
"""Up to so many traces all are counted under every policy, above that a sample."""
ROWS = 50


def render(view: View, part: TraceFilter) -> None:
    """The expander."""
    box = st.expander("The same verdicts under every policy", key="policies", on_change="rerun")
    if not box.open:
        return
    with box:
        drawn = sampled.sample(view, above=MOST_TRACES, size=SAMPLE, part=part)
        with st.spinner("Counting under each policy", show_time=True):
            found = resources.shared(lambda: compared(view, part, drawn), "policies", view, part, run_id=view.run_id, heavy=True)
        if drawn is not None:
            st.caption(f"Estimated {drawn.words}: means with their 95 % intervals, and numbers of traces of the sample.")
        st.caption("Nothing is judged again: policies differ in how refusals, contradictions, conflicted and unjudged claims are counted. Means are macro.")
        tables.show(
            means(found, with_intervals=drawn is not None),
            row_height=28,
            height="content",
            key="policy-means",
            alt="Each metric under each policy",
            placeholder="–",
        )
        labels = {c.metric: f"{metric_info(c.metric).label} **{count(len(c.differing))}**" for c in found}
        metric = address.pills("Metric", "pm", list(labels), labels=labels, default=METRICS[0], required=True) or METRICS[0]
        _differing(view, next(c for c in found if c.metric == metric))


def compared(view: View, part: TraceFilter, drawn: sampled.Sample | None = None) -> list[PolicyComparison]:
    """Every metric of the table over the run, the slice or the sample, as far as it has values."""
    store = resources.store()
    ids = drawn.ids if drawn is not None else store.passing(view, part) if part.tags else None
    cases = list(store.judged(view, ids))
    groups = [case.trace.group or case.trace.question for case in cases]
    return [compare_policies(cases, metric, groups) for metric in METRICS]


def means(found: list[PolicyComparison], *, with_intervals: bool = False) -> pa.Table:
    """One row a metric; n in brackets where it is not the same under all policies, and the interval of each mean if asked for."""
    rows = []
    for c in found:
        same_n = len({s.n for s in c.summaries.values()}) == 1
        cells = {scope.POLICY_LABELS[p]: _cell(c.summaries[p.value], with_n=not same_n, with_interval=with_intervals) for p in Policy}
        first = next(iter(c.summaries.values()))
        rows.append(
            {
                "metric": metric_info(c.metric).label + vocabulary.arrow(c.metric),
                **cells,
                "traces with a value": count(first.n) if same_n else "differ",
                "traces that differ": count(len(c.differing)),
            }
        )
    return tables.of_rows(rows)


def _cell(found: Summary, *, with_n: bool, with_interval: bool) -> str | None:
    if found.macro is None:
        return None
    between = f" [{interval(found.ci95.lo, found.ci95.hi)}]" if with_interval and found.ci95 else ""
    return number(found.macro) + between + (f" (n {count(found.n)})" if with_n else "")


def _differing(view: View, found: PolicyComparison) -> None:
    if not found.differing:
        st.caption("No trace differs.")
        return
    ids = list(found.differing)[:ROWS]
    rows, _ = held_out.masked(view.run_id, resources.page(view, TraceFilter(ids=tuple(ids)), limit=ROWS))
    st.caption(f"{counted(len(found.differing), 'trace')} differ" + (f"; the first {ROWS}" if len(found.differing) > ROWS else ""))
    key = f"policy-{found.metric}-{len(rows)}"
    values = {scope.POLICY_LABELS[p]: [found.differing[r.id][p.value] for r in rows] for p in Policy}
    tables.show(
        tables.of_columns({"open": ["Open ›"] * len(rows), "question": [r.question for r in rows], **values}), row_height=28, key=key, placeholder="–",
        alt="Traces whose value depends on the policy",
        column_config={
            "open": openers.opening(f"{key}-open", "inspector", [{"trace": r.id} for r in rows]), "question": st.column_config.TextColumn(width=360),
            **{name: st.column_config.NumberColumn(format="%.2f") for name in values},
        },
    )
