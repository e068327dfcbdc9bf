"""Is it a fair comparison? What the two runs share beside the system under test, and what they do not."""

from __future__ import annotations

from ragviz.compare.report import Comparison
from ragviz.figures.plot_text import count, counted
from ragviz.records import RunManifest
from ragviz.ui import widgets
from ragviz.ui.widgets import StripPart

CHECKS = (
    ("questions", "questions"),
    ("judge", "judge"),
    ("claim_set", "claims"),
    ("policy", "policy"),
    ("corpus", "corpus"),
    ("k", "k"),
    ("prompt", "judge prompt"),
)


def draw(found: Comparison, run: RunManifest, base: RunManifest) -> None:
    """One line: each check the same or different, and what that means for the numbers below."""
    differs = {u.name: u for u in found.unfair}
    unpaired = len(found.pairing.only_base) + len(found.pairing.only_candidate)
    parts = [
        StripPart(
            number="Comparable" if not differs else f"{len(differs)} differ", what="", remark="nothing else differs" if not differs else "named, not hidden"
        ),
        StripPart(
            number="=" if "questions" not in differs and not unpaired else "≠",
            what="questions",
            remark=f"{count(len(found.pairing.pairs))} of {count(max(run.n_traces, base.n_traces))} paired",
        ),
    ]
    parts += [
        StripPart(number="≠" if name in differs else "=", what=label, remark="differs" if name in differs else "same")
        for name, label in CHECKS
        if name != "questions" and (name in differs or name in ("judge", "policy", "corpus", "k"))
    ]
    widgets.number_strip(parts[:7], key="guard")
    remarks = [f"**{widgets.md(u.name)}**: {widgets.md(u.told, limit=400)}" for u in found.unfair]
    if unpaired:
        remarks.append(f"{counted(unpaired, 'trace')} without a partner {'is' if unpaired == 1 else 'are'} left out")
    remarks += [widgets.md(sentence, limit=200) for sentence in found.pairing.ambiguous[:2]]
    if found.noise.observed:
        noise = found.noise
        measured = f"; its noise would explain up to {count(noise.up_to)}" if noise.up_to else "; its noise was not measured"
        remarks.append(
            f"{counted(noise.observed, 'claim')} of {count(noise.n)} changed verdict on the same text and passages: the judge, not the system{measured}"
        )
    if remarks:
        widgets.note("  \n".join(remarks), key="guard")
