"""Runs that remedies made out of this one: what each gained and lost, and every answer before and after."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ragviz.contracts import View
from ragviz.figures.highlight import reveal
from ragviz.figures.plot_text import NOTHING, count, counted, interval, number, signed
from ragviz.pipeline.remedy_effect import MetricEffect, RemedyEffect, own_judge, remedy_effect
from ragviz.records import RemedyNote, RemedyStatus, RunManifest, Trace
from ragviz.text.sums import dollars
from ragviz.ui import address, held_out, presses, resources, selection, tables, widgets
from ragviz.ui.views import lab_run, lab_settings, lab_sides
from ragviz.ui.widgets import StripPart

ROWS = 10
MOST_TRACES = 5_000


def children(run: RunManifest) -> list[RunManifest]:
    """Runs made from this one, newest first."""
    return [r for r in resources.runs() if r.remedy is not None and r.remedy.parent == run.run_id]


def shown(run: RunManifest) -> RunManifest | None:
    """The result that is looked at: the one of the URL; the run itself where a remedy made it."""
    asked = selection.text(st.query_params, "result")
    known = {r.run_id: r for r in [*children(run), *([run] if run.remedy else [])]}
    return known.get(asked or "") or (run if run.remedy else None)


def choose(run: RunManifest) -> None:
    """A select box over the results, where there are any."""
    made = children(run)
    if not made:
        return
    labels = {"": "none", **{r.run_id: _name(r, made) for r in made}}
    address.select_box("Results of earlier tries", "result", ["", *[r.run_id for r in made]], labels=labels)


def _name(run: RunManifest, among: Sequence[RunManifest]) -> str:
    same = sum(r.name == run.name for r in among) > 1
    return f"{reveal(run.name)}, {counted(run.n_traces, 'answer')}, {run.created_at:%d %b %H:%M}" + (f" · {run.run_id[-8:]}" if same else "")


def draw(result: RunManifest, judge: str, claim_set: str, view: View) -> bool:
    """The result; False where it cannot be shown."""
    note = result.remedy
    assert note is not None
    parent = next((r for r in resources.runs() if r.run_id == note.parent), None)
    after = _seen(result, judge, claim_set, view)
    if after is None:
        widgets.note(
            f"**{widgets.md(result.name)} is not finished or not judged.** Try the same remedy with the same settings again: it goes on where it stopped.",
            key="unfinished",
        )
        return False
    if result.n_traces > MOST_TRACES:
        st.caption(f"Results of up to {count(MOST_TRACES)} answers are shown here; Compare shows any.")
        return True
    before = View(run_id=note.parent, judge=after.judge, claim_set=after.claim_set, policy=view.policy, k=after.k, retrieval_k=after.retrieval_k)
    with widgets.box("result", "Result", f"{widgets.md(result.name)}: {widgets.md(_settings(note), limit=240)}"):
        if parent is None:
            st.caption("The run it was made from is deleted: the old answers are kept here, without their verdicts.")
        effect = resources.shared(lambda: remedy_effect(resources.store(), before, after), "remedy_effect", before, after) if parent else None
        if effect is not None:
            _numbers(effect, own_judge(note, effect, after))
        with st.container(horizontal=True, gap="small"):
            if parent is not None:
                widgets.link("Compare with the old run", "compare", key="result-compare", run=result.run_id, base=parent.run_id, judge=None)
                if effect is not None and effect.statuses[RemedyStatus.FAILED]:
                    _again(result, note, parent, before, effect.statuses[RemedyStatus.FAILED])
            widgets.link("Open its traces", "traces", key="result-traces", run=result.run_id)
        picked = _answers(result, before if parent else None, after)
    if picked is not None:
        _sides(picked, before if parent else None, after)
    return True


def _again(result: RunManifest, note: RemedyNote, parent: RunManifest, before: View, n_failed: int) -> None:
    """The calls that failed once more, as a run of its own."""
    chosen = lab_settings.again(note, resources.store().trace_ids(result.run_id), before)
    client = chosen.client()
    if client is None:
        return
    running = lab_run.job_of(parent) in {state.key for state in resources.jobs().active()}
    help_ = "Makes the failed calls again, as a run of its own; good replies are used again and cost nothing."
    if presses.pressed(st.button, f"Ask again about {counted(n_failed, 'failed answer')}", key="again", about=result.run_id, disabled=running or client.missing() is not None, help=help_):
        lab_run.start(chosen, before, parent, client, turn=note.turn + 1)
        selection.select(run=parent.run_id)
        address.put(result=None)
        st.rerun()


def _seen(result: RunManifest, judge: str, claim_set: str, view: View) -> View | None:
    """The result through the judge of the page, else through the one that judged it."""
    options = resources.judge_options(result.run_id)
    if not options or not resources.store().is_finished(result.run_id):
        return None
    mine = next((o for o in options if (o.fingerprint, o.claim_set) == (judge, claim_set)), options[0])
    return View(
        run_id=result.run_id, judge=mine.fingerprint, claim_set=mine.claim_set, policy=view.policy, k=result.remedy.settings.k if result.remedy else None
    )


def _settings(note: RemedyNote) -> str:
    s = note.settings
    said = {
        "gate": f"threshold {s.threshold:g} on {s.scores.value} scores, {counted(s.min_passages, 'passage')} needed" if s.threshold is not None else "",
        "verify": "unsupported claims marked" if s.flag else "unsupported claims removed", "refine": f"target {s.target:g}, up to {s.max_rounds} rounds",
        "structured": f"confidence from {s.min_confidence:g}" if s.min_confidence else "",
    }.get(note.remedy, "")
    parts = [said, note.model or "", note.prompt_version or "", f"turn {note.turn}" if note.turn > 1 else "", f"from {reveal(note.parent_name)}"]
    return ", ".join(part for part in parts if part)


def _numbers(e: RemedyEffect, doubt: str) -> None:
    lost = e.answered_before - e.answered_after
    widgets.number_strip([_metric(m) for m in e.metrics if m.n_before or m.n_after], key="effect-metrics")
    done = e.statuses
    parts = [
        StripPart(
            number=f"{count(e.answered_before)} → {count(e.answered_after)}",
            what="answered",
            remark=f"of {count(e.n)}; {count(lost)} now decline" if lost > 0 else f"of {count(e.n)}",
        )
    ]
    parts.append(StripPart(number=count(done["changed"]), what="changed", remark=f"{count(done['unchanged'])} as they were, {count(done['failed'])} failed"))
    money = f"\\{dollars(e.cost_usd)}" if e.tokens or e.cost_usd else "nothing"
    took = (
        f"{counted(e.tokens, 'token')}"
        + (f", {e.latency_ms / 1000:.1f} s a call" if e.latency_ms else "")
        + (f", {counted(e.unpriced, 'call')} of unknown price" if e.unpriced else "")
    )
    parts.append(StripPart(number=money, what="spent", remark=took if e.tokens else "no call was made"))
    widgets.number_strip(parts, key="effect")
    words = []
    if e.n_removed or e.n_lost:
        words.append(
            f"{counted(e.n_removed, 'unsupported claim')} removed or marked, {count(e.n_lost)} supported lost with them." + (f" {doubt}" if doubt else "")
        )
    if e.n_rejected:
        words.append(f"{counted(e.n_rejected, 'claim')} of structured answers rejected.")
    words += [f"Failed {count(n)}×: {widgets.md(reason, limit=160)}." for reason, n in list(e.failures.items())[:3]]
    if lost > 0:
        words.append(
            "Faithfulness rises by itself when answers go: read it together with what is no longer answered. The means before and after are over "
            "different answers; the difference is over answers on both sides."
        )
    if words:
        st.caption(" ".join(words))


def _metric(m: MetricEffect) -> StripPart:
    change = f"{signed(m.difference)} on {counted(m.n_pairs, 'pair')}" if m.difference is not None else "no pair"
    band = f", {interval(m.ci95.lo, m.ci95.hi)}" if m.ci95 else ", too few for an interval" if m.n_pairs else ""
    return StripPart(
        number=f"{number(m.before, digits=2)} → {number(m.after, digits=2)}",
        what=m.metric,
        remark=f"{change}{band}; n {count(m.n_before)} → {count(m.n_after)}",
    )


def _answers(result: RunManifest, before: View | None, after: View) -> str | None:
    """The list of answers; one is always picked."""
    n_pages = max(1, -(-result.n_traces // ROWS))
    page = address.page_number(n_pages, name="rp", draw=False)
    ids = resources.query(lambda: _in_order(result), "remedied", result.run_id)[(page - 1) * ROWS : page * ROWS]
    if not ids:
        return None
    traces: dict[str, Trace] = {t.id: t for t in resources.store().traces(after.run_id, ids)}
    old = {r.trace_id: r for r in resources.store().results(before, ids)} if before else {}
    new = {r.trace_id: r for r in resources.store().results(after, ids)}

    # A remedied run has its parent's ids and is kept for the same; whoever opened a trace there has seen it.
    closed = held_out.closed_ids((before or after).run_id)

    def value(found: object) -> str:
        score = getattr(found, "scores", {}).get("faithfulness")
        return NOTHING if score is None else number(score.value, digits=2)

    table = tables.of_rows(
        [
            {
                "what": lab_sides.STATUS[t.remedied.status] if t.remedied else "",
                "question": held_out.CLOSED if i in closed else reveal(t.question),
                "faithf. before": value(old.get(i)),
                "after": value(new.get(i)),
                "cost": dollars(t.remedied.cost_usd) if t.remedied and len(t.remedied.attempts) > 1 else "",
                "why": t.remedied.reason if t.remedied else "",
            }
            for i in ids
            if (t := traces.get(i)) is not None
        ]
    )
    table = tables.without_empty(table, ("cost", "why"))
    asked = selection.text(st.query_params, "trace")
    at = ids.index(asked) if asked in ids else 0
    event = tables.show(
        table,
        row_height=28,
        height="content",
        key=tables.key_of(f"answers-{result.run_id}", ids),
        on_select="rerun",
        selection_mode="single-row-required",
        selection_default={"selection": {"rows": [at], "columns": [], "cells": []}},
        alt="Answers and what became of each",
        placeholder="–",
        column_config={
            "what": st.column_config.TextColumn(width=96),
            "question": st.column_config.TextColumn(width=270),
            "faithf. before": st.column_config.TextColumn(width=92),
            "after": st.column_config.TextColumn(width=56),
            "cost": st.column_config.TextColumn(width=66),
            "why": st.column_config.TextColumn(width=180),
        },
    )
    address.page_number(n_pages, name="rp")
    chosen = event["selection"]["rows"]
    return ids[chosen[0]] if chosen and chosen[0] < len(ids) else ids[at]


def _in_order(result: RunManifest) -> list[str]:
    """Failed first, then changed, then those that now decline, then the rest."""
    rank = {RemedyStatus.FAILED: 0, RemedyStatus.CHANGED: 1, RemedyStatus.ABSTAINED: 2, RemedyStatus.UNCHANGED: 3}
    rows = [(rank[t.remedied.status] if t.remedied else 4, n, t.id) for n, t in enumerate(resources.store().traces(result.run_id))]
    return [trace_id for _, _, trace_id in sorted(rows)]


def _sides(trace_id: str, before: View | None, after: View) -> None:
    new = resources.judged_trace(after, trace_id)
    old = resources.judged_trace(before, trace_id) if before else None
    if new is None:
        return
    if old is None:
        st.caption("The old answer")
        st.text(reveal(new.trace.remedied.before) if new.trace.remedied else "")
        return
    lab_sides.draw(old, new, new.trace.remedied, views=(before or after, after))
