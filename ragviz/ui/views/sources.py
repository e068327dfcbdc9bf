"""Sources: documents by the damage they do, where they contradict each other, how old they are and how far they can be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import streamlit as st

from ragviz.contracts import View
from ragviz.diagnosis.authority import AuthorityRule
from ragviz.diagnosis.conflicts import source_faults
from ragviz.diagnosis.sources import SourceConflict, SourceLedger, SourceReport
from ragviz.figures.plot_text import count, counted
from ragviz.pipeline.corpora import authority_rules, corpus_of
from ragviz.records import RunManifest
from ragviz.records.ids import group_code
from ragviz.stats.bootstrap import SHARE, mean_interval
from ragviz.store import TraceFilter
from ragviz.ui import address, filters, held_out, marks, openers, resources, sampled, tables, vocabulary, widgets
from ragviz.ui.views import sources_trust
from ragviz.ui.views.sources_trust import Suspect
from ragviz.ui.widgets import StripPart

MOST_TRACES, SAMPLE = 20_000, 1_200
"""Up to so many traces every passage is read, above that those of a sample, which is searched for better sources too."""
ROWS = 25
AUTHORITY = {3: "official", 2: "secondary", 1: "forum or mirror"}


@widgets.plainly
def render() -> None:
    """The whole page."""
    view, run = resources.view(), resources.run()
    line, _ = widgets.page_head("Sources")
    if view is None or run is None:
        widgets.no_run("Its documents are ranked here by the damage they do.")
        return
    drawn = sampled.sample(view, above=MOST_TRACES, size=SAMPLE)
    rules = authority_rules(resources.store())
    with st.spinner("Reading the sources, and searching for better ones", show_time=True):
        found = resources.shared(lambda: _found(view, rules, drawn), "sources", view, rules, run_id=view.run_id, heavy=True)
    reports, conflicts = found.reports, found.conflicts
    if not reports:
        line.caption(counted(run.n_traces, "trace"))
        widgets.empty_state(
            "No sources in this run", "The file does not say what was retrieved, or nothing was.", widgets.Action(label="See its traces", page="traces")
        )
        return
    line.caption(
        f"{counted(len(reports), 'document')} retrieved for {counted(run.n_traces if drawn is None else len(drawn.ids), 'trace')}"
        + (f" of {count(run.n_traces)}" if drawn else "")
    )
    if drawn is not None:
        widgets.note(
            f"Read {drawn.words}: {_estimate(reports, drawn, found.groups)}. Documents that none of these retrieved are not listed; numbers in the "
            f"tables are of the sample.",
            key="large",
        )
    _summary(reports, conflicts)
    left, right = st.columns([0.65, 0.35], gap="small")
    with left:
        picked = _documents(reports)
    with right:
        _one(view, run, picked)
    sources_trust.rules_box(reports)
    sources_trust.draw(view, rules, found.suspects, drawn)
    _conflicts(conflicts, {r.doc_id: r.name for r in reports})


def _estimate(reports: Sequence[SourceReport], drawn: sampled.Sample, groups: Mapping[str, int]) -> str:
    """In how many traces of the run a document did damage, with an interval clustered by question."""
    hurt = {i for report in reports for i in report.trace_ids}
    values = np.array([float(i in hurt) for i in drawn.ids])
    ends = mean_interval(values, groups=np.array([groups[i] for i in drawn.ids], dtype=np.int64), within=SHARE)
    between = f", 95 % interval {count(round(ends.lo * drawn.of))} to {count(round(ends.hi * drawn.of))}, clustered by question" if ends else ""
    return f"a document did damage in about {count(round(float(values.mean()) * drawn.of))} of {counted(drawn.of, 'trace')}{between}"


@dataclass(frozen=True)
class Found:
    """What the traces say of their sources."""

    reports: Sequence[SourceReport]
    conflicts: Sequence[SourceConflict]
    groups: Mapping[str, int]
    """Of a sample: the question of each trace as a number."""
    suspects: Sequence[Suspect] | None
    """None where they are looked for in fewer traces than the documents are read from."""


def _found(view: View, rules: Sequence[AuthorityRule], drawn: sampled.Sample | None) -> Found:
    """One pass over the run or the sample; no trace is kept."""
    store = resources.store()
    corpus = corpus_of(store, view.run_id)
    ledger, groups = SourceLedger(corpus), {}
    suspects: list[Suspect] = []
    with_suspects = drawn is not None or resources.count(view) <= sources_trust.MOST_LOOKED_AT
    for case in sources_trust.ruled(store.judged(view, drawn.ids if drawn else None), rules):
        faults = source_faults(case, corpus=corpus)
        ledger.add(case, faults)
        suspects += sources_trust.suspects_of(case, corpus, faults) if with_suspects else ()
        if drawn is not None:
            groups[case.trace.id] = group_code(case.trace.group or case.trace.question)
    return Found(ledger.reports(), ledger.conflicts(), groups, suspects if with_suspects else None)


def _summary(reports: Sequence[SourceReport], conflicts: Sequence[SourceConflict]) -> None:
    harmful = [r for r in reports if r.damage]
    dated = [r for r in reports if r.effective_date]
    widgets.number_strip([
        StripPart(number=count(len(harmful)), what="documents did damage", remark="a faulty claim rests on them"),
        StripPart(number=count(sum(r.misled for r in reports)), what="claims misled", remark="denied by reference or better source"),
        StripPart(number=count(sum(r.contested for r in reports)), what="claims contested", remark="denied by an equal source"),
        StripPart(number=count(len(conflicts)), what="conflicts between documents", remark="same attribute, other value"),
        StripPart(number=count(len(dated)), what="with a date", remark=f"{count(sum(r.authority is not None for r in reports))} with a known authority"),
    ], key="sources")


def _documents(reports: Sequence[SourceReport]) -> SourceReport:
    widgets.heading("Documents by damage", "claims that went wrong because of them, then contradictions, then use")
    n_pages = -(-len(reports) // ROWS)
    page = address.page_number(n_pages, draw=False)
    part = list(reports[(page - 1) * ROWS : page * ROWS])
    figure = st.column_config.NumberColumn(width=60)
    shown = table(part)
    document, authority = (120, 104) if tables.is_filled(shown, "authority") else (160, 64)
    event = tables.show(
        shown,
        row_height=28,
        height="content",
        key=tables.key_of("sources", [r.doc_id for r in part]),
        on_select="rerun",
        selection_mode="single-row-required",
        placeholder="–",
        alt="Documents by the damage they did",
        column_config={
            "document": st.column_config.TextColumn(width=document),
            "authority": st.column_config.TextColumn(width=authority),
            "date": st.column_config.TextColumn(width=80),
            **dict.fromkeys(("misled", "contested", "denies", "supports", "cited", "retrieved"), figure),
        },
    )
    address.page_number(n_pages)
    chosen = event["selection"]["rows"]
    return part[chosen[0]] if chosen and chosen[0] < len(part) else part[0]


def table(reports: Sequence[SourceReport]) -> pa.Table:
    """One row a document; what the file does not say is a gap."""
    return tables.of_rows(
        [
            {
                "document": r.name,
                "misled": r.misled,
                "contested": r.contested,
                "denies": r.contradicts,
                "supports": r.supports,
                "cited": r.cited,
                "retrieved": r.retrieved,
                "authority": AUTHORITY.get(r.authority) if r.authority else None,
                "date": r.effective_date,
            }
            for r in reports
        ]
    )


def _one(view: View, run: RunManifest, report: SourceReport) -> None:
    """The picked document: what it did, and in which traces."""
    with widgets.box("source", "This document", "what it did, and where"):
        st.text(report.name)
        if report.title and report.title != report.name:
            st.text(report.title)
        words = [f"supports {counted(report.supports, 'claim')}", f"contradicts {counted(report.contradicts, 'claim')}"]
        words += [f"revision {widgets.md(report.revision)}"] if report.revision else []
        st.caption(" · ".join(words))
        sources_trust.of_one(report)
        where = TraceFilter(source=report.doc_id)
        n = resources.count(view, where)
        if n:
            widgets.link(f"{counted(n, 'trace')} retrieved it", "traces", key="source-all", **filters.to_params(where))
        if not report.trace_ids:
            st.caption("No claim went wrong because of it.")
            return
        shown = min(len(report.trace_ids), ROWS)
        st.caption(
            f"Claims went wrong because of it in {counted(len(report.trace_ids), 'trace')}{f', {shown} of them here' if shown < len(report.trace_ids) else ''}:"
        )
        rows, _ = held_out.masked(view.run_id, resources.page(view, TraceFilter(ids=tuple(report.trace_ids[:ROWS])), limit=ROWS))
        key = f"damage-{run.run_id}-{len(rows)}-{rows[0].id if rows else ''}"
        tables.show(
            tables.of_columns(
                {
                    "open": ["Open ›"] * len(rows),
                    "question": [r.question for r in rows],
                    "quadrant": [vocabulary.stands(r, without_reference=resources.without_reference(view)) for r in rows],
                }
            ),
            row_height=28,
            height="content",
            key=key,
            alt="Traces in which it did damage",
            column_config={
                "open": openers.opening(f"{key}-open", "inspector", [{"trace": r.id} for r in rows]),
                "question": st.column_config.TextColumn(width=170),
                "quadrant": st.column_config.TextColumn(width=104),
            },
        )


def _conflicts(conflicts: Sequence[SourceConflict], names: Mapping[str, str]) -> None:
    widgets.heading("Documents that disagree", "on the same attribute, values normalised; most traces first")
    if not conflicts:
        st.caption("No two documents were seen to disagree.")
        return
    tables.show(
        conflict_table(conflicts[:200], names), row_height=28, key="conflicts", alt="Documents that give one attribute different values", placeholder="–",
        column_config={
            "on": st.column_config.TextColumn(width=160), "document": st.column_config.TextColumn(width=160), "says": st.column_config.TextColumn(width=160),
            "other document": st.column_config.TextColumn(width=170), "other says": st.column_config.TextColumn(width=170),
            "rather": st.column_config.TextColumn(width=150), "why": st.column_config.TextColumn(width=150), "traces": st.column_config.NumberColumn(width=60),
        },
    )


def conflict_table(conflicts: Sequence[SourceConflict], names: Mapping[str, str] | None = None) -> pa.Table:
    """One row a pair of documents and attribute; ``names``: what a reader calls a document, by id."""
    called = names or {}
    return tables.of_rows(
        [
            {
                "on": marks.words(c.attribute),
                "document": called.get(c.first_doc, c.first_doc),
                "says": c.first_value,
                "other document": called.get(c.second_doc, c.second_doc),
                "other says": c.second_value,
                "rather": called.get(c.better or "", c.better),
                "why": c.why,
                "traces": len(c.trace_ids),
            }
            for c in conflicts
        ]
    )
