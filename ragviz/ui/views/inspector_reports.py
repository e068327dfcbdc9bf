"""What users reported about an answer: their words, whole and as plain text."""

from __future__ import annotations

import streamlit as st

from ragviz.contracts import View
from ragviz.figures.highlight import reveal
from ragviz.figures.plot_text import counted
from ragviz.records import Annotation, JudgedTrace
from ragviz.store.labels import REPORTS, said_of_trace
from ragviz.ui import resources

SHOWN = 10


def draw(seen: View, case: JudgedTrace, claim_id: str | None) -> None:
    """Newest first; those about the selected claim before the others. Nothing at all where nobody reported anything."""
    reports: list[Annotation] = resources.query(
        lambda: said_of_trace(resources.store(), seen.run_id, case.trace.id, REPORTS), "reports", seen.run_id, case.trace.id, run_id=seen.run_id
    )
    if not reports:
        return
    ordered = sorted(reports, key=lambda note: (note.claim_id != claim_id, -note.at.timestamp()))
    with st.container(border=True, key="box-reports", gap="xsmall"):
        st.markdown(f"**{counted(len(reports), 'report')} of users**")
        for note in ordered[:SHOWN]:
            st.text(
                f"{note.at:%d %b %Y %H:%M} · {reveal(note.author)} · {f'about {reveal(note.claim_id)}' if note.claim_id else 'about the answer'}: "
                f"{reveal(note.reason) or 'no reason given'}"
            )
        if len(ordered) > SHOWN:
            st.caption(f"And {len(ordered) - SHOWN} more.")
