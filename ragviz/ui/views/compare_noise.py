"""The judge's own noise: another judging of the same run, chosen in the URL, says how much moves when nothing changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st
from msgspec.structs import replace

from ragviz.compare.noise import NoiseFloor, mean_noise, noise_floor
from ragviz.contracts import View
from ragviz.figures.plot_text import count, counted, percent
from ragviz.grounding import groundings
from ragviz.records import Grounding, RunManifest, Table
from ragviz.store import Store
from ragviz.ui import address, resources, scope

NOISE = "noise"
"""Query parameter: the second judging."""


@dataclass(frozen=True)
class Noise:
    """What two judgings of one run differ by."""

    floor: NoiseFloor
    means: Mapping[str, float]
    """By metric: how far a run's mean moves by noise alone, 95 of 100 times."""


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


def choose(view: View, run: RunManifest, base: RunManifest, place: Any) -> Noise | None:
    """The select box, and what the chosen judging says; None where nothing is chosen or there is no second judging."""
    known = judgings(view, run, base)
    with place:
        labels = {"": "not measured"} | {key: label for key, (_, _, label) in known.items()}
        picked = address.select_box("Judge noise from", NOISE, ["", *known], labels=labels, disabled=not known)
    if picked not in known:
        return None
    first, second, _ = known[picked]
    scope.results_for(second)
    return resources.shared(lambda: measured(resources.store(), first, second), "noise", first, second)


def measured(store: Store, first: View, second: View) -> Noise:
    """Verdicts and means of one run under both judgings."""
    floor = noise_floor(_verdicts(store, first), _verdicts(store, second))
    mine, theirs = _values(store, first), _values(store, second)
    means = {metric: mean_noise(mine[metric], theirs[metric]) for metric in mine if metric in theirs}
    return Noise(floor, {metric: half for metric, half in means.items() if half is not None})


def _verdicts(store: Store, view: View) -> dict[tuple[str, str], Grounding]:
    """What the judge says; people's words are left out, since they are the same in both."""
    return {
        (case.trace.id, claim_id): found.grounding
        for case in store.judged(view) for claim_id, found in groundings(replace(case, annotations=()), Table.RESPONSE_X_PASSAGES).items()
    }


def _values(store: Store, view: View) -> dict[str, dict[str, float | None]]:
    found: dict[str, dict[str, float | None]] = {}
    for result in store.results(view):
        for metric, score in result.scores.items():
            found.setdefault(metric, {})[result.trace_id] = score.value
    return found


def said(noise: Noise, n_flips: int, expected: float, up_to: int) -> None:
    """One line: how often the two judgings disagree, and what that would explain here."""
    floor = noise.floor
    if floor.rate is None or floor.ci95 is None:
        st.caption("The two judgings share no judged claim, so nothing is known of the noise.")
        return
    st.caption(
        f"Judge noise: {count(floor.flips)} of {counted(floor.n, 'claim')} got another verdict in the second judging, {percent(floor.rate)} "
        f"({percent(floor.ci95.lo)} to {percent(floor.ci95.hi)}). That alone would flip about {expected:.0f}, up to {count(up_to)}, of the claims on the same text and passages; "
        f"{count(n_flips)} did. Differences within the noise of a mean are drawn hollow."
    )
