"""Why a trace failed: the root cause in one sentence, and the passages that show it, those that were never retrieved among them."""

from __future__ import annotations

import streamlit as st

from ragviz.contracts import View
from ragviz.diagnosis.causes import Cause
from ragviz.diagnosis.showing import called, shown_name
from ragviz.figures.plot_text import counted, cut, visible
from ragviz.records import CauseEvidence, JudgedTrace, Side, Verdict
from ragviz.records.ids import is_made_up
from ragviz.store import TraceFilter
from ragviz.text.unmarked import unmarked
from ragviz.ui import filters, resources, selection, vocabulary, widgets

MAX_QUOTE, MAX_CLAIM = 400, 200


def draw(seen: View, case: JudgedTrace, cause: Cause) -> None:
    """The box; nothing where there is nothing to explain."""
    if cause.name in ("", "none"):
        return
    with widgets.box("why-failed", f"Why: {vocabulary.cause(str(cause.name)).lower()}"):
        st.text(_sentence(cause.detail))
        for at, shown in enumerate(cause.evidence):
            _one(seen, case, shown, at)


def _sentence(words: str) -> str:
    shown = visible(words)
    return f"{shown[:1].upper()}{shown[1:]}."


def _one(seen: View, case: JudgedTrace, shown: CauseEvidence, at: int) -> None:
    """One passage: what it says of which claim, where, and how it was found."""
    claim = next((c for c in case.claims if c.id == shown.claim_id), None)
    with st.container(gap=None, key=f"cap-why-{at}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(says(case, shown), width="content")
            if not shown.retrieved:
                where = TraceFilter(source=shown.passage_id)
                n = resources.count(seen, where)
                if n:
                    widgets.link(f"retrieved in {counted(n, 'other trace')}", "traces", key=f"why-{at}", **filters.to_params(where))
            elif claim is not None and claim.side is Side.RESPONSE:
                with st.container(key=f"link-why-claim-{at}", width="content"):
                    st.button(
                        f"Show {widgets.md(claim.id)} above",
                        key=f"why-claim-{at}",
                        type="tertiary",
                        on_click=selection.select,
                        kwargs={"trace": case.trace.id, "claim": claim.id},
                    )
        if claim is not None:
            whose = "Expected" if claim.side is Side.REFERENCE else "Claimed"
            st.text(f"{whose}: {cut(visible(unmarked(claim.text)), MAX_CLAIM)}")
        for nth, quote in enumerate(shown.quotes):
            st.text(f"{'and' if nth else 'Passage'}: “{cut(visible(quote), MAX_QUOTE)}”")


def says(case: JudgedTrace, shown: CauseEvidence) -> str:
    """Passage, where it was found, and what it does, for a place that reads Markdown."""
    does = "states it" if shown.verdict is Verdict.ENTAILED else "says otherwise"
    if shown.retrieved:
        made_up = is_made_up(shown.passage_id)
        name = widgets.md(called(case, shown.passage_id), limit=90) if made_up else f"\\#{shown.rank} {widgets.md(shown.passage_id, limit=60)}"
        return f"**{name} {does}**"
    name = widgets.md(shown_name(shown), limit=60) + (f" ({widgets.md(shown.source, limit=40)})" if shown.source and shown.source != shown_name(shown) else "")
    by = "its annotation" if shown.found_by == "annotation" else f"{shown.found_by}, rank {shown.rank}"
    return f"**Not retrieved: {name} {does}** · found by {by} · judge: {widgets.md(shown.judged_by, limit=60)}"
