"""Lower half of the Overview: worst slices, the failures to look at first, and what the numbers leave out."""

from __future__ import annotations

import streamlit as st

from ragviz.contracts import View
from ragviz.diagnosis.meanings import BLAMED
from ragviz.figures.plot_text import count
from ragviz.records import Grounding, RunManifest
from ragviz.store import FAILING_VERDICTS, TO_EXPLAIN, TraceFilter, TraceRow
from ragviz.text.unmarked import unmarked
from ragviz.ui import filters, held_out, marks, openers, resources, tables, vocabulary, widgets
from ragviz.ui.views.overview_numbers import Refusals
from ragviz.ui.widgets import StripPart

MOST_LOOKED_AT = 20
"""Traces of a kind among which an example is looked for that is not held out."""


def n_failing(view: View, part: TraceFilter) -> int:
    """Traces that fail, as the Inspector steps through them: by their quadrant, and of those in no quadrant the ones with a claim that fails."""
    return resources.count(view, filters.also(part, failing=True))


def look_first(view: View, part: TraceFilter) -> None:
    """For each kind of failure, its most frequent cause and one trace that shows it."""
    kinds = [(vocabulary.quadrant(name), filters.also(part, quadrants=(name,))) for name in vocabulary.FAILING]
    # A refusal is a failure only where the question could have been answered, and the file says so.
    kinds.append((vocabulary.quadrant("abstained"), filters.also(part, quadrants=("abstained",), refusals=TO_EXPLAIN.refusals)))
    # Without a reference there are no quadrants; then it is the claims that fail, and a trace belongs to its worst claim's kind alone.
    kinds += [
        (f"{marks.GROUNDING_LABEL[worst].capitalize()} claim",
         filters.also(part, quadrants=("unknown",), verdicts=(worst,), ranges=(*part.ranges, *((f"n_{worse}", None, 0.0) for worse in FAILING_VERDICTS[:at]))))
        for at, worst in enumerate(FAILING_VERDICTS)
    ]
    patterns = [p for kind, where in kinds if (p := _pattern(view, kind, where)) is not None]
    widgets.heading("Look at these first", "for each kind of failure, its most frequent cause and one trace that shows it")
    if not patterns:
        st.caption("No failing trace in this view.")
        return
    table = tables.of_rows([
        {
            "kind": kind, "question": row.question, "worst claim": _worst(row),
            "verdict": marks.chip(row.worst_verdict), "cause": vocabulary.cause(row.cause), "alike": f"{count(alike)} alike", "open": "Open ›",
        }
        for kind, row, alike in sorted(patterns, key=lambda p: -p[2])
    ])
    ids = [row.id for _, row, _ in sorted(patterns, key=lambda p: -p[2])]
    tables.show(
        table,
        row_height=28,
        key="look-first",
        alt="One example trace for each kind of failure",
        column_config={
            "kind": st.column_config.TextColumn(width=130),
            "question": st.column_config.TextColumn(width=274),
            "worst claim": st.column_config.TextColumn(width=270),
            "verdict": st.column_config.TextColumn(width=112),
            "cause": st.column_config.TextColumn(width=130),
            "alike": st.column_config.TextColumn("pattern", width=76, alignment="right"),
            "open": openers.opening("look-first-open", "inspector", [{"trace": trace_id} for trace_id in ids], width=64),
        },
    )


def _pattern(view: View, kind: str, where: TraceFilter) -> tuple[str, TraceRow, int] | None:
    """The most frequent cause among the traces of one kind: (kind, an example, how many share it)."""
    found = resources.counts_by(view, "cause", where)
    blamed = {cause: n for cause, n in found.items() if n and cause in BLAMED}
    if not blamed and where.quadrants == ("abstained",):
        return None
    causes = blamed or {cause: n for cause, n in found.items() if n}
    if not causes:
        return None
    cause = max(causes, key=lambda name: causes[name])
    example = _example(view, filters.also(where, causes=(cause,)))
    return (kind, example, causes[cause]) if example is not None else None


def _example(view: View, where: TraceFilter) -> TraceRow | None:
    """The first trace that is not held out; the very first where all are that were looked at. Most runs hold none out: then one is read."""
    first: TraceRow | None = None
    for limit in (1, MOST_LOOKED_AT):
        rows, closed = held_out.masked(view.run_id, resources.page(view, where, limit=limit))
        hidden = {row.id for row in closed}
        first = rows[0] if rows else None
        open_ = next((row for row in rows if row.id not in hidden), None)
        if open_ is not None or len(rows) < limit:
            return open_ or first
    return first


def _worst(row: TraceRow) -> str:
    if row.question == held_out.CLOSED and not row.worst_claim:
        return "–"
    return unmarked(row.worst_claim) or "– (declined)"


def left_out(view: View, run: RunManifest, declined: Refusals, part: TraceFilter) -> None:
    """Every number above rests on less than all traces: how many are missing, and why."""
    traits = resources.store().traits(run.run_id)
    unjudged = filters.also(part, verdicts=(Grounding.UNJUDGED,))
    n_unjudged, n_unknown = resources.count(view, unjudged), resources.counts_by(view, "quadrant", part).get("unknown", 0)
    refused = filters.also(part, quadrants=("abstained",), refusals=("unknown",))
    n_refused = declined.unknown
    parts = [
        StripPart(number=count(n_unjudged), what="with unjudged claims", remark="open" if n_unjudged else "each has one on its passages",
                  page="traces" if n_unjudged else None, params=tuple(filters.to_params(unjudged).items())),
        StripPart(number=count(n_unknown), what="in no quadrant", remark="open" if n_unknown else "all three figures are known",
                  page="traces" if n_unknown else None, params=(("quadrant", "unknown"), *filters.to_params(part).items())),
        StripPart(number=count(n_refused), what="refusal, kind unknown" if n_refused == 1 else "refusals, kind unknown", remark="open" if n_refused else "each is right or wrong" if declined.total else "no answer declines", page="traces" if n_refused else None,
                  params=tuple(filters.to_params(refused).items())),
        StripPart(number=count(run.n_issues), what=f"{'line' if run.n_issues == 1 else 'lines'} rejected or doubtful", remark="see line numbers" if run.n_issues else "all lines were read",
                  page="data" if run.n_issues else None),
    ]
    if not part.tags:  # known for the whole run only
        parts[2:2] = [
            StripPart(number=count(run.n_traces - traits.with_reference), what="without a reference", remark="no correctness, no quadrant"),
            StripPart(
                number=count(run.n_traces - traits.with_relevance), what="question without labels" if run.n_traces - traits.with_relevance == 1 else "questions without labels", remark=f"no recall@{view.retrieval_k}; not counted as 0"
            ),
        ]
    widgets.heading("What these numbers leave out")
    widgets.number_strip(parts, key="left-out")

