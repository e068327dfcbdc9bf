"""The viewer's content as plain tables: for screen readers, for print, and for whoever wants to copy rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import streamlit as st

from ragviz.figures.highlight import reveal
from ragviz.grounding import ClaimGrounding
from ragviz.records import JudgedTrace, Side
from ragviz.text.unmarked import unmarked
from ragviz.ui import tables
from ragviz.ui.linked_text.evidence_rows import EvidenceRow, evidence_rows, passage_name
from ragviz.ui.marks import chip


def draw(case: JudgedTrace, grounded: Mapping[str, ClaimGrounding], content: Mapping[str, Any]) -> None:
    """Two tables in an expander: claims with their evidence in words, and passages whole. Closed, it sends nothing."""
    place = st.expander("Claims and passages as plain tables", key="plain_tables", on_change="rerun")
    if not place.open:
        return
    with place:
        claims = claim_table(case, grounded)
        if len(claims):
            tables.show(claims, alt="Claims of the answer with verdict, evidence and citations", key=f"claims-{content['signature']}")
        else:
            st.caption(content["noClaims"])
        passages = passage_table(case)
        if len(passages):
            tables.show(passages, alt="Passages by rank with their whole text", key=f"passages-{content['signature']}")


def claim_table(case: JudgedTrace, grounded: Mapping[str, ClaimGrounding]) -> pa.Table:
    """One row per claim of the answer."""
    claims = [c for c in case.claims if c.side is Side.RESPONSE]
    evidence = evidence_rows(case, claims, grounded)
    rows = []
    for index, claim in enumerate(claims):
        found = grounded.get(claim.id)
        rows.append({
            "claim": claim.id, "text": reveal(unmarked(claim.text)), "verdict": chip(found.grounding if found else None),
            "confidence": found.confidence if found else None, "said by": found.by if found else "",
            "evidence": "; ".join(evidence_words(case, row) for row in evidence if row.claim == index),
        })
    return tables.of_rows(rows)


def evidence_words(case: JudgedTrace, row: EvidenceRow) -> str:
    """One certificate as a sentence: supports: “quote” (#2 returns_mirror, characters 39–99, exact)."""
    verb, quote, where = evidence_parts(case, row)
    return f"{verb}: “{quote}” ({where})"


def evidence_parts(case: JudgedTrace, row: EvidenceRow) -> tuple[str, str, str]:
    """Verb, quote and place of a certificate."""
    passage = (case.trace.passages or ())[row.passage]
    where = f"#{passage.rank} {reveal(passage_name(passage))}, characters {row.span.start}–{row.span.end}, {row.tier.value}"
    return "supports" if row.side == "s" else "contradicts", reveal(row.span.of(passage.text)), where


def passage_table(case: JudgedTrace) -> pa.Table:
    """One row per passage, in rank order."""
    return tables.of_rows([
        {"rank": p.rank, "id": reveal(p.matching_id), "title": reveal(p.title or ""), "source": reveal(p.source or p.authority or ""),
         "date": p.effective_date or p.revision or "", "score": p.score, "text": reveal(p.text)}
        for p in case.trace.passages or ()
    ])
