"""Compare: two runs paired by question; what differs beyond chance, which claims flipped, and why."""

from __future__ import annotations

from collections import Counter

import streamlit as st
from msgspec.structs import replace

from ragviz.compare.columns import PairedScores
from ragviz.compare.noise import JudgeNoise
from ragviz.compare.report import Comparison
from ragviz.contracts import View
from ragviz.errors import RagvizError
from ragviz.figures.plot_text import count, counted
from ragviz.pipeline.comparing import Seen, compare_seen, paired_scores_of
from ragviz.records import RunManifest
from ragviz.ui import baseline, resources, widgets
from ragviz.ui.views import compare_changes, compare_differences, compare_flips, compare_gate, compare_guard, compare_noise


@widgets.plainly
def render() -> None:
    """The whole page."""
    view, run = resources.view(), resources.run()
    if view is None or run is None:
        widgets.page_head("Compare")
        widgets.no_run("Two runs of the same questions can be compared here.")
        return
    line, (right, middle, left) = widgets.page_head("Compare", controls=3, widths=(0.18, 0.2, 0.2))
    with left:
        base = baseline.choose(run, title=f"Baseline for {widgets.md(run.name, limit=24)}", none="choose one")
    if base is None:
        line.caption("Nothing chosen yet.")
        _choose_first(run)
        return
    noise = compare_noise.choose(view, run, base, middle)
    there = _other(view, base)
    with st.spinner("Pairing the two runs", show_time=True):
        found = _compared(there, view, noise)
        scores = _scores(there, view, found)
    line.caption(_facts(found))
    compare_guard.draw(found, run, base)
    with right:
        every = compare_differences.choose_metrics(len(found.metrics))
    compare_differences.draw(found, scores, run, base, views=(there, view), every=every, noise=noise)
    compare_noise.offer(view)
    compare_differences.slices(found, scores, run, base, views=(there, view))
    compare_gate.draw(view, found, run, base, scores=scores, noise=noise)
    compare_changes.draw(found, run, base)
    compare_flips.draw(found, run, base)


def _choose_first(run: RunManifest) -> None:
    if baseline.others(run):
        widgets.empty_state("Which run is it compared with?", "Choose a baseline above; the run in the sidebar is the candidate. Both are seen through the judge in the sidebar.")
    else:
        widgets.empty_state("There is only one run", "Load another version's answers to the same questions.", widgets.Action(label="Load a file", page="data"))


def _other(view: View, base: RunManifest) -> View:
    """The baseline through the same judge where it knows that one, else through its own; the guard says so."""
    options = resources.judge_options(base.run_id)
    same = next((o for o in options if (o.fingerprint, o.claim_set) == (view.judge, view.claim_set)), None)
    other = same or (options[0] if options else None)
    if other is None:
        raise RagvizError(f"the run {base.name!r} has no verdicts yet", fix="judge it on the Data page, then compare")
    return replace(view, run_id=base.run_id, judge=other.fingerprint, claim_set=other.claim_set)


def _compared(there: View, view: View, noise: JudgeNoise | None) -> Comparison:
    """Made once per pair of views; the noise enters last, so that choosing another one costs nothing."""
    store = resources.store()
    found = resources.shared(lambda: compare_seen(Seen(store, there), Seen(store, view)), "comparison", there, view)
    return compare_noise.applied(found, noise)


def _scores(there: View, view: View, found: Comparison) -> PairedScores:
    store = resources.store()
    # What is judged between these two lines moves the version under which results are kept: scores of a pairing must not be taken for those of a later one.
    return resources.shared(lambda: paired_scores_of(Seen(store, there), Seen(store, view), found.pairing), "paired_scores", there, view, len(found.pairing.pairs))


def _facts(found: Comparison) -> str:
    worse = [f for f in found.claim_flips if f.worse]
    reasons = Counter(f.reason for f in worse)
    if not worse:
        return f"{counted(len(found.pairing.pairs), 'paired trace')}; no claim got worse"
    parts = ", ".join(f"{compare_flips.REASONS[reason]} {count(n)}" for reason, n in reasons.most_common())
    looked = "" if found.n_looked_into is None else f" in the {count(found.n_looked_into)} traces looked into"
    return f"{counted(len(found.pairing.pairs), 'paired trace')}; {counted(len(worse), 'claim')} got worse{looked} ({parts})"
