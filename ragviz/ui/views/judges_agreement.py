"""Agreement of the sidebar's judge with people: headline figures, confusion, reliability, and labels as a file."""

from __future__ import annotations

import streamlit as st

from ragviz.figures.confusion import confusion_grid
from ragviz.figures.plot_text import count, counted, interval, number, percent
from ragviz.figures.reliability import ReliabilityPoint, reliability_curve
from ragviz.pipeline.calibrate import Answer
from ragviz.pipeline.label_files import LABELS
from ragviz.pipeline.label_rows import MAX_NAME, answers, export_labels, import_labels
from ragviz.pipeline.labelling import NEEDED, NEEDED_PER_KIND, cells, still_needed
from ragviz.pipeline.trust import Agreement, agreement
from ragviz.records import Grounding
from ragviz.stats.prevalence import Rate, corrected, sensitivity_specificity
from ragviz.ui import address, resources, troubles, widgets
from ragviz.ui.views import judges_slices
from ragviz.ui.views.judges_seen import Surveyed
from ragviz.ui.widgets import StripPart

MOST_BYTES = 50_000_000
_READ = "_rv_labels_read"
HINTS = {
    "balanced": "Mean of two shares: of the claims people call not supported, those the judge found; of the others, those it let pass. 0.5 is guessing, whatever the base rate.",
    "kappa": "Agreement beyond chance: 0 is what two blind guessers with these base rates reach, 1 is perfect. The base rate is the share people call not supported; where it is near 0 % or 100 %, "
             "κ is low even for a good judge.",
    "f1": "Harmonic mean of precision (of the claims the judge calls not supported, those people do) and recall (of those people do, the ones it found).",
    "brier": "Calibration error: mean distance between confidence and the share that is right, over bins of equal size. Brier score: mean squared distance between confidence and outcome; "
             "0 is perfect, 0.25 is what always saying 0.5 earns.",
}
COLUMNS = (Grounding.SUPPORTED, Grounding.CONFLICTED, Grounding.NOT_SUPPORTED, Grounding.CONTRADICTED, Grounding.UNJUDGED)


def draw(seen: Surveyed) -> None:
    """This part of the page."""
    n_claims = len(seen.survey.claims)
    needed = min(NEEDED, n_claims)
    _corrected(seen)
    if len(seen.labelled) < needed or not seen.labelled:
        _too_few(needed - len(seen.labelled), seen)
    else:
        found = _agreement(seen)
        _strip(found)
        left, right = st.columns([0.56, 0.44], gap="small")
        with left:
            _confusion(found)
        with right:
            _reliability(seen, found)
        judges_slices.draw(_answers(seen), seen.view)
    _files(seen)
    judges_slices.provenance(seen)


def _answers(seen: Surveyed) -> list[Answer]:
    ids = list(dict.fromkeys(ref.trace_id for ref in seen.labelled))
    return resources.shared(lambda: answers(resources.store().judged(seen.view, ids), seen.labelled, dataset=seen.run.name), "answers", seen.view)


def _agreement(seen: Surveyed) -> Agreement:
    return resources.shared(lambda: agreement(_answers(seen)), "agreement", seen.view)


def _too_few(missing: int, seen: Surveyed) -> None:
    n = len(seen.labelled)
    have = f"{counted(n, 'claim')} of this run {'is' if n == 1 else 'are'} labelled." if n else "No claim of this run is labelled yet."
    why = (
        f"Fewer than {NEEDED} labels would give a number that says nothing."
        if n < NEEDED
        else "Some of the verdicts that are common here have too few labels of their own."
    )
    widgets.note(f"**{counted(missing, 'more label')}** before agreement with people is shown. {have} {why}", key="too-few")
    st.button("Label claims", type="primary", key="go-label", on_click=address.put, kwargs={"tab": "label"})


