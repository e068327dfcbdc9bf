"""Compare: two runs paired by question; what differs beyond chance, which claims flipped, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pandas as pd
import streamlit as st
from msgspec.structs import replace

from ragviz.compare.flips import ClaimFlip, FlipReason
from ragviz.compare.paired import MetricDifference
from ragviz.compare.report import Comparison
from ragviz.contracts import View
from ragviz.errors import RagvizError
from ragviz.figures.differences import DifferenceRow, difference_forest
from ragviz.figures.plot_text import count, counted, cut, visible
from ragviz.metrics import metric_info
from ragviz.pipeline.comparing import Seen, compare_seen
from ragviz.records import Direction, RunManifest
from ragviz.stats.significance import holm
from ragviz.ui import address, baseline, marks, resources, vocabulary, widgets
from ragviz.ui.views import compare_gate, compare_guard, compare_noise
from ragviz.ui.views.compare_noise import Noise

HEADLINE = (
    "faithfulness", "hallucination", "contradicted_rate", "not_supported_rate", "correctness", "relevance", "recall_at_5", "citation_precision", "false_refusals",
)
MOST_TRACES = 20_000
ROWS = 50
REASONS = {
    FlipReason.PASSAGES_CHANGED: "passages changed", FlipReason.CLAIMS_CHANGED: "claim changed", FlipReason.RANK_CHANGED: "rank changed",
    FlipReason.ONLY_VERDICT_CHANGED: "verdict only",
}


@widgets.plainly
def render() -> None:
    """The whole page."""
    view, run = resources.view(), resources.run()
    if view is None or run is None:
        widgets.page_head("Compare")
        widgets.no_run("Two runs of the same questions can be compared here.")
        return
    line, (right, middle, left) = widgets.page_head("Compare", controls=3, widths=(0.18, 0.18, 0.2))
    with left:
        base = baseline.choose(run, title=f"Baseline for {widgets.md(run.name, limit=24)}", none="choose one")
    if base is None:
        line.caption("Nothing chosen yet.")
        _choose_first(run)
        return
    if max(run.n_traces, base.n_traces) > MOST_TRACES:
        line.caption(f"{count(run.n_traces)} and {count(base.n_traces)} traces")
        widgets.note(f"Runs of more than {count(MOST_TRACES)} traces are compared by the command line: `ragviz compare BASE CANDIDATE`.", key="large")
        return
    noise = compare_noise.choose(view, run, base, middle)
    with st.spinner("Pairing the two runs", show_time=True):
        found = _compared(view, base, noise)
    line.caption(_facts(found))
    compare_guard.draw(found, run, base)
    with right:
        every = address.segments("Metrics", "all", ["headline", "all"], labels={"headline": "headline", "all": f"all {len(found.metrics)}"}, default="headline") == "all"
    _differences(found, run, base, every=every, noise=noise)
    compare_gate.draw(view, found, run, base)
    _flips(found, run, base)


def _choose_first(run: RunManifest) -> None:
    if baseline.others(run):
        widgets.empty_state("Which run is it compared with?", "Choose a baseline above; the run in the sidebar is the candidate. Both are seen through the judge in the sidebar.")
    else:
        widgets.empty_state("There is only one run", "Load another version's answers to the same questions.", widgets.Action(label="Load a file", page="data"))


def _compared(view: View, base: RunManifest, noise: Noise | None) -> Comparison:
    """Both runs through the same judge where the baseline knows it, else through its own; the guard says so."""
    options = resources.judge_options(base.run_id)
    same = next((o for o in options if (o.fingerprint, o.claim_set) == (view.judge, view.claim_set)), None)
    other = same or (options[0] if options else None)
    if other is None:
        raise RagvizError(f"the run {base.name!r} has no verdicts yet", fix="judge it on the Data page, then compare")
    there = replace(view, run_id=base.run_id, judge=other.fingerprint, claim_set=other.claim_set)
    store = resources.store()
    floor = noise.floor if noise else None
    return resources.shared(lambda: compare_seen(Seen(store, there), Seen(store, view), floor=floor), "comparison", there, view, floor)


def _facts(found: Comparison) -> str:
    worse = [f for f in found.claim_flips if f.worse]
    reasons = Counter(f.reason for f in worse)
    if not worse:
        return f"{counted(len(found.pairing.pairs), 'paired trace')}; no claim got worse"
    parts = ", ".join(f"{count(n)} {REASONS[reason]}" for reason, n in reasons.most_common())
    return f"{counted(len(found.pairing.pairs), 'paired trace')}; of {counted(len(worse), 'claim')} that got worse: {parts}"


def _differences(found: Comparison, run: RunManifest, base: RunManifest, *, every: bool, noise: Noise | None) -> None:
    shown = [m for m in found.metrics if (every or m.metric in HEADLINE) and m.n]
    shown.sort(key=lambda m: HEADLINE.index(m.metric) if m.metric in HEADLINE else len(HEADLINE))
    with widgets.box("differences", "Differences", "candidate minus baseline over paired traces; bootstrap clustered by question; p from a permutation test"):
        if not shown:
            st.caption("The two runs share no question with a value on both sides.")
            return
        corrected = holm([1.0 if m.p is None else m.p for m in shown])
        rows = [_row(m, p, noise.means.get(m.metric, 0.0) if noise else 0.0) for m, p in zip(shown, corrected, strict=True)]
        alt = "; ".join(f"{r.label} {r.difference:+.3f}{'' if r.beyond else ' within chance'}" for r in rows if r.difference is not None)
        widgets.chart(difference_forest(rows, base=base.name, candidate=run.name, colours=widgets.colours()), key=f"differences-{every}", alt=alt)
        st.caption("Filled: beyond chance after correction for the metrics shown. Hollow: within chance. Only traces with a value in both runs count.")
        if noise is not None:
            compare_noise.said(noise, found.noise.observed, found.noise.expected, found.noise.up_to)


def _row(m: MetricDifference, p: float, noise: float) -> DifferenceRow:
    """
    ``p``: corrected for the metrics shown. Beyond chance: the interval leaves 0 out, that survives the correction, and the difference is larger than the
    judge's ``noise``.
    """
    lo, hi = (m.ci95.lo, m.ci95.hi) if m.ci95 else (None, None)
    label = f"{metric_info(m.metric).label}{vocabulary.arrow(m.metric)}".replace("@k", f"@{m.metric.rpartition('_')[2]}")
    return DifferenceRow(
        label=label, base=m.base, candidate=m.candidate, pairs=m.n, difference=m.difference, lo=lo, hi=hi, p=None if m.p is None else p, sign=-1 if m.better is Direction.LOWER else 1,
        beyond=m.verdict in ("better", "worse", "different") and p < 0.05 and abs(m.difference or 0.0) > noise,
    )


def _flips(found: Comparison, run: RunManifest, base: RunManifest) -> None:
    """Claims whose verdict changed, filtered by direction or reason."""
    groups = {
        "worse": [f for f in found.claim_flips if f.worse], "better": [f for f in found.claim_flips if f.worse is False],
        **{reason.value: [f for f in found.claim_flips if f.reason is reason] for reason in REASONS},
    }
    widgets.heading("Claims that flipped", f"{counted(len(found.claim_flips), 'claim')}; why is the first of: claim, passages, rank, verdict only")
    names = {"worse": "Worse", "better": "Better", **{reason.value: words.capitalize() for reason, words in REASONS.items()}}
    labels = {name: f"{names[name]} **{count(len(flips))}**" for name, flips in groups.items()}
    shown = groups[address.pills("Flips", "flips", list(groups), labels=labels, default="worse", required=True) or "worse"]
    if not shown:
        st.caption("No claim.")
        return
    n_pages = -(-len(shown) // ROWS)
    page = address.page_number(n_pages, draw=False)
    rows = shown[(page - 1) * ROWS : page * ROWS]
    key = f"flips-{run.run_id}-{base.run_id}-{len(shown)}-{page}"
    event = st.dataframe(
        table(rows, _questions(rows, run)), hide_index=True, row_height=28, height="auto", key=key, on_select="rerun", selection_mode="single-row-required",
        alt="Claims whose verdict changed",
        column_config={
            "changed": st.column_config.TextColumn(width=110), "question": st.column_config.TextColumn(width=250), "claim": st.column_config.TextColumn(width=300),
            "before": st.column_config.TextColumn(width=110), "after": st.column_config.TextColumn(width=110), "why": st.column_config.TextColumn(width=230),
        },
    )
    address.page_number(n_pages)
    chosen = event["selection"]["rows"]
    _side_by_side(rows[chosen[0]] if chosen and chosen[0] < len(rows) else rows[0], run, base)


def _questions(flips: Sequence[ClaimFlip], run: RunManifest) -> dict[str, str]:
    ids = tuple(dict.fromkeys(f.candidate_trace_id for f in flips))
    return resources.query(lambda: {t.id: t.question for t in resources.store().traces(run.run_id, ids)}, "questions", run.run_id, ids)


def table(flips: Sequence[ClaimFlip], questions: dict[str, str]) -> pd.DataFrame:
    """One row a flip."""
    return pd.DataFrame([
        {
            "changed": REASONS[f.reason], "question": questions.get(f.candidate_trace_id, f.candidate_trace_id),
            "claim": (f.candidate_claim or f.base_claim).text if f.candidate_claim or f.base_claim else "–",  # type: ignore[union-attr]
            "before": marks.chip(f.before), "after": marks.chip(f.after), "why": f.detail,
        }
        for f in flips
    ])


def _side_by_side(flip: ClaimFlip, run: RunManifest, base: RunManifest) -> None:
    """The same claim in both runs, each with its way to the Inspector."""
    with widgets.box("pair", "Side by side", widgets.md(flip.detail)):
        sides = (
            (base, flip.base_trace_id, flip.base_claim, flip.before, "before"), (run, flip.candidate_trace_id, flip.candidate_claim, flip.after, "after"),
        )
        for place, (manifest, trace_id, claim, verdict, key) in zip(st.columns(2, gap="medium"), sides, strict=True):
            with place.container(gap="xsmall"):
                st.text(f"{cut(visible(manifest.name), 40)} · {cut(visible(trace_id), 40)}")
                st.text(f"{marks.chip(verdict)}: {cut(visible(claim.text), 400)}" if claim else "This run does not say it.")
                claim_id = claim.id if claim else None
                widgets.link("Open in Inspector", "inspector", key=f"pair-{key}", run=manifest.run_id, trace=trace_id, claim=claim_id)

