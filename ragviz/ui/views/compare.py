"""Compare: two runs paired by question; what differs beyond chance, which claims flipped, and why."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from ragviz.compare.report import Comparison
from ragviz.contracts import View
from ragviz.errors import RagvizError
from ragviz.figures.plot_text import count, counted
from ragviz.records import RunManifest
from ragviz.ui import baseline, held_out, resources, widgets
from ragviz.ui.views import compare_changes, compare_differences, compare_flips, compare_gate, compare_guard, compare_made, compare_noise


@widgets.plainly
def render() -> None:
    """The whole page."""
    view, run = resources.view(), resources.run()
    if view is None or run is None:
        widgets.page_head("Compare")
        widgets.no_run("Two runs of the same questions can be compared here.")
        return
    if resources.gone_run() is not None:  # comparing another one in its place would answer a question that nobody asked
        widgets.page_head("Compare")
        widgets.empty_state(
            "The candidate is not in the store any more",
            "It was deleted, or the link is of another store. Take the newest run as the candidate, or choose one in the sidebar.",
            widgets.Action(label="Take the newest run", page="compare", params=(("run", run.run_id),)),
        )
        return
    line, (right, middle, left) = widgets.page_head("Compare", controls=3, widths=(0.18, 0.2, 0.2))
    with left:
        base = baseline.choose(run, title=f"Baseline for {widgets.md(run.name, limit=24)}", none="choose one")
    if base is None:
        gone = baseline.gone()
        line.caption("Nothing chosen yet." if gone is None else f"The baseline of this link is not in the store any more: {widgets.md(gone)}.")
        _choose_first(run)
        return
    noise = compare_noise.choose(view, run, base, middle)
    there = _other(view, base)
    made = compare_made.made(there, view, base, run)
    if made is None:
        line.caption("The two runs are being compared.")
        return
    # The noise enters last, so that choosing another one costs nothing.
    found, parts = compare_noise.applied(made.found, noise), made.parts
    line.caption(_facts(found))
    held_out.note(base.run_id, run.run_id)
    compare_guard.draw(found, run, base)
    with right:
        every = compare_differences.choose_metrics(len(found.metrics))
    compare_changes.draw(found, run, base)
    compare_differences.draw(found, parts, run, base, every=every, noise=noise)
    compare_noise.offer(view)
    compare_differences.slices(found, parts, run, base)
    compare_gate.draw(view, found, run, base, parts=parts, noise=noise)
    compare_flips.draw(found, run, base)


def _choose_first(run: RunManifest) -> None:
    if baseline.others(run):
        widgets.empty_state(
            "Which run is it compared with?",
            "Choose a baseline above; the run in the sidebar is the candidate. Both are seen through the judge in the sidebar.",
        )
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


def _facts(found: Comparison) -> str:
    worse = [f for f in found.claim_flips if f.worse]
    reasons = Counter(f.reason for f in worse)
    if not worse:
        return f"{counted(len(found.pairing.pairs), 'paired trace')}; no claim got worse"
    parts = ", ".join(f"{compare_flips.REASONS[reason]} {count(n)}" for reason, n in reasons.most_common())
    looked = "" if found.n_looked_into is None else f" in the {counted(found.n_looked_into, 'trace')} looked into"
    return f"{counted(len(found.pairing.pairs), 'paired trace')}; {counted(len(worse), 'claim')} got worse{looked} ({parts})"
