"""Does the judge stand by its word? It is asked again, and the same in another dress; verdicts that changed open in the Inspector."""

from __future__ import annotations

from functools import partial

import streamlit as st

from ragviz.contracts import Judge, View
from ragviz.errors import RagvizError
from ragviz.figures.highlight import reveal
from ragviz.figures.plot_text import count, counted, interval, percent
from ragviz.judges import fingerprint
from ragviz.pipeline.choices import working_judge
from ragviz.pipeline.jobs import Handle, JobStatus
from ragviz.pipeline.probing import Probe
from ragviz.pipeline.stability import Stability, asked_by, draw_from, keep, kept, measure
from ragviz.store import Store
from ragviz.text.unmarked import unmarked
from ragviz.ui import marks, openers, presses, resources, selection, tables, widgets
from ragviz.ui.views.judges_seen import Surveyed
from ragviz.ui.widgets import StripPart

POLL_S = 0.5
MOST_CASES = 200
WORDS = {
    Probe.REPEATED: "changed, asked anew",
    Probe.SHUFFLED: "changed, passages shuffled",
    Probe.DISTRACTOR: "changed, unrelated passage added",
    Probe.REWORDED: "changed, claim reworded",
}
SHORT = {Probe.REPEATED: "asked anew", Probe.SHUFFLED: "passages shuffled", Probe.DISTRACTOR: "unrelated passage added", Probe.REWORDED: "claim reworded"}
NOTHING = {
    Probe.SHUFFLED: "no claim has two passages",
    Probe.DISTRACTOR: "no other trace to take a passage from",
    Probe.REWORDED: "no claim could be reworded",
    Probe.REPEATED: "not asked",
}


def draw(seen: Surveyed) -> None:
    """This part of the page."""
    key = f"stability\x1f{seen.view.run_id}\x1f{seen.view.judge}"
    state = resources.jobs().state(key)
    running = state is not None and not state.status.is_over
    _controls(seen, key, running=running)
    # The timer runs only while there is something to wait for.
    st.fragment(_watch, run_every=POLL_S if running else None)(key)
    found = resources.shared(lambda: kept(resources.store(), seen.view), "stability", seen.view)
    if found is None:
        if not running:
            widgets.empty_state(
                "Not measured yet",
                "A judge that changes its mind cannot be trusted with small differences. Asked about a sample of claims a second time, it should say the same.",
            )
        return
    _strip(found)
    _cases(seen, found)


def _controls(seen: Surveyed, key: str, *, running: bool) -> None:
    judge = _judge_here(seen.view.judge)
    if isinstance(judge, str):
        widgets.note(judge, key="unasked")
        return
    with st.form("stability-form", border=False), st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        sample = st.number_input("Claims drawn by chance", 1, 5_000, value=100, width=170, key="stability-sample")
        repeats = st.number_input("Asked anew, times", 1, 20, value=2, width=150, key="stability-repeats")
        seed = st.number_input(
            "Seed",
            0,
            10**6,
            value=0,
            width=110,
            key="stability-seed",
            help="Another one draws other claims and asks them all anew. With the same one, answers that came are remembered.",
        )
        pressed = presses.pressed(st.form_submit_button, "Measure", key="stability-measure", about=seen.view, form=True, type="primary", disabled=running)
    asked = min(sample, len(seen.survey.claims))
    paid = " Each question is paid for." if judge.info.network else ""
    st.caption(
        f"Up to {counted(asked * (4 + repeats), 'question')} to {widgets.md(seen.judge.label)}: each claim once, {repeats} times anew, and once "
        f"each with passages shuffled, an unrelated one added, the claim reworded.{paid}"
    )
    if pressed:
        resources.jobs().forget(key)
        work = partial(_work, store=resources.store(), view=seen.view, judge=judge, sample=int(sample), repeats=int(repeats), seed=int(seed))
        resources.jobs().submit(key, work)
        st.session_state[_awaited(key)] = True
        st.rerun()


def _judge_here(wanted: str) -> Judge | str:
    """The judge of the sidebar if this installation can ask it; else why not, in Markdown."""
    name = wanted.split(":", 1)[0]
    model = wanted.split(":")[3:4]
    try:
        judge = working_judge(f"{name}:{model[0]}" if name in ("anthropic", "nli") and model and model[0] != "-" else name, api_key=resources.api_key())
    except (RagvizError, TypeError) as exc:
        reason = exc.message if isinstance(exc, RagvizError) else "it was made by another program"
        return f"**This judge cannot be asked here:** {widgets.md(reason, limit=300)}. What was measured before is shown."
    if judge.info.claim_set != "text":
        return f"**{widgets.md(name)} computes its verdicts from what came with the file**, so asked again it says the same by construction. Choose a judge that reads texts, on the left."
    if fingerprint(judge) != wanted:
        return "**These verdicts are of another version of this judge**, which cannot be asked here. Judge the run again on the Data page to measure this one."
    return judge