def _corrected(seen: Surveyed) -> None:
    """The rate the judge reports, and the rate behind its errors."""
    claims = [c for c in seen.survey.claims if c.grounding is not Grounding.UNJUDGED]
    bad = sum(not c.grounding.is_supported for c in claims)
    kinds = cells(seen.survey.claims, seen.labelled)
    missing = still_needed(kinds)
    rate = corrected(list(kinds.values())) if not missing else None
    reported = StripPart(
        number=percent(bad / len(claims)) if claims else "–",
        what="hallucination, as judged",
        remark=f"{count(bad)} of {counted(len(claims), 'judged claim')}{seen.sampled}",
    )
    parts = [reported, _behind(rate, missing)]
    if rate is not None:
        found, passed = sensitivity_specificity(
            [c for kind, c in kinds.items() if kind.says == "unsupported"], [c for kind, c in kinds.items() if kind.says == "supported"],
        )
        parts += [
            StripPart(number=percent(found), what="of unsupported claims found", remark="sensitivity, labels weighed by kind"),
            StripPart(number=percent(passed), what="of supported claims passed", remark="specificity, labels weighed by kind"),
        ]
    widgets.number_strip(parts, key="rate")
    with st.container(key="cap-rate"):
        st.caption("Corrected: in each kind of claim (what the judge says, whether a second judge differs, whether it is unsure) people's labels count, "
                   "not the judge; kinds weigh as they do in the run. Labels given in the Inspector count too, though they were not picked by chance.")


def _behind(rate: Rate | None, missing: int) -> StripPart:
    if rate is None:
        return StripPart(number="–", what="hallucination, corrected", remark=f"{counted(missing, 'more label')}, {NEEDED_PER_KIND} of each common kind")
    shown = interval(rate.interval.lo, rate.interval.hi, as_percent=True)
    return StripPart(number=percent(rate.value), what="hallucination, corrected", remark=f"95 % interval {shown} · {counted(rate.n_labelled, 'label')}")


def _strip(found: Agreement) -> None:
    f = found.figures
    kappa, balanced = found.kappa, found.balanced_accuracy
    against = f["contradiction"]
    parts = [
        StripPart(number=number(f["balanced_accuracy"]), what="balanced accuracy", remark=interval(balanced.lo, balanced.hi) if balanced else "no interval", help=HINTS["balanced"]),
        StripPart(number=number(f["kappa"]), what="Cohen's κ", remark=(f"{interval(kappa.lo, kappa.hi)} · " if kappa else "") + f"base rate {percent(f['base_rate'], digits=0)}", help=HINTS["kappa"]),
        StripPart(number=number(f["f1_unsupported"]), what="F1 of not supported", remark=f"precision {number(f['precision_unsupported'])} · recall {number(f['recall_unsupported'])}", help=HINTS["f1"]),
        StripPart(number=number(against["precision"]), what="contradiction precision", remark=f"recall {number(against['recall'])}"),
        StripPart(number=percent(f["coverage"], digits=0), what="judged", remark=f"of {counted(f['n'], 'labelled claim')}"),
    ]
    widgets.number_strip(parts, key="agreement")
    with st.container(key="cap-agreement"):
        st.caption("On the labelled claims as they are. Two classes: supported (conflicted among them) against the rest; an unjudged claim counts as wrong. "
                   "95 % intervals: bootstrap, claims of one trace drawn together. Base rate: share that people call not supported.")


def _confusion(found: Agreement) -> None:
    counts = found.figures["confusion"]
    labels = [g for g in LABELS if sum(counts[g.value].values())]
    verdicts = [g for g in COLUMNS if g is not Grounding.CONFLICTED or any(counts[label.value][g.value] for label in labels)]
    with widgets.box("confusion", "Labels against verdicts", "framed: both say the same", height="stretch"):
        alt = "; ".join(f"{label.value} judged {g.value}: {counts[label.value][g.value]}" for label in labels for g in verdicts if counts[label.value][g.value])
        widgets.chart(confusion_grid(counts, labels=labels, verdicts=verdicts, colours=widgets.colours()), key="confusion", alt=alt)
        widgets.link("See the claims that differ", "judges", key="differ", tab="differ", between="people")


