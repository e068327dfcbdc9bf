"""Claims whose verdict changed between two runs, and the two sides of one of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pyarrow as pa
import streamlit as st

from ragviz.compare.flips import ClaimFlip, FlipReason
from ragviz.compare.report import Comparison
from ragviz.figures.highlight import reveal
from ragviz.figures.plot_text import count, counted, cut, visible
from ragviz.records import RunManifest
from ragviz.text.unmarked import unmarked
from ragviz.ui import address, held_out, marks, tables, widgets

ROWS = 50
REASONS = {
    FlipReason.PASSAGES_CHANGED: "passages changed", FlipReason.CLAIMS_CHANGED: "claim changed", FlipReason.RANK_CHANGED: "rank changed",
    FlipReason.ONLY_VERDICT_CHANGED: "verdict only",
}


def draw(found: Comparison, run: RunManifest, base: RunManifest) -> None:
    """Claims whose verdict changed, filtered by direction or reason."""
    groups = {
        "worse": [f for f in found.claim_flips if f.worse], "better": [f for f in found.claim_flips if f.worse is False],
        **{reason.value: [f for f in found.claim_flips if f.reason is reason] for reason in REASONS},
    }
    widgets.heading(
        "Claims that flipped", f"{counted(len(found.claim_flips), 'claim')}; why is the first of: claim, passages, rank, verdict only{_looked(found)}"
    )
    names = {"worse": "Worse", "better": "Better", **{reason.value: words.capitalize() for reason, words in REASONS.items()}}
    labels = {name: f"{names[name]} **{count(len(flips))}**" for name, flips in groups.items()}
    shown = groups[address.pills("Flips", "flips", list(groups), labels=labels, default="worse", required=True) or "worse"]
    if not shown:
        st.caption("No claim.")
        return
    n_pages = -(-len(shown) // ROWS)
    page = address.page_number(n_pages, draw=False)
    rows = shown[(page - 1) * ROWS : page * ROWS]
    closed = held_out.closed_ids(run.run_id)
    key = tables.key_of(f"flips-{run.run_id}-{base.run_id}", [(f.candidate_trace_id, f.base_claim and f.base_claim.id, f.candidate_claim and f.candidate_claim.id) for f in rows])
    event = tables.show(
        table(rows, held_out.questions(run.run_id, tuple(dict.fromkeys(f.candidate_trace_id for f in rows))), closed),
        row_height=28,
        height="auto",
        key=key,
        on_select="rerun",
        selection_mode="single-row-required",
        alt="Claims whose verdict changed",
        column_config={
            "changed": st.column_config.TextColumn(width=110),
            "question": st.column_config.TextColumn(width=250),
            "claim": st.column_config.TextColumn(width=300),
            "before": st.column_config.TextColumn(width=110),
            "after": st.column_config.TextColumn(width=110),
            "why": st.column_config.TextColumn(width=230),
        },
    )
    address.page_number(n_pages)
    chosen = event["selection"]["rows"]
    _side_by_side(rows[chosen[0]] if chosen and chosen[0] < len(rows) else rows[0], run, base)


def _looked(found: Comparison) -> str:
    return "" if found.n_looked_into is None else f"; of the first {counted(found.n_looked_into, 'trace')} that changed quadrant"


def table(flips: Sequence[ClaimFlip], questions: dict[str, str], closed: Collection[str] = ()) -> pa.Table:
    """One row a flip; of the closed ones no words."""
    return tables.of_rows([
        {
            "changed": REASONS[f.reason], "question": questions.get(f.candidate_trace_id, f.candidate_trace_id),
            "claim": _claim(f, closed),
            "before": marks.chip(f.before), "after": marks.chip(f.after), "why": held_out.CLOSED if f.candidate_trace_id in closed else reveal(f.detail),
        }
        for f in flips
    ])


def _claim(flip: ClaimFlip, closed: Collection[str]) -> str:
    claim = flip.candidate_claim or flip.base_claim
    return held_out.CLOSED if flip.candidate_trace_id in closed else unmarked(claim.text) if claim is not None else "–"


def _side_by_side(flip: ClaimFlip, run: RunManifest, base: RunManifest) -> None:
    """The same claim in both runs, each with its way to the Inspector."""
    hidden = flip.candidate_trace_id in held_out.closed_ids(run.run_id) or flip.base_trace_id in held_out.closed_ids(base.run_id)
    with widgets.box("pair", "Side by side", held_out.CLOSED if hidden else widgets.md(flip.detail)):
        sides = (
            (base, flip.base_trace_id, flip.base_claim, flip.before, "before"), (run, flip.candidate_trace_id, flip.candidate_claim, flip.after, "after"),
        )
        for place, (manifest, trace_id, claim, verdict, key) in zip(st.columns(2, gap="medium"), sides, strict=True):
            with place.container(gap="xsmall"):
                st.text(f"{cut(visible(manifest.name), 40)} · {cut(visible(trace_id), 40)}")
                words = held_out.CLOSED if hidden and claim else cut(visible(unmarked(claim.text)), 400) if claim else ""
                st.text(f"{marks.chip(verdict)}: {words}" if claim else "This run does not say it.")
                claim_id = claim.id if claim else None
                widgets.link("Open in Inspector", "inspector", key=f"pair-{key}", run=manifest.run_id, trace=trace_id, claim=claim_id)
