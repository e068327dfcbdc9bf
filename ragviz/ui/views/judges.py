"""Judges: can the verdicts be trusted? Agreement with people, a queue of labels, and where judges and people part."""

from __future__ import annotations

import streamlit as st

from ragviz.contracts import View
from ragviz.figures.plot_text import count, counted
from ragviz.pipeline.labelling import labels_of, survey
from ragviz.records import RunManifest
from ragviz.store.labels import judged_mark, people_said
from ragviz.ui import address, held_out, resources, widgets
from ragviz.ui.resources import JudgeOption
from ragviz.ui.views import judges_agreement, judges_differences, judges_queue, judges_stability
from ragviz.ui.views.judges_seen import Surveyed, sample_of

TAB, OTHER = "tab", "other"
TABS = {"agreement": "Agreement", "label": "Label claims", "differ": "Disagreements", "stability": "Stability"}


@widgets.plainly
def render() -> None:
    """The whole page."""
    view, run = resources.view(), resources.run()
    if view is None or run is None:
        widgets.page_head("Judges")
        widgets.no_run("People's labels show how far the judge can be trusted.")
        return
    line, (left, right) = widgets.page_head("Judges", controls=2, widths=(0.16, 0.42))
    options = resources.judge_options(run.run_id)
    here = next((o for o in options if (o.fingerprint, o.claim_set) == (view.judge, view.claim_set)), None)
    if here is None:
        line.caption("Nobody has judged this run yet.")
        widgets.empty_state(
            "No verdicts yet", "A judge is measured by its verdicts: let one judge this run first.", widgets.Action(label="Choose a judge", page="data")
        )
        return
    with left:
        other = _second_judge(options, here)
    with right:
        tab = address.segments("Show", TAB, list(TABS), labels=TABS, default="agreement")
    seen = _surveyed(view, run, here, other)
    line.caption(_facts(seen))
    held_out.note(run.run_id)
    draw = {"agreement": judges_agreement.draw, "label": judges_queue.draw, "differ": judges_differences.draw, "stability": judges_stability.draw}[tab]
    draw(seen)


def _second_judge(options: list[JudgeOption], here: JudgeOption) -> JudgeOption | None:
    """Another judge of the same claims, chosen in the URL by its label; the first one without being asked."""
    known = {o.label: o for o in options if o.claim_set == here.claim_set and o.fingerprint != here.fingerprint}
    chosen = address.select_box("Second judge", OTHER, ["", *known], default=next(iter(known), ""), labels={"": "none here"}, disabled=not known)
    return known.get(chosen)


def _surveyed(view: View, run: RunManifest, here: JudgeOption, other: JudgeOption | None) -> Surveyed:
    """Judges' words are read once for all sessions and kept until a judge says something new: a label changes none of them."""
    store = resources.store()
    second = View(run_id=view.run_id, judge=other.fingerprint, claim_set=view.claim_set, policy=view.policy) if other else None
    with st.spinner("Reading the verdicts", show_time=True):
        surveyed = resources.shared(
            lambda: survey(store, view, other=second, ids=sample_of(store, run)), "survey", view, second, version=judged_mark(store), heavy=True
        )
    labels = resources.shared(lambda: labels_of(people_said(store, view.run_id, view.claim_set)), "labels", view.run_id, view.claim_set)
    return Surveyed(view=view, run=run, judge=here, other=other, survey=surveyed, labels=labels, labelled=labels.labelled())


def _facts(seen: Surveyed) -> str:
    people = {note.author for said in seen.labels.by_claim.values() for note in said}
    words = (
        f"Judge {widgets.md(seen.judge.label)} · {counted(len(seen.survey.claims), 'claim')}{seen.sampled} · {counted(len(seen.labelled), 'claim')} labelled"
    )
    return f"{words} by {counted(len(people), 'person', 'people')}" if people else f"{words[: -len(' labelled')].rpartition(' · ')[0]} · {count(0)} labelled"
