"""The scope in the sidebar: which run, seen through which judge, under which policy. Chosen once, for all pages."""

from __future__ import annotations

import re

import streamlit as st

from ragviz.contracts import View
from ragviz.diagnosis.meanings import TERMS
from ragviz.figures.highlight import reveal
from ragviz.pipeline.jobs import Handle
from ragviz.pipeline.scoring import score_view
from ragviz.records import Policy, RunManifest
from ragviz.ui import held_out, resources, samples, selection

POLL_S = 0.5
WAIT_S = 1.5
"""How long a page may wait for scores before it is drawn without them."""
_RUNNING = "_rv_judging"

POLICY_LABELS = {
    Policy.DEFAULT: "ragviz default",
    Policy.STRICT: "strict",
    Policy.RAGAS: "Ragas",
    Policy.DEEPEVAL: "DeepEval",
    Policy.RAGCHECKER: "RAGChecker",
}


def draw() -> None:
    """Three select boxes that write the URL. Without a run there is nothing to choose."""
    every, chosen, newest = resources.runs(), resources.run(), resources.newest_run()
    if chosen is None or newest is None:
        return
    with st.sidebar:
        labels = run_labels(every)
        _choose("Run", "run", [r.run_id for r in every], chosen.run_id, labels, newest=newest.run_id)
        # Places that are there from the beginning: a box that appears once a run is judged would shift all below it, and these would stand there
        # twice for a moment.
        with st.container(key="place-held-out"):
            held_out.line(chosen.run_id)
        with st.container(key="place-judge"):
            options = resources.judge_options(chosen.run_id)
            seen = resources.view()
            if options and seen is not None:
                results_for(seen)
                shown = next((o.label for o in options if (o.fingerprint, o.claim_set) == (seen.judge, seen.claim_set)), options[0].label)
                names = [o.label for o in options]
                _choose("Judge", "judge", names, shown, dict(zip(names, names, strict=True)), newest=names[0], hint=TERMS["judge"])
        policies = {p.value: label for p, label in POLICY_LABELS.items()}
        _choose("Policy", "policy", list(policies), selection.current().policy.value, policies, newest=Policy.DEFAULT.value, hint=TERMS["policy"])


def tell_of_a_gone_run() -> None:
    """A link to a run that is not there any more opens another one: that is said above the page, in words that name both."""
    gone, chosen = resources.gone_run(), resources.run()
    if gone is not None and chosen is not None:
        st.info(f"This run is not in the store any more: {plain(gone)}. The newest, {plain(chosen.name)}, is chosen instead.", icon=":material/info:")


def progress() -> None:
    """A line in the sidebar while runs are being judged; the page is drawn anew when one is finished."""
    running = samples.judging()
    with st.sidebar:
        st.fragment(_progress, run_every=POLL_S if running else None)()


def _progress() -> None:
    running = samples.judging()
    before = st.session_state.get(_RUNNING, 0)
    st.session_state[_RUNNING] = len(running)
    if len(running) < before:
        selection.settle()
        st.rerun()
    for state in running[:3]:
        done = f"{state.done} of {state.total}" if state.total else "waiting"
        st.progress(state.fraction or 0.0, text=f"Judging {plain(samples.name_of(state))} · {done}")
    for state in samples.failed()[:2]:
        st.error(f"{plain(samples.name_of(state))} was not judged: {plain(state.message)}  \n{plain(state.fix)}")
        st.button("Try again", key=f"again-{state.key}", on_click=samples.try_again, args=(state,))


def plain(name: str) -> str:
    """A name out of a file for a label that reads Markdown: every sign is taken literally."""
    return re.sub(r"([\\`*_{}\[\]()<>#+\-.!|~$:^&])", r"\\\1", reveal(name)[:200])


def results_for(seen: View) -> None:
    """Compute what a newly chosen policy needs: quick ones before the page is drawn, others in the background."""
    lacking = missing(seen)
    if not lacking:
        return
    if samples.judging():
        return
    key = f"score\x1f{seen.run_id}\x1f{seen.judge}\x1f{seen.policy}"
    store = resources.store()

    def work(handle: Handle) -> int:
        return score_view(store, seen, on_progress=handle.progress, cancel=handle.cancel)

    # While others judge, some are missing all the time; a policy that was just chosen lacks all.
    resources.jobs().submit(key, work, quiet=lacking < resources.count(seen))
    try:
        resources.jobs().wait(key, timeout_s=WAIT_S)
    except TimeoutError:
        st.sidebar.caption("Computing the scores of this view; the numbers so far are of part of the run.")


def missing(seen: View) -> int:
    """How many traces have no scores in this view."""
    return resources.query(lambda: resources.store().n_missing(seen), "missing", seen, run_id=seen.run_id)


def run_labels(runs: list[RunManifest]) -> dict[str, str]:
    """Run id to what people read: the name, with the start of the id where two runs share one."""
    names = [r.name for r in runs]
    return {r.run_id: r.name if names.count(r.name) == 1 else f"{r.name} · {r.run_id[:8]}" for r in runs}


def _choose(title: str, name: str, options: list[str], shown: str, labels: dict[str, str], *, newest: str, hint: str = "") -> None:
    key = f"scope_{name}"
    # The URL decides, also after Back: the widget is told before it is drawn.
    if st.session_state.get(key) != shown:
        st.session_state[key] = shown
    st.selectbox(title, options, key=key, format_func=lambda o: labels.get(o, o), on_change=_write, args=(name, key, newest), help=hint or None)


def _write(name: str, key: str, default: str) -> None:
    """A choice goes to the URL; the default leaves it clean. Another run means another trace."""
    value = st.session_state[key]
    changes: dict[str, str | None] = {name: None if value == default else value}
    if name == "run":
        changes |= {"judge": None, "trace": None, "claim": None, "k": None}
    selection.select(**changes)