def _reliability(seen: Surveyed, found: Agreement) -> None:
    curve = found.reliability
    with widgets.box("reliability", "Reliability", "bins of equal mass", height="stretch"):
        if curve is None:
            st.caption("This judge gives no confidence, so there is nothing to hold against its hits.")
            return
        points = [ReliabilityPoint(confidence=b.confidence, accuracy=b.accuracy, n=b.n) for b in curve.bins]
        alt = "; ".join(f"confidence {p.confidence:.2f}: {p.accuracy:.2f} of {p.n}" for p in points)
        widgets.chart(reliability_curve(points, colours=widgets.colours()), key="reliability", alt=alt, hover=True)
        said = resources.standing(seen.view.judge).worth(by_makers=seen.survey.calibrated_share or 0.0)
        st.caption(
            f"Calibration error {number(curve.ece)} over {counted(curve.n, 'claim')}; Brier score {number(curve.brier)}. The judge's confidence is **{said}**.",
            help=HINTS["brier"],
        )
        _calibration(seen)


def _calibration(seen: Surveyed) -> None:
    """The correction on people's labels that is in force, or how to get one."""
    stands = resources.standing(seen.view.judge)
    c = stands.calibration
    if c is None:
        st.caption(
            "`ragviz calibrate labels.jsonl --fit` corrects it on half of the labels and measures that on the other half. Until then read it as an "
            "order, not as a probability."
        )
    elif c.before is not None and c.after is not None:
        st.caption(f"On {counted(c.after.n, 'label')} nothing was fitted on, the calibration error went from {number(c.before.ece)} to {number(c.after.ece)}, "
                   f"the Brier score from {number(c.before.brier)} to {number(c.after.brier)}.")


def _files(seen: Surveyed) -> None:
    """Labels out and in, in the rows that ``ragviz calibrate`` reads."""
    with widgets.box("files", "Labels as a file", "JSON Lines: one claim, its passages and a person's label a row; `ragviz calibrate` reads it"):
        left, right = st.columns([0.3, 0.7], gap="small", vertical_alignment="bottom")
        with left:
            # Made when it is asked for: a label file may be large.
            st.download_button(
                f"Export {counted(len(seen.labelled), 'labelled claim')}",
                data=lambda: "".join(export_labels(resources.store(), seen.view, name=seen.run.name)).encode(),
                file_name="labels.jsonl",
                mime="application/x-ndjson",
                disabled=not seen.labelled,
                key="export-labels",
                on_click="ignore",
            )
        with right, st.form("labels-in", border=False, clear_on_submit=True), st.container(horizontal=True, vertical_alignment="bottom"):
            st.file_uploader("Import labels", key="labels-file", max_upload_size=MOST_BYTES // 1_000_000, width=420)
            st.text_input("Said by, where a row does not say", key="labels-author", max_chars=MAX_NAME, width=240)
            # By a callback: the form is emptied by the press, so a later run would not find the file.
            st.form_submit_button("Import", on_click=_read, args=(seen,))
        troubles.tell("labels")
        _outcome()


@troubles.kept("labels")
def _read(seen: Surveyed) -> None:
    store, file = resources.store(), st.session_state["labels-file"]
    if file is not None:
        author = st.session_state["labels-author"].strip() or "label file"
        st.session_state[_READ] = import_labels(store, seen.view, file.getvalue().splitlines(), filename=file.name, author=author, now=store.now())


def _outcome() -> None:
    found = st.session_state.pop(_READ, None)
    if found is None:
        return
    st.caption(
        f"{counted(found.n_added, 'label')} added, {count(found.n_known)} known already, {counted(len(found.issues), 'row')} without a place in this run."
    )
    for issue in found.issues[:5]:
        st.text(issue)