def _work(handle: Handle, *, store: Store, view: View, judge: Judge, sample: int, repeats: int, seed: int) -> Stability:
    """Runs in the pool. Answers are kept as they come; the result is stored before it is reported."""
    rows = draw_from(store, view, sample, seed=seed)
    found = measure(
        rows,
        asked_by(judge, store, seed=seed, run_id=view.run_id),
        fingerprint=view.judge,
        at=store.now().isoformat(timespec="seconds"),
        repeats=repeats,
        seed=seed,
        on_progress=handle.progress,
        stopped=handle.cancel.is_set,
    )
    keep(store, view, found)
    return found


def _awaited(key: str) -> str:
    return f"_rv_awaited:{key}"


def _watch(key: str) -> None:
    """How far it is, how to stop it, and the page drawn once more when it is done."""
    state = resources.jobs().state(key)
    if state is None:
        return
    if not state.status.is_over:
        st.session_state[_awaited(key)] = True
        total = f" of {count(state.total)}" if state.total else ""
        st.progress(state.fraction or 0.0, text=f"{count(state.done)}{total} questions put · {state.seconds:.0f} s")
        st.button("Stop", key="stop-stability", on_click=_stop, args=(key,))
        return
    if st.session_state.pop(_awaited(key), False):
        selection.settle()
        st.rerun()
    if state.status is JobStatus.FAILED:
        widgets.problem(state.message, state.fix, key="stability")
    elif state.status is JobStatus.CANCELLED:
        st.caption("Stopped. Answers that came are remembered: with the same seed it goes on from there.")


def _stop(key: str) -> None:
    resources.jobs().cancel(key)


def _strip(found: Stability) -> None:
    parts = []
    for probe in found.probes:
        ends = probe.interval
        shown = f"95 % interval {interval(ends.lo, ends.hi, as_percent=True)} · {count(probe.changed)} of {count(probe.n)}" if ends else NOTHING[probe.probe]
        parts.append(StripPart(number=percent(probe.share) if probe.share is not None else "–", what=WORDS[probe.probe], remark=shown))
    widgets.number_strip(parts, key="stability")
    crossed = sum(p.crossed for p in found.probes)
    failed = sum(p.unjudged for p in found.probes)
    with st.container(key="cap-stability"):
        st.caption(f"{counted(found.n_claims, 'claim')} drawn by chance (seed {found.seed}), one of each answer first; measured {found.at.partition('T')[0]}. "
                   f"{counted(crossed, 'change')} went from supported to not supported or back: only these move scores. "
                   + (f"{counted(failed, 'question')} could not be judged and {'is' if failed == 1 else 'are'} left out. " if failed else "")
                   + "Intervals: Wilson. Differences between runs smaller than these shares may be the judge's own.")


def _cases(seen: Surveyed, found: Stability) -> None:
    """Each verdict that changed; the row opens the claim."""
    with widgets.box("changes", "Verdicts that changed", f"{counted(len(found.changes), 'case')}" if found.changes else ""):
        if not found.changes:
            st.caption("None: asked again, this judge said the same of every claim of the sample.")
            return
        part = found.changes[:MOST_CASES]
        texts = resources.shared(lambda: _texts(seen.view, [c.trace_id for c in part]), "stability-texts", seen.view, found.at)
        rows = tables.of_rows(
            [
                {
                    "open": "Open ›",
                    "asked again with": SHORT[c.probe],
                    "before": marks.chip(c.before),
                    "after": marks.chip(c.after),
                    "claim": texts.get((c.trace_id, c.claim_id), ""),
                    "trace": reveal(c.trace_id),
                }
                for c in part
            ]
        )
        key = f"changes-{seen.view.run_id}-{found.at}"
        tables.show(
            rows,
            row_height=28,
            height="content",
            key=key,
            alt="Verdicts that changed",
            column_config={
                "open": openers.opening(f"{key}-open", "inspector", [{"trace": c.trace_id, "claim": c.claim_id} for c in part], pinned=True),
                "claim": st.column_config.TextColumn(width=430),
                "asked again with": st.column_config.TextColumn(width=170),
                "before": st.column_config.TextColumn(width=130),
                "after": st.column_config.TextColumn(width=130),
            },
        )
        if len(found.changes) > MOST_CASES:
            st.caption(f"The first {MOST_CASES} are listed; `ragviz stability RUN --json` gives all.")


def _texts(view: View, ids: list[str]) -> dict[tuple[str, str], str]:
    """Claims by trace and id."""
    return {
        (trace_id, c.id): reveal(unmarked(c.text))
        for trace_id, claims in resources.store().claim_sets(view.run_id, view.claim_set, list(dict.fromkeys(ids))).items()
        for c in claims
    }
