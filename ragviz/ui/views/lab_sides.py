"""One answer before and after: both with their verdicts and evidence, what was done, and what it took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa
import streamlit as st

from ragviz.contracts import View
from ragviz.figures.highlight import reveal
from ragviz.figures.plot_text import count, counted, cut, number
from ragviz.grounding import ClaimGrounding, groundings
from ragviz.records import Attempt, JudgedTrace, Passage, Remedied, RemedyStatus, SourcedClaim, Table
from ragviz.text.citation_marks import resolve_citations
from ragviz.text.sums import dollars
from ragviz.text.unmarked import unmarked
from ragviz.ui import held_out, marks, tables, widgets
from ragviz.ui.linked_text import linked_text
from ragviz.ui.linked_text.content import Frame, build
from ragviz.ui.views.inspector_table import claim_table

OPTIONAL = ("why rejected", "remark")
WIDTHS = {
    "": 88,
    "claim": 205,
    "quote": 180,
    "where": 130,
    "confidence": 82,
    "why rejected": 150,
    "round": 52,
    "faithfulness": 88,
    "supported": 76,
    "answer": 270,
    "tokens": 62,
    "cost": 66,
    "seconds": 66,
    "remark": 150,
}
MOST_LINES = 8
"""Claims whose evidence is written out; more go into a table."""
STATUS = {
    RemedyStatus.CHANGED: "changed",
    RemedyStatus.UNCHANGED: "left as it was",
    RemedyStatus.ABSTAINED: "now declines",
    RemedyStatus.FAILED: "failed, old answer kept",
}


def draw(before: JudgedTrace, after: JudgedTrace | None, remedied: Remedied | None, *, views: tuple[View, View | None], waiting: str = "") -> None:
    """
    Two columns.

    Args:
        before: The trace as it was.
        after: With its new answer; None where there is none yet.
        remedied: What was done.
        views: Through which views both are seen; the second None where the new answer is stored nowhere.
        waiting: What stands in the second column when there is no answer.
    """
    if held_out.is_closed(views[0].run_id, before.trace):
        with st.container(border=True, key="box-held-out"):
            held_out.ask(views[0].run_id, [(before.trace.id, before.trace.question)], place="Lab", key="lab")
        return
    with st.container(key="sides-question", gap=None):
        st.caption("Question")
        st.text(cut(reveal(before.trace.question), 600))
    left, right = st.columns(2, gap="medium")
    with left, widgets.box("before", "Before", _score_words(before)):
        _answer(before, views[0], "before")
    with right, widgets.box("after", "After", "" if after is None else _score_words(after) if views[1] else "not stored; verdicts as before"):
        if after is None:
            st.caption(waiting)
        else:
            _answer(after, views[1], "after")
    if remedied is not None:
        _what_was_done(remedied, before.trace.passages or ())


def _score_words(case: JudgedTrace) -> str:
    found = [g.grounding for g in groundings(case, Table.RESPONSE_X_PASSAGES).values()]
    if not found:
        return "no claim to check"
    return f"{sum(g.is_supported for g in found)} of {counted(len(found), 'claim')} supported"


def _answer(case: JudgedTrace, view: View | None, side: str) -> None:
    grounded = groundings(case, Table.RESPONSE_X_PASSAGES)
    citations = case.trace.citations if case.trace.citations is not None else resolve_citations(case.trace)
    content = build(case, grounded, citations, Frame(mode="snippet", no_claims="The answer states nothing that could be checked."))
    linked_text(content, selected=None, on_select=lambda _claim: None, key=f"side-{side}-{view.run_id if view else 'preview'}-{case.trace.id}")
    _evidence(case, grounded, side)
    if view is not None:
        widgets.link("Open in Inspector", "inspector", key=f"side-{side}", run=view.run_id, trace=case.trace.id)


def _evidence(case: JudgedTrace, grounded: Mapping[str, ClaimGrounding], side: str) -> None:
    """What each claim rests on, in words; a long answer as a table."""
    table = claim_table(case, grounded)
    if len(table) > MOST_LINES:
        tables.show(
            table.select(["claim", "verdict", "evidence"]),
            row_height=28,
            height=250,
            key=f"side-claims-{side}",
            alt=f"Claims {side}, with evidence",
            placeholder="–",
        )
        return
    with st.container(key=f"terms-{side}", gap="xsmall"):
        for row in table.to_pylist():
            # The verdict says already what a single kind of evidence does.
            evidence = str(row["evidence"] or "").removeprefix("supports: ").removeprefix("contradicts: ")
            st.text(f"{row['claim']} {row['verdict']}" + (f": {cut(evidence, 400)}" if evidence else ""))


def _what_was_done(remedied: Remedied, passages: Sequence[Passage]) -> None:
    status = STATUS[remedied.status]
    words = f"**{status[0].upper()}{status[1:]}**"
    widgets.note(words + (f": {widgets.md(remedied.reason, limit=300)}." if remedied.reason else "."), key="done")
    for at, doubt in enumerate(remedied.doubts):
        widgets.note(f"**Look at this:** {widgets.md(doubt, limit=300)}.", key=f"doubt-{at}")
    for at, alarm in enumerate(remedied.alarms):
        widgets.note(f"**A passage speaks to the model;** this was not sent: {widgets.md(alarm, limit=300)}", key=f"alarm-{at}")
    lost = [r for r in remedied.removed if r.reason]
    if lost:
        tables.show(
            tables.of_rows([{"lost with it": reveal(r.text), "verdict": marks.chip(r.grounding), "why": r.reason} for r in lost]),
            row_height=28,
            alt="Claims lost",
        )
    chosen = next((a for a in remedied.attempts if a.round == remedied.chosen), None)
    if chosen is not None and chosen.uncertainty:
        st.caption("Stated uncertainty" if remedied.remedy != "refine" else "What it changed, in its own words")
        st.text(cut(reveal(chosen.uncertainty), 500))
    sourced = next((a.claims for a in reversed(remedied.attempts) if a.claims), ())
    if sourced:
        st.caption("Claims of the structured answer, each checked against the passage it names")
        _table(sourced_table(sourced, passages), "sourced", "Claims with source, quote and what the check said")
    if len(remedied.attempts) > 1:
        st.caption("Rounds; 0 is the answer as it was")
        _table(attempt_table(remedied.attempts, remedied.chosen), "attempts", "Attempts with score, tokens, cost and time")


def _table(table: pa.Table, name: str, alt: str) -> None:
    """Columns that no row fills are left out, so that the others are seen whole."""
    table = tables.without_empty(table, OPTIONAL)
    tables.show(
        table, row_height=28, height="content", key=f"{name}-table", alt=alt, placeholder="–",
        column_config={c: st.column_config.Column(width=WIDTHS[c]) for c in table.column_names if c in WIDTHS},
    )


def sourced_table(claims: Sequence[SourcedClaim], passages: Sequence[Passage]) -> pa.Table:
    """One row a claim; the quote is what stands in the passage, where it was found."""
    by_id = {p.id: p for p in passages}

    def found(claim: SourcedClaim) -> tuple[str, str]:
        passage = by_id.get(claim.passage_id or "")
        if passage is None or not claim.spans:
            return reveal(claim.quote), "not found"
        return reveal(
            " … ".join(s.of(passage.text) for s in claim.spans)
        ), f"#{passage.rank} {reveal(passage.title or passage.matching_id)}, characters {claim.spans[0].start}–{claim.spans[-1].end}"

    return tables.of_rows(
        [
            {
                "": "✕ rejected" if c.rejected else "✓ accepted",
                "claim": reveal(unmarked(c.text)),
                "quote": found(c)[0],
                "where": found(c)[1],
                "confidence": c.confidence,
                "why rejected": c.rejected or None,
            }
            for c in claims
        ]
    )


def attempt_table(attempts: Sequence[Attempt], chosen: int) -> pa.Table:
    """One row a round."""
    return tables.of_rows(
        [
            {
                "round": f"{a.round} ←" if a.round == chosen else str(a.round),
                "faithfulness": number(a.faithfulness, digits=2),
                "supported": f"{count(a.n_supported)} of {count(a.n_claims)}",
                "answer": reveal(cut(a.response, 160)),
                "tokens": None if a.tokens_in is None else a.tokens_in + (a.tokens_out or 0),
                "cost": None if a.tokens_in is None else "unknown" if a.cost_usd is None else dollars(a.cost_usd),
                "seconds": None if a.latency_ms is None else f"{a.latency_ms / 1000:.1f}",
                "remark": a.failure or ("known from an earlier call" if a.repeated else a.note),
            }
            for a in attempts
        ]
    )
