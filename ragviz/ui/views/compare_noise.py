"""
The judge's own noise: how much moves when nothing changed.

A judge that computes has none, and that is said. Any other one is measured: by another judging of the same run that is stored, chosen in the URL, or by
asking the judge again about some traces, which a button starts and the store keeps.
"""

from __future__ import annotations

from typing import Any, Literal

import streamlit as st
from msgspec.structs import replace

from ragviz.compare.noise import JudgeNoise, NoiseCheck, check_noise, no_noise, unknown_noise
from ragviz.compare.report import NO_FLOOR, Comparison
from ragviz.contracts import View
from ragviz.figures.plot_text import count, counted, percent
from ragviz.pipeline.jobs import Handle
from ragviz.pipeline.noise import GIVEN, SAMPLE, computes, judge_word, measure_noise, noise_between
from ragviz.records import RunManifest
from ragviz.store import Store
from ragviz.ui import address, resources, scope, widgets

NOISE = "noise"
"""Query parameter: the second judging."""
KEPT: Literal["judge-noise"] = "judge-noise"
POLL_S = 0.5


def judgings(view: View, run: RunManifest, base: RunManifest) -> dict[str, tuple[View, View, str]]:
    """Second judgings of either run on the same claims: parameter to (first, second, label)."""
    found = {}
    for manifest in (run, base):
        options = [o for o in resources.judge_options(manifest.run_id) if o.claim_set == view.claim_set]
        first = next((o for o in options if o.fingerprint == view.judge), None)
        for other in options if first is not None else []:
            if other is not first:
                seen = replace(view, run_id=manifest.run_id)
                found[f"{manifest.run_id}:{other.label}"] = (seen, replace(seen, judge=other.fingerprint), f"{other.label} on {manifest.name}")
    return found


def choose(view: View, run: RunManifest, base: RunManifest, place: Any) -> JudgeNoise | None:
    """The select box, and what is known by it; None where nothing was measured."""
    known, itself = judgings(view, run, base), of_itself(view)
    with place:
        labels = {"": "not measured" if itself is None or itself.floor.rate is None else "asked again" if itself.floor.n else "none: it computes"}
        labels |= {key: f"as {label}" for key, (_, _, label) in known.items()}
        picked = address.select_box("Judge noise", NOISE, ["", *known], labels=labels, disabled=not known)
    if picked not in known:
        return itself
    first, second, _ = known[picked]
    scope.results_for(second)
    return resources.shared(lambda: measured(resources.store(), first, second), "noise", first, second)


def of_itself(view: View) -> JudgeNoise | None:
    """0 for a judge that computes; what asking again came to, where that was done; None where nothing is known."""
    if view.judge.startswith("imported:"):
        return unknown_noise(GIVEN)
    name = resources.query(lambda: computes(view.judge), "computes", view.judge)
    return no_noise(name) if name is not None else resources.query(lambda: resources.store().kept(KEPT, JudgeNoise).get(_name(view)), "judge_noise", view)


def offer(view: View) -> None:
    """A button that asks again, where the judge may answer differently and was not asked yet; its progress while it runs."""
    if of_itself(view) is not None:
        return
    key, word = f"noise\x1f{_name(view)}", judge_word(view.judge)
    state = resources.jobs().state(key)
    running = state is not None and not state.status.is_over
    with st.container(horizontal=True, vertical_alignment="center", key="cap-ask-again"):
        if running:
            st.fragment(_watch, run_every=POLL_S)(key)
        else:
            st.button(f"Ask {SAMPLE} traces again", key="ask-again", on_click=_start, args=(key, view, word))
            st.caption(
                "measures how often this judge changes its mind on identical inputs; costs as much as judging so many traces. The verdicts in force stay.",
                width="content",
            )
    if state is not None and state.message:
        widgets.problem(state.message, state.fix, key="ask-again")


def _start(key: str, view: View, word: str) -> None:
    store, api_key = resources.store(), resources.api_key()

    def work(handle: Handle) -> int:
        found = measure_noise(store, view, word, api_key=api_key, on_progress=handle.progress, cancel=handle.cancel)
        store.keep(KEPT, _name(view), found)
        return found.n_traces

    resources.jobs().submit(key, work)


def _watch(key: str) -> None:
    state = resources.jobs().state(key)
    if state is None or state.status.is_over:
        st.rerun()
    st.progress(state.fraction or 0.0, text=f"Asking again: {state.done} of {state.total or SAMPLE} traces")


def _name(view: View) -> str:
    return f"{view.run_id}:{view.claim_set}:{view.k or 'all'}:{view.judge}"


def measured(store: Store, first: View, second: View) -> JudgeNoise:
    """Verdicts and metrics of one run under two stored judgings; people's words are left out, since they are the same in both."""
    before, after = ([replace(case, annotations=()) for case in store.judged(view)] for view in (first, second))
    return noise_between(before, after, source="two stored judgings", run_id=first.run_id)


def applied(found: Comparison, noise: JudgeNoise | None) -> Comparison:
    """The comparison with its flips held against this noise."""
    return replace(found, noise=check_noise(noise.floor if noise else NO_FLOOR, observed=found.noise.observed, n=found.noise.n))


def said(noise: JudgeNoise | None, check: NoiseCheck) -> None:
    """One line: how often the judge changes its mind, and what that alone would explain here."""
    here = (
        f"{count(check.observed)} of {counted(check.n, 'claim')} on the same text and passages changed verdict"
        if check.n
        else "no claim has the same text and passages in both runs"
    )
    if noise is None:
        st.caption(f"Judge noise: not measured; {here}.")
        return
    floor = noise.floor
    if not floor.n:
        shared = floor.rate is not None or not noise.n_traces
        st.caption(
            f"Judge noise {widgets.md(noise.source, limit=200)}; {here}."
            if shared
            else "The two judgings share no judged claim, so nothing is known of the noise."
        )
        return
    assert floor.rate is not None
    assert floor.ci95 is not None
    st.caption(
        f"Judge noise: {count(floor.flips)} of {counted(floor.n, 'claim')} got another verdict in the second judging, {percent(floor.rate)} "
        f"({percent(floor.ci95.lo)} to {percent(floor.ci95.hi)}). That alone would flip about {check.expected:.0f}, up to {count(check.up_to)}, of "
        f"the claims on the same text "
        f"and passages; {count(check.observed)} did. Differences within the noise of a mean are drawn hollow."
    )
